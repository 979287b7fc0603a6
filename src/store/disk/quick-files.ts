// Functions of `node:fs/promises` done synchronously: for a small file that takes less time than a thread.
import type { Buffer } from "node:buffer"
import {
  accessSync,
  close,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  type Stats,
  statfsSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs"
import { promisify } from "node:util"

/** The part of a `FileHandle` that the store uses. */
export interface QuickHandle {
  read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>
  write(from: Buffer, offset: number, length: number): Promise<{ readonly bytesWritten: number }>
  stat(): Promise<Stats>
  chmod(mode: number): Promise<void>
  chown(uid: number, gid: number): Promise<void>
  /** Brings the content to the disk, in a thread: nothing else takes as long. */
  sync(): Promise<void>
  close(): Promise<void>
}

export const stat = async (path: string): Promise<Stats> => statSync(path)
/** Undefined for a file that is missing or that the system does not report on. */
export const statNow = (path: string): Stats | undefined => {
  try {
    // With options it takes half as long again.
    return statSync(path)
  } catch {
    return undefined
  }
}
export const access = async (path: string, mode: number): Promise<void> => accessSync(path, mode)
export const lstat = async (path: string): Promise<Stats> => lstatSync(path)
export const realpath = async (path: string): Promise<string> => realpathSync.native(path)
export const readlink = async (path: string): Promise<string> => readlinkSync(path)
export const readdir = async (path: string): Promise<string[]> => readdirSync(path)
export const mkdir = async (path: string, mode: number): Promise<void> => {
  mkdirSync(path, mode)
}
export const rename = async (from: string, to: string): Promise<void> => {
  const replaced = heldOpen(to)
  try {
    renameSync(from, to)
  } finally {
    if (replaced !== null) close(replaced, () => undefined)
  }
}
export const link = async (from: string, to: string): Promise<void> => linkSync(from, to)
export const unlink = async (path: string): Promise<void> => unlinkSync(path)

/** Opens only the name; missing from `constants`. */
const NAME_ALONE = 0o10000000
/** File systems, ext2 to ext4, where freeing a file was measured to take six times as long as the rename that replaces it. */
const FREES_SLOWLY: ReadonlySet<number> = new Set([0xef53])

/**
 * Keeps a file that a rename replaces open until later, so that a thread frees its blocks; null if that gains nothing. Never on a network
 * file system: a client may first rename a file in use, so that for a moment there is none.
 */
function heldOpen(path: string): number | null {
  if (process.platform !== "linux") return null
  try {
    if (!FREES_SLOWLY.has(statfsSync(path).type)) return null
    return openSync(path, NAME_ALONE | (constants.O_NOFOLLOW ?? 0))
  } catch {
    // For example a name that does not exist: the rename itself reports anything else.
    return null
  }
}

const synced = promisify(fsync)

/** Opens a file; it must be closed. */
export const open = async (path: string, flags: number, mode?: number): Promise<QuickHandle> => {
  const fd = openSync(path, flags, mode)
  return {
    read: async (into, offset, length, position) => ({
      bytesRead: readSync(fd, into, offset, length, position),
    }),
    write: async (from, offset, length) => ({ bytesWritten: writeSync(fd, from, offset, length) }),
    stat: async () => fstatSync(fd),
    chmod: async (to) => fchmodSync(fd, to),
    chown: async (uid, gid) => fchownSync(fd, uid, gid),
    sync: () => synced(fd),
    close: async () => closeSync(fd),
  }
}
