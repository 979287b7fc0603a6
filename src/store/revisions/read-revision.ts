// Reads the revision in place.
import { type Boulder, SCHEMA_VERSION } from "../../boulder/boulder.ts"
import { openWorks } from "../../boulder/find-work.ts"
import { hasBoulderFolder } from "../disk/boulder-folder.ts"
import { statNow } from "../disk/quick-files.ts"
import { errnoOf, StoreError } from "../disk/store-error.ts"
import { parseBoulderFile } from "./boulder-file.ts"
import type { StoreNotice } from "./boulder-store.ts"
import { restoreBoulder } from "./restore-boulder.ts"
import { currentText, type RevisionFolder } from "./revision-folder.ts"

export interface Revision {
  /** The exact text of the file; null if nothing was ever stored. */
  readonly text: string | null
  readonly boulder: Boulder | null
  readonly notices: readonly StoreNotice[]
  /** Of the file right before it was read: whoever writes it meanwhile gives it another. */
  readonly stamp?: string | undefined
}

/** Other programs may write the file in place: look again before calling it damaged. */
const LOOKS = 4
const LOOK_AGAIN_MS = 25
const RESTORE_TRIES = 20

/**
 * Reads the revision in place. `known` is the last one that was read, so that the same text is parsed only once, and a
 * removed state is noticed. Restores a damaged or lost file from its copies; throws `StoreError` if it cannot, or for a
 * newer schema.
 */
export async function readRevision(at: RevisionFolder, known: Revision | null): Promise<Revision> {
  if (!(await hasBoulderFolder(at.files, at.root))) return nothing(at, known)
  const notices: StoreNotice[] = []
  for (let tries = 0; tries < RESTORE_TRIES; tries++) {
    const seen = await look(at, known)
    if (seen.kind === "valid") return { ...seen, notices }
    const outcome = await restoreOrAgain(at, seen.text, seen.problem)
    if (outcome.kind === "nothing") return nothing(at, known)
    if (outcome.kind === "restored") notices.push(outcome.notice)
  }
  throw new StoreError({
    code: "busy",
    expected: `${at.file} to stay readable`,
    found: `a file that was damaged again ${RESTORE_TRIES} times in a row`,
    todo: "Find the program that keeps writing it, stop it, and try again.",
  })
}

/** Tells a file from another in its place, and from itself before it was written; undefined for one that is missing. */
export function stampNow(path: string): string | undefined {
  const found = statNow(path)
  return found && `${found.dev} ${found.ino} ${found.size} ${found.mtimeMs}`
}

/** Nothing is stored. If something was, somebody has removed all of it: works that were open are not resumed by themselves. */
function nothing({ file }: RevisionFolder, known: Revision | null): Revision {
  const names = openWorks(known?.boulder ?? null).map(({ plan_name: name }) => name)
  const message =
    `${file} was removed by another program, with all its copies. Not resumed: ${names.join(", ")}. ` +
    "Plans are not affected: to continue, start the plan again."
  const notices: readonly StoreNotice[] = names.length === 0 ? [] : [{ kind: "removed", message }]
  return { text: null, boulder: null, notices }
}

type Look =
  | { kind: "valid"; text: string; boulder: Boulder; stamp: string | undefined }
  | { kind: "invalid"; text: string | null; problem: string }

async function look(at: RevisionFolder, known: Revision | null): Promise<Look> {
  for (let looks = 1; ; looks++) {
    const stamp = stampNow(at.file)
    const text = await currentText(at)
    if (text === null) return { kind: "invalid", text, problem: "it is missing" }
    if (text === known?.text && known.boulder !== null) {
      return { kind: "valid", text, boulder: known.boulder, stamp }
    }
    const file = parseBoulderFile(text)
    if (file.kind === "newer") throw newerSchema(at, file.version)
    if (file.kind === "valid") return { kind: "valid", text, boulder: file.boulder, stamp }
    if (looks === LOOKS) return { kind: "invalid", text, problem: file.problem }
    await at.pause(LOOK_AGAIN_MS)
  }
}

async function restoreOrAgain(at: RevisionFolder, text: string | null, problem: string) {
  try {
    return await restoreBoulder(at, text, problem)
  } catch (error) {
    // A name that was there a moment ago: another process is restoring, too.
    if (errnoOf(error) === "ENOENT") return { kind: "again" } as const
    throw error
  }
}

function newerSchema(at: RevisionFolder, version: number): StoreError {
  return new StoreError({
    code: "newer-schema",
    expected: `${at.file} to have schema_version ${SCHEMA_VERSION} or an older one`,
    found: `schema_version ${version}`,
    todo: "It was left as it is. A newer opencode-boulder wrote it: update this one.",
  })
}
