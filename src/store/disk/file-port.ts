// The real file system, for Bun and Node alike.
// Over 250 lines: it is the one place where a test puts a fault or a kill.
import { Buffer } from "node:buffer"
import { constants } from "node:fs"
import { rm } from "node:fs/promises"
import process from "node:process"
import { type Answering, openAnswering } from "./answering.ts"
import { OWN_FILE, onRegular, readBounded } from "./open-regular.ts"
import {
  link,
  lstat,
  mkdir,
  open,
  type QuickHandle,
  readdir,
  realpath,
  rename,
  unlink,
} from "./quick-files.ts"
import { errnoOf } from "./store-error.ts"

/** Who owns a file, and who may do what with it. */
export interface FileRights {
  readonly uid: number
  readonly gid: number
  /** The permissions. */
  readonly mode: number
}

interface FileFacts extends FileRights {
  readonly kind: "file" | "folder" | "link" | "other"
  /** In bytes. */
  readonly size: number
  readonly modifiedMs: number
}

/** A file that was created and is still open. It must be closed whatever happens. */
export interface OpenFile {
  /** Brings the content to the disk, even if the file has another name by now. */
  sync(): Promise<void>
  close(): Promise<void>
}

/**
 * The few file operations that the store is made of: the only place where a test injects a fault or a kill. A missing file is an answer
 * (null, false, []); any other failure is thrown as the system reported it.
 */
export interface FilePort {
  /**
   * The whole text; null if the file is missing. A symbolic link as the last name is not followed (`ELOOP`). Anything but a regular file is
   * refused with a `StoreError` (`not-a-file`) and never waited for; one over `maxBytes` is not read (`too-large`).
   */
  readText(path: string, maxBytes: number): Promise<string | null>
  /** The same as bytes. */
  readBytes(path: string, maxBytes: number): Promise<Buffer | null>
  /** The names in a folder; none if it is missing. */
  list(folder: string): Promise<string[]>
  /** False if the name already exists. Nobody else can look into a private folder. */
  makeFolder(path: string, isPrivate: boolean): Promise<boolean>
  /** Nobody else can read it. Throws `EEXIST` if the name exists. */
  createText(path: string, text: string): Promise<void>
  /**
   * The same, leaving the file open. If `rights` are given it gets them, including owner and group as far as the system lets us give a file
   * away.
   */
  createOpen(path: string, text: string, rights?: FileRights): Promise<OpenFile>
  /**
   * Appends the text with one write; creates the file if missing. Refused like `readText`, and with a `StoreError` (`outside-root`) if the
   * file has a second name.
   */
  appendText(path: string, text: string): Promise<void>
  /** Brings a file's content to the disk. False if missing. */
  syncFile(path: string): Promise<boolean>
  /** Brings a folder's names to the disk, if the system can do that. False if missing. */
  syncFolder(path: string): Promise<boolean>
  /** A second name for a file; false if that name exists. */
  link(from: string, to: string): Promise<boolean>
  /** Replaces `to`; false if `from` is missing. */
  rename(from: string, to: string): Promise<boolean>
  /** False if missing. */
  remove(path: string): Promise<boolean>
  /** Removes it with everything in it, without following links; nothing if missing. */
  removeFolder(path: string): Promise<void>
  /** About the name itself, not what a link points at; null if missing. */
  inspect(path: string): Promise<FileFacts | null>
  /** The path without links; null if missing. */
  realPath(path: string): Promise<string | null>
}

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
/** The system refuses anything else in its place without waiting. */
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NONBLOCK ?? 0)
const OWN_FOLDER = 0o700
const ANY_FOLDER = 0o777
/** The answer of a file system that cannot sync a folder; nothing else can be done there. */
const FOLDER_SYNC_UNKNOWN = new Set(["EINVAL", "EISDIR", "ENOTSUP", "EOPNOTSUPP"])

/**
 * The real file system, for Bun and Node alike. Everything except waiting for the disk is done synchronously, once the file system has
 * answered (`answering.ts`).
 */
