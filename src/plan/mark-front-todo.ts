// Writes a task's state into front matter.

import { checkMarked, type MarkResult, type MarkState, refused } from "./check-marked.ts"
import { blockComment, readFrontTodos, type TodoLines, todoLines } from "./data/front-todos.ts"
import { NO_REASON } from "./model/blocked-words.ts"
import { lineRange } from "./model/lines.ts"
import type { Task } from "./model/plan.ts"
import { cleanTitle } from "./model/title.ts"
import { trimEnd } from "./model/trim-end.ts"

/** Cursor's, and Backlog.md's. */
const WORDS: Readonly<Record<MarkState, readonly [string, string]>> = {
  open: ["pending", "To Do"],
  in_progress: ["in_progress", "In Progress"],
  blocked: ["pending", "To Do"],
  done: ["completed", "Done"],
}
const VALUE = /^( *(?:- +)?status:[ \t]*)(["']?)((?:[^\s"'#]+(?:[ \t][^\s"'#]+)*)?)\2/

/**
 * Writes a task's state into the front matter: the value of its `status`, and nothing else, byte for byte. YAML has no word for a block
 * that Cursor knows: the status stays, and a comment after it says why. What is written is read again.
 */
export function markFrontTodo(
  text: string,
  task: Task,
  state: MarkState,
  note?: string,
): MarkResult {
  const plan = readFrontTodos(text)
  const at = plan.tasks.findIndex(
    ({ key, titleHash }) => key === task.key && titleHash === task.titleHash,
  )
  if (at === -1) return refused(`Expected ${task.key} in the plan; found no such task now.`)
  const found = todoLines(text)
  const todo = found.length === plan.tasks.length ? found[at] : undefined
  const word = WORDS[state][plan.dialect === "cursor" ? 0 : 1]
  const written = todo === undefined ? null : withStatus(text, todo, word, commentFor(state, note))
  if (written === null)
    return refused(
      `Expected each todo on lines of its own with a status; found another form. Mark ${task.key} by hand.`,
    )
  return checkMarked({
    before: plan.tasks,
    after: readFrontTodos(written).tasks,
    task,
    wanted: [state],
    written,
  })
}

function withStatus(text: string, todo: TodoLines, word: string, added: string): string | null {
  const at = lineRange(text, (todo.statusAt === -1 ? todo.to : todo.statusAt) + 1)
  if (at === null) return null
  const line = text.slice(at.start, at.end)
  if (todo.statusAt === -1) {
    const status = `${" ".repeat(todo.column)}status: ${word}${added}`
    return `${text.slice(0, at.end)}${lineBreakOf(text)}${status}${text.slice(at.end)}`
  }
  const [whole, key = "", quote = ""] = VALUE.exec(line) ?? []
  if (whole === undefined) return null
  const behind = line.slice(whole.length)
  const comment = blockComment(behind)
  const rest = comment === null ? behind : trimEnd(behind.slice(0, comment.at), " \t")
  const space = /\s$/.test(key) ? "" : " "
  const status = `${key}${space}${quote}${word}${quote}${rest}${added}`
  return text.slice(0, at.start) + status + text.slice(at.end)
}

function commentFor(state: MarkState, note: string | undefined): string {
  if (state !== "blocked") return ""
  const reason = note === undefined ? "" : cleanTitle(note)
  return ` # BLOCKED: ${reason === "" ? NO_REASON : reason}`
}

function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? "\n"
}
