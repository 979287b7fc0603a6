// An interface that is attached to a server is another process than that, and its plans are the server's.
import { expect, test } from "bun:test"
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeHostFolders } from "../support/host-folders.ts"
import { printedUrl } from "../support/host-process.ts"
import { hostBinary, PINNED_VERSION, REPO } from "../support/host-version.ts"
import { delegate } from "../support/plans.ts"
import { type Script, startScriptedModel } from "../support/scripted-model.ts"
import { openTerminal } from "../support/terminal-screen.ts"

/** A terminal interface under a loaded machine. */
const LIMIT_MS = 240_000
const PLAN = "# Shop\n\n## TODOs\n\n- [x] 1. Read\n- [ ] 2. Show\n- [ ] 3. Pay\n"

/** The lead delegates once and its subagent never ends, so that the plan is being worked on. */
const script: Script = ({ kind, toolNames, stepOfTurn, lastUserText }) => {
  if (kind !== "main") return undefined
  if (!toolNames.includes("task")) return { text: "on it", hang: true }
  return stepOfTurn === 0 && lastUserText.includes("Start the plan")
    ? { toolCalls: [delegate("todo:2", { prompt: "Show the cart" })] }
    : { text: "ok" }
}

test(
  "its own server's plan is started again without a question about another opencode",
  async () => {
    const model = await startScriptedModel(script)
    const folders = makeHostFolders(model.url, {
      version: PINNED_VERSION,
      files: { ".boulder/plans/shop.md": PLAN },
    })
    const { project, env } = folders
    writeFileSync(join(project, "tui.json"), JSON.stringify({ plugin: [`file://${REPO}`] }))
    const binary = await hostBinary(PINNED_VERSION)
    const server = spawn(binary, ["serve", "--port", "0"], {
      cwd: project,
      env,
      stdio: ["ignore", "pipe", "ignore"],
    })
    const url = await printedUrl(server)
    const screen = openTerminal([binary, "attach", url], {
      cwd: project,
      env,
      columns: 160,
      rows: 44,
    })
    const start = async (): Promise<void> => {
      screen.type("/boulder-start")
      await screen.see(/\/boulder-start +\S/)
      screen.type("\r")
      await screen.see("Start or resume which plan?")
      screen.type("shop")
      await screen.see(/shop +1\/3 settled/)
      screen.type("\r")
      await screen.miss("Start or resume which plan?")
    }
    try {
      await screen.see("ctrl+p commands")
      await start()
      await screen.see("▶ todo:2")
      await start()
      await screen.see(/QUEUED|\/start-work[\s\S]*\/start-work/)
      expect(screen.text()).not.toContain("Another opencode works on")
    } finally {
      await screen.stop()
      server.kill()
      await model.stop().catch(() => undefined)
    }
  },
  LIMIT_MS,
)
