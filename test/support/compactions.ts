import type { StoredTaskState, TaskState } from "../../src/boulder/task-state.ts"
import { type ModelRequest, texts } from "./host-model-request.ts"
import type { OpencodeHost } from "./opencode-host.ts"
import type { Reply, Script } from "./scripted-model.ts"
import { compactionAnswer } from "./task-states.ts"

/** What the model answers to a compaction: a text, a whole reply, or either made from the request. */
type Answer = string | Reply | ((request: ModelRequest) => string | Reply)

export type Compactions = {
  /** Answers compactions one after another as set, and everything else by `then`. */
  readonly script: Script
  /** Sets the answers of the next compactions. After those the model keeps the state that it is shown. */
  answers(...answers: readonly Answer[]): void
}

/** A model whose answers to compactions are set one by one. */
export function compactions(then: Script): Compactions {
  let waiting: readonly Answer[] = []
  return {
    answers: (...answers) => {
      waiting = answers
    },
    script: (request) => {
      if (request.kind !== "compaction") return then(request)
      const [next = keepsTheState, ...rest] = waiting
      waiting = rest
      const answer = typeof next === "function" ? next(request) : next
      return typeof answer === "string" ? { text: answer } : answer
    },
  }
}

/** A model that keeps the state the prompt shows, and says nothing about it in its summary. */
function keepsTheState(request: ModelRequest): string {
  const state = shownState(request)
  return state === null ? "I have nothing to say." : compactionAnswer(state, "We went on a little.")
}

/** The task state that a compaction's prompt shows; null for "none yet". */
export function shownState(request: ModelRequest): TaskState | null {
  const line = /^Current task state:\n(.+)$/m.exec(request.allText())?.[1]
  return line === undefined ? null : (JSON.parse(line) as { task_state: TaskState }).task_state
}

/** A session's requests for a summary, oldest first. */
export function compactionRequests(host: OpencodeHost, session: string): readonly ModelRequest[] {
  return host.model.requests.filter(
    (request) => request.kind === "compaction" && request.sessionId === session,
  )
}

/** Compacts a session as a user's /compact does, and waits for its end. */
export async function compact(host: OpencodeHost, session: string): Promise<void> {
  const body = { providerID: "lab", modelID: "m" }
  const done = host.eventsOf("session.compacted", session).length
  await host.client.session.summarize({ path: { id: session }, body })
  await host.waitFor(() => host.eventsOf("session.compacted", session).length > done, {
    what: "the session is compacted",
  })
  await host.waitIdle(session)
}

/** The task state of a session, as it is on disk. */
export function stateOnDisk(host: OpencodeHost, session: string): StoredTaskState | null {
  const path = `.boulder/sessions/${session}.json`
  return host.hasFile(path) ? (JSON.parse(host.readFile(path)) as StoredTaskState) : null
}

/** The text that the host has stored as a session's last summary. */
export async function storedSummary(host: OpencodeHost, session: string): Promise<string> {
  const messages = await host.messages(session)
  const summary = messages.findLast(({ info }) => Reflect.get(info, "summary") === true)
  return (summary?.parts ?? [])
    .map((part) => (part.type === "text" ? part.text : ""))
    .filter((text) => text !== "")
    .join("\n")
}

/** The system texts of a request, in the order in which the model reads them. */
export function systemTexts(request: ModelRequest | undefined): readonly string[] {
  return (request?.messages ?? []).filter(({ role }) => role === "system").flatMap(texts)
}
