// The append-only journal, with rotation.
import { randomBytes } from "node:crypto"
import { dirname, join } from "node:path"
import { elapsedMs } from "../../boulder/iso-time.ts"
import { jsonOf } from "../../boulder/json-of.ts"
import { z } from "../../boulder/z.ts"
import { readInside } from "../disk/boulder-folder.ts"
import { type FilePort, nodeFilePort } from "../disk/file-port.ts"
import { MAX_JOURNAL_BYTES } from "../disk/size-limits.ts"
import { storeErrorFrom } from "../disk/store-error.ts"
import { openReadyFolder, type ReadyFolder } from "../revisions/ready-folder.ts"

const fact = z.union([z.string(), z.number(), z.boolean(), z.null()])
const entrySchema = z.object({
  at: z.string(),
  session: z.string().nullable(),
  work: z.string().nullable(),
  decision: z.string(),
  reason: z.string(),
  facts: z.record(z.string(), fact),
})

/** One decision or transition, with the facts behind it. */
export type JournalEntry = z.infer<typeof entrySchema>

interface JournalReading {
  /** The last ones that match, oldest first. */
  readonly entries: readonly JournalEntry[]
  /** Lines that could not be read: torn by a crash, or written by hand. */
  readonly skipped: number
}

/**
 * The append-only log of a project. `append` writes one line with one write, so that lines of several processes do not mix; a long line is
 * cut to `LINE_BYTES`. It does not create `.boulder` (before the first /start-work it does nothing) and throws `StoreError`. `readLast`
 * returns the last `n` entries that the filter accepts; none if the journal is missing.
 */
export interface Journal {
  append(entry: JournalEntry): Promise<void>
  readLast(n: number, filter?: (entry: JournalEntry) => boolean): Promise<JournalReading>
}

/** Below the size that every file system we know appends in one piece. */
const LINE_BYTES = 4_096
const TEXT_CHARS = 400
const FACTS = 32
/** At most two files of this size. */
const ROTATE_BYTES = 2 * 1_024 * 1_024

const ROTATING = /^journal\.jsonl\.[0-9a-f]+\.rotating$/
const SPENT_MS = 60_000
/** Usually one file is being rotated, or a few that crashes have left. */
const MAX_ROTATIONS = 8
/** How many lines a reading looks at: two full files of our shortest lines have fewer. */
const MAX_LINES = 50_000

/** Opens the journal in `<root>/.boulder`; touches nothing until the first call. */
export function openJournal({
  root,
  files = nodeFilePort(),
  ready = openReadyFolder({ files, root }),
  rotateBytes = ROTATE_BYTES,
}: {
  root: string
  files?: FilePort
  ready?: ReadyFolder
  rotateBytes?: number
}): Journal {
  const folder = join(root, ".boulder")
  const current = join(folder, "journal.jsonl")
  const older = join(folder, "journal.1.jsonl")

  return {
    append: async (entry) => {
      try {
        await appendLine({ files, ready, current, older, rotateBytes }, printLine(entry))
      } catch (error) {
        throw storeErrorFrom(error, {
          doing: `add a line to ${current}`,
          outcome: "This decision is not in the journal; nothing else is affected.",
        })
      }
    },
    readLast: async (n, filter = () => true) => {
      const rotating = (await rotations({ files, current })).slice(0, MAX_ROTATIONS)
      const looked: Looked = { entries: [], skipped: 0, lines: 0 }
      for (const path of [current, ...rotating, older]) {
        if (looked.entries.length >= n || looked.lines >= MAX_LINES) break
        const text = await readInside(files, root, path, MAX_JOURNAL_BYTES)
        lookThrough(text ?? "", looked, { n, filter })
      }
      const { entries, skipped } = looked
      return { entries: entries.toReversed(), skipped }
    },
  }
}

interface JournalFiles {
  files: FilePort
  ready: ReadyFolder
  current: string
  older: string
  rotateBytes: number
}

async function appendLine(where: JournalFiles, line: string): Promise<void> {
  const { files, ready, current } = where
  if (!(await ready.makeReady("there"))) return
  if (await isFull(where, current, line)) await rotate(where, line)
  // The line break comes first, so that a line torn by a crash spoils no other.
  await files.appendText(current, `\n${line}`)
}

/**
 * Moves a full journal aside, under a name of its own. Of two processes that rotate at once, the slower may move a young file: it stays
 * there, since a third process may still be writing to it, and is read there.
 */
async function rotate(where: JournalFiles, line: string): Promise<void> {
  const { files, current, older } = where
  const spent = await spentRotations(where)
  const mine = `${current}.${randomBytes(6).toString("hex")}.rotating`
  if (!(await isFull(where, current, line)) || !(await files.rename(current, mine))) return
  if (!(await isFull(where, mine, line))) return
  await files.rename(mine, older)
  for (const path of spent) await files.remove(path)
}

async function isFull({ files, rotateBytes }: JournalFiles, path: string, line: string) {
  const found = await files.inspect(path)
  return found !== null && found.size + line.length > rotateBytes
}

/** Rotations that are running or were broken off by a crash: their lines are in no other file. */
async function rotations({ files, current }: Pick<JournalFiles, "files" | "current">) {
  const names = await files.list(dirname(current))
  return names.filter((name) => ROTATING.test(name)).map((name) => join(dirname(current), name))
}

/** Those whose lines are all older than the ones that become the older file now. */
async function spentRotations(where: JournalFiles): Promise<string[]> {
  const spent: string[] = []
  for (const path of await rotations(where)) {
    const found = await where.files.inspect(path)
    if (found !== null && elapsedMs(found.modifiedMs, Date.now()) > SPENT_MS) spent.push(path)
  }
  return spent
}

interface Looked {
  /** Newest first. */
  readonly entries: JournalEntry[]
  skipped: number
  lines: number
}

/** Looks at the lines of a file from its end, until there are `n` entries or enough lines. */
function lookThrough(
  text: string,
  looked: Looked,
  { n, filter }: { n: number; filter: (entry: JournalEntry) => boolean },
): void {
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf("\n", end - 1) + 1
    const line = text.slice(start, end)
    end = start - 1
    if (line === "") continue
    if (looked.entries.length >= n || looked.lines >= MAX_LINES) return
    looked.lines += 1
    const { data: entry } = entrySchema.safeParse(jsonOf(line))
    if (entry === undefined) looked.skipped += 1
    else if (filter(entry)) looked.entries.push(entry)
  }
}

function printLine(entry: JournalEntry): string {
  const facts = Object.entries(entry.facts).slice(0, FACTS)
  let kept = facts.length
  for (;;) {
    const line = `${JSON.stringify({
      at: cut(entry.at),
      session: entry.session === null ? null : cut(entry.session),
      work: entry.work === null ? null : cut(entry.work),
      decision: cut(entry.decision),
      reason: cut(entry.reason),
      facts: Object.fromEntries(facts.slice(0, kept).map(([key, value]) => [cut(key), cut(value)])),
    })}`
    if (Buffer.byteLength(line) < LINE_BYTES || kept === 0) return line
    kept -= 1
  }
}

function cut<Value>(value: Value): Value | string {
  return typeof value === "string" && value.length > TEXT_CHARS
    ? `${value.slice(0, TEXT_CHARS - 1)}…`
    : value
}
