// The one careful way to open a file that we did not create ourselves.
import { Buffer } from "node:buffer"
import { constants, type Stats } from "node:fs"
import { open, type QuickHandle } from "./quick-files.ts"
import { errnoOf, StoreError } from "./store-error.ts"

/** Absent on Windows. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
/** Opens a named pipe without waiting for somebody at its other end. Absent on Windows. */
const NO_WAIT = constants.O_NONBLOCK ?? 0
const NEVER_WAIT = NO_FOLLOW | NO_WAIT

/** What a file is opened for; only `add` creates a missing one. */
export type OpenFor = "read" | "add" | "sync"

const FLAGS: Readonly<Record<OpenFor, number>> = {
  read: constants.O_RDONLY | NEVER_WAIT,
  add: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | NEVER_WAIT,
  sync: constants.O_RDWR | NEVER_WAIT,
}
/** For files that hold conversations: nobody else can read them. */
export const OWN_FILE = 0o600

interface RegularFile<Handle> {
  readonly handle: Handle
  readonly facts: Stats
}

/**
 * Runs on whatever is at a path if it is a regular file, never waits for it, and closes it: the one way to open a file that was there
 * before us. A symbolic link as the last name is not followed (`ELOOP`). Throws a `StoreError` if it is not a file (`not-a-file`), or if we
 * would write into a file that has a second name (`outside-root`).
 */
export async function onRegular<Result>(
  path: string,
  why: OpenFor,
  run: (file: RegularFile<QuickHandle>) => Promise<Result>,
): Promise<Result> {
  const file = await openRegularBy(open, path, why)
  try {
    return await run(file)
  } finally {
    await file.handle.close()
  }
}

/** Opens it by another `open`, such as that of `node:fs/promises`, for what may be long. */
export async function openRegularBy<Handle extends Pick<QuickHandle, "stat" | "close">>(
  by: (path: string, flags: number, mode: number) => Promise<Handle>,
  path: string,
  why: OpenFor,
): Promise<RegularFile<Handle>> {
  const handle = await by(path, FLAGS[why], OWN_FILE).catch((error: unknown) => {
    throw inPlaceOf(path, why, errnoOf(error)) ?? error
  })
  try {
    const facts = await handle.stat()
    const other = kindOf(facts)
    if (other !== null) throw notAFile(path, other)
    // Our own steps give a file a second name for a moment, but never one that is written in place.
    if (why === "add" && facts.nlink > 1) throw sharedFile(path, facts.nlink)
    return { handle, facts }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** What is in the place of a file that could not even be opened; null if the system failed in another way. */
function inPlaceOf(path: string, why: OpenFor, errno: string | null): StoreError | null {
  if (errno === "EISDIR") return notAFile(path, "a folder")
  if (errno === "ELOOP" && why !== "read") return notAFile(path, "a link")
  if (errno !== "ENXIO") return null
  // A pipe without a reader cannot be opened for writing without waiting, and a socket not at all.
  return notAFile(path, why === "read" ? "a socket" : "a named pipe or a socket")
}

/** What is there instead of a file; null for a file. */
function kindOf(facts: Stats): string | null {
  if (facts.isFile()) return null
  if (facts.isDirectory()) return "a folder"
  return facts.isFIFO() ? "a named pipe" : "a device"
}

/** Says what is in the place of a file; nothing is read or written there. */
export function notAFile(path: string, found: string): StoreError {
  const todo = "Move it away and try again."
  return new StoreError({ code: "not-a-file", expected: `${path} to be a file`, found, todo })
}

function sharedFile(path: string, links: number): StoreError {
  return new StoreError({
    code: "outside-root",
    expected: `${path} to be a file with one name`,
    found: `one with ${links} names (hard links), of which the others may lie outside the project`,
    todo: "Nothing was written there. Replace the link with a real folder or file.",
  })
}

/** A file that reports size 0 may have content, for example in /proc. */
const LEAST_BYTES = 4_096

/**
 * The bytes of an open file; nothing is read if it has more than `maxBytes`. It may have grown since it was opened. One read is enough if
 * it has not, since a short read is the end of a regular file.
 */
export async function readBounded(
  { handle, facts }: RegularFile<Pick<QuickHandle, "read">>,
  path: string,
  maxBytes: number,
): Promise<Buffer> {
  if (facts.size > maxBytes) throw tooLarge(path, facts.size, maxBytes)
  let into = Buffer.allocUnsafe(Math.max(facts.size + 1, LEAST_BYTES))
  for (let total = 0; ; ) {
    const free = into.length - total
    const { bytesRead } = await handle.read(into, total, free, total)
    total += bytesRead
    if (total > maxBytes) throw tooLarge(path, total, maxBytes)
    if (bytesRead < free) return into.subarray(0, total)
    into = Buffer.concat([into, Buffer.allocUnsafe(into.length)])
  }
}

function tooLarge(path: string, bytes: number, maxBytes: number): StoreError {
  return new StoreError({
    code: "too-large",
    expected: `${path} to be within its limit`,
    found: `${bytes} bytes, above the limit of ${maxBytes}`,
    todo: "It was not read. Find out what filled it, move it away and try again.",
  })
}
