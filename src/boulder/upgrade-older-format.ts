// Reads the flat v1 format and the `works` format (v2).
import { once } from "../plan/model/once.ts"
import { hashTitle } from "../plan/model/title.ts"
import { trimEnd } from "../plan/model/trim-end.ts"
import {
  type Boulder,
  boulderSchema,
  type Change,
  emptyBoulder,
  SESSION_ID,
  type Work,
} from "./boulder.ts"
import { entriesOf } from "./fields-of.ts"
import { foreignFields } from "./foreign-fields.ts"
import { msOf } from "./iso-time.ts"
import { newWork } from "./new-work.ts"
import { z } from "./z.ts"

export interface OlderFormat {
  /** The parsed JSON of a `.sisyphus/boulder.json` or `.omo/boulder.json`. */
  readonly json: unknown
  /** The project's root, absolute: older files hold absolute paths. */
  readonly root: string
  /** The session that leads a work which names no session of its own. */
  readonly sessionId: string
  /** ISO 8601; replaces times that are missing or invalid. */
  readonly now: string
}

/** The content of an older file; made on demand. */
const olderSchemas = once(() => {
  const text = z.string().optional().catch(undefined)
  return {
    task: z.object({
      task_label: text,
      task_title: text,
      session_id: text,
      agent: text,
      category: text,
      started_at: text,
      updated_at: text,
    }),
    work: z.object({
      active_plan: z.string().min(1),
      plan_name: text,
      status: text,
      started_at: text,
      updated_at: text,
      session_ids: z.array(z.unknown()).optional().catch(undefined),
      agent: text,
      task_sessions: z.unknown(),
    }),
    file: z.object({ works: z.unknown() }),
  }
})

type OlderWork = z.infer<ReturnType<typeof olderSchemas>["work"]>

const TASK_FIELDS: ReadonlySet<string> = new Set([
  "task_key",
  "task_label",
  "task_title",
  "title_hash",
  "session_id",
  "agent",
  "status",
  "started_at",
  "updated_at",
])

/** The `works` format with its mirror. A newer one may use the same names for something else. */
const NEWEST_KNOWN = 2

/** What these formats have at the root besides the one work of v1, or the mirror of v2. */
const ROOT_FIELDS = ["schema_version", "revision", "works", "active_work_id", "write"]

/**
 * Reads the flat v1 format and the `works` format with its mirror (v2) into a boulder of revision 0. The mirror at the root goes stale, so
 * it counts only if there are no works. Works that were active are taken over as paused, so that nothing runs before its user starts it.
 * Unknown fields are kept. Whatever cannot be taken over is named in `dropped`; no input makes this throw.
 */
export function upgradeOlderFormat(older: OlderFormat) {
  const dropped: string[] = []
  const works: Record<string, Work> = {}
  // v1 names none.
  const version =
    z.object({ schema_version: z.number() }).safeParse(older.json).data?.schema_version ?? 0
  if (version > NEWEST_KNOWN)
    return {
      boulder: emptyBoulder(),
      dropped: [`all of it: schema_version ${version} is newer than ${NEWEST_KNOWN}`],
    }
  for (const [name, value] of olderWorks(older.json)) {
    const read = olderSchemas().work.safeParse(value)
    const work = read.success ? upgradeWork(read.data, value, older, dropped) : null
    if (work === null) dropped.push(`${name}: it names no plan inside this project`)
    else works[work.work_id] = work
  }
  const root = rootFields(older.json, dropped)
  const checked = boulderSchema.safeParse({ ...root, ...emptyBoulder(), works })
  if (checked.success) return { boulder: checked.data, dropped }
  return { boulder: emptyBoulder(), dropped: [...dropped, `all of it: ${checked.error.message}`] }
}

/**
 * Takes over the works of an older format that are not known yet; `known` has the ids of archived ones. Other fields of the older files
 * count only if nothing of ours was ever stored.
 */
export function adoptOlder(older: Boulder, known: ReadonlySet<string> = new Set()): Change {
  return (boulder) => {
    const isNews = (id: string) => !Object.hasOwn(boulder.works, id) && !known.has(id)
    const news = Object.entries(older.works).filter(([id]) => isNews(id))
    if (news.length === 0) return boulder
    const works = { ...Object.fromEntries(news), ...boulder.works }
    const taken = { ...boulder.taken_over, ...older.taken_over }
    const rest = boulder.revision > 0 ? boulder : { ...older, ...boulder }
    return { ...rest, works, ...(Object.keys(taken).length === 0 ? {} : { taken_over: taken }) }
  }
}

