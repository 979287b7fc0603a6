// Records what crosses the border between a host and its plugin, at the moment it does.

import { familyOf } from "./family.ts"
import type { Crossing } from "./host-core.ts"
import type { Part } from "./host-database.ts"
import { planFor } from "./led-plan.ts"
import type { Call, CallNaming, Prompt, Told } from "./ledger.ts"
import { meantBy } from "./model-acts.ts"
import { hasOlderState, knowsOlderState, OLD_PLAN } from "./older-state.ts"
import { progressOf } from "./progress.ts"
import { waitingWave } from "./user-acts.ts"
import type { World } from "./world.ts"
import { keyOf, NAME, PLAN, RENAMED, rowsOf, SIDE } from "./world-plan.ts"

type Fields = Readonly<Record<string, unknown>>

/** The witness of one process. */
export function witnessOf(world: World, process: string): (seen: Crossing) => void {
  const scene = { world, process }
  return (seen) => {
    switch (seen.kind) {
      case "hook":
        world.ledger.begins(process, fieldsOf(seen.input))
        onHook(scene, seen.name, fieldsOf(seen.input), fieldsOf(seen.output))
        return
      case "hook-done":
        onDone(scene, seen.name, fieldsOf(seen.input), fieldsOf(seen.output))
        return
      case "hook-threw":
        onThrow(scene, seen.name, fieldsOf(seen.input), seen.message)
        return
      case "event":
        onEvent(scene, seen.type, seen.properties)
        return
      case "child": {
        const call = world.ledger.callOf(process, seen.sessionId, seen.callId)
        if (call !== undefined) call.child = seen.childId
        return
      }
      case "toast":
        world.ledger.toasts.push(seen.message)
        return
      case "prompt":
        onPrompt(scene, seen.sessionId, seen.text)
        return
      case "status":
        // When asked, a host says that a turn is over even if it has not reported its end yet.
        for (const id of world.db.sessions.keys())
          if (!seen.busy.includes(id)) world.ledger.told(process, id).isBusy = false
        return
      default:
        return
    }
  }
}

const NOBODY: CallNaming = { naming: () => null, recorded: [], isDoubtful: false }

interface Scene {
  readonly world: World
  readonly process: string
}

function onHook(scene: Scene, name: string, input: Fields, output: Fields): void {
  const { world, process } = scene
  const sessionId = String(input["sessionID"])
  if (name === "chat.message") onMessage(scene, sessionId, output)
  if (name === "experimental.session.compacting") {
    // A turn that ends in a summary is not counted: a gate of its own limits those.
    world.doubt(sessionId)
  }
  if (input["command"] === "start-work") onStart(world, sessionId)
  if (input["tool"] !== "task") return
  const callId = String(input["callID"])
  if (name === "tool.execute.before") {
    const args = fieldsOf(output["args"])
    const { naming, recorded, isDoubtful } = world.names.get(Object(output["args"])) ?? NOBODY
    world.ledger.calls.push({
      process,
      sessionId,
      callId,
      names: [...recorded, naming(planFor(world, sessionId).text)],
      unsaid: isDoubtful ? Number.POSITIVE_INFINITY : recorded.length,
      naming,
      agent: String(args["subagent_type"]),
      isOfLead: leads(world, sessionId),
      state: "running",
      child: null,
      result: "",
      at: world.clock.passed,
      backAt: Number.POSITIVE_INFINITY,
      writtenIn: null,
    })
  }
  if (name !== "tool.execute.after") return
  const call = world.ledger.callOf(process, sessionId, callId)
  if (call === undefined) return
  call.state = "returned"
  call.backAt = world.clock.passed
  call.child = String(fieldsOf(output["metadata"])["sessionId"])
  call.result = String(output["output"])
  onReview(world, call)
}

function onDelegated(world: World, call: Call): void {
  const { sessionId } = call
  call.names.push(call.naming(planFor(world, sessionId).text))
  call.isOfLead ||= leads(world, sessionId)
  if (world.hosts.size === 1) call.writtenIn = workWith(world, call)
}

/** The work in which a call's delegation is written down. */
function workWith({ works }: World, { sessionId, callId }: Call): string | null {
  const work = works.find((one) => one.dispatches[callId]?.parent_session_id === sessionId)
  return work?.work_id ?? null
}

