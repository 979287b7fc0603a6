// Stores checkpoints as numbered files that never change.

import { StoreError } from "../disk/store-error.ts"
import type { RecordFiles } from "./record-files.ts"

const MAX_TRIES = 16

/**
 * Writes a work's next checkpoint and returns its number, usually `after` + 1. A checkpoint never changes: one that a crash left under that
 * number counts as ours if it says the same, else ours follows the last one. Throws `StoreError`.
 */
export async function writeCheckpoint(
  records: RecordFiles,
  options: {
    readonly workId: string
    readonly after: number
    readonly textOf: (seq: number) => string
    readonly isSame: (one: string, other: string) => boolean
  },
): Promise<number> {
  const { workId, after, textOf, isSame } = options
  let seq = after + 1
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const path = `works/${workId}/checkpoints/${String(seq).padStart(6, "0")}.json`
    const text = textOf(seq)
    if (await records.createOnce(path, text)) return seq
    const found = await records.read(path)
    if (found !== null && isSame(found, text)) return seq
    seq = Math.max(seq, (await lastCheckpoint(records, workId)) ?? 0) + 1
  }
  throw new StoreError({
    code: "busy",
    expected: `a free number for a checkpoint of ${workId}`,
    found: `others taking them up to ${seq}`,
    todo: "Nothing was written; the next settled task tries again.",
  })
}

/** The number of a work's last checkpoint on disk; null before the first. Throws `StoreError`. */
async function lastCheckpoint(records: RecordFiles, workId: string): Promise<number | null> {
  const names = await records.list(`works/${workId}/checkpoints`)
  const numbers = names.flatMap((name) => {
    const digits = /^(\d{6,9})\.json$/.exec(name)?.[1]
    return digits === undefined ? [] : [Number(digits)]
  })
  return numbers.length === 0 ? null : Math.max(...numbers)
}
