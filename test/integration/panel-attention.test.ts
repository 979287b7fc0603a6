import { afterAll, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { TESTED_VERSIONS } from "../support/host-version.ts"
import { waitUntil } from "../support/host-wait.ts"
import { type PanelInHost, startPanel } from "../support/panel-in-host.ts"

/** A terminal interface under a loaded machine. */
const LIMIT_MS = 180_000
/** What a terminal says when its person looks elsewhere. */
const LOOKS_ELSEWHERE = "\u001b[O"

let panel: PanelInHost
afterAll(() => panel.stop())

/** 1.14 ignores a tui.json with `attention` in it: docs/PANEL.md. */
const WITH_ATTENTION = TESTED_VERSIONS.filter((version) => !version.startsWith("1.14."))

test.each(WITH_ATTENTION)(
  "opencode %s: a work that has come to need its person is told by the host's own notification",
  async (version) => {
    panel = await startPanel(version, {
      columns: 120,
      tui: { attention: { enabled: true } },
      terminal: "ghostty",
      pluginOptions: { continuation: { cooldown_seconds: 0, no_progress_turns: 1 } },
      script: () => ({ text: "nothing done" }),
    })
    const { screen, command, project } = panel
    await screen.see("ctrl+p commands")
    await command("boulder-start")
    await screen.see(/auth 1\/5 settled, 1 blocked/)
    screen.type(LOOKS_ELSEWHERE)
    screen.type("sho")
    await screen.miss("auth 1/5")
    screen.type(`\r${LOOKS_ELSEWHERE}`)
    await waitUntil(
      () => readFileSync(join(project, ".boulder/boulder.json"), "utf8").includes("no-progress"),
      () => screen.text(),
    )
    await waitUntil(
      () => screen.told().some((words) => words.includes("shop is paused")),
      () => `${JSON.stringify(screen.told())}\n${screen.text()}`,
    )
    const ours = screen.told().filter((words) => words.includes("shop is paused"))
    expect(ours).toHaveLength(1)
  },
  LIMIT_MS,
)
