// Plays scenarios in a real opencode and records what its plugin sees.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { ModelRequest } from "../../support/host-model-request.ts"
import { type OpencodeHost, startHost } from "../../support/opencode-host.ts"
import type { Reply } from "../../support/scripted-model.ts"
import { BorderLines } from "./border-lines.ts"
import {
  type Act,
  ASKED,
  CONTEXT_LIMIT,
  DENIED,
  type HostScript,
  OUTPUT_LIMIT,
  type ScriptAnswer,
  type TurnAct,
} from "./host-script.ts"
import type { Seen } from "./recording-plugin.ts"
import { ScriptModel, withIds } from "./script-model.ts"

/** Beside the project: the host would put changes of a file in the project into its events. */
const LOG = "seen.jsonl"

const PLUGIN = `
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { recordingHooks } from ${JSON.stringify(fileURLToPath(new URL("./recording-plugin.ts", import.meta.url)))}
export default {
  id: "recording",
  server: async ({ directory }) =>
    recordingHooks((seen) => appendFileSync(join(directory, "..", "${LOG}"), JSON.stringify(seen) + "\\n")),
}
`

/** Plays each scenario in a session of its own. Gives the lines of each. */
export async function playReal(
  version: string,
  scripts: readonly HostScript[],
  tell: (text: string) => void,
): Promise<Record<string, readonly string[]>> {
  const host = await startHost({
    version,
    plugin: "./.recording/plugin.ts",
    files: { ".recording/plugin.ts": PLUGIN },
    permission: { "*": "allow", bash: { "*": "allow", [ASKED]: "ask", [DENIED]: "deny" } },
    contextLimit: CONTEXT_LIMIT,
    outputLimit: OUTPUT_LIMIT,
  })
  try {
    const recorded: Record<string, readonly string[]> = {}
    for (const script of scripts) {
      tell(script.name)
      const play = new RealPlay(host, script)
      recorded[script.name] = await play.play().catch((error: unknown) => {
        tell(`FAILED ${String(error).slice(0, 1_000)}`)
        return play.seen()
      })
      await play.end()
    }
    return recorded
  } finally {
    await host.stop()
  }
}

class RealPlay {
  readonly #host: OpencodeHost
  readonly #script: HostScript
  readonly #begin: number
  readonly #model: ScriptModel
  /** What the plugin cannot see, each after this many lines of its log. */
  readonly #notes: { at: number; session: string; text: string }[] = []

  constructor(host: OpencodeHost, script: HostScript) {
    this.#host = host
    this.#script = script
    this.#model = new ScriptModel(script)
    this.#begin = this.#log().length
  }

  async play(): Promise<readonly string[]> {
    const host = this.#host
    host.model.use((request) => this.#reply(request))
    const first = await host.createSession()
    await host.waitFor(() => this.#lines().lines.length > 0)
    for (const act of this.#script.acts) await this.#act(act, first)
    await this.#rest()
    return this.seen()
  }

  seen(): readonly string[] {
    return this.#lines().lines
  }

  /** What is still running would disturb the next scenario. */
  async end(): Promise<void> {
    const busy = await this.#host.get<Record<string, unknown>>("/session/status")
    for (const session of Object.keys(busy)) await this.#host.abort(session)
  }

  async #act(act: Act, first: string): Promise<void> {
    const host = this.#host
    if ("until" in act) await this.#until(act.until)
    else if ("rest" in act) await this.#rest()
    else if ("permission" in act) await this.#permit(act.permission, act.feedback)
    else if ("answer" in act) await this.#answer(act.answer)
    else if ("abort" in act) await host.abort(this.#idOf(act.abort))
    else if ("remove" in act) await host.client.session.delete({ path: { id: first } })
    else if ("undo" in act) await this.#undo(first, act.undo)
    else if ("promptAsync" in act) await this.#promptAsync(act, first)
    else this.#noteFailure(this.#begun(act, first), first)
  }

  /** Begins a turn. The promise ends with that turn. */
  #begun(act: TurnAct, first: string): Promise<unknown> {
    const host = this.#host
    if ("command" in act) return host.command(first, act.command, act.given)
    if ("summarize" in act) return host.post(`/session/${first}/summarize`, MODEL)
    return host.prompt(first, act.prompt, act.agent === undefined ? {} : { agent: act.agent })
  }

  #idOf(name: string): string {
    return this.#lines().idOf(name) ?? name
  }

  async #promptAsync(
    { promptAsync, agent, model }: { promptAsync: string; agent?: string; model?: string },
    session: string,
  ): Promise<void> {
    const options = {
      ...(agent === undefined ? {} : { agent }),
      ...(model === undefined ? {} : { model: { providerID: "lab", modelID: model } }),
    }
    await this.#host.promptAsync(session, promptAsync, options)
  }

