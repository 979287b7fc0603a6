// The store on disk.
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { type Change, emptyBoulder } from "../../boulder/boulder.ts"
import { once } from "../../plan/model/once.ts"
import { orLate } from "../disk/answering.ts"
import { type FilePort, nodeFilePort } from "../disk/file-port.ts"
import { messageOf, StoreError, storeErrorFrom } from "../disk/store-error.ts"
import { ownIdentity } from "../disk/writer-identity.ts"
import { checkBoulder } from "./boulder-file.ts"
import type { BoulderStore, StoreNotice, StoreUpdate } from "./boulder-store.ts"
import { begun, commitRevision, syncRevision } from "./commit-revision.ts"
import { checkedNext, nextBoulder } from "./next-boulder.ts"
import { type Revision, readRevision, stampNow } from "./read-revision.ts"
import { openReadyFolder, type ReadyFolder } from "./ready-folder.ts"
import { currentText, type RevisionFolder } from "./revision-folder.ts"
import { dropOldCopy, sweepFolder } from "./sweep-folder.ts"
import { openPlace, type QueuePlace } from "./write-queue.ts"

/** Files, times and pauses are ports: tests of slow disks and of other writers replace them. */
export interface FileBoulderStoreOptions {
  /** The project's root (`hostRoot`, `findProjectRoot`); the state is in its `.boulder/boulder.json`. */
  readonly root: string
  readonly files?: FilePort
  /** One for everything in this process that writes to this `.boulder`, so that its `.gitignore` is read once. */
  readonly ready?: ReadyFolder
  /** How long one update may wait for its turn, in milliseconds. */
  readonly limitMs?: number
  readonly now?: () => number
  readonly pause?: (ms: number) => Promise<void>
}

const LIMIT_MS = 5_000
/** In addition, how long one operation of the file system may take. Both together end before a hook's limit. */
const HUNG_MS = 2_000
/** After this many updates the folder is searched for leftovers of dead writers. */
const SWEEP_EVERY = 64

interface OpenStore {
  readonly at: RevisionFolder
  readonly ready: ReadyFolder
  readonly limitMs: number
  known: Revision | null
  updates: number
  /** For what was placed last; as in a commit. */
  named: Promise<void>
}

/** `named`: as in a commit. */
type Placed = StoreUpdate & { readonly named: Promise<void> }

/**
 * The store on disk. Any number of processes, in Bun and in Node, may have the same root open (docs/STORE.md). Touches nothing until the
 * first call; the first update that changes something creates `.boulder`.
 */
export function openFileBoulderStore(options: FileBoulderStoreOptions): BoulderStore {
  const opened = once(() => openStore(options))
  let last: Revision | null = null
  let queue: Promise<unknown> = Promise.resolve()

  return {
    read: async () => {
      const store = await opened()
      last = await inWords(store, "read", () => readAndKeep(store))
      const { boulder, notices } = last
      return { boulder, notices }
    },
    kept: () => {
      const { stamp, boulder = null } = last ?? {}
      return stamp !== undefined && stamp === stampNow(fileIn(options.root)) ? boulder : null
    },
    update: async (change, whenPlaced) => {
      const store = await opened()
      const deadline = performance.now() + store.limitMs
      const turn = queue.then(() =>
        inWords(store, "update", async () => {
          const { named, ...update } = await updateUntil(store, change, deadline)
          if (whenPlaced === undefined) await named
          else whenPlaced(named)
          return update
        }),
      )
      // The next one waits for this one to end, however it ends.
      queue = turn.then(nothing, nothing)
      return withinLimit(store, turn)
    },
    isNewest: async (boulder) => {
      const store = await opened()
      const { at, known } = store
      if (known?.boulder !== boulder) return false
      return inWords(store, "read", async () => (await currentText(at)) === known.text)
    },
  }
}

const nothing = () => undefined
const fileIn = (root: string): string => join(root, ".boulder", "boulder.json")

/** An operation of the file system that never comes back must not hang the host. */
function withinLimit<Result>({ at, limitMs }: OpenStore, turn: Promise<Result>): Promise<Result> {
  const hardMs = limitMs + HUNG_MS
  return orLate(hardMs, turn, () => {
    throw new StoreError({
      code: "busy",
      expected: `to write ${at.file} within ${hardMs} ms`,
      found: "a file system that has not answered yet",
      todo: "It is not known whether the change will be made. Check the disk or the network mount.",
    })
  })
}

