// Finds the task or record that a save is about.
// Over 250 lines: all the ways in which a save names what it is about are decided together.
import { splitLabel } from "../plan/dialects/label.ts"
import { findAgain, type KnownTask, namesAnother, type ToldTask } from "../plan/match-tasks.ts"
import { isSettled, type Plan, type Step, type Task } from "../plan/model/plan.ts"
import { hashTitle, isOfWords } from "../plan/model/title.ts"
import type { Work } from "./boulder.ts"
import { notedTask } from "./follow-tasks.ts"
import { type Handoff, type HandoffStatus, isHeldBy } from "./handoff.ts"

/** A session's place in a work: its lead, or a subagent, with the task of its dispatch if that is clear. */
export interface PlaceInWork {
  readonly workId: string
  readonly role: "lead" | "child"
  readonly task: KnownTask | null
}

/** A work that can go on, with its plan if it can be read. */
export interface WorkAndPlan {
  readonly work: Work
  readonly plan: Plan | null
  /** Why the plan could not be read. */
  readonly unread?: string
}

export type TargetRefusal =
  | "unknown-handoff"
  | "unknown-task"
  | "unread-plan"
  | "ambiguous-task"
  | "moved-key"
  | "one-step"
  | "several-held"

/** What a save is about: a record, a task of a plan, a whole work, or anything that the text says. */
export type HandoffTarget =
  | { readonly kind: "record"; readonly handoff: Handoff }
  | { readonly kind: "task"; readonly work: Work; readonly task: Task }
  | { readonly kind: "work"; readonly work: Work }
  | { readonly kind: "text"; readonly text: string | null }
  | { readonly kind: "refused"; readonly reason: TargetRefusal; readonly ids: readonly string[] }

/** Everything that decides what a save is about. */
export interface TargetFacts {
  readonly sessionId: string
  readonly status: HandoffStatus
  /** The `task` argument of the call: a handoff id, a task key or free text. */
  readonly named: string | null
  readonly open: readonly Handoff[]
  readonly place: PlaceInWork | null
  /** The session's own work if it has one, else all that can go on. */
  readonly works: readonly WorkAndPlan[]
  /** The tasks by the keys that the session was told: null if those were another plan's, missing if nobody knows. */
  readonly told?: readonly ToldTask[] | null
  /** The session runs in a call for a task whose work is no longer in the state. */
  readonly isLost?: boolean
}

/** What a save is about: what it names, else what the session holds, else its task or work. Never a guess among several. */
export function targetOf(facts: TargetFacts): HandoffTarget {
  const target = facts.named === null ? unnamed(facts) : named(facts, facts.named)
  const unread = facts.status === "in_progress" ? undefined : unreadFor(target, facts)
  return unread === undefined ? target : refused("unread-plan", [unread])
}

/**
 * Why the plan cannot be read in which the task of this save would be marked; undefined if it can, or if it is about no task. A record that
 * was settled without its mark would be gone, and its row stay as it is.
 */
function unreadFor(
  target: HandoffTarget,
  { named: name, place, works }: TargetFacts,
): string | undefined {
  if (target.kind === "record") {
    const { task_key, work_id } = target.handoff
    return task_key === null ? undefined : unreadOf(works, work_id)
  }
  if (target.kind === "refused" && target.reason === "unknown-task" && place === null)
    return works.find(({ unread }) => unread !== undefined)?.unread
  const mayMeanTask = name !== null || place?.task != null
  return target.kind !== "task" && mayMeanTask ? unreadOf(works, place?.workId) : undefined
}

function unreadOf(works: readonly WorkAndPlan[], workId: string | null | undefined) {
  return works.find(({ work }) => work.work_id === workId)?.unread
}

/**
 * The task of a record in a plan: the one whose note names the record, else the same key and title, else the title under a new key. Null if
 * the plan has none, or the record is about no task.
 */
export function taskIn(
  plan: Plan,
  { id, task_key: key, title_hash: titleHash }: Handoff,
): Task | null {
  if (key === null || titleHash === null) return null
  return notedTask(plan.tasks, id) ?? findAgain(plan, { key, titleHash })
}

