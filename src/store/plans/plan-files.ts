// Reads plans, bounded and cached by their `stat` and their bytes, and marks them.
// Over 250 lines: what is kept of a plan and what its marks write share the one reading of it.
import { Buffer } from "node:buffer"
import type { Stats } from "node:fs"
import { dirname } from "node:path"
import { crc32 } from "node:zlib"
import { elapsedMs } from "../../boulder/iso-time.ts"
import { summaryOf } from "../../plan/data/gsd-plan.ts"
import { NO_JSON } from "../../plan/data/json-plan.ts"
import { type Lines, splitLines } from "../../plan/model/lines.ts"
import type { Plan } from "../../plan/model/plan.ts"
import { parsePlan } from "../../plan/parse-plan.ts"
import { withTicks } from "../../plan/with-ticks.ts"
import { openAnswering } from "../disk/answering.ts"
import { forgetOldest } from "../disk/forget-oldest.ts"
import { onRegular, readBounded } from "../disk/open-regular.ts"
import { readdir, stat, statNow } from "../disk/quick-files.ts"
import { MAX_PLAN_BYTES } from "../disk/size-limits.ts"
import { StoreError } from "../disk/store-error.ts"
import { planText } from "./plan-limits.ts"
import { NOT_THERE, planInRoot, type RealPlan, whyOutside } from "./plan-path.ts"
import { type LineStarts, lineStartsIn, takeTicks, ticksAt } from "./ticks-between.ts"
import { markTaskInPlan, type PlanMark, type TaskMark, whyNotMarkable } from "./write-plan.ts"

/** File systems keep times in steps: a file changed this shortly before it was read may change again unseen. */
const UNSURE_MS = 100
const MAX_CACHED = 8
/** How much of a changed plan is read at once. */
const PIECE_BYTES = 512 * 1_024

/** A plan file as it was found: content never throws. `message` says what was expected, what was found and what to do. */
export type PlanFileReading = ReadPlan | Unavailable

interface Unavailable {
  readonly kind: "unavailable"
  readonly message: string
}

/** A plan file that could be read. */
export interface ReadPlan {
  readonly kind: "read"
  readonly plan: Plan
  readonly lines: Lines
  readonly fingerprint: { readonly size: number; readonly mtime_ms: number; readonly hash: string }
}

/** The plans of one project. */
export interface PlanFiles {
  /**
   * Reads a plan; while the file has not changed, only its `stat` is looked at. `path` is relative to the root; with links followed, it
   * must lead into the root each time.
   */
  read(path: string): Promise<PlanFileReading>
  /** Why a plan that was read cannot be marked: expected, found, what to do. Null if it can, as far as the system tells without a try. */
  whyNotMarkable(path: string): Promise<string | null>
  /**
   * The hash of the reading kept for a plan, by its real path, if a `stat` shows at once that the same file is still there unchanged. Else
   * null, also if a file beside it matters: then call `read`.
   */
  keptHash(path: string): string | null
  /** Writes a task's state into a plan, which is read again for this, whatever was read before: `markTaskInPlan`. */
  mark(path: string, mark: TaskMark): Promise<PlanMark>
  /** A path that a person gives (relative to the root, or absolute) as one relative to the root; null outside it. */
  inRoot(path: string): Promise<string | null>
}

interface Cached {
  readonly reading: ReadPlan
  /** Those that were read: ticks are put into them. */
  readonly bytes: Buffer
  /** Worked out once for all versions of a plan that differ by ticks only, on demand, from the bytes of any of them. */
  readonly lineStarts: (bytes: Buffer) => LineStarts
  /** The names beside it that the reading depends on. */
  readonly siblings: readonly string[]
  readonly sure: boolean
  /** The path without links at which it was read. */
  readonly realFile: string
  /** Another file in its place has different values. */
  readonly file: Pick<Stats, "dev" | "ino">
}

