// Reads tasks from front matter: a list of todos, or the one task that the whole file is.

import { looksLikeBox } from "../blocks/box.ts"
import { showsOpenBox } from "../blocks/shown-box.ts"
import { blockedWords, saysNothing } from "../model/blocked-words.ts"
import { cutLine, splitLines } from "../model/lines.ts"
import { type IgnoredLine, isWorkable, type Plan, type PlanWarning } from "../model/plan.ts"
import { stateOfWord } from "../model/state-words.ts"
import { type FrontMatter, readFrontMatter } from "./front-matter.ts"
import { isRecord } from "./json-lists.ts"
import { type ListedTask, labelOf, planOfList } from "./listed-plan.ts"

/** The format of a Backlog.md task without criteria. */
export const TASK_FILE = "backlog-task"
const TASK_KEYS = ["id", "title", "status", "created_date"]

const WHOLE: PlanWarning = {
  line: 1,
  rule: "whole-file",
  message: "No line has a box: the file is the one task, and its `status` says whether it is done.",
}

/** Where an entry of the todos stands: 0-based lines, the last one included. */
export interface TodoLines {
  readonly from: number
  readonly to: number
  /** The line of its `status`; -1 if it has none. */
  readonly statusAt: number
  /** The column at which its keys begin. */
  readonly column: number
}

interface Todo {
  readonly id: unknown
  readonly content: string
  readonly status: string
  readonly after: readonly unknown[]
}

const TODOS = /^[ \t]*(?:- +)?todos:/
const KEY = /^todos:[ \t]*$/
const ENTRY = /^( *)-( +)/
const STATUS = /^( *)(?:- +)?status:(?=[ \t]|$)/
const COMMENT = /[ \t]#/g

/** Whether a text has a list of todos in its front matter: a plan of Cursor. */
export function hasFrontTodos(text: string): boolean {
  return /^\ufeff?---/.test(text) && todosIn(readFrontMatter(splitLines(text))).length > 0
}

/** Whether a text is a task of Backlog.md that lists nothing: its front matter alone states what is done. */
export function isTaskFile(text: string): boolean {
  if (!text.includes("\ncreated_date:")) return false
  const lines = splitLines(text)
  const front = readFrontMatter(lines)
  return fileTodo(front).length > 0 && boxesBelow(lines, front).length === 0
}

/** A warning about todos in front matter that are no list of entries: they are not read. */
export function unreadTodos({ data, lines }: FrontMatter): readonly PlanWarning[] {
  const lists = [data, ...Object.values(data).flatMap(listOf)].map((part) => listOf(todosOf(part)))
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  if (count === 0) return []
  const todos = count === 1 ? "1 todo" : `${count} todos`
  const message = `Expected one list \`todos\` in the front matter, each with \`id\`, \`content\` and \`status\`; found another form: ${todos} in it are not read.`
  return [{ line: lines.findIndex((line) => TODOS.test(line)) + 1, rule: "unread-todos", message }]
}

