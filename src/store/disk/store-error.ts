// Errors that say what was expected, what was found and what to do.
/** What went wrong, for code; the message is for people. */
export type StoreErrorCode =
  | "away"
  | "busy"
  | "corrupt"
  | "disk-full"
  | "invalid-change"
  | "io"
  | "newer-schema"
  | "no-hard-links"
  | "not-a-file"
  | "not-durable"
  | "not-permitted"
  | "outside-root"
  | "too-large"
  | "too-many-files"

interface StoreErrorParts {
  code: StoreErrorCode
  expected: string
  found: string
  todo: string
  cause?: unknown
}

/** A store that could not do what was asked. The message says what was expected, what was found and what to do. */
export class StoreError extends Error {
  readonly code: StoreErrorCode
  readonly found: string

  constructor({ code, expected, found, todo, cause }: StoreErrorParts) {
    super(
      `Expected ${expected}; found ${found}. ${todo}`,
      cause === undefined ? undefined : { cause },
    )
    this.name = "StoreError"
    this.code = code
    this.found = found
  }
}

const BY_ERRNO: Record<string, { code: StoreErrorCode; todo: string }> = {
  ENOSPC: { code: "disk-full", todo: "Free some space on this disk and try again." },
  EDQUOT: { code: "disk-full", todo: "Free some of your disk quota and try again." },
  EACCES: {
    code: "not-permitted",
    todo: "Give this user the right to read and write there and try again.",
  },
  EPERM: {
    code: "not-permitted",
    todo: "Give this user the right to read and write there and try again.",
  },
  EROFS: { code: "not-permitted", todo: "Mount this file system for writing and try again." },
  ENOTDIR: { code: "io", todo: "A file is in the place of a folder. Move it away and try again." },
  EMFILE: {
    code: "too-many-files",
    todo: "Close some programs or raise the limit (ulimit -n) and try again.",
  },
  ENFILE: { code: "too-many-files", todo: "Close some programs and try again." },
}

/** The words of an error, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The `code` of a system error (`ENOENT`, …); null for anything else. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null
  return typeof error.code === "string" ? error.code : null
}

/** Whether a failed write is in place all the same: only a power cut may undo it. */
export function isInPlace(error: unknown): boolean {
  return error instanceof StoreError && error.code === "not-durable"
}

/** Whether a failed look means that nothing is there; any other failure says nothing about that. */
export function isMissing(error: unknown): boolean {
  const code = errnoOf(error)
  return code === "ENOENT" || code === "ENOTDIR"
}

/**
 * Puts a failed file operation into words. `doing` completes "Expected to …" and `outcome` says what state the file is in now; `also` is a
 * second failure, from cleaning up after the first.
 */
export function storeErrorFrom(
  error: unknown,
  { doing, outcome, also }: { doing: string; outcome: string; also?: unknown },
): StoreError {
  if (error instanceof StoreError) return error
  const errno = errnoOf(error)
  const known = errno === null ? undefined : BY_ERRNO[errno]
  return new StoreError({
    code: known?.code ?? "io",
    expected: `to ${doing}`,
    found: messageOf(error),
    todo: `${outcome} ${known?.todo ?? "Check the disk and the system log, then try again."}`,
    cause: also === undefined ? error : new AggregateError([error, also]),
  })
}
