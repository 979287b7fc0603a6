// What the text of a task's row says against its box.

import type { PlanWarning, Task } from "../model/plan.ts"
import { saysDone } from "../model/title.ts"
import type { Entry } from "./rows.ts"

/** Behind a sign or at an end; a word that is part of a sentence says what the task is about: `Count SKIPPED tests`, `实现跳过按钮`. */
const SKIPPED_TEXT =
  /(?:[([（—–]|(?<!\w)-)[ \t*_]*(?:[Ss]kipped|SKIPPED)\b|(?:^[*_]*Skipped|\bSKIPPED)[ \t*_]*(?:$|[:：(（)\]—–-])|(?:^|[([（【:：,，;；—–-]|[ \t](?=\S{1,9}$))[ \t*_]*(?:已?(?:跳过|跳過)|スキップ(?:済み?)?|건너뜀|생략됨|bỏ qua)[ \t*_]*(?=$|[)）\]】:：,，;；。.—–-])/u
const MAY_SAY_SKIPPED = /skipped|[^\0-\x7f]/i
/** Most rows hold none of it: one pattern is the cheapest way to tell. */
const MAY_SAY_DONE = /[✅☑✔✓—–)\]]|~~| - /u

/** Adds the warnings of a row whose text says otherwise than its box, and whose id is a placeholder or taken. */
export function warnOfText(
  warnings: PlanWarning[],
  task: Task,
  { row, labelled }: Pick<Entry, "row" | "labelled">,
): void {
  const { text } = row.box
  const warn = (rule: string, message: string) => warnings.push({ line: task.line, rule, message })
  if (labelled.isPlaceholder) warn("placeholder-id", "The id is a template's placeholder.")
  if (!task.reusable) warn("duplicate-label", twin(task))
  if (task.rejected && task.state === "done") warn("rejected", REJECTED)
  if (task.state !== "open") return
  const isSaidDone = row.kind !== "bare-heading" && MAY_SAY_DONE.test(text) && saysDone(text)
  if (isSaidDone) warn("done-text", text.startsWith("~~") ? STRUCK : DONE)
  if (MAY_SAY_SKIPPED.test(text) && SKIPPED_TEXT.test(text)) warn("skipped-text", SKIPPED)
}

function twin({ key }: Task): string {
  return `Another task has this ${key.startsWith("task:~") ? "title" : "label"}: this one is ${key}.`
}

const REJECTED = "The task is ticked but its verdict is REJECT: that is not an approval."
const DONE = "The text says done, but the box is open: the task stays open."
const STRUCK = "The text is struck out, but the box is open: the task stays open."
const SKIPPED = "The text says skipped, but the box is open: the task stays open."
