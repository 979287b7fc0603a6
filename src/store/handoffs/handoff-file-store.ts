// Stores handoffs as files in `.boulder/handoffs`.
import { randomBytes } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { HANDOFF_ID, type Handoff } from "../../boulder/handoff.ts"
import type { HandoffChange } from "../../boulder/handoff-changes.ts"
import { StoreError } from "../disk/store-error.ts"
import { openRecordFiles, type RecordFiles } from "../records/record-files.ts"
import { type HandoffFile, parseHandoffFile, printHandoffFile, TRAIL_MAX } from "./handoff-file.ts"
import {
  busy,
  type HandoffFolder,
  headOf,
  headsOfAll,
  MAX_TRIES,
  moveSettled,
  pathOf,
  removeRevisions,
  SETTLED,
} from "./handoff-revisions.ts"
import { checkScope, projectScope } from "./handoff-scope.ts"
import { type HandoffStore, type HandoffUpdate, lastHeard } from "./handoff-store.ts"

const PAUSE_MS = 20

interface OpenFolder extends HandoffFolder {
  /** Between two attempts at a change that another was faster with. */
  readonly pause: () => Promise<void>
  readonly now: () => number
  /** The beginning of this store's stamps. */
  readonly writer: string
  /** Its stamps that are still to be looked for: each ends with the change that wrote it. */
  readonly awaited: Set<string>
}

/**
 * Handoffs as files in `.boulder/handoffs`; touches nothing until the first call. A record is `<id>.<revision>.json`: the highest revision
 * is the record. A change creates the next revision exclusively under its name, so that one of two writers wins. The record carries the
 * last stamp of each writer, which tells a writer that was suspended whether its revision took effect or came too late (docs/STORE.md). A
 * settled record is `settled/<id>.json` and never changes.
 */
export function openFileHandoffStore({
  root,
  records = openRecordFiles({ root }),
  pause = () => sleep(Math.random() * PAUSE_MS),
  now = () => Date.now(),
}: {
  root: string
  records?: RecordFiles
  pause?: () => Promise<void>
  /** ms since 1970 */
  now?: () => number
}): HandoffStore {
  const project = projectScope(root)
  const folder: OpenFolder = {
    records,
    project,
    pause,
    now,
    writer: randomHex(),
    awaited: new Set(),
    known: new Map(),
  }
  return {
    scope: project,
    open: () => openOnes(folder),
    read: async (id) => (HANDOFF_ID.test(id) ? readOne(folder, id) : null),
    create: (make) => create(folder, make(now())),
    update: (id, change) => update(folder, id, change),
    async lastOf(sessionId) {
      const { handoffs } = await openOnes(folder)
      return (
        lastHeard(handoffs, sessionId) ?? lastHeard(await settledWith(folder, sessionId), sessionId)
      )
    },
  }
}

async function openOnes(folder: OpenFolder) {
  const heads = await headsOfAll(folder)
  for (const head of heads)
    if (head.kind === "settled") await removeRevisions(folder, head.file.handoff.id, () => true)
  const handoffs = heads.flatMap((head) => (head.kind === "open" ? [head.file.handoff] : []))
  const unreadable = heads.flatMap((head) =>
    head.kind === "unreadable" ? [`.boulder/${head.path}`] : [],
  )
  return { handoffs, unreadable, now: folder.now() }
}

async function readOne(folder: OpenFolder, id: string): Promise<Handoff | null> {
  const head = await headOf(folder, id)
  if (head.kind === "unreadable") throw unreadable(head)
  if (head.kind === "missing") return null
  return head.file.handoff
}

async function create(folder: OpenFolder, handoff: Handoff): Promise<Handoff | null> {
  checkScope(handoff, folder.project)
  if ((await headOf(folder, handoff.id)).kind !== "missing") return null
  const first = { revision: 0, trail: [] }
  return (await publishAfter(folder, first, handoff)) ? handoff : null
}

async function update(
  folder: OpenFolder,
  id: string,
  change: HandoffChange,
): Promise<HandoffUpdate> {
  if (!HANDOFF_ID.test(id)) return { kind: "missing" }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const head = await headOf(folder, id)
    if (head.kind === "missing") return { kind: "missing" }
    if (head.kind === "unreadable") throw unreadable(head)
    const { handoff } = head.file
    const after = head.kind === "settled" ? "settled" : change(handoff, folder.now())
    if (typeof after === "string") return { kind: "refused", reason: after, handoff }
    checkScope(after, folder.project)
    if (await publishAfter(folder, head.file, after)) return { kind: "changed", handoff: after }
    await folder.pause()
  }
  throw busy(id)
}

/** Creates the revision after the one that was read; false if another was faster, and then nothing of ours is left. */
async function publishAfter(
  folder: OpenFolder,
  { revision, trail }: Pick<HandoffFile, "revision" | "trail">,
  handoff: Handoff,
): Promise<boolean> {
  const { writer, awaited } = folder
  const stamp = `${folder.writer}${randomHex()}`
  // Of this store's own stamps only those of running changes: one writer never crowds out another's stamp.
  const others = trail.filter((one) => !one.startsWith(writer) || awaited.has(one))
  const next = {
    revision: revision + 1,
    trail: [stamp, ...others].slice(0, TRAIL_MAX),
    handoff,
  }
  awaited.add(stamp)
  try {
    return await publish(folder, next)
  } finally {
    awaited.delete(stamp)
  }
}

/** Revisions are removed once a newer one exists: a suspended writer may recreate one that comes too late. */
async function publish(folder: OpenFolder, next: HandoffFile): Promise<boolean> {
  const { id } = next.handoff
  const path = pathOf(id, next.revision)
  if (!(await folder.records.createOnce(path, printHandoffFile(next)))) return false
  if (!(await isInForce(folder, next))) {
    await folder.records.remove(path)
    return false
  }
  if (next.handoff.settled_at !== null) await moveSettled(folder, next)
  else await removeRevisions(folder, id, (revision) => revision < next.revision)
  return true
}

/** Whether what we created follows what we had read: if not, the newest record does not carry our stamp. */
async function isInForce(folder: OpenFolder, next: HandoffFile): Promise<boolean> {
  const head = await headOf(folder, next.handoff.id)
  const stamp = next.trail[0] ?? ""
  return (head.kind === "open" || head.kind === "settled") && head.file.trail.includes(stamp)
}

async function settledWith(
  { records, project }: OpenFolder,
  sessionId: string,
): Promise<Handoff[]> {
  const found: Handoff[] = []
  for (const name of await records.list(SETTLED)) {
    const text = await records.tryRead(`${SETTLED}/${name}`)
    if (typeof text !== "string" || !text.includes(`"${sessionId}"`)) continue
    const file = parseHandoffFile(text, project)
    if (file !== null) found.push(file.handoff)
  }
  return found
}

function randomHex(): string {
  return randomBytes(6).toString("hex")
}

function unreadable({ path, found }: { path: string; found: string }): StoreError {
  return new StoreError({
    code: "corrupt",
    expected: `.boulder/${path} to hold a handoff`,
    found,
    todo: "It was left as it is. Repair it by hand, or move it away.",
  })
}