function onStart(world: World, sessionId: string): void {
  const { work, ledger } = world
  ledger.doubtCalls()
  ledger.hadOlderState = hasOlderState(world.disk)
  ledger.startedFrom =
    work === null
      ? null
      : {
          lead: work.lead_session_id,
          status: work.status,
          // A damaged state of the session's own is left as it is.
          hadState: hasState(world, work.lead_session_id) && !hasFile(world, sessionId),
        }
}

function hasState(world: World, sessionId: string): boolean {
  return hasFile(world, sessionId) && !world.ledger.damaged.has(statePath(sessionId))
}

function hasFile({ disk }: World, sessionId: string): boolean {
  return disk.textOf(statePath(sessionId)) !== null
}

function statePath(sessionId: string): string {
  return `.boulder/sessions/${sessionId}.json`
}

/** Checks what a start must leave if it has taken over a work, or started one again. */
function onStarted(world: World, sessionId: string, said: Fields): void {
  const { ledger, work, clock } = world
  // If a start and a stop come at once, the last to write has won.
  if (!world.isStopped) ledger.stopped = null
  for (const approval of ledger.approvals)
    if (approval.until !== undefined) approval.until = Math.min(approval.until, clock.passed)
  if (said["arguments"] === "demo") hasBegun(world, String(said["text"]))
  const { startedFrom: from } = ledger
  if (from === null || work?.lead_session_id !== sessionId || work.status !== "active") return
  if (from.status === "completed") ledger.restartedAt = clock.now
  const isOpen = from.status !== "completed" && from.lead !== sessionId
  if (isOpen && from.hadState && !ledger.isBlind && !hasState(world, sessionId))
    ledger.wrong.push(`${sessionId} has taken the work over without its task state`)
}

/** A start that names an existing plan begins a work, and takes over what the original plugin has left. */
function hasBegun({ ledger, disk, work }: World, said: string): void {
  const isRefused = said.includes("Tell the user exactly this")
  if (ledger.isBlind || disk.textOf(PLAN) === null) return
  // Later the plan may have nothing left to do.
  const isFirst = ledger.starts.length === 1
  if (work === null && (isFirst || !isRefused))
    ledger.wrong.push("/start-work demo has begun no work")
  if (!isRefused && ledger.hadOlderState && !knowsOlderState(disk))
    ledger.wrong.push("/start-work has not taken over what the original plugin had left")
}

function leads({ work }: World, sessionId: string): boolean {
  return work?.status === "active" && work.lead_session_id === sessionId
}

function onThrow({ world, process }: Scene, name: string, input: Fields, message: string): void {
  const isUsersTurn = world.ledger.isUsersCall(process, input)
  world.ledger.threw.push({ name, message, isUsersTurn })
}

/** Notes what a review says about its row. */
function onReview(world: World, call: Call): void {
  const { ledger, clock, plan, work } = world
  const { names, result, isOfLead, sessionId } = call
  const row = rowsOf(plan).find(({ isOfWave, title }) => isOfWave && names.includes(title))
  if (row === undefined || !isOfLead) return
  // A review of a former lead passes nothing.
  if (work?.lead_session_id === sessionId) ledger.waveBackAt = clock.passed
  // What a resumed session has worked on before may come before the words of a prompt.
  const isSure = names.every((one) => one === null || one === row.title)
  // A review of a former lead turns its row down too, but passes nothing.
  const isOpen = work?.status !== "completed"
  const meant = meantBy(result)
  if (isSure && isOpen && meant === "reject") ledger.rejected.set(row.title, clock.passed)
  else if (meant === "pass") ledger.rejected.delete(row.title)
}

/** Notes whether a message is the user's own: neither ours nor the host's, and not from our `/start-work`. */
function onMessage({ world, process }: Scene, sessionId: string, output: Fields): void {
  const told = world.ledger.told(process, sessionId)
  const { parts, message } = output
  const { id, agent } = fieldsOf(message)
  told.message = String(id)
  told.agent = String(agent)
  const all = Array.isArray(parts) ? (parts as readonly Part[]) : []
  const isSynthetic = all.length > 0 && all.every(({ synthetic }) => synthetic === true)
  const at = world.ledger.commands.indexOf(`${process} ${sessionId} start-work`)
  const isOwn = all.some(({ text }) => world.ledger.own.has(String(text)))
  // A prompt of ours, or a message of the user's, may come between the command and its message.
  const isStart = at >= 0 && !isSynthetic && !isOwn
  if (isStart) {
    world.ledger.commands.splice(at, 1)
    // A prompt of ours that came before is answered in the same turn, which is the person's.
    world.ledger.fresh.add(sessionId)
  }
  told.isUsersTurn = !isSynthetic && !isStart
  if (told.isUsersTurn) reopen(world, process, sessionId)
}

