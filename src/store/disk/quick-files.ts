// Functions of `node:fs/promises`, done at once: a small file takes less time than handing it to a thread and back.
import type { Buffer } from "node:buffer"
import {
  chmodSync,
  closeSync,
  fchmodSync,
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
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs"
import { promisify } from "node:util"

/** As much of a `FileHandle` as the store uses. */
export interface QuickHandle {
  read(
    into: Buffer,
    offset: number,
    length: number,
    position: null,
  ): Promise<{ readonly bytesRead: number }>
  write(from: Buffer, offset: number, length: number): Promise<{ readonly bytesWritten: number }>
  stat(): Promise<Stats>
  chmod(mode: number): Promise<void>
  /** Brings the content to the disk, in a thread: nothing else takes as long. */
  sync(): Promise<void>
  close(): Promise<void>
}

export const stat = async (path: string): Promise<Stats> => statSync(path)
/** Undefined for a file that is missing, or that the system does not tell of. */
export const statNow = (path: string): Stats | undefined => {
  try {
    // With options it takes half as long again.
    return statSync(path)
  } catch {
    return undefined
  }
}
export const lstat = async (path: string): Promise<Stats> => lstatSync(path)
export const realpath = async (path: string): Promise<string> => realpathSync.native(path)
export const readlink = async (path: string): Promise<string> => readlinkSync(path)
export const readdir = async (path: string): Promise<string[]> => readdirSync(path)
export const mkdir = async (path: string, mode: number): Promise<void> => {
  mkdirSync(path, mode)
}
export const rename = async (from: string, to: string): Promise<void> => renameSync(from, to)
export const link = async (from: string, to: string): Promise<void> => linkSync(from, to)
export const unlink = async (path: string): Promise<void> => unlinkSync(path)
export const chmod = async (path: string, mode: number): Promise<void> => chmodSync(path, mode)

const synced = promisify(fsync)

/** Opens a file; closing it is owed. */
export const open = async (path: string, flags: number, mode?: number): Promise<QuickHandle> => {
  const fd = openSync(path, flags, mode)
  return {
    read: async (into, offset, length, position) => ({
      bytesRead: readSync(fd, into, offset, length, position),
    }),
    write: async (from, offset, length) => ({ bytesWritten: writeSync(fd, from, offset, length) }),
    stat: async () => fstatSync(fd),
    chmod: async (to) => fchmodSync(fd, to),
    sync: () => synced(fd),
    close: async () => closeSync(fd),
  }
}
