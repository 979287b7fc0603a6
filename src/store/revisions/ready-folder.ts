// Makes `.boulder` ready before every write, whoever writes.
import { Buffer } from "node:buffer"
import { join } from "node:path"
import { hasBoulderFolder } from "../disk/boulder-folder.ts"
import { type FilePort, nodeFilePort } from "../disk/file-port.ts"
import { notAFile } from "../disk/open-regular.ts"
import { replaceIfSame } from "../disk/replace-if-same.ts"
import { MAX_IGNORE_BYTES } from "../disk/size-limits.ts"
import { errnoOf, StoreError } from "../disk/store-error.ts"
import { newWriteId, ownIdentity } from "../disk/writer-identity.ts"
import { tempName } from "./revision-names.ts"

/** Of a folder that has none: all but the plans, itself too. */
const IGNORE_ALL = `# Made by opencode-boulder: the state of this machine stays out of git, plans are yours to share.
/*
!/plans/
`
/** Behind the rules of a user's own: what we make, and nothing else. */
const IGNORE_OURS = `# opencode-boulder: the state of this machine stays out of git. These lines have to be the last.
/boulder.json*
/journal*
/handoffs/
/live/
/sessions/
/works/
`
/** Others may remove and recreate `.boulder` meanwhile. */
const TRIES = 5

/** Makes `.boulder` ready for the next write. Throws `StoreError`, and system errors. */
export interface ReadyFolder {
  /**
   * With `there`, for a write that follows a reading: a folder that was removed since stays removed, and with it everything that was read.
   * If it were recreated, what was computed on the old state would pass for a copy of it. Returns false where it is removed.
   */
  makeReady(given?: "there"): Promise<boolean>
}

/**
 * The one way to make `<root>/.boulder` ready, before every write, whoever writes: the folder exists, and the last lines of its `.gitignore`
 * keep our files out of git. While the `.gitignore` is unchanged, only its `stat` is looked at.
 */
export function openReadyFolder({
  files = nodeFilePort(),
  root,
}: {
  files?: FilePort
  root: string
}): ReadyFolder {
  const folder = join(root, ".boulder")
  const ignore = join(folder, ".gitignore")
  let seen: string | null = null

  const stampOf = async (): Promise<string | null> => {
    const found = await files.inspect(ignore)
    // git does not follow one either. Anything else that is no file shows when it is read.
    if (found?.kind === "link") throw notAFile(ignore, "a link")
    return found === null ? null : `${found.size} ${found.modifiedMs}`
  }

  const lookAndMake = async (given: "there" | undefined): Promise<boolean> => {
    if (!(await hasBoulderFolder(files, root))) {
      if (given === "there") return false
      if (await files.makeFolder(folder, false)) await files.syncFolder(root)
      await hasBoulderFolder(files, root)
    }
    const stamp = await stampOf()
    if (stamp !== null && stamp === seen) return true
    seen = await keepRules(stamp)
    return true
  }

  /** Writes our rules if they are missing; returns the stamp under which they are present. */
  const keepRules = async (found: string | null): Promise<string | null> => {
    let stamp = found
    for (let tries = 1; await writeRules(stamp); tries++) {
      if (tries === TRIES) throw neverStill(ignore)
      stamp = await stampOf()
    }
    return stamp
  }

  /** True if something had to be written: then look again. */
  const writeRules = async (stamp: string | null): Promise<boolean> => {
    const bytes = stamp === null ? null : await files.readBytes(ignore, MAX_IGNORE_BYTES)
    const text = bytes?.toString("utf8") ?? ""
    if (bytes !== null && keepsOursOut(text)) return false
    const temp = join(folder, tempName(0, newWriteId(await ownIdentity())))
    if (bytes === null) await writeWhole(temp)
    // Its bytes belong to the user: a file that is not UTF-8 is not rewritten.
    else if (!Buffer.from(text).equals(bytes)) await files.appendText(ignore, `\n${IGNORE_OURS}`)
    else
      await replaceIfSame(files, {
        file: ignore,
        temps: [temp],
        before: bytes,
        text: withOurs(text),
      })
    return true
  }

  /** It appears as a whole or not at all. The sweep knows the name of its temp file. */
  const writeWhole = async (temp: string): Promise<void> => {
    await files.createText(temp, IGNORE_ALL)
    await files.syncFile(temp)
    await files.rename(temp, ignore)
  }

  return {
    async makeReady(given) {
      for (let tries = 1; ; tries++) {
        try {
          return await lookAndMake(given)
        } catch (error) {
          if (errnoOf(error) !== "ENOENT" || tries === TRIES) throw error
        }
      }
    },
  }
}

function neverStill(ignore: string): StoreError {
  return new StoreError({
    code: "busy",
    expected: `${ignore} to stay still`,
    found: "a program that keeps writing it",
    todo: "Nothing was written. Stop that program and try again.",
  })
}

function withOurs(text: string): string {
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${IGNORE_OURS}`
}

/** git uses the last rule that matches: nothing above ours can include our files again. */
function keepsOursOut(text: string): boolean {
  const lines = text.replaceAll("\r\n", "\n").trimEnd()
  return [IGNORE_ALL, IGNORE_OURS].some((rules) => lines.endsWith(rules.trimEnd()))
}
