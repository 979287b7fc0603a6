import process from "node:process"
import { nodeFilePort } from "../../src/store/disk/file-port.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { hookedPort, type PortStep } from "./store-port-hooks.ts"

/** One write of a smaller file, killed by SIGKILL at one operation. Ends with 0 if there is no such operation. */
export interface RecordTask {
  readonly root: string
  readonly what: RecordWrite
  readonly at: number
  readonly when: "before" | "after"
}

export type RecordWrite = "replace" | "createOnce" | "append" | "journal"

export const RECORD = "sessions/ses_a.json"
export const ONCE = "works/w/checkpoints/000001.json"
export const LINES = "works/w/settled.jsonl"
/** Above this size the journal is rotated. */
export const ROTATE_BYTES = 1_000

if (import.meta.main) await writeAndDie(JSON.parse(process.argv[2] ?? "null"))

async function writeAndDie({ root, what, at, when }: RecordTask): Promise<void> {
  const die = async ({ index }: PortStep) => {
    if (index !== at) return
    process.kill(process.pid, "SIGKILL")
    await new Promise(() => undefined)
  }
  await writeOnce(root, what, "new", hookedPort(nodeFilePort(), { [when]: die }))
}

/** Writes `text` as this kind of write does. */
export async function writeOnce(
  root: string,
  what: RecordWrite,
  text: string,
  files = nodeFilePort(),
): Promise<void> {
  const records = openRecordFiles({ root, files })
  if (what === "replace") await records.replace(RECORD, text)
  if (what === "createOnce") await records.createOnce(ONCE, text)
  if (what === "append") await records.append(LINES, [text, `${text} too`])
  if (what !== "journal") return
  const at = "2026-11-21T10:00:00.000Z"
  const entry = { at, session: null, work: null, decision: "rest", reason: text, facts: {} }
  await openJournal({ root, files, rotateBytes: ROTATE_BYTES }).append(entry)
}