/** What a user says answers what they have stopped or refused before, but not a stop of the work. */
function reopen(world: World, process: string, sessionId: string): void {
  const told = world.ledger.told(process, sessionId)
  world.ledger.spokeAt = world.clock.passed
  if (told.closed === "aborted") told.hasSpoken = true
  for (const id of familyOf(world, sessionId)) world.ledger.told(process, id).closed = null
  world.ledger.fresh.add(sessionId)
}

function onDone({ world, process }: Scene, name: string, input: Fields, output: Fields): void {
  const sessionId = String(input["sessionID"])
  const scene = { world, process }
  const isCall = name === "tool.execute.before" && input["tool"] === "task"
  const call = isCall ? world.ledger.callOf(process, sessionId, String(input["callID"])) : undefined
  if (call !== undefined) onDelegated(world, call)
  if (name === "tool.execute.after")
    say(scene, sessionId, `after ${input["tool"]}`, String(output["output"]))
  if (name !== "command.execute.before" || !Array.isArray(output["parts"])) return
  const text = String(fieldsOf(output["parts"][0])["text"])
  say(scene, sessionId, `/${input["command"]}`, text)
  if (input["command"] === "start-work") onStarted(world, sessionId, { ...input, text })
  if (text.includes(" stopped. ") && world.isStopped)
    world.ledger.stopped = { at: world.clock.passed, isArmed: false }
}

function say({ world, process }: Scene, sessionId: string, where: string, text: string): void {
  const told = world.ledger.told(process, sessionId)
  const { isUsersTurn } = told
  if (tellsKeys(where, text))
    told.keys = planFor(world, sessionId).path === PLAN ? steady(world) : null
  world.ledger.said.push({
    sessionId,
    process,
    where,
    text,
    at: world.clock.passed,
    isUsersTurn,
    isChild: world.db.sessions.get(sessionId)?.parentID !== undefined,
    busy: [...(world.hosts.get(process)?.core.runs.keys() ?? [])],
    titles: titlesNow(world),
  })
}

/** Whether a text tells a lead by which keys its tasks are known. */
function tellsKeys(where: string, text: string): boolean {
  return where === "prompt" || where === "/start-work" || text.includes("The plan was renumbered:")
}

/** The plan, if a running hook cannot have read other numbers; else null. */
function steady({ recentPlans, plan }: World): string | null {
  const numbers = (text: string) =>
    rowsOf(text)
      .map((row) => `${keyOf(row)} ${row.title}`)
      .join("\n")
  return recentPlans.every((one) => numbers(one) === numbers(plan)) ? plan : null
}

/** Titles by key, in the plan as it is and as a running hook may have read it. */
function titlesNow({ recentPlans, disk }: World): ReadonlyMap<string, readonly string[]> {
  const titles = new Map<string, string[]>()
  const others = [SIDE, RENAMED, OLD_PLAN].map((path) => disk.textOf(path) ?? "")
  for (const row of [...recentPlans, ...others].flatMap((plan) => rowsOf(plan)))
    titles.set(keyOf(row), [...(titles.get(keyOf(row)) ?? []), row.title])
  return titles
}

function onEvent({ world, process }: Scene, type: string, properties: Fields): void {
  const { ledger } = world
  const sessionId = String(properties["sessionID"])
  const told = ledger.told(process, sessionId)
  switch (type) {
    case "session.status":
      told.isBusy ||= fieldsOf(properties["status"])["type"] === "busy"
      return
    case "session.idle":
      told.isBusy = false
      told.isPrompted = false
      told.hasIdled = true
      return
    case "session.error":
      onError(world, told, sessionId, fieldsOf(properties["error"]))
      return
    case "message.updated":
      onAnswer(world, told, fieldsOf(properties["info"]))
      return
    case "message.part.updated":
      onPart({ world, process }, fieldsOf(properties["part"]))
      return
    default:
      onRequest(world, told, type, properties)
      if (type === "question.asked") noteWave(world, String(properties["id"]))
  }
}

function onError(world: World, told: Told, sessionId: string, { name }: Fields): void {
  if (name === "MessageAbortedError") {
    // What was said before does not lift a stop that is reported later: a stop carries no time, and may be a new one.
    told.hasSpoken = false
    // Reported late: a person has resumed the work since.
    const stoppedAt = world.ledger.stoppedAt.get(sessionId) ?? Number.POSITIVE_INFINITY
    if (world.ledger.setGoingAt > stoppedAt) return
    told.closed = "aborted"
    told.requests.clear()
    return
  }
  const prompt = world.ledger.prompts.findLast((one) => one.sessionId === sessionId)
  if (prompt !== undefined) prompt.failed = "yes"
}