function todosOf(part: unknown): unknown {
  return isRecord(part) ? part["todos"] : []
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/**
 * Reads a plan of Cursor: each entry of `todos` in the front matter is a task, on the line where it begins. Boxes below are not its tasks.
 * Without such a list the file is the task. One is blocked by a comment `# BLOCKED: why` after its status.
 */
export function readFrontTodos(text: string): Plan {
  const lines = splitLines(text)
  const front = readFrontMatter(lines)
  const listed = todosIn(front)
  const todos = listed.length > 0 ? listed : fileTodo(front)
  const isFile = todos.length > listed.length
  const found = isFile ? linesOfFile(lines, front) : linesOfTodos(lines, front)
  const isFound = found.length === todos.length
  const tasks = todos.map((todo, at) => listedTodo(todo, lines, isFound ? found[at] : undefined))
  const ignored = boxesBelow(lines, front)
  const [dialect, evidence] = isFile
    ? [TASK_FILE, `front matter with ${TASK_KEYS.join(", ")}`]
    : ["cursor", "todos in the front matter"]
  const warnings = [...front.warnings, ...openBelow(lines, ignored), ...(isFile ? [WHOLE] : [])]
  return planOfList({ dialect, evidence, tasks, ignored, warnings })
}

/** Where the entries of `todos` stand in the front matter, or the file that is the task; none if they are not written one below the other. */
export function todoLines(text: string): readonly TodoLines[] {
  const lines = splitLines(text)
  const front = readFrontMatter(lines)
  return todosIn(front).length > 0 ? linesOfTodos(lines, front) : linesOfFile(lines, front)
}

function linesOfFile(lines: readonly string[], { lineCount }: FrontMatter): readonly TodoLines[] {
  const isStatus = (line: string) => line.startsWith("status") && STATUS.test(line)
  const statusAt = lines.slice(0, lineCount).findIndex(isStatus)
  const to = lines.findLastIndex((line) => line.trim() !== "")
  return statusAt === -1 ? [] : [{ from: 0, to, statusAt, column: 0 }]
}

function linesOfTodos(lines: readonly string[], { lineCount }: FrontMatter): readonly TodoLines[] {
  const start = lines.findIndex((line) => KEY.test(line)) + 1
  if (start === 0) return []
  const found: TodoLines[] = []
  let indent: number | undefined
  for (let index = start; index < lineCount - 1; index++) {
    const line = lines[index] ?? ""
    if (isSilent(line)) continue
    indent ??= ENTRY.exec(line)?.[1]?.length ?? Number.POSITIVE_INFINITY
    const column = entryColumn(line, indent)
    if (column !== null) found.push({ from: index, to: index, statusAt: -1, column })
    else if (leading(line) <= indent) break
    const own = found.pop()
    if (own !== undefined) found.push(extended(own, line, index))
  }
  return found
}

/** A line with nothing but space or a comment. */
function isSilent(line: string): boolean {
  return /^[ \t]*(?:#|$)/.test(line)
}

/** The column of the first key of an entry with this indent; null for any other line. */
function entryColumn(line: string, indent: number): number | null {
  const entry = ENTRY.exec(line)
  return entry !== null && entry[1]?.length === indent ? entry[0].length : null
}

function extended(own: TodoLines, line: string, index: number): TodoLines {
  const isStatus = STATUS.test(line) && keyColumn(line) === own.column
  return { ...own, to: index, statusAt: isStatus ? index : own.statusAt }
}

function leading(line: string): number {
  return line.length - line.trimStart().length
}

/** The column of a line's key, after the sign of its entry. */
function keyColumn(line: string): number {
  return ENTRY.exec(line)?.[0].length ?? leading(line)
}

function todosIn({ data }: FrontMatter): readonly Todo[] {
  const { todos } = data
  if (!Array.isArray(todos)) return []
  const read = todos.flatMap((todo: unknown) => todoOf(todo))
  return read.length === todos.length ? read : []
}

function todoOf(todo: unknown): readonly Todo[] {
  if (!isRecord(todo)) return []
  const { id, content, status, dependencies } = todo
  const title = textOf(content) || textOf(id)
  if (title === "") return []
  return [{ id, content: title, status: textOf(status), after: listOf(dependencies) }]
}

/** The task that a whole file is. */
function fileTodo({ data }: FrontMatter): readonly Todo[] {
  const isTask = TASK_KEYS.every((key) => Object.hasOwn(data, key))
  return isTask ? todoOf({ ...data, content: data["title"], dependencies: [] }) : []
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : ""
}

function listedTodo(
  { id, content, status, after }: Todo,
  lines: readonly string[],
  own: TodoLines | undefined,
): ListedTask {
  const said = status === "" ? "open" : stateOfWord(status)
  const why = blockComment(lines[own?.statusAt ?? -1] ?? "")?.words ?? null
  const blockedBy = why === null || saysNothing(why) ? null : why
  return {
    label: labelOf(id),
    title: content,
    state: blockedBy !== null && isWorkable(said) ? "blocked" : said,
    marker: status,
    line: own === undefined ? 0 : own.from + 1,
    endLine: own === undefined ? 0 : own.to + 1,
    blockedBy,
    body: "",
    after: after.flatMap((one) => labelOf(one) ?? []).join(", "),
    parts: [],
  }
}

/** The comment of a line that states a block: where it begins, and its words; null if there is none. */
export function blockComment(line: string): { readonly at: number; readonly words: string } | null {
  for (const { index: at } of line.matchAll(COMMENT)) {
    const words = blockedWords(line.slice(at + 2))
    if (words !== null) return { at, words }
  }
  return null
}

function boxesBelow(lines: readonly string[], { lineCount }: FrontMatter): readonly IgnoredLine[] {
  return lines.flatMap((line, index) => {
    const isBox = index >= lineCount && isBoxLine(cutLine(line))
    return isBox ? [{ line: index + 1, reason: "outside-section" }] : []
  })
}

function isBoxLine(line: string): boolean {
  return looksLikeBox(line) === "list" || showsOpenBox(line) !== null
}

function openBelow(lines: readonly string[], ignored: readonly IgnoredLine[]): PlanWarning[] {
  const open = ignored.filter(({ line }) => showsOpenBox(cutLine(lines[line - 1] ?? "")) !== null)
  const [first] = open
  if (first === undefined) return []
  const rows =
    open.length === 1 ? "1 open row is none" : `${open.length} open rows from here on are none`
  const message = `The todos in the front matter are the tasks: ${rows}.`
  return [{ line: first.line, rule: "outside-rows", message }]
}
