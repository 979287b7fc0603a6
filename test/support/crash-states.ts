import { dirname } from "node:path"
import type { FilePort, OpenFile } from "../../src/store/disk/file-port.ts"

/** A file as the disk has it: one content under any number of names. */
type Inode = number

/** What a system call asks of the disk. For changes of names, `path` is in the folder that they change. */
export type DiskStep =
  | { readonly kind: "write"; readonly inode: Inode; readonly text: string }
  | { readonly kind: "sync"; readonly inode: Inode; readonly path: string }
  | { readonly kind: "sync-folder"; readonly path: string }
  | { readonly kind: "make-folder"; readonly path: string }
  | {
      readonly kind: "name"
      readonly path: string
      readonly inode: Inode
      readonly from: string | null
    }
  | { readonly kind: "unname"; readonly path: string }

/** The files of a disk, by path, and its folders. */
export interface Disk {
  readonly files: ReadonlyMap<string, string>
  readonly folders: ReadonlySet<string>
}

/** What was done to a disk since everything on it was known to be written. Crash states are made from nothing else. */
export interface DiskTrace {
  readonly before: Disk
  readonly steps: DiskStep[]
}

/** A port that does each operation and also writes down what it asks of the disk. It knows only the files of `before`. */
export function tracingPort(files: FilePort, before: Disk): { port: FilePort; trace: DiskTrace } {
  const steps: DiskStep[] = []
  const names = new Map<string, Inode>([...before.files.keys()].map((path, at) => [path, at]))
  let inodes = names.size
  const name = (path: string, inode: Inode, from: string | null = null) => {
    steps.push({ kind: "name", path, inode, from })
    names.set(path, inode)
    if (from !== null) names.delete(from)
  }
  const created = (path: string, text: string): Inode => {
    const inode = inodes++
    name(path, inode)
    if (text !== "") steps.push({ kind: "write", inode, text })
    return inode
  }
  const synced = (path: string, inode: Inode) => steps.push({ kind: "sync", inode, path })
  const known = (path: string): Inode => names.get(path) ?? -1

  const port: FilePort = {
    ...files,
    async makeFolder(path, isPrivate) {
      const isNew = await files.makeFolder(path, isPrivate)
      if (isNew) steps.push({ kind: "make-folder", path })
      return isNew
    },
    async createText(path, text) {
      await files.createText(path, text)
      created(path, text)
    },
    async createOpen(path, text, rights): Promise<OpenFile> {
      const file = await files.createOpen(path, text, rights)
      const inode = created(path, text)
      return {
        close: () => file.close(),
        async sync() {
          await file.sync()
          synced(path, inode)
        },
      }
    },
    async appendText(path, text) {
      await files.appendText(path, text)
      if (!names.has(path)) created(path, text)
      else steps.push({ kind: "write", inode: known(path), text })
    },
    async syncFile(path) {
      const isThere = await files.syncFile(path)
      if (isThere) synced(path, known(path))
      return isThere
    },
    async syncFolder(path) {
      const isThere = await files.syncFolder(path)
      // At its end: what is done in the meantime may reach the disk without what the sync brings there.
      steps.push({ kind: "sync-folder", path })
      return isThere
    },
    async link(from, to) {
      const isNew = await files.link(from, to)
      if (isNew) name(to, known(from))
      return isNew
    },
    async rename(from, to) {
      const isThere = await files.rename(from, to)
      if (isThere) name(to, known(from), from)
      return isThere
    },
    async remove(path) {
      const isThere = await files.remove(path)
      if (isThere) {
        steps.push({ kind: "unname", path })
        names.delete(path)
      }
      return isThere
    },
    removeFolder: async () => {
      throw new Error("Expected a trace without a removed folder: the model has no step for it.")
    },
  }
  return { port, trace: { before, steps } }
}

/** How many states of one moment are made at most. The caller cuts a longer trace, never silently. */
const MAX_STATES = 40_000

/**
 * Every disk that a power cut can leave after the first `done` steps (ALICE's weakest model). What a file's last sync covers is there. Of
 * what was written after it there is nothing, a part, zeros or all. Each name changed since the last sync of its folder may have reached
 * the disk or not, in any order. A folder that did not takes its files with it.
 */