/** Fields of the whole file. A field at the root with the name of a work's field is its mirror, which goes stale. */
function rootFields(json: unknown, dropped: string[]): Readonly<Record<string, unknown>> {
  const file = olderSchemas().file.safeParse(json)
  const works = entriesOf(file.success ? file.data.works : null)
  if (works.length === 0) return {}
  const mirrored = works.flatMap(([, work]) => entriesOf(work).map(([name]) => name))
  return foreignFields(json, new Set([...ROOT_FIELDS, ...workFields(), ...mirrored]), dropped)
}

function workFields(): readonly string[] {
  return Object.keys(newWork({ planPath: "", planName: "", sessionId: "", now: "" }))
}

function olderWorks(json: unknown): [string, unknown][] {
  const file = olderSchemas().file.safeParse(json)
  const works = entriesOf(file.success ? file.data.works : null)
  if (works.length > 0) return works
  const isFlat = z.object({ active_plan: z.string() }).safeParse(json).success
  return isFlat ? [["the one work of the file", json]] : []
}

function upgradeWork(
  older: OlderWork,
  raw: unknown,
  format: OlderFormat,
  dropped: string[],
): Work | null {
  const planPath = pathInside(older.active_plan, format.root)
  if (planPath === null) return null
  const planName = (older.plan_name || baseName(planPath)).slice(0, 512)
  const sessions = (older.session_ids ?? []).map(bareSessionId).filter((id) => id !== null)
  const work = newWork({
    planPath,
    planName,
    sessionId: sessions.at(-1) ?? format.sessionId,
    now: format.now,
  })
  // An abandoned work is over, too.
  const isCompleted = older.status === "completed" || older.status === "abandoned"
  return {
    ...foreignFields(raw, new Set([...ROOT_FIELDS, ...workFields()]), dropped),
    ...work,
    status: isCompleted ? "completed" : "paused",
    pause_reason: isCompleted ? null : "stopped-by-user",
    started_at: timeOr(older.started_at, format.now),
    updated_at: timeOr(older.updated_at, format.now),
    session_ids: sessions.length === 0 ? work.session_ids : [...new Set(sessions)].slice(-1_000),
    agent: older.agent?.slice(0, 256) ?? null,
    task_sessions: upgradeTasks(older, format, dropped),
  }
}

function upgradeTasks(
  { task_sessions }: OlderWork,
  { now }: OlderFormat,
  dropped: string[],
): Work["task_sessions"] {
  const upgraded: Record<string, Work["task_sessions"][string]> = {}
  for (const [key, value] of entriesOf(task_sessions)) {
    const task = olderSchemas().task.safeParse(value)
    const sessionId = task.success ? bareSessionId(task.data.session_id) : null
    if (!task.success || sessionId === null || !isTaskKey(key)) {
      dropped.push(`${key.slice(0, 80)}: it names no session of this host`)
      continue
    }
    const { task_label, task_title = "", agent, category, started_at, updated_at } = task.data
    upgraded[key] = {
      ...foreignFields(value, TASK_FIELDS, dropped),
      task_key: key,
      task_label: task_label?.slice(0, 256) ?? null,
      task_title: task_title.slice(0, 512),
      title_hash: hashTitle(task_title),
      session_id: sessionId,
      agent: (agent ?? category ?? "general").slice(0, 256),
      attempts: 1,
      failures: 0,
      results: 0,
      result_hash: null,
      status: "returned",
      started_at: timeOr(started_at, now),
      updated_at: timeOr(updated_at, now),
    }
  }
  return upgraded
}

/** Older files prefix ids with the host's name (`opencode:ses_…`); ids of other hosts are of no use here. */
function bareSessionId(value: unknown): string | null {
  if (typeof value !== "string") return null
  const bare = value.replace(/^opencode:/, "")
  return SESSION_ID.test(bare) ? bare : null
}

function isTaskKey(key: string): boolean {
  return /^(?:todo|final-wave|task):\S/.test(key) && key.length <= 256
}

/** Relative to the root, with `/`; null if it lies elsewhere. */
function pathInside(path: string, root: string): string | null {
  const plain = path.replaceAll("\\", "/")
  const base = `${trimEnd(root.replaceAll("\\", "/"), "/")}/`
  const inside = plain.startsWith(base) ? plain.slice(base.length) : plain
  const isAbsolute = inside.startsWith("/") || /^[A-Za-z]:\//.test(inside)
  const parts = inside.split("/").filter((part) => part !== "" && part !== ".")
  if (isAbsolute || parts.length === 0 || parts.includes("..")) return null
  return parts.join("/").slice(0, 4_096)
}

function baseName(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.md$/, "") || path
}

function timeOr(value: string | undefined, now: string): string {
  const isTime = value !== undefined && z.iso.datetime({ offset: true }).safeParse(value).success
  return isTime && !Number.isNaN(msOf(value)) ? value : now
}