/**
 * A record with its task as the plan has it now. A renumbered or reworded task keeps its record; if the task is gone, the key belongs to
 * another task or to none. Unchanged if there is no plan to read.
 */
export function inPlan(handoff: Handoff, plan: Plan | null): Handoff {
  if (plan === null || handoff.task_key === null) return handoff
  const task = taskIn(plan, handoff)
  if (task === null) return { ...handoff, task_key: null }
  const { key, titleHash, title } = task
  if (titleHash !== handoff.title_hash)
    return { ...handoff, task_key: key, title_hash: titleHash, task_text: title }
  return key === handoff.task_key ? handoff : { ...handoff, task_key: key }
}

/** A task's key at the beginning of the text, as our texts write it before the title. */
const KEY = /^((?:todo|final-wave|task):[^\s"]+?)[:.,]?(?:\s|$)/i
/** A task's label, with or without its title. */
const LABEL = /^(?:task\s+)?([^\s:)]+?)[.):]?(?:\s+(.*))?$/is

function named({ told = [], ...facts }: TargetFacts, name: string): HandoffTarget {
  const record = facts.open.find((handoff) => handoff.id === name)
  if (record !== undefined) return { kind: "record", handoff: record }
  if (name.startsWith("hnd_")) return refused("unknown-handoff")
  const found = meantOf(facts, name)
  const [only] = found
  if (only !== undefined && found.length === 1)
    return foundAs(only, name, { told, status: facts.status })
  if (found.length > 1)
    return refused(
      "ambiguous-task",
      found.map(({ task }) => withTitle(task)),
    )
  return KEY.test(name) ? refused("unknown-task") : { kind: "text", text: name }
}

/** The one task that was found, unless its key is another's by now, or only one of its steps is done. */
function foundAs(
  { work, plan, task }: Found,
  name: string,
  facts: { readonly told: readonly ToldTask[] | null } & Pick<TargetFacts, "status">,
): HandoffTarget {
  const step = facts.status === "complete" ? stepSaid(task, wordsBehind(name)) : null
  if (step !== null) return refused("one-step", [task.key, step.title])
  const moved = plan === null ? null : movedFrom(plan, { task, name }, facts)
  return moved === null ? { kind: "task", work, task } : refused("moved-key", moved)
}

interface Found extends WorkAndPlan {
  readonly task: Task
}

/** The tasks that this may name; of those that have one key in several works, the one with the title behind it, or the one that is held. */
function meantOf(facts: TargetFacts, name: string): readonly Found[] {
  const found = facts.works.flatMap(({ work, plan }) =>
    tasksNamed(plan?.tasks ?? [], name, facts.place !== null).map((task) => ({ work, plan, task })),
  )
  if (new Set(found.map(({ task }) => task.key)).size > 1) return found
  const held = heldBy(facts)
  const isHeld = ({ work, plan, task }: Found) =>
    held.some(
      (one) => one.work_id === work.work_id && plan !== null && taskIn(plan, one)?.key === task.key,
    )
  const rules = [({ task }: Found) => saysTitle(task, name), isHeld]
  return rules.map((rule) => found.filter(rule)).find(({ length }) => length === 1) ?? found
}

/**
 * Finds tasks by key, whatever follows it; in the session's own work also by title, or by label with or without the title. There, a key
 * together with another task's whole title names both: the plan was renumbered since the key was read.
 */
function tasksNamed(tasks: readonly Task[], name: string, isOwn: boolean): readonly Task[] {
  const [, key] = KEY.exec(name) ?? []
  if (key === undefined) return isOwn ? tasks.filter((task) => isTitled(task, name)) : []
  const keyed = tasks.filter((task) => task.key === key.toLowerCase())
  const title = wordsBehind(name)
  const has = (task: Task) => isCalled(task, title)
  const isOfOthers = isOwn && keyed.length > 0 && isOfWords(title) && !keyed.some(has)
  return isOfOthers ? [...keyed, ...tasks.filter(has)] : keyed
}