async function openStore({
  root,
  files = nodeFilePort(),
  ready = openReadyFolder({ files, root }),
  limitMs = LIMIT_MS,
  now = Date.now,
  pause = (ms) => wait(ms),
}: FileBoulderStoreOptions): Promise<OpenStore> {
  const folder = join(root, ".boulder")
  const at = {
    files,
    root,
    folder,
    file: fileIn(root),
    own: await ownIdentity(),
    now,
    pause,
  }
  return { at, ready, limitMs, known: null, updates: 0, named: Promise.resolve() }
}

async function readAndKeep(store: OpenStore): Promise<Revision> {
  const revision = await readRevision(store.at, store.known)
  store.known = revision
  return revision
}

async function updateUntil(store: OpenStore, change: Change, deadline: number): Promise<Placed> {
  const place = openPlace(store.at)
  try {
    return await updateInTurn(store, place, { change, deadline })
  } finally {
    await place.leave()
  }
}

async function updateInTurn(
  store: OpenStore,
  place: QueuePlace,
  { change, deadline }: { change: Change; deadline: number },
): Promise<Placed> {
  const notices: StoreNotice[] = []
  let overtakenBy: string | null = null
  for (let tries = 0; ; tries++) {
    await place.waitForTurn(deadline)
    if (performance.now() > deadline) throw outOfTime(store, tries, overtakenBy)
    const base = await readAndKeep(store)
    notices.push(...base.notices)
    const before = base.boulder ?? firstBoulder()
    const next = nextBoulder(before, change)
    if (next === null) {
      // A change that has not reached the disk is still at risk when the next one has nothing to write, so syncing is tried again.
      store.named = begun(store.named.catch(() => syncRevision(store.at, before)))
      return { boulder: before, changed: false, notices, named: store.named }
    }
    await store.ready.makeReady(base.text === null ? undefined : "there")
    const checked = once(() => checkedNext(before, next))
    const commit = await commitRevision(store.at, { base: base.text, next, check: checked })
    if (commit.kind === "placed") {
      const boulder = checked()
      // Cleaned up while the disk works on the names.
      notices.push(...(await tidy(store, next.revision, tries)))
      store.known = { text: commit.text, boulder, notices: [] }
      store.named = commit.named
      return { boulder, changed: true, notices, named: commit.named }
    }
    overtakenBy = commit.by ?? overtakenBy
    await place.take()
  }
}

/** The change is on disk: what cannot be tidied up now is reported, and is no failure. */
async function tidy(store: OpenStore, revision: number, tries: number): Promise<StoreNotice[]> {
  const isSweep = store.updates % SWEEP_EVERY === 0 || tries > 0
  store.updates += 1
  try {
    await dropOldCopy(store.at, revision)
    if (isSweep) await sweepFolder(store.at, revision)
    return []
  } catch (error) {
    const found = messageOf(error)
    const message = `Old copies in ${store.at.folder} could not be removed (${found}). Nothing is lost by that.`
    return [{ kind: "housekeeping", message }]
  }
}

async function inWords<Result>(
  { at }: OpenStore,
  verb: string,
  operation: () => Promise<Result>,
): Promise<Result> {
  try {
    return await operation()
  } catch (error) {
    // An error thrown by the change is not the disk's fault, and reaches the caller unchanged.
    if (!(error instanceof Error && "syscall" in error)) throw error
    const outcome = "Nothing was changed."
    throw storeErrorFrom(error, { doing: `${verb} ${at.file}`, outcome })
  }
}

function firstBoulder() {
  const checked = checkBoulder(emptyBoulder())
  return checked.kind === "valid" ? checked.boulder : emptyBoulder()
}

function outOfTime({ at, limitMs }: OpenStore, tries: number, by: string | null): StoreError {
  return new StoreError({
    code: "busy",
    expected: `a turn to write ${at.file} within ${limitMs} ms`,
    found:
      tries === 0
        ? `earlier updates, of this process (${at.own.pid}) or others, still at work`
        : `${by ?? "other processes"} faster ${tries} times`,
    todo: "Nothing was changed. Try again; if that does not help, find the program that keeps writing it.",
  })
}
