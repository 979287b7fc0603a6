// Writes progress into the record that is meant, or into the next one of its subject.
import { type Handoff, isHeldBy } from "../../boulder/handoff.ts"
import {
  type HandoffActor,
  newHandoff,
  type SavedProgress,
  saveHandoff,
} from "../../boulder/handoff-changes.ts"
import type { HandoffRefused } from "../../boulder/handoff-outcome.ts"
import {
  isAbout,
  isOutside,
  recordOf,
  type Subject,
  subjectText,
} from "../../boulder/handoff-subject.ts"
import type { HandoffTarget } from "../../boulder/handoff-target.ts"
import { createHandoff } from "./create-handoff.ts"
import type { HandoffStore } from "./handoff-store.ts"

/** How often others may settle a subject's record while it is being saved. */
const MAX_TRIES = 8

/** The records of a project, as a save writes into them. */
export interface Records {
  readonly handoffs: HandoffStore
  /** True: each agent has records of its own. */
  readonly byAgent: boolean
}

/** Who saves, what it is about, and the open records. */
export interface Save {
  readonly actor: HandoffActor
  readonly target: Exclude<HandoffTarget, { kind: "refused" }>
  readonly open: readonly Handoff[]
}

type Written =
  | HandoffRefused
  /** `held`: the actor already held the record. */
  | { readonly kind: "written"; readonly handoff: Handoff; readonly held: boolean }

/** Writes progress into the record that is meant, or into the next one of its subject if none is open. */
export async function writeHandoff(
  records: Records,
  { actor, target, open }: Save,
  progress: SavedProgress,
): Promise<Written> {
  if (target.kind === "record") return change(records, target.handoff, actor, progress)
  let record = recordOf(target, open, actor)
  let written: Written = refused("unknown-handoff", null)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const next = record ?? (await create(records, { actor, subject: target }, progress))
    written = "kind" in next ? next : await change(records, next, actor, progress)
    if (written.kind === "written" || !isGone(written)) return written
    // Another has settled it meanwhile: the subject continues in its next record.
    record = null
  }
  return written
}

/** A new record, or that of somebody who was faster. */
async function create(
  { handoffs, byAgent }: Records,
  { actor, subject }: { actor: HandoffActor; subject: Subject },
  progress: SavedProgress,
): Promise<Written | Handoff> {
  const facts = {
    project: handoffs.scope,
    ...factsOf(subject),
    fromOutside: isOutside(subject, actor),
  }
  const { handoff, isNew } = await createHandoff(handoffs, {
    subject: subjectText(subject, actor, byAgent),
    make: (id, now) => newHandoff({ id, ...facts }, actor, progress, now),
    isPast: (one) => one.settled_at !== null || !isAbout(one, subject, actor),
  })
  return isNew ? { kind: "written", handoff, held: false } : handoff
}

async function change(
  { handoffs }: Records,
  record: Handoff,
  actor: HandoffActor,
  progress: SavedProgress,
): Promise<Written> {
  const held = isHeldBy(record, actor.sessionId)
  const update = await handoffs.update(record.id, saveHandoff(actor, progress))
  if (update.kind === "missing") return refused("unknown-handoff", null)
  if (update.kind === "refused") return refused(update.reason, update.handoff)
  return { kind: "written", handoff: update.handoff, held }
}

function isGone({ reason }: HandoffRefused): boolean {
  return reason === "settled" || reason === "unknown-handoff"
}

function factsOf(subject: Subject) {
  const work = "work" in subject ? subject.work : null
  const task = "task" in subject ? subject.task : null
  return {
    workId: work?.work_id ?? null,
    planName: work?.plan_name ?? null,
    taskKey: task?.key ?? null,
    titleHash: task?.titleHash ?? null,
    taskText: subject.kind === "text" ? subject.text : (task?.title ?? null),
  }
}

/** A refusal that offers nothing to choose from. */
export function refused(reason: HandoffRefused["reason"], handoff: Handoff | null): HandoffRefused {
  return { kind: "refused", reason, ids: [], handoff }
}