function isTitled(task: Task, name: string): boolean {
  if (isCalled(task, name)) return true
  const [, label, title = ""] = LABEL.exec(name) ?? []
  if (label === undefined || task.label?.toLowerCase() !== label.toLowerCase()) return false
  return title === "" || isCalled(task, unquoted(title))
}

/** Whether words are a task's title, as stored or as shown. */
function isCalled({ titleHash, title }: Task, words: string): boolean {
  const said = hashTitle(words)
  return titleHash === said || hashTitle(title) === said
}

/**
 * If a task is named by a bare key or label that was another's when it was told: its key and title, and those of the other task if the plan
 * still has it. Null if the key means this task. What was done under the words that a row had before does not complete it.
 */
function movedFrom(
  plan: Plan,
  { task, name }: { readonly task: Task; readonly name: string },
  { told, status }: { readonly told: readonly ToldTask[] | null } & Pick<TargetFacts, "status">,
): readonly string[] | null {
  const before = told?.find(({ key }) => key === task.key)
  const isSame = (before?.titleHash ?? task.titleHash) === task.titleHash
  const isAsDone = status !== "complete" || isSame || isSettled(task)
  const says = () => saysTitle(task, name)
  if (isAsDone ? !namesAnother(told, plan, task, says) : says()) return null
  const titled = told?.filter(({ titleHash }) => titleHash === before?.titleHash) ?? []
  const other = titled.length === 1 ? findAgain(plan, titled[0] ?? null) : null
  return [task, ...(other === null || other.key === task.key ? [] : [other])].map(withTitle)
}

function saysTitle(task: Task, name: string): boolean {
  return [name, wordsBehind(name)].some((one) => isCalled(task, one))
}

/** What stands behind the key or label that a name begins with, as a title. */
function wordsBehind(name: string): string {
  const [said = ""] = KEY.exec(name) ?? []
  return unquoted(said === "" ? (LABEL.exec(name)?.[2] ?? "") : name.slice(said.length))
}

/** The step of a heading that words name, by its title or its number, while others are not done: it does not complete the task. */
function stepSaid(task: Task, words: string): Step | null {
  if (words === "" || isCalled(task, words)) return null
  const said = withoutLabel(words)
  const { label } = splitLabel(`${words}:`)
  const isSaid = ({ title }: Step) =>
    withoutLabel(title) === said || (label !== null && splitLabel(title).label === label)
  const { steps = [] } = task
  const isLeft = steps.some((step) => !isSaid(step) && !step.optional && !isSettled(step))
  return isLeft ? (steps.find(isSaid) ?? null) : null
}

function withoutLabel(title: string): string {
  return hashTitle(splitLabel(title).rest || title)
}

function withTitle({ key, title }: Task): string {
  return `${key} "${title}"`
}

/** A title as our texts write it after a key. */
function unquoted(title: string): string {
  return title.trim().replace(/^"(.*)"$/, "$1")
}

function unnamed(facts: TargetFacts): HandoffTarget {
  const { place, sessionId } = facts
  const own = facts.works.find(({ work }) => work.work_id === place?.workId)
  const task = own?.plan == null ? null : findAgain(own.plan, place?.task ?? null)
  const held = heldBy(facts).filter(
    (handoff) => task === null || handoff.task_key === task.key || handoff.session_id !== sessionId,
  )
  const [only] = held
  if (only !== undefined && held.length === 1) return { kind: "record", handoff: only }
  if (held.length > 1)
    return refused(
      "several-held",
      held.map(({ id }) => id),
    )
  if (own === undefined)
    return facts.isLost ? refused("unknown-task") : { kind: "text", text: null }
  return task === null ? { kind: "work", work: own.work } : { kind: "task", work: own.work, task }
}

/** What a session holds. What it blocked itself counts if the save continues or completes it, not for a new block. */
function heldBy({ open, sessionId, status }: TargetFacts): readonly Handoff[] {
  const held = open.filter((handoff) => isHeldBy(handoff, sessionId))
  if (held.length > 0 || status === "blocked") return held
  return open.filter((handoff) => handoff.session_id === sessionId && handoff.claim === null)
}

function refused(reason: TargetRefusal, ids: readonly string[] = []): HandoffTarget {
  return { kind: "refused", reason, ids }
}
