// Plays a scenario in the simulated host and gives what its plugin sees.
import type { PluginInput } from "@opencode-ai/plugin"
import type { ModelAnswer, ToolCall } from "../host-core.ts"
import { HostDatabase, type Message } from "../host-database.ts"
import type { HostVersion } from "../host-versions.ts"
import { SimulatedHost } from "../simulated-host.ts"
import { BorderLines } from "./border-lines.ts"
import {
  type Act,
  ASKED,
  CONTEXT_LIMIT,
  DENIED,
  type HostScript,
  type ScriptAnswer,
  type TurnAct,
} from "./host-script.ts"
import { recordingHooks } from "./recording-plugin.ts"
import { ScriptModel, withIds } from "./script-model.ts"

/** Gives the lines of the scenario, as the recordings have them. */
export async function playSimulated(
  version: HostVersion,
  script: HostScript,
): Promise<readonly string[]> {
  return new SimulatedPlay(version, script).play()
}

/** After this many ticks nothing is left to do except what waits for the user or for a model that hangs. */
const TICKS = 100

class SimulatedPlay {
  readonly #script: HostScript
  readonly #model: ScriptModel
  readonly #lines = new BorderLines()
  readonly #db: HostDatabase
  readonly #host: SimulatedHost
  #client: PluginInput["client"] | undefined

  constructor(version: HostVersion, script: HostScript) {
    this.#script = script
    this.#model = new ScriptModel(script)
    let now = 0
    this.#db = new HostDatabase(() => now++)
    this.#host = new SimulatedHost({
      db: this.#db,
      directory: "/project",
      version,
      contextLimit: CONTEXT_LIMIT,
      forbidsNesting: true,
      model: async ({ purpose, sessionId, messages }) =>
        purpose === "compaction"
          ? this.#answer(this.#model.summary())
          : this.#answer(this.#turn(sessionId, messages)),
      runTool: ({ args }) => runBash(String(args["command"])),
    })
  }

  async play(): Promise<readonly string[]> {
    await this.#host.load({
      server: async ({ client }) => {
        this.#client = client
        return recordingHooks((seen) => this.#lines.add(seen))
      },
    })
    const { id } = this.#host.newSession()
    for (const act of this.#script.acts) await this.#act(act, id)
    await this.#rest()
    this.#host.die()
    return this.#lines.lines
  }

  async #act(act: Act, first: string): Promise<void> {
    const host = this.#host
    const [open] = host.asked
    if ("until" in act) await this.#until(act.until)
    else if ("rest" in act) await this.#rest()
    else if ("permission" in act) host.reply(open?.id ?? "", permissionReply(act))
    else if ("answer" in act) host.reply(open?.id ?? "", questionReply(act.answer))
    else if ("abort" in act) host.abort(this.#lines.idOf(act.abort) ?? "")
    else if ("remove" in act) host.remove(first)
    else if ("undo" in act) host.undo(first, this.#userMessage(first, act.undo))
    else if ("promptAsync" in act) await this.#promptAsync(act, first)
    else this.#begun(act, first).catch(() => this.#lines.note(first, "the caller gets an error"))
  }

  #begun(act: TurnAct, first: string): Promise<void> {
    if ("command" in act) return this.#host.command(first, act.command, act.given)
    if ("summarize" in act) return this.#host.summarize(first)
    return this.#host.prompt(first, act.prompt, act.agent)
  }

  async #promptAsync(
    { promptAsync, agent, model }: { promptAsync: string; agent?: string; model?: string },
    id: string,
  ): Promise<void> {
    await this.#client?.session.promptAsync({
      path: { id },
      body: {
        parts: [{ type: "text", text: promptAsync }],
        ...(agent === undefined ? {} : { agent }),
        ...(model === undefined ? {} : { model: { providerID: "lab", modelID: model } }),
      },
    })
  }

  #userMessage(session: string, number: number): string {
    const users = this.#db.messages(session).filter(({ info }) => info.role === "user")
    return users[number - 1]?.info.id ?? ""
  }

  async #until(line: string): Promise<void> {
    for (let tick = 0; tick < TICKS; tick++) {
      if (this.#lines.lines.some((one) => one.startsWith(line))) return
      await nextTick()
    }
    const seen = this.#lines.lines.join("\n")
    throw new Error(`${this.#script.name}: expected a line "${line}"; found\n${seen}`)
  }

  async #rest(): Promise<void> {
    for (let tick = 0; tick < TICKS; tick++) await nextTick()
  }

  #turn(sessionId: string, messages: readonly Message[]): ScriptAnswer {
    const at = messages.findLastIndex(({ info }) => info.role === "user")
    const texts = messages[at]?.parts.map(({ text }) => text ?? "") ?? []
    const step = messages.slice(at + 1).filter(({ info }) => info.role === "assistant").length
    return this.#model.turn(sessionId, texts.join("\n"), step)
  }

  #answer({ text, calls, tokens, hangs, error, retried }: ScriptAnswer): ModelAnswer {
    return {
      ...(text === undefined ? {} : { text }),
      ...(tokens === undefined ? {} : { tokens }),
      ...(calls === undefined ? {} : { calls: calls.map((call) => this.#call(call)) }),
      ...(hangs === undefined ? {} : { hangs }),
      ...(error === undefined ? {} : { error: errorOf(error) }),
      ...retriedOf(error, retried === undefined ? undefined : this.#answer(retried)),
    }
  }

  #call({ args, ...call }: ToolCall): ToolCall {
    const { command } = args
    return {
      ...call,
      args: withIds(args, (name) => this.#lines.idOf(name)),
      ...(command === ASKED ? { needsPermission: true } : {}),
      ...(command === DENIED ? { isDenied: true } : {}),
    }
  }
}

function permissionReply({ permission, feedback }: { permission: string; feedback?: string }) {
  if (permission === "once") return { kind: "yes" } as const
  return { kind: "no", ...(feedback === undefined ? {} : { feedback }) } as const
}

function questionReply(answers: readonly (readonly string[])[] | null) {
  return answers === null ? ({ kind: "no" } as const) : ({ kind: "yes", answers } as const)
}

function errorOf(error: NonNullable<ScriptAnswer["error"]>): NonNullable<ModelAnswer["error"]> {
  if (error === "overflow")
    return { name: "ContextOverflowError", data: { message: "maximum context length" } }
  const { status } = error
  return { name: "APIError", data: { message: `scripted error ${status}`, statusCode: status } }
}

const ECHO = /^echo (.*)$/

/** If the provider says when to come back and nothing is scripted for it, the host waits for good. */
function retriedOf(error: ScriptAnswer["error"], retried: ModelAnswer | undefined) {
  if (retried !== undefined && error !== "overflow") return { retried }
  const isLong = typeof error === "object" && error.retryAfter !== undefined
  return isLong ? ({ retried: "never" } as const) : {}
}

/** Prints what it is asked to, or never ends. */
async function runBash(command: string): Promise<string> {
  const words = ECHO.exec(command)?.[1]
  return words === undefined ? new Promise<never>(() => undefined) : `${words}\n`
}

function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
