// Stores the records about a work's checks, in order: one file for each work that only grows.
import { jsonOf } from "../../boulder/json-of.ts"
import { type ProofEntry, proofEntrySchema } from "../../boulder/proof-entry.ts"
import { asLines, inOrder } from "../../boulder/proof-order.ts"
import { forgetOldest } from "../disk/forget-oldest.ts"
import type { RecordFiles } from "./record-files.ts"

/** `works/<work_id>/proof.jsonl`: what was seen of a work's checks, ticks and writes. Throws `StoreError`. */
export interface ProofFiles {
  /** In their order; lines that cannot be read are left out. */
  read(workId: string): Promise<readonly ProofEntry[]>
  /**
   * Appends what `make` returns for what is known: one write, or none if it returns nothing; durable unless `unsynced`. One call after the
   * other.
   */
  add(
    workId: string,
    make: (known: readonly ProofEntry[]) => readonly ProofEntry[],
    how?: "unsynced",
  ): Promise<readonly ProofEntry[]>
}

/** How many works' records are kept in memory, until another process has written more. */
const MAX_KEPT = 8
/** Lines of a file: beyond this the oldest runs and writes are dropped, ticks stay. */
const MAX_ENTRIES = 20_000

interface Kept {
  readonly entries: readonly ProofEntry[]
  readonly size: number
}

/** The proof files of a project, on its record files. */
export function openProofFiles(records: RecordFiles): ProofFiles {
  /** What is on disk, and nothing else; with the file's size as this process left it. */
  const kept = new Map<string, Kept>()
  const turns = new Map<string, Promise<unknown>>()
  const read = async (workId: string): Promise<readonly ProofEntry[]> => {
    const known = kept.get(workId)
    const size = await records.size(pathOf(workId))
    // If the file is gone, its former content is still known.
    if (known !== undefined && size === null) keep(workId, { ...known, size: 0 })
    if (known !== undefined && (size === null || size === known.size)) return known.entries
    const text = await records.tryRead(pathOf(workId))
    // A file from an older version, or written by hand, may have more than we ever write.
    const entries = typeof text === "string" ? shortened(inOrder(entriesIn(text))) : []
    keep(workId, { entries, size: size ?? 0 })
    return entries
  }
  const keep = (workId: string, one: Kept): void => {
    kept.delete(workId)
    kept.set(workId, one)
    forgetOldest(kept, MAX_KEPT)
  }
  const add: ProofFiles["add"] = async (workId, make, how) => {
    const known = await read(workId)
    const { size = 0 } = kept.get(workId) ?? {}
    const added = make(known)
    if (added.length === 0) return known
    const all = inOrder([...known, ...added])
    const left = shortened(all)
    const isGone = size === 0 && known.length > 0
    if (left === all && !isGone) {
      const bytes = await records.append(pathOf(workId), added.map(lineOf), how)
      keep(workId, { entries: left, size: size + bytes })
    } else {
      const text = `${asLines(left).map(lineOf).join("\n")}\n`
      await records.replace(pathOf(workId), text)
      keep(workId, { entries: left, size: Buffer.byteLength(text) })
    }
    return left
  }
  return {
    read,
    add(workId, make, how) {
      const before = turns.get(workId) ?? Promise.resolve()
      const mine = before.catch(() => undefined).then(() => add(workId, make, how))
      turns.set(workId, mine)
      forgetOldest(turns, MAX_KEPT)
      return mine
    },
  }
}

function pathOf(workId: string): string {
  return `works/${workId}/proof.jsonl`
}

function entriesIn(text: string): readonly ProofEntry[] {
  return text.split("\n").flatMap((line) => proofEntrySchema().safeParse(jsonOf(line)).data ?? [])
}

function lineOf(entry: ProofEntry): string {
  return JSON.stringify(entry)
}

const OF_CALLS: ReadonlySet<ProofEntry["kind"]> = new Set(["call", "run", "write"])

/** Unchanged if there are not too many; else the newest half, and of the rest everything but calls, runs and writes. */
function shortened(all: readonly ProofEntry[]): readonly ProofEntry[] {
  if (all.length <= MAX_ENTRIES) return all
  const from = all.length - MAX_ENTRIES / 2
  const kept = all.filter(({ kind }, at) => at >= from || !OF_CALLS.has(kind))
  return kept.slice(-MAX_ENTRIES)
}
