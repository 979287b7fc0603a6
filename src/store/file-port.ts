import { Buffer } from "node:buffer"
import { constants } from "node:fs"
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  unlink,
} from "node:fs/promises"
import process from "node:process"
import { errnoOf, StoreError } from "./store-error.ts"

interface FileFacts {
  readonly kind: "file" | "folder" | "link" | "other"
  /** In bytes. */
  readonly size: number
  readonly modifiedMs: number
}

/** A file that was made and is still open. Closing is owed whatever happens. */
export interface OpenFile {
  /** Brings the content to the disk, also when the file has another name by now. */
  sync(): Promise<void>
  close(): Promise<void>
}

/**
 * The few file operations that the store is made of: the one place where a test puts a fault or a kill.
 * A missing file is an answer (null, false, []), everything else that fails is thrown as the system gave it.
 */
export interface FilePort {
  /**
   * The whole text; null when missing. A symbolic link as the last name is not followed (`ELOOP`); what is no regular
   * file is refused with a `StoreError` (`not-a-file`) and never waited for.
   */
  readText(path: string): Promise<string | null>
  /** The names in a folder; none when it is missing. */
  list(folder: string): Promise<string[]>
  /** False when something of that name is there already. */
  makeFolder(path: string): Promise<boolean>
  /** Throws `EEXIST` when the name is taken. */
  createText(path: string, text: string): Promise<void>
  /** The same, leaving the file open. */
  createOpen(path: string, text: string): Promise<OpenFile>
  /** Adds the text at the end with one write; creates the file when missing. */
  appendText(path: string, text: string): Promise<void>
  /** Brings a file's content to the disk. False when missing. */
  syncFile(path: string): Promise<boolean>
  /** Brings a folder's names to the disk, where the system can do that. False when missing. */
  syncFolder(path: string): Promise<boolean>
  /** A second name for a file; false when that name is taken. */
  link(from: string, to: string): Promise<boolean>
  /** Replaces `to`; false when `from` is missing. */
  rename(from: string, to: string): Promise<boolean>
  /** False when missing. */
  remove(path: string): Promise<boolean>
  /** With all that is in it, without following links; nothing when missing. */
  removeFolder(path: string): Promise<void>
  /** Of the name itself, not of what a link points at; null when missing. */
  inspect(path: string): Promise<FileFacts | null>
  /** The path without links; null when missing. */
  realPath(path: string): Promise<string | null>
}

/** Absent on Windows. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
/** A named pipe is opened without waiting for who writes into it. Absent on Windows. */
const NO_WAIT = constants.O_NONBLOCK ?? 0
const READ = constants.O_RDONLY | NO_FOLLOW | NO_WAIT
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | NO_FOLLOW
/** What a file system answers that cannot sync a folder; there is nothing else to be done there. */
const FOLDER_SYNC_UNKNOWN = new Set(["EINVAL", "EISDIR", "ENOTSUP", "EOPNOTSUPP"])

/** The real file system, for Bun and Node alike. */
export function nodeFilePort(): FilePort {
  return {
    readText: (path) => unless("ENOENT", null, readWith(path, READ)),
    list: (folder) => unless("ENOENT", [], readdir(folder)),
    makeFolder: (path) => unless("EEXIST", false, mkdir(path).then(yes)),
    createText: (path, text) => writeWith(path, CREATE, text),
    createOpen: (path, text) => openWith(path, CREATE, text),
    appendText: (path, text) => writeWith(path, APPEND, text),
    syncFile: (path) => unless("ENOENT", false, syncWith(path, "r+")),
    syncFolder,
    link: (from, to) => unless("EEXIST", false, link(from, to).then(yes)),
    rename: (from, to) => unless("ENOENT", false, rename(from, to).then(yes)),
    remove: (path) => unless("ENOENT", false, unlink(path).then(yes)),
    removeFolder: (path) => rm(path, { recursive: true, force: true }),
    inspect: (path) => unless("ENOENT", null, inspect(path)),
    realPath: (path) => unless("ENOENT", null, realpath(path)),
  }
}

const yes = () => true

async function unless<Value, Other>(
  errno: string,
  instead: Other,
  operation: Promise<Value>,
): Promise<Value | Other> {
  try {
    return await operation
  } catch (error) {
    if (errnoOf(error) === errno) return instead
    throw error
  }
}

const CHUNK_BYTES = 64 * 1_024

/** In one read for most files: a short read is the end of a regular file. */
async function readWith(path: string, flag: number): Promise<string> {
  const handle = await open(path, flag).catch((error: unknown) => {
    throw errnoOf(error) === "ENXIO" ? notAFile(path, "a socket") : error
  })
  try {
    const facts = await handle.stat()
    if (facts.isDirectory()) throw notAFile(path, "a folder")
    if (!facts.isFile()) throw notAFile(path, facts.isFIFO() ? "a named pipe" : "a device")
    const chunks: Buffer[] = []
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null)
      chunks.push(chunk.subarray(0, bytesRead))
      if (bytesRead < CHUNK_BYTES) return Buffer.concat(chunks).toString("utf8")
    }
  } finally {
    await handle.close()
  }
}

function notAFile(path: string, found: string): StoreError {
  const todo = "Move it away and try again."
  return new StoreError({ code: "not-a-file", expected: `${path} to be a file`, found, todo })
}

async function writeWith(path: string, flag: number, text: string): Promise<void> {
  const file = await openWith(path, flag, text)
  await file.close()
}

async function openWith(path: string, flag: number, text: string): Promise<FileHandle> {
  const handle = await open(path, flag)
  try {
    const bytes = Buffer.from(text, "utf8")
    let written = 0
    while (written < bytes.length) {
      const step = await handle.write(bytes, written, bytes.length - written)
      written += step.bytesWritten
    }
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function syncWith(path: string, flag: string): Promise<boolean> {
  const handle = await open(path, flag)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  return true
}

async function syncFolder(path: string): Promise<boolean> {
  if (process.platform === "win32") return true
  try {
    return await syncWith(path, "r")
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === "ENOENT") return false
    if (errno !== null && FOLDER_SYNC_UNKNOWN.has(errno)) return true
    throw error
  }
}

async function inspect(path: string): Promise<FileFacts> {
  const found = await lstat(path)
  return { kind: kindOf(found), size: found.size, modifiedMs: found.mtimeMs }
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