export function nodeFilePort(answers: Answering = openAnswering()): FilePort {
  const once = <Value>(path: string, run: () => Promise<Value>): Promise<Value> =>
    answers(path).then(run)
  const unless = <Value, Other>(
    errno: string,
    instead: Other,
    path: string,
    run: () => Promise<Value>,
  ) => once(path, () => unlessErrno<Value, Other>(errno, instead, run))
  return {
    readText: (path, maxBytes) =>
      unless("ENOENT", null, path, async () => (await readBytes(path, maxBytes)).toString("utf8")),
    readBytes: (path, maxBytes) => unless("ENOENT", null, path, () => readBytes(path, maxBytes)),
    list: (folder) => unless("ENOENT", [], folder, () => readdir(folder)),
    makeFolder: (path, isPrivate) =>
      unless("EEXIST", false, path, () =>
        mkdir(path, isPrivate ? OWN_FOLDER : ANY_FOLDER).then(yes),
      ),
    createText: (path, text) => once(path, async () => (await createOpen(path, text)).close()),
    createOpen: (path, text, rights) => once(path, () => createOpen(path, text, rights)),
    appendText: (path, text) =>
      once(path, () => onRegular(path, "add", ({ handle }) => writeAll(handle, text))),
    syncFile: (path) =>
      unless("ENOENT", false, path, () =>
        onRegular(path, "sync", ({ handle }) => handle.sync()).then(yes),
      ),
    syncFolder: (path) => once(path, () => syncFolder(path)),
    link: (from, to) => unless("EEXIST", false, to, () => link(from, to).then(yes)),
    rename: (from, to) => unless("ENOENT", false, to, () => rename(from, to).then(yes)),
    remove: (path) => unless("ENOENT", false, path, () => unlink(path).then(yes)),
    removeFolder: (path) => once(path, () => rm(path, { recursive: true, force: true })),
    inspect: (path) => unless("ENOENT", null, path, () => inspect(path)),
    realPath: (path) => unless("ENOENT", null, path, () => realpath(path)),
  }
}

const yes = () => true
async function unlessErrno<Value, Other>(
  errno: string,
  instead: Other,
  operation: () => Promise<Value>,
): Promise<Value | Other> {
  try {
    return await operation()
  } catch (error) {
    if (errnoOf(error) === errno) return instead
    throw error
  }
}

function readBytes(path: string, maxBytes: number): Promise<Buffer> {
  return onRegular(path, "read", (file) => readBounded(file, path, maxBytes))
}

async function createOpen(path: string, text: string, rights?: FileRights): Promise<QuickHandle> {
  const handle = await open(path, CREATE, OWN_FILE)
  try {
    await writeAll(handle, text)
    if (rights !== undefined) await giveTo(handle, rights)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Only root can give a file away. Otherwise at least the group of another user's file is kept, if we are in it. */
async function giveTo(handle: QuickHandle, { uid, gid, mode }: FileRights): Promise<void> {
  const isGiven = await handle.chown(uid, gid).then(yes, () => false)
  if (!isGiven) await handle.chown((await handle.stat()).uid, gid).catch(() => undefined)
  // The system may drop permissions when the owner changes.
  await handle.chmod(mode)
}

async function writeAll(handle: QuickHandle, text: string): Promise<void> {
  const bytes = Buffer.from(text, "utf8")
  let written = 0
  while (written < bytes.length) {
    const step = await handle.write(bytes, written, bytes.length - written)
    written += step.bytesWritten
  }
}

async function syncFolder(path: string): Promise<boolean> {
  if (process.platform === "win32") return true
  try {
    const handle = await open(path, FOLDER)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    return true
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === "ENOENT") return false
    if (errno !== null && FOLDER_SYNC_UNKNOWN.has(errno)) return true
    throw error
  }
}

async function inspect(path: string): Promise<FileFacts> {
  const found = await lstat(path)
  return {
    kind: kindOf(found),
    size: found.size,
    modifiedMs: found.mtimeMs,
    uid: found.uid,
    gid: found.gid,
    mode: found.mode & 0o7777,
  }
}

function kindOf(found: {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}): FileFacts["kind"] {
  if (found.isFile()) return "file"
  if (found.isDirectory()) return "folder"
  return found.isSymbolicLink() ? "link" : "other"
}
