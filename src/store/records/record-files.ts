// Small files that are created once, replaced or appended to.
import { basename, dirname, join, relative, sep } from "node:path"
import { once } from "../../plan/model/once.ts"
import { isFolderInside, readInside } from "../disk/boulder-folder.ts"
import { type FilePort, nodeFilePort } from "../disk/file-port.ts"
import { linkOrExplain } from "../disk/link-or-explain.ts"
import { syncNames } from "../disk/replace-if-same.ts"
import { MAX_RECORD_BYTES, MAX_WORK_FILE_BYTES } from "../disk/size-limits.ts"
import { StoreError, storeErrorFrom } from "../disk/store-error.ts"
import { lifeOf, newWriteId, ownIdentity, type WriterIdentity } from "../disk/writer-identity.ts"
import { openReadyFolder, type ReadyFolder } from "../revisions/ready-folder.ts"

/**
 * The smaller files in `.boulder`: sessions, checkpoints, handoffs, archived works. Paths are relative to it, with `/`. A reader never sees
 * half a file, and unless something else is said, what has resolved is on disk; the last writer of a file wins. Folders are created as
 * needed once `.boulder` itself exists; all methods throw `StoreError`.
 */
export interface RecordFiles {
  /** Null if missing. */
  read(path: string): Promise<string | null>
  /** The same for one of many files: if it is no file, or over its limit, that is an answer and does not hide the others. */
  tryRead(path: string): Promise<string | Unreadable | null>
  /** The names in a folder, without unfinished files; none if it is missing. */
  list(folder: string): Promise<readonly string[]>
  /** `unsynced`: for files that are rewritten if they do not have the right content; a power cut may leave any part of it. */
  replace(path: string, text: string, how?: "unsynced"): Promise<void>
  /** For files that never change: false, and nothing written, if it already exists. */
  createOnce(path: string, text: string): Promise<boolean>
  /**
   * Appends whole lines. A line torn by a crash stays alone on its line. `unsynced`: a power cut may remove them until later lines of the
   * file are on disk. Returns the number of bytes added.
   */
  append(path: string, lines: readonly string[], how?: "unsynced"): Promise<number>
  /** In bytes; null if missing. */
  size(path: string): Promise<number | null>
  /** False if missing. */
  remove(path: string): Promise<boolean>
  removeFolder(folder: string): Promise<void>
}

/** Why a file of one of many was not read. */
interface Unreadable {
  readonly problem: string
}

interface OpenRecords {
  files: FilePort
  root: string
  ready: ReadyFolder
  own: () => Promise<WriterIdentity>
  /** The folders that were searched for leftovers of dead writers. */
  swept: Set<string>
}

const SWEPT_MAX = 64

/** Opens the record files of a project; touches nothing until the first call. */
export function openRecordFiles({
  root,
  files = nodeFilePort(),
  ready = openReadyFolder({ files, root }),
}: {
  root: string
  files?: FilePort
  ready?: ReadyFolder
}): RecordFiles {
  const open: OpenRecords = { files, root, ready, own: once(ownIdentity), swept: new Set() }
  const inWords = async <Value>(
    verb: string,
    path: string,
    run: (full: string) => Promise<Value>,
  ) => {
    try {
      return await run(fullPath(root, path))
    } catch (error) {
      const outcome = "What was there before is still there."
      throw storeErrorFrom(error, { doing: `${verb} .boulder/${path}`, outcome })
    }
  }
  const read = (path: string) => inWords("read", path, (full) => readSafe(open, full))
  return {
    read,
    tryRead: (path) => read(path).catch(problemOf),
    list: (folder) => inWords("list", folder, (full) => listSafe(open, full)),
    replace: (path, text, how) =>
      inWords("write", path, async (full) => {
        await viaTemp(open, full, { text, how }, (temp) => files.rename(temp, full))
      }),
    createOnce: (path, text) =>
      inWords("create", path, (full) =>
        viaTemp(open, full, { text }, (temp) => linkOrExplain(files, temp, full)),
      ),
    append: (path, lines, how) =>
      inWords("add to", path, async (full) => {
        await makeFolders(open, dirname(full))
        const text = lines.map((line) => `\n${line}`).join("")
        await files.appendText(full, text)
        if (how !== "unsynced") {
          await files.syncFile(full)
          await files.syncFolder(dirname(full))
        }
        return Buffer.byteLength(text)
      }),
    size: (path) =>
      inWords("read", path, async (full) => (await files.inspect(full))?.size ?? null),
    remove: (path) =>
      inWords("remove", path, async (full) => {
        await isFolderInside(files, root, dirname(full))
        return files.remove(full)
      }),
    removeFolder: (folder) =>
      inWords("remove", folder, async (full) => {
        await isFolderInside(files, root, full)
        await files.removeFolder(full)
      }),
  }
}