/** A model that goes on after a refusal was told about it. What the host itself writes after a compaction belongs to the earlier agent. */
function onAnswer(world: World, told: Told, { id, role, time, agent }: Fields): void {
  if (fieldsOf(time)["created"] !== world.clock.now) return
  if (role === "assistant" && told.closed === "rejected") told.closed = null
  if (role === "user" && told.message !== id) told.agent = String(agent)
}

function onPart({ world, process }: Scene, part: Fields): void {
  if (part["tool"] !== "task") return
  const call = world.ledger.callOf(process, String(part["sessionID"]), String(part["callID"]))
  const state = fieldsOf(part["state"])
  if (state["status"] === "error" && call?.state === "running") call.state = "failed"
}

function onRequest({ ledger, clock }: World, told: Told, type: string, properties: Fields): void {
  const id = String(properties["requestID"] ?? properties["id"])
  if (type === "question.replied" && ledger.approvingAnswers.has(id))
    ledger.approvals.push({ at: clock.passed, by: "the answer Approve" })
  if (type.endsWith(".asked")) told.requests.add(id)
  if (type.endsWith(".replied") || type.endsWith(".rejected")) told.requests.delete(id)
  if (type === "question.rejected" || properties["reply"] === "reject") told.closed = "rejected"
}

/** Whether what is sent now was decided after the machine last slept. */
function wasDecidedAwake({ ledger: { asleep }, works }: World): boolean {
  const decided = works.map(({ continuation }) => Date.parse(continuation.last_at ?? ""))
  return (
    asleep === null ||
    !decided.some((at) => at <= asleep.now) ||
    decided.some((at) => at > asleep.now)
  )
}

function noteWave(world: World, requestId: string): void {
  const wave = waitingWave(world)
  if (wave !== null) world.ledger.wavesAsked.set(requestId, wave)
}

function onPrompt({ world, process }: Scene, sessionId: string, text: string): void {
  const { ledger } = world
  const told = ledger.told(process, sessionId)
  const family = familyOf(world, sessionId).map((id) => ledger.told(process, id))
  const isOfPlan = text.includes(`/${NAME}`)
  const refused = family.some(({ closed }) => closed === "rejected")
  ledger.prompts.push({
    process,
    sessionId,
    text,
    at: world.clock.passed,
    decidedAt: wasDecidedAwake(world) ? world.clock.passed : (ledger.asleep?.at ?? 0),
    isTaken: !["refused", "mute"].includes(world.promptFates[0] ?? "taken"),
    told: { ...told, closed: refused ? "rejected" : told.closed },
    waitsFor: family.flatMap(({ requests }) => [...requests]),
    // The plan may be edited while the prompt is sent. What the prompt says was true when it was decided.
    progress: `${progressOf(world)} ${/\d+ of \d+ settled/.exec(text)?.[0] ?? ""}`,
    stoppedBefore: isOfPlan && (ledger.stopped?.isArmed ?? false),
    agent: world.works.find((one) => leadsIt(one, sessionId))?.agent ?? null,
    isOfPlan,
    isFresh: ledger.fresh.delete(sessionId),
    failed: endOf(world, process, sessionId),
  })
  told.isPrompted = (world.promptFates[0] ?? "taken") === "taken"
  say({ world, process }, sessionId, "prompt", text)
}

function leadsIt({ lead_session_id: lead, status }: World["works"][number], id: string): boolean {
  return lead === id && status === "active"
}

function endOf(world: World, process: string, sessionId: string): Prompt["failed"] {
  // The host answers no prompt older than its last message, which happens when its clock was set back.
  const { now } = world.clock
  if (world.db.messages(sessionId).some(({ info }) => info.time.created > now)) return "yes"
  if (world.isModelGone || (world.promptFates[0] ?? "taken") !== "taken") return "yes"
  // If a turn runs beside another process's turn in the same session, nobody can say what it moved.
  return isBusyElsewhere(world, process, sessionId) ? "unsure" : "no"
}

function isBusyElsewhere({ hosts }: World, process: string, sessionId: string): boolean {
  return [...hosts].some(([name, host]) => name !== process && host.isBusy(sessionId))
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {}
}