/** Opens the plans below `root`; `now` gives ms since 1970. */
export function openPlanFiles({ root, now }: { root: string; now: () => number }): PlanFiles {
  /**
   * Readings that are valid while the file's `stat` is unchanged or, if that is unsure or different, while its bytes are: a copy of what is
   * on disk, and nothing else.
   */
  const cache = new Map<string, Cached>()
  const answers = openAnswering()
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  let last: Promise<unknown> = Promise.resolve()
  const read = async (path: string): Promise<PlanFileReading> => {
    await answers(root)
    const real = await planInRoot(root, path)
    if (real === null) {
      cache.delete(path)
      return unavailable(path, ...whyOutside(root, path))
    }
    const found = await stat(real.file).catch(codeOf)
    if (typeof found === "string") return unreadable(path, found)
    const refusal = refusalOf(path, found)
    if (refusal !== null) return refusal
    const cached = cache.get(real.path)
    if (cached?.sure && (await isStill(cached, found))) return cached.reading
    return readAnew(real, found, cached)
  }
  const readAnew = async (
    real: RealPlan,
    found: Stats,
    cached: Cached | undefined,
  ): Promise<PlanFileReading> => {
    // The clock before reading: whatever is written while it is read and parsed may have the same times.
    const at = now()
    // From here on its bytes may be others.
    cache.delete(real.path)
    const made = await readAndParse(real.file, real.path, cached, piece)
    if ("kind" in made) return made
    const { reading } = made
    const sure = elapsedMs(found.mtimeMs, at) > UNSURE_MS && isSame(reading, found)
    cache.set(real.path, { ...made, sure, realFile: real.file, file: found })
    forgetOldest(cache, MAX_CACHED)
    return reading
  }
  return {
    inRoot: async (path) => (await planInRoot(root, path))?.path ?? null,
    keptHash(path) {
      const kept = cache.get(path)
      if (!kept?.sure || !answers.isSure() || standsBeside(kept)) return null
      const { reading, realFile, file } = kept
      const found = statNow(realFile)
      const holds = found?.dev === file.dev && found.ino === file.ino && isSame(reading, found)
      return holds ? reading.fingerprint.hash : null
    },
    mark: (path, mark) => markTaskInPlan(root, path, mark),
    async whyNotMarkable(path) {
      const real = await planInRoot(root, path)
      return real && whyNotMarkable(real)
    },
    read(path) {
      // In turn: each compares with what the one before it has kept.
      const reading = last.then(() => read(path))
      last = reading.catch(() => undefined)
      return reading
    },
  }
}

/** The hash of a plan as it is now, returned at once if it is sure; null if the plan cannot be read. */
export async function hashNow(
  plans: Pick<PlanFiles, "keptHash" | "read">,
  path: string,
): Promise<string | null> {
  const kept = plans.keptHash(path)
  if (kept !== null) return kept
  const reading = await plans.read(path)
  return reading.kind === "read" ? reading.fingerprint.hash : null
}

function refusalOf(path: string, found: Stats): Unavailable | null {
  if (!found.isFile()) return unavailable(path, "it is not a file", "name a markdown file")
  if (found.size <= MAX_PLAN_BYTES) return null
  const action = `split it: at most ${MAX_PLAN_BYTES} bytes are read`
  return unavailable(path, `it has ${found.size} bytes`, action)
}

/** A file that the system refused, by its error code. */
function unreadable(path: string, code: string): Unavailable {
  return code === "ENOENT" || code === "ENOTDIR"
    ? unavailable(path, ...NOT_THERE)
    : unavailable(path, `reading it failed (${code})`, "check the file's name and permissions")
}

type KnownBytes = Omit<Cached, "sure" | "realFile" | "file">

/**
 * `file` is a path without links: if it has become a link meanwhile, it is not followed. What `known` has read from the same bytes, or from
 * bytes that differ by ticks only, is not read again.
 */
async function readAndParse(
  file: string,
  path: string,
  known: KnownBytes | undefined,
  piece: Buffer,
): Promise<KnownBytes | Unavailable> {
  try {
    const { bytes, ticked, facts } = await readFacts(file, known, piece)
    const siblings = await siblingsOf(file)
    const isBeside = known?.siblings.join("/") === siblings.join("/")
    const patched = isBeside && ticked !== null ? readingFrom(known, ticked) : null
    const made = patched ?? readWhole(path, bytes, siblings)
    if ("kind" in made) return made
    const { plan, lines, hash, lineStarts } = made
    const fingerprint = { size: facts.size, mtime_ms: facts.mtimeMs, hash }
    if (plan === known?.reading.plan && isSame(known.reading, facts)) return known
    return { reading: { kind: "read", plan, lines, fingerprint }, bytes, lineStarts, siblings }
  } catch (error) {
    if (error instanceof StoreError) return unavailable(path, `found ${error.found}`, "look at it")
    return unreadable(path, codeOf(error))
  }
}