  async #permit(reply: "once" | "reject", feedback?: string): Promise<void> {
    const open = this.#ours(await this.#host.permissions())
    await this.#host.replyPermission(open, reply, feedback)
  }

  async #answer(answers: readonly (readonly string[])[] | null): Promise<void> {
    const open = this.#ours(await this.#host.questions())
    if (answers === null) await this.#host.rejectQuestion(open)
    else await this.#host.replyQuestion(open, answers)
  }

  /** The open request of this scenario: an aborted one may have left its own. */
  #ours(open: readonly { readonly id: string; readonly sessionID: string }[]): string {
    const lines = this.#lines()
    const ours = open.find(({ sessionID }) => lines.hasSession(sessionID))
    if (ours === undefined)
      throw new Error("Expected a request that waits for the user; found none")
    return ours.id
  }

  async #undo(session: string, number: number): Promise<void> {
    const messages = await this.#host.messages(session)
    const user = messages.filter(({ info }) => info.role === "user").at(number - 1)
    await this.#host.post(`/session/${session}/revert`, { messageID: user?.info.id })
  }

  #noteFailure(answer: Promise<unknown>, session: string): void {
    answer.catch(() => {
      this.#notes.push({ at: this.#log().length, session, text: "the caller gets an error" })
    })
  }

  async #until(line: string): Promise<void> {
    const isSeen = () => this.#lines().lines.some((one) => one.startsWith(line))
    const what = `${this.#script.name}: ${line}`
    await this.#host.waitFor(isSeen, { what, timeoutMs: 20_000 })
  }

  /** Waits until no session is busy, and no line has come for a while. */
  async #rest(): Promise<void> {
    let [count, since] = [-1, 0]
    await this.#host.waitFor(async () => {
      const busy = await this.#host.get<Record<string, { type: string }>>("/session/status")
      const isBusy = Object.values(busy).some(({ type }) => type !== "idle")
      const now = this.#log().length
      if (isBusy || now !== count) [count, since] = [now, performance.now()]
      return performance.now() - since > 700
    }, REST)
  }

  #log(): readonly string[] {
    const path = join(this.#host.root, LOG)
    if (!existsSync(path)) return []
    return readFileSync(path, "utf8").split("\n").slice(0, -1)
  }

  #lines(): BorderLines {
    const lines = new BorderLines()
    const log = this.#log()
    for (let at = this.#begin; at < log.length; at++) {
      for (const note of this.#notes) if (note.at === at) lines.note(note.session, note.text)
      lines.add(JSON.parse(log[at] ?? "") as Seen)
    }
    for (const note of this.#notes) if (note.at >= log.length) lines.note(note.session, note.text)
    return lines
  }

  #reply({ kind, lastUserText, stepOfTurn, sessionId }: ModelRequest): Reply | undefined {
    if (kind === "title") return undefined
    if (kind === "compaction") return this.#replyOf(this.#model.summary())
    return this.#replyOf(this.#model.turn(sessionId, lastUserText, stepOfTurn))
  }

  #replyOf({ text, calls, tokens = 1_000, hangs, error }: ScriptAnswer): Reply {
    if (error === "overflow") return { status: 400, errorBody: OVERFLOW }
    if (error !== undefined) {
      const { status, retryAfter } = error
      const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
      return { status, headers }
    }
    const toolCalls = calls?.map(({ tool, args, callId }) => ({
      name: tool,
      args: withIds(args, (name) => this.#lines().idOf(name)),
      ...(callId === undefined ? {} : { id: callId }),
    }))
    return {
      ...(text === undefined ? {} : { text }),
      ...(toolCalls === undefined ? {} : { toolCalls }),
      ...(hangs === undefined ? {} : { hang: hangs }),
      usage: { input: tokens - 10, output: 10 },
    }
  }
}

const REST = { what: "no session is busy", timeoutMs: 40_000 }
const MODEL = { providerID: "lab", modelID: "m" }
const OVERFLOW = {
  error: { message: "maximum context length", type: "invalid", code: "context_length_exceeded" },
}
