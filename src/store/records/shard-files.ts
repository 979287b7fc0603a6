// Stores shards as files, written only when they change.
import { jsonOf } from "../../boulder/json-of.ts"
import { forgetOldest } from "../disk/forget-oldest.ts"
import type { RecordFiles } from "./record-files.ts"

const MAX_KNOWN = 64

/** The file of a shard as it should be. */
interface ShardText {
  readonly workId: string
  /** From 1. */
  readonly number: number
  readonly text: string
}

/**
 * The shards of plans as files: read-only projections, kept until their work is pruned. They are not synced: whatever a power cut leaves of
 * one, the next process rewrites it before mentioning it.
 */
export type ShardFiles = ReturnType<typeof openShardFiles>

/** A task in the front matter that `printShard` writes. */
const TASK = /^ {2}- \{ key: ("(?:[^"\\]|\\.)*"), title_hash: "(\w*)" \}$/gm

/** Opens the shard files of a project; touches nothing until the first call. */
export function openShardFiles(records: RecordFiles) {
  /** What this process knows to be on disk, so that it need not be read again: a copy that says nothing about a work. */
  const shown = new Map<string, string>()
  return {
    /** Brings a shard's file to this text; a file that already has it is not touched. Throws `StoreError`. */
    async show({ workId, number, text }: ShardText) {
      const path = shardPath(workId, number)
      if (shown.get(path) === text) return
      if (shown.has(path) || (await records.read(path)) !== text)
        await records.replace(path, text, "unsynced")
      shown.set(path, text)
      forgetOldest(shown, MAX_KNOWN)
    },
    /** The tasks of a shard as last shown; none if it was not shown, or names none. Throws `StoreError`. */
    async tasksOf(workId: string, number: number) {
      const text = (await records.read(shardPath(workId, number))) ?? ""
      const [front = ""] = text.split("\n---\n")
      return [...front.matchAll(TASK)].map(([, key = '""', titleHash = ""]) => ({
        key: String(jsonOf(key)),
        titleHash,
      }))
    },
  }
}

/** Where a shard's file is stored, below `.boulder`. */
export function shardPath(workId: string, number: number): string {
  return `works/${workId}/shards/${String(number).padStart(3, "0")}.md`
}
