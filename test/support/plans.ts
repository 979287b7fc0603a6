import type { ModelRequest } from "./host-model-request.ts"
import type { OpencodeHost } from "./opencode-host.ts"
import type { Reply, Script } from "./scripted-model.ts"

/** A plan in the omo format with one line for each task; labels start at 1. */
export function planOf(...titles: readonly string[]): string {
  const rows = titles.map((title, index) => `- [ ] ${index + 1}. ${title}`)
  return `# Plan\n\n## TODOs\n\n${rows.join("\n")}\n`
}

/** The text of `plan` with the box of `label` ticked. */
export function ticked(plan: string, label: string): string {
  return plan.replace(`- [ ] ${label}.`, `- [x] ${label}.`)
}

/** A call of the host's `task` tool. */
export function delegate(description: string, more: Readonly<Record<string, unknown>> = {}) {
  return { name: "task", args: { description, prompt: "do it", subagent_type: "general", ...more } }
}

/** A call of the host's `edit` tool that ticks a box. */
export function tick(host: OpencodeHost, plan: string, label: string) {
  const args = {
    filePath: `${host.project}/${plan}`,
    oldString: `- [ ] ${label}.`,
    newString: `- [x] ${label}.`,
  }
  return { name: "edit", args }
}

/** An orchestrator that acts in the turn that `/start-work` begins, and says "over" to everything later. */
export function firstTurn(
  lead: (request: ModelRequest) => Reply,
): (request: ModelRequest) => Reply {
  return (request) =>
    request.lastUserText.includes("Start the plan") ? lead(request) : { text: "over" }
}

/**
 * A script with two roles: whoever is offered `task` is an orchestrator, everyone else a subagent. Titles and compactions take the default
 * answer.
 */
export function roles(given: {
  readonly lead: (request: ModelRequest) => Reply | undefined | Promise<Reply | undefined>
  readonly child?: (request: ModelRequest) => Reply | undefined | Promise<Reply>
}): Script {
  return async (request) => {
    if (request.kind !== "main") return undefined
    if (request.toolNames.includes("task")) return given.lead(request)
    return (await given.child?.(request)) ?? { text: "child done" }
  }
}
