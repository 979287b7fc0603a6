// Reads older plugins' state: from their own files, or where one has written into the place of ours.

import { join } from "node:path"
import { type Boulder, emptyBoulder } from "../../boulder/boulder.ts"
import { jsonOf } from "../../boulder/json-of.ts"
import { adoptOlder, upgradeOlderFormat } from "../../boulder/upgrade-older-format.ts"
import { readInside } from "../disk/boulder-folder.ts"
import { type FilePort, nodeFilePort } from "../disk/file-port.ts"
import { MAX_STATE_BYTES } from "../disk/size-limits.ts"
import { storeErrorFrom } from "../disk/store-error.ts"
import { fingerprintOf } from "./boulder-file.ts"

export interface OlderBoulder {
  /** Revision 0; without works when there is no older file, or none that was not taken over. Give it to `adoptOlder`. */
  readonly boulder: Boulder
  /** The files from which something was taken over, relative to the root. They stay as they are. */
  readonly files: readonly string[]
  /** What could not be taken over, and why. */
  readonly dropped: readonly string[]
}

/** Where older formats lie; if two files name the same work, the first one counts. */
const OLDER_FILES = [".omo/boulder.json", ".sisyphus/boulder.json"]

/**
 * Reads the state of plugins that used these formats, for `/start-work`; a file that has not changed since it was taken over is skipped.
 * Never writes; a file that is not JSON is named in `dropped`. Throws `StoreError` if a file cannot be read at all.
 */
export async function readOlderBoulder({
  root,
  sessionId,
  now,
  taken = {},
  files = nodeFilePort(),
}: {
  root: string
  sessionId: string
  now: string
  /** The field `taken_over` of a boulder. */
  taken?: Boulder["taken_over"]
  files?: FilePort
}): Promise<OlderBoulder> {
  const found: { file: string; hash: string; older: Boulder; dropped: readonly string[] }[] = []
  for (const file of OLDER_FILES) {
    const text = await readText(files, root, file)
    const hash = fingerprintOf(text)
    if (text === null || taken[file] === hash) continue
    const json = jsonOf(text)
    const { boulder, dropped } = upgradeOlderFormat({ json, root, sessionId, now })
    const whole = json === undefined ? ["all of it: it is no JSON"] : dropped
    found.push({ file, hash, older: boulder, dropped: whole.map((why) => `${file}, ${why}`) })
  }
  const olders = found.map(({ older }) => older).reverse()
  const works = Object.assign({}, ...olders.map((older) => older.works))
  return {
    boulder: Object.assign({}, ...olders, {
      ...emptyBoulder(),
      works,
      ...(found.length === 0
        ? {}
        : { taken_over: Object.fromEntries(found.map(({ file, hash }) => [file, hash])) }),
    }),
    files: found.flatMap(({ file, older }) => (Object.keys(older.works).length > 0 ? [file] : [])),
    dropped: found.flatMap(({ dropped }) => dropped),
  }
}

/** The session that leads a work for which the older file names none: no host has it, and the work is paused. */
const NO_SESSION = "ses_none"

/** Reads the text of a `boulder.json` as an older format, on top of `ours`; null if it is none, or has no work that `ours` lacks. */
export function readOlderInPlace(
  text: string,
  { root, now, ours }: { root: string; now: string; ours: Boulder },
) {
  const older = upgradeOlderFormat({ json: jsonOf(text), root, sessionId: NO_SESSION, now })
  const next = adoptOlder(older.boulder)(ours)
  return next === ours ? null : { next, dropped: older.dropped }
}

async function readText(files: FilePort, root: string, file: string): Promise<string | null> {
  try {
    return await readInside(files, root, join(root, file), MAX_STATE_BYTES)
  } catch (error) {
    const outcome = "It was left as it is; to start without it, move it away."
    throw storeErrorFrom(error, { doing: `read the older state in ${file}`, outcome })
  }
}
