import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { processTerminal, type Terminal } from "../../src/cli/terminal/terminal.ts"
import { outcomeText } from "../../src/cli/views/outcome-text.ts"
import { openRunView } from "../../src/cli/views/run-view.ts"
import type { RunEvent } from "../../src/headless/run-event.ts"
import { runPlan } from "../../src/headless/run-plan.ts"
import { authorization, serverAccess } from "../../src/opencode/host/http/server-access.ts"
import { IN_OPENCODE } from "../support/by-name.ts"
import { type HostFolders, makeHostFolders } from "../support/host-folders.ts"
import type { ModelRequest } from "../support/host-model-request.ts"
import { hostBinary, PINNED_VERSION, REPO } from "../support/host-version.ts"
import { orchestratorScript } from "../support/orchestrator.ts"
import { startScriptedModel } from "../support/scripted-model.ts"
import { keptFolder } from "../support/temporary-folder.ts"
import { DEMO_PLAN, DEMO_PLAN_PATH } from "./demo-plan.ts"
import { openTally } from "./demo-report.ts"
import { demoSubagent } from "./demo-subagent.ts"

const APPROVAL = "The final wave is approved. Tick its rows."
/** Known to both sides, so that the demo can play the user. */
const PASSWORD = "demo"

const PLUGIN_ONLY = { $schema: "https://opencode.ai/config.json", plugin: [`file://${REPO}`] }

/** The main job on real input: a real opencode, the plugin, a 12-task plan; without an account unless one is asked for. */
async function demo(
  { model, requests }: { model?: string | undefined; requests?: string | undefined },
  terminal: Terminal,
): Promise<number> {
  if (!existsSync(join(REPO, "dist", "index.js")))
    throw new Error("Expected the built plugin in dist; found none. Run: npm run build")
  const scripted = await startScriptedModel(
    orchestratorScript({
      project: () => folders.project,
      planPath: DEMO_PLAN_PATH,
      child: demoSubagent(() => folders.project),
    }),
  )
  const files = { [DEMO_PLAN_PATH]: DEMO_PLAN }
  const project = keptFolder("demo")
  const folders = makeHostFolders(scripted.url, { files, snapshots: true }, project)
  // With the user's own provider the project brings the plugin and nothing else.
  if (model !== undefined) leavePluginOnly(folders)
  introduce(terminal, folders, model)
  try {
    return await follow(folders, model, terminal)
  } finally {
    if (requests !== undefined) writeFileSync(requests, requestsText(scripted.requests))
    await scripted.stop()
    leavePluginOnly(folders)
  }
}

async function follow(
  folders: HostFolders,
  model: string | undefined,
  terminal: Terminal,
): Promise<number> {
  const began = performance.now()
  const tally = openTally()
  const view = openRunView(terminal, { showHints: true })
  let sessionId: string | null = null
  let url = ""
  const env = {
    ...(model === undefined ? folders.env : terminal.env),
    OPENCODE_SERVER_PASSWORD: PASSWORD,
  }
  const onEvent = (event: RunEvent): void => {
    if (event.kind === "server") url = event.url
    if (event.kind === "session") sessionId = event.sessionId
    tally.take(event)
    if (event.kind === "needs" && event.need.reason === "awaiting-approval") {
      terminal.out(`\n*** The demo now plays the user and says: "${APPROVAL}"\n`)
      void say({ url, env, project: folders.project }, sessionId ?? "", APPROVAL)
    } else view.show(event)
  }
  const outcome = await runPlan({
    root: folders.project,
    plan: "todo-cli",
    binary: await hostBinary(),
    env,
    model,
    stays: true,
    signal: terminal.signal,
    onEvent,
  })
  view.end()
  const { text } = outcomeText(outcome, {
    plan: "todo-cli",
    sessionId,
    serverStopped: true,
    typed: IN_OPENCODE,
    name: null,
  })
  terminal.out(`\n${text}\n\n${tally.table(performance.now() - began)}\n\n${whatToLookAt(folders)}`)
  return outcome.kind === "complete" ? 0 : 1
}

/** Sends a user's message to a session. */
async function say(
  at: { url: string; env: Readonly<Record<string, string | undefined>>; project: string },
  sessionId: string,
  text: string,
): Promise<void> {
  const access = serverAccess(at.url, at.env)
  if (access === null) throw new Error(`Expected the URL of a server; found ${at.url}`)
  const query = `directory=${encodeURIComponent(at.project)}`
  await fetch(`${access.url}/session/${sessionId}/prompt_async?${query}`, {
    method: "POST",
    headers: { ...authorization(access), "content-type": "application/json" },
    body: JSON.stringify({ parts: [{ type: "text", text }] }),
  })
}

function introduce(terminal: Terminal, { project }: HostFolders, model: string | undefined): void {
  const player =
    model === undefined
      ? "a model scripted on loopback plays orchestrator and subagents: no account, no key"
      : `${model} plays orchestrator and subagents`
  terminal.out(`opencode-boulder demo: opencode ${PINNED_VERSION}, ${player}.
Project: ${project}
Plan:    ${DEMO_PLAN_PATH}, 9 tasks and a final wave of 3
Lines with | are what the plugin tells the model, word for word.

`)
}

function whatToLookAt({ project }: HostFolders): string {
  const cli = `node ${join(REPO, "dist", "cli", "main.js")}`
  return `The project is left for you: cd ${project}
  the plan, ticked:            ${DEMO_PLAN_PATH}
  what the subagents wrote:    git status, src/, test/
  every decision:              ${cli} why
  the state:                   ${cli} status, or .boulder/boulder.json
`
}

/** Every request of the run in full, as the scripted model got it. */
function requestsText(requests: readonly ModelRequest[]): string {
  return requests
    .map(({ kind, sessionId, body }, index) => {
      const asked = JSON.stringify({ tools: body.tools, messages: body.messages }, null, 1)
      return `## Request ${index + 1}: ${kind}, ${sessionId}\n\n${asked}\n`
    })
    .join("\n")
}

/** What the user may open afterwards with a provider of their own; the scripted model is gone by then. */
function leavePluginOnly({ project }: HostFolders): void {
  writeFileSync(join(project, "opencode.json"), `${JSON.stringify(PLUGIN_ONLY, null, 2)}\n`)
}

async function main(): Promise<void> {
  const interrupt = new AbortController()
  process.once("SIGINT", () => interrupt.abort())
  process.once("SIGTERM", () => interrupt.abort())
  try {
    const { values } = parseArgs({
      options: { model: { type: "string" }, requests: { type: "string" } },
    })
    process.exitCode = await demo(values, processTerminal(interrupt.signal))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

await main()
