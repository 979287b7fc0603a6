// Recognises rows and openers on the lines of a fence or comment.

import { isMarker } from "../model/markers.ts"
import { readBox } from "./box.ts"

const FENCE_WITH_WORD = /(?:(`{3,})[ \t]*[^`\s][^`]*|(~{3,})[ \t]*[^~\s].*)$/sy
const ITEM = /(?:[-*+]|\d{1,9}[.)])[ \t]+/y

/** Whether a line of a fence or comment would be a row if it were not hidden; `at` is its first sign. */
export function isHiddenRow(line: string, at: number): boolean {
  if (!line.includes("[", at)) return false
  ITEM.lastIndex = at
  const item = ITEM.exec(line)
  const box = item === null ? null : readBox(line, at + item[0].length)
  return box !== null && box.text !== "" && isMarker(box.marker)
}

/** The signs of the fence that a line inside a fence would open if it were not hidden: only one followed by a word. */
export function hiddenFence(line: string, at: number): string | null {
  FENCE_WITH_WORD.lastIndex = at
  const found = FENCE_WITH_WORD.exec(line)
  return found?.[1] ?? found?.[2] ?? null
}

/** Whether a line of a comment begins another one before it ends any. */
export function beginsComment(line: string, at: number): boolean {
  const start = line.indexOf("<!--", at)
  const end = line.indexOf("-->", at)
  return start !== -1 && (end === -1 || start < end)
}
