// Identifies what a record is about, and finds the open record about the same thing.
import { type Handoff, isHeldBy } from "./handoff.ts"
import type { HandoffTarget, PlaceInWork } from "./handoff-target.ts"

/** What a save is about if it names no record. A subject has one open record at a time. */
export type Subject = Exclude<HandoffTarget, { kind: "refused" | "record" }>

/** What about the saving session distinguishes subjects. */
export interface SubjectOwner {
  readonly sessionId: string
  readonly place: PlaceInWork | null
}

/**
 * The open record of the same subject: first the one that the session holds, then the newest; null if there is none. A session outside the
 * work that names a task never gets the work's own record of it, nor the work theirs.
 */
export function recordOf(
  subject: Subject,
  open: readonly Handoff[],
  owner: SubjectOwner,
): Handoff | null {
  const held = (handoff: Handoff) => Number(isHeldBy(handoff, owner.sessionId))
  const same = open.filter((handoff) => isAbout(handoff, subject, owner))
  return (
    same.sort((a, b) => held(b) - held(a) || b.updated_at.localeCompare(a.updated_at))[0] ?? null
  )
}

/**
 * A subject as a text from which the ids of its records are made. The text is the same for everyone who means the same thing or, if agents
 * are kept apart (`byAgent`), for everyone of the same agent.
 */
export function subjectText(
  subject: Subject,
  owner: SubjectOwner & { readonly agent: string | null },
  byAgent: boolean,
): string {
  return JSON.stringify([...partsOf(subject, owner), ...(byAgent ? ["of", owner.agent ?? ""] : [])])
}

/** Whether a subject belongs to a work that the saving session has no part in. */
export function isOutside(subject: Subject, { place }: SubjectOwner): boolean {
  return "work" in subject && place?.workId !== subject.work.work_id
}

/** Whether a record is about the subject. */
export function isAbout(handoff: Handoff, subject: Subject, owner: SubjectOwner): boolean {
  const { sessionId } = owner
  switch (subject.kind) {
    case "task":
      return (
        handoff.work_id === subject.work.work_id &&
        handoff.task_key === subject.task.key &&
        handoff.title_hash === subject.task.titleHash &&
        (isHeldBy(handoff, sessionId) ||
          (handoff.from_outside === true) === isOutside(subject, owner))
      )
    case "work":
      return (
        handoff.work_id === subject.work.work_id &&
        handoff.task_key === null &&
        handoff.task_text === null &&
        handoff.session_id === sessionId
      )
    case "text":
      return subject.text === null
        ? isOwnBare(handoff, sessionId)
        : handoff.work_id === null &&
            handoff.task_text !== null &&
            normalised(handoff.task_text) === normalised(subject.text)
  }
}

function partsOf(subject: Subject, owner: SubjectOwner): readonly string[] {
  switch (subject.kind) {
    case "task": {
      const { work, task } = subject
      const whose = isOutside(subject, owner) ? "outside" : "own"
      return ["task", whose, work.work_id, task.key, task.titleHash]
    }
    case "work":
      return ["work", subject.work.work_id, owner.sessionId]
    case "text":
      return subject.text === null
        ? ["session", owner.sessionId]
        : ["text", normalised(subject.text)]
  }
}

function isOwnBare(handoff: Handoff, sessionId: string): boolean {
  const isBare = handoff.work_id === null && handoff.task_text === null
  const isTaken = handoff.claim !== null && handoff.claim.session_id !== sessionId
  return isBare && !isTaken && handoff.session_id === sessionId
}

function normalised(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim()
}
