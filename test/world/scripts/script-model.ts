// What the model of a scenario answers, for both hosts.
import type { HostScript, ScriptAnswer } from "./host-script.ts"

/** The model of one scenario, from its first request to its last. */
export class ScriptModel {
  readonly #script: HostScript
  readonly #tries = new Map<string, number>()
  #summaries = 0

  constructor(script: HostScript) {
    this.#script = script
  }

  /** The answer to a request. Step 0 is the first request of a turn; the host's next try at a request is answered with `retried`. */
  turn(sessionId: string, userText: string, step: number): ScriptAnswer {
    const { model } = this.#script
    const key = Object.keys(model).find((words) => userText.includes(words))
    const request = `${sessionId} ${key} ${step}`
    const tries = this.#tries.get(request) ?? 0
    this.#tries.set(request, tries + 1)
    let answer = key === undefined ? undefined : model[key]?.[step]
    for (let next = 0; next < tries && answer?.retried !== undefined; next++)
      answer = answer.retried
    return answer ?? { text: "ok" }
  }

  summary(): ScriptAnswer {
    const answer = this.#script.summaries?.[this.#summaries]
    this.#summaries += 1
    return answer ?? { text: "SUMMARY" }
  }
}

/** Arguments with the ids of sessions in place of `$s2`. */
export function withIds(
  args: Readonly<Record<string, unknown>>,
  idOf: (name: string) => string | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const isName = typeof value === "string" && value.startsWith("$")
      return [name, isName ? idOf(value.slice(1)) : value]
    }),
  )
}