/** A name never leads out of `.boulder`, whatever a file says. */
function fullPath(root: string, path: string): string {
  const parts = path.split("/")
  const isPlain = parts.every((part) => /^[A-Za-z0-9_~#-][A-Za-z0-9_.~#-]{0,200}$/.test(part))
  if (isPlain) return join(root, ".boulder", ...parts)
  throw new StoreError({
    code: "outside-root",
    expected: "a path of plain names inside .boulder",
    found: JSON.stringify(path.slice(0, 200)),
    todo: "Nothing was read or written.",
  })
}

async function readSafe({ files, root }: OpenRecords, full: string): Promise<string | null> {
  await isFolderInside(files, root, dirname(full))
  const isOfWork = relative(join(root, ".boulder"), full).startsWith(`works${sep}`)
  return readInside(files, root, full, isOfWork ? MAX_WORK_FILE_BYTES : MAX_RECORD_BYTES)
}

const NO_RECORD: ReadonlySet<string> = new Set(["not-a-file", "outside-root", "too-large"])

function problemOf(error: unknown): Unreadable {
  if (error instanceof StoreError && NO_RECORD.has(error.code)) return { problem: error.found }
  throw error
}

async function listSafe({ files, root }: OpenRecords, full: string): Promise<string[]> {
  await isFolderInside(files, root, full)
  return (await files.list(full)).filter((name) => !name.endsWith(".tmp"))
}

async function viaTemp<Value>(
  open: OpenRecords,
  full: string,
  { text, how }: { readonly text: string; readonly how?: "unsynced" | undefined },
  publish: (temp: string) => Promise<Value>,
): Promise<Value> {
  const { files } = open
  await makeFolders(open, dirname(full))
  const temp = join(dirname(full), `${basename(full)}.${newWriteId(await open.own())}.tmp`)
  try {
    await files.createText(temp, text)
    if (how === "unsynced") return await publish(temp)
    await files.syncFile(temp)
    const published = await publish(temp)
    await syncNames(files, dirname(full), full)
    return published
  } finally {
    await files.remove(temp)
  }
}

async function makeFolders(open: OpenRecords, folder: string): Promise<void> {
  const { files, root, swept } = open
  await open.ready.makeReady()
  if (!(await isFolderInside(files, root, folder))) await makeBelow(open, folder)
  if (swept.has(folder)) return
  if (swept.size >= SWEPT_MAX) swept.clear()
  swept.add(folder)
  await sweepTemps(files, await open.own(), folder)
}

async function makeBelow({ files, root }: OpenRecords, folder: string): Promise<void> {
  let path = join(root, ".boulder")
  for (const name of relative(path, folder).split(sep).filter(Boolean)) {
    const parent = path
    path = join(path, name)
    if (await files.makeFolder(path, true)) await files.syncFolder(parent)
    await isFolderInside(files, root, path)
  }
}

/** Removes leftovers of dead writers from a folder when we first write there. */
async function sweepTemps(files: FilePort, own: WriterIdentity, folder: string): Promise<void> {
  for (const name of await files.list(folder)) {
    const [, writer = ""] = /\.([0-9a-z-]+)\.tmp$/.exec(name) ?? []
    if ((await lifeOf(writer, own)) === "dead") await files.remove(join(folder, name))
  }
}