export function* crashStates({ before, steps }: DiskTrace, done: number): Generator<Disk> {
  const past = steps.slice(0, done)
  const { sure, open } = sortNames(past)
  const contents = contentsOf(before, past)
  const choices = 2 ** open.length
  if (choices > MAX_STATES) throw new Error(`Expected fewer open names; found ${open.length}.`)
  for (let choice = 0; choice < choices; choice++) {
    const kept = past.filter((step) => sure.has(step) || isChosen(open, step, choice))
    yield* disksWith(before, kept, contents)
  }
}

function isChosen(open: readonly DiskStep[], step: DiskStep, choice: number): boolean {
  const at = open.indexOf(step)
  return at !== -1 && (choice >> at) % 2 === 1
}

/** The changes of names that a sync of their folder has covered, and those that may be lost. */
function sortNames(past: readonly DiskStep[]) {
  const sure = new Set<DiskStep>()
  let open: DiskStep[] = []
  for (const step of past) {
    if (step.kind === "sync-folder") {
      const covered = open.filter((one) => folderOf(one) === step.path)
      for (const one of covered) sure.add(one)
      open = open.filter((one) => !covered.includes(one))
    } else if (["name", "unname", "make-folder"].includes(step.kind)) open.push(step)
  }
  return { sure, open }
}

function folderOf(step: DiskStep): string {
  return "path" in step ? dirname(step.path) : ""
}

/** What each file may hold. */
function contentsOf(before: Disk, past: readonly DiskStep[]): Map<Inode, readonly string[]> {
  const sure = new Map<Inode, string>([...before.files.values()].map((text, at) => [at, text]))
  const open = new Map<Inode, string>()
  for (const step of past) {
    if (step.kind === "write") open.set(step.inode, textIn(open, step.inode) + step.text)
    if (step.kind !== "sync") continue
    sure.set(step.inode, textIn(sure, step.inode) + textIn(open, step.inode))
    open.delete(step.inode)
  }
  const inodes = [...new Set([...sure.keys(), ...open.keys()])]
  return new Map(
    inodes.map((inode) => [
      inode,
      torn(textIn(open, inode)).map((end) => textIn(sure, inode) + end),
    ]),
  )
}

function textIn(texts: ReadonlyMap<Inode, string>, inode: Inode): string {
  return texts.get(inode) ?? ""
}

/** Nothing of it, a part, a part and zeros, only zeros, all of it. */
function torn(text: string): readonly string[] {
  if (text === "") return [""]
  const half = text.slice(0, Math.floor(text.length / 2))
  const zeros = (length: number) => "\0".repeat(length)
  return ["", half, half + zeros(text.length - half.length), zeros(text.length), text]
}

/** The disks of one choice of names, with every possible content of their files. */
function* disksWith(
  before: Disk,
  kept: readonly DiskStep[],
  contents: ReadonlyMap<Inode, readonly string[]>,
): Generator<Disk> {
  const folders = reached(before, kept)
  const names = new Map<string, Inode>([...before.files.keys()].map((path, at) => [path, at]))
  for (const step of kept) {
    if (step.kind === "unname") names.delete(step.path)
    if (step.kind !== "name") continue
    names.set(step.path, step.inode)
    if (step.from !== null && step.from !== step.path) names.delete(step.from)
  }
  const there = [...names].filter(([path]) => folders.has(dirname(path)))
  const inodes = [...new Set(there.map(([, inode]) => inode))]
  for (const texts of combinations(inodes, contents)) {
    yield { folders, files: new Map(there.map(([path, inode]) => [path, texts.get(inode) ?? ""])) }
  }
}

/** The folders that are there. A folder is made before what is in it, so one inside a lost folder is lost too. */
function reached(before: Disk, kept: readonly DiskStep[]): ReadonlySet<string> {
  const folders = new Set(before.folders)
  for (const step of kept)
    if (step.kind === "make-folder" && folders.has(dirname(step.path))) folders.add(step.path)
  return folders
}

function* combinations(
  inodes: readonly Inode[],
  contents: ReadonlyMap<Inode, readonly string[]>,
  chosen: ReadonlyMap<Inode, string> = new Map(),
): Generator<ReadonlyMap<Inode, string>> {
  const [first, ...rest] = inodes
  if (first === undefined) return yield chosen
  for (const text of contents.get(first) ?? [""])
    yield* combinations(rest, contents, new Map([...chosen, [first, text]]))
}