type ReadBytes = Pick<ReadPlan, "plan" | "lines"> &
  Pick<Cached, "lineStarts"> & { readonly hash: string }

/** What is already known about bytes that were ticked in these places; null if that depends on more. */
function readingFrom(
  { reading, bytes, lineStarts, siblings }: KnownBytes,
  ticked: readonly number[],
): ReadBytes | null {
  const { plan, lines, fingerprint } = reading
  if (ticked.length === 0) return { plan, lines, lineStarts, hash: fingerprint.hash }
  const made = withTicks(reading, ticksAt(bytes, ticked, lineStarts(bytes)))
  return made && { ...made, lineStarts, hash: hashOf(bytes, siblings) }
}

/** 8 hex digits, computed by native code, since a plan may have megabytes. */
function hashOf(bytes: Buffer, siblings: readonly string[]): string {
  const sum = siblings.reduce((before, name) => crc32(name, before), crc32(bytes))
  return sum.toString(16).padStart(8, "0")
}

function readWhole(
  path: string,
  bytes: Buffer,
  siblings: readonly string[],
): ReadBytes | Unavailable {
  const text = planText(path, bytes)
  if (typeof text !== "string") return unavailable(path, text.found, text.action)
  const lines = splitLines(text)
  const plan = parsePlan(text, { path, siblings, lines })
  if (plan.warnings.some(({ rule }) => rule === NO_JSON.rule))
    return unavailable(path, NO_JSON.found, NO_JSON.action)
  return { plan, lines, lineStarts: keptStarts(), hash: hashOf(bytes, siblings) }
}

/** Of the first bytes asked for: ticks move no line. */
function keptStarts(): Cached["lineStarts"] {
  let starts: LineStarts | undefined
  return (bytes) => {
    starts ??= lineStartsIn(bytes)
    return starts
  }
}

/** The file's bytes, and where ticks make them of the known ones, null if more does; the facts are those of after the reading. */
function readFacts(file: string, known: KnownBytes | undefined, piece: Buffer) {
  return onRegular(file, "read", async (opened) => {
    const { handle, facts } = opened
    const before = known?.bytes.length === facts.size ? known.bytes : null
    const ticked = before && (await takeTicks(handle, before, piece))
    const bytes = ticked ? before : await readBounded(opened, file, MAX_PLAN_BYTES)
    return { bytes, ticked, facts: await handle.stat() }
  })
}

/** The names beside the plan that its reading may depend on: one format keeps the state of its tasks in a separate file. */
async function siblingsOf(file: string): Promise<readonly string[]> {
  const summary = summaryOf(file)?.toLowerCase()
  if (summary === undefined) return []
  return (await readdir(dirname(file))).filter((name) => name.toLowerCase() === summary)
}

function standsBeside({ reading, realFile }: Cached): boolean {
  return reading.plan.dialect === "gsd" && summaryOf(realFile) !== null
}

/** Whether everything that the reading of a file at rest depends on is unchanged. */
async function isStill(cached: Cached, found: Stats): Promise<boolean> {
  if (!isSame(cached.reading, found)) return false
  if (!standsBeside(cached)) return true
  const siblings = await siblingsOf(cached.realFile).catch(codeOf)
  return String(siblings) === String(cached.siblings)
}

function isSame({ fingerprint }: ReadPlan, found: { size: number; mtimeMs: number }): boolean {
  return fingerprint.size === found.size && fingerprint.mtime_ms === found.mtimeMs
}

function unavailable(path: string, found: string, action: string): Unavailable {
  const message = `Expected a plan at ${path}; ${found}: ${action}.`
  const [gone] = NOT_THERE
  return { kind: "unavailable", message, ...(found === gone ? { isGone: true } : {}) }
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code)
  throw error
}
