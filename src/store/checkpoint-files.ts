import type { RecordFiles } from "./record-files.ts"

const MAX_TRIES = 64

/**
 * Writes a work's next checkpoint and gives its number, `after` + 1 as a rule. A checkpoint never changes: one
 * that a crash has left under that number is taken for ours if it says the same, else the next number is taken.
 * Throws `StoreError`.
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
  for (let seq = after + 1; seq < after + MAX_TRIES; seq++) {
    const path = checkpointPath(workId, seq)
    const text = textOf(seq)
    if (await records.createOnce(path, text)) return seq
    const found = await records.read(path)
    if (found !== null && isSame(found, text)) return seq
  }
  return after + MAX_TRIES
}

/** Where a checkpoint lies, below `.boulder`. */
export function checkpointPath(workId: string, seq: number): string {
  return `works/${workId}/checkpoints/${String(seq).padStart(6, "0")}.json`
}
