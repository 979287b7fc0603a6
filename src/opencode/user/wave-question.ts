// Approves the final wave if the user answers so to a question of the host.
import { followTasks } from "../../boulder/follow-tasks.ts"
import { heldReading } from "../../boulder/held-plan.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { approveNow, awaitsApproval, isApprove, waveStatus } from "../../decide/final-wave.ts"
import type { HostEvent } from "../../decide/memory/host-event.ts"
import { workLed } from "../../decide/place.ts"
import { openTurns } from "../host/in-turn.ts"
import type { Shell } from "../host/shell.ts"
import { LOOK_LIMIT_MS } from "../host/time-limit.ts"
import { storeSoon } from "../work/comes-once.ts"
import { changeOnWork } from "../work/decide-on-work.ts"
import { type PlaceAsked, placeOf, workAndPlan } from "../work/place-of.ts"

/** The questions of the host, as far as they ask for the approval of a final wave. */
export function openWaveQuestions(shell: Shell) {
  /** One after another, since an answer may come before it is known what was asked. */
  const inTurn = openTurns(LOOK_LIMIT_MS, "a look at a question")
  return {
    asked: (told: HostEvent & { kind: "question-asked" | "permission-asked" }, place: PlaceAsked) =>
      inTurn(told.sessionId, () => questionAsked(shell, told, place)),
    answered: (told: HostEvent & { kind: "question-answered" | "permission-answered" }) =>
      inTurn(told.sessionId, () => storeSoon(() => questionAnswered(shell, told))),
  }
}

/** A lead session has asked its user something. If it asks for the approval of a wave that is back, that is remembered. */
async function questionAsked(
  shell: Shell,
  {
    sessionId,
    requestId,
    waveQuestion: question,
  }: HostEvent & { kind: "question-asked" | "permission-asked" },
  place: PlaceAsked,
): Promise<void> {
  if (question === undefined) return
  const found = await workAndPlan(shell, await place(), workLed)
  if (found?.reading.kind !== "read") return
  const { plan } = found.reading
  if (!awaitsApproval(plan, found.work)) return
  const { fingerprint } = waveStatus(plan, found.work)
  const asked = { requestId, question, fingerprint }
  shell.sessions.note({ kind: "wave-asked", sessionId, asked })
}

/** The user has answered. Only `Approve` approves the wave, and only if it is still the wave they were asked about. */
async function questionAnswered(
  shell: Shell,
  {
    sessionId,
    requestId,
    rejected,
    answers = [],
  }: HostEvent & { kind: "question-answered" | "permission-answered" },
): Promise<void> {
  const { waveAsked } = shell.sessions.of(sessionId)
  const asked = waveAsked.find((one) => one.requestId === requestId)
  if (asked === undefined || rejected) return
  const chosen = answers[asked.question] ?? []
  if (chosen.length !== 1 || !isApprove(chosen[0])) return
  const found = await workAndPlan(shell, await placeOf(shell, sessionId), workLed)
  if (found?.reading.kind !== "read") return
  const { reading } = found
  const { fingerprint } = asked
  const follow = followTasks(reading)
  const work = await changeOnWork(shell, found.work, (now) => {
    const there = follow(now)
    const { plan } = heldReading(reading, there)
    return waveStatus(plan, there).fingerprint === fingerprint ? approveNow(plan)(there) : now
  })
  if (work?.approved_wave !== fingerprint) return
  await shell.journal.append({
    at: isoOf(shell.now()),
    session: sessionId,
    work: work.work_id,
    decision: "approve",
    reason: "by-question",
    facts: {},
  })
}
