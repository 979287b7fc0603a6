import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { REPO, TESTED_VERSIONS } from "../support/host-version.ts"
import { type PanelInHost, startPanel } from "../support/panel-in-host.ts"

/** A terminal interface under a loaded machine. */
const LIMIT_MS = 180_000
/** The panel looks at the files, and is drawn anew, each second. */
const REDRAWN_MS = 1_600

describe.each(TESTED_VERSIONS.map((version) => ({ version })))("the panel in $version", (one) => {
  const hasBottom = !one.version.startsWith("1.14.")
  let panel: PanelInHost
  beforeAll(async () => {
    panel = await startPanel(one.version, {
      columns: 160,
      pluginOptions: { reuse: "sometimes" },
    })
  }, LIMIT_MS)
  afterAll(() => panel.stop())
  const plan = () => readFileSync(join(panel.project, ".boulder/plans/shop.md"), "utf8")

  test(
    "a plan is chosen from a list, by typing, and begun in a session",
    async () => {
      const { screen, command } = panel
      await screen.see("ctrl+p commands")
      // The panel is there. The toast about the option may have replaced the greeting.
      await screen.see(/opencode-boulder \d+\.\d+\.\d+:|boulder: an option is wrong/)
      await command("boulder-start")
      await screen.see(/auth 1\/5 settled, 1 blocked/)
      screen.type("sho")
      await screen.miss("auth 1/5")
      screen.type("\r")
      await screen.see(/▶ todo:2 Show the cart with 漢字/)
    },
    LIMIT_MS,
  )

  test("the chat shows what was typed; our words reach the model alone, and the title is the plan's", async () => {
    const { screen, model } = panel
    const typed = "/start-work .boulder/plans/shop.md"
    await screen.see(typed)
    expect(screen.text()).not.toContain("Delegate each task")
    const words = model.mainRequests()[0]?.lastUserText ?? ""
    expect(words).toContain("Delegate each task")
    expect(words).not.toContain(typed)
    expect(model.requests.some(({ kind }) => kind === "title")).toBe(false)
  })

  test.each([
    { columns: 200, isWide: true },
    { columns: 160, isWide: true },
    { columns: 120, isWide: false },
    { columns: 80, isWide: false },
  ])(
    "at $columns columns",
    async ({ columns, isWide }) => {
      const { screen } = panel
      await screen.resize(columns, 44)
      await screen.see(/█░░░░░░░ 1\/5/)
      if (hasBottom) await screen.see(/^ shop 1\/5 · working · todo:2 Show the cart/m)
      if (isWide)
        for (const part of [
          /shop {10,}1\/5$/m,
          "an option is wrong, see",
          "████░░░░░░░░░░░░░░░░",
          /general \d+s, heard \d+s ago/,
          "· todo:3 Pay with a card",
          "✖ todo:5 Get the key",
          "until the key is in .env",
        ])
          await screen.see(part)
      else await screen.miss("· todo:3 Pay with a card")
    },
    LIMIT_MS,
  )

  /** Each key that docs/PANEL.md names; `ctrl+x i` is pressed where something waits for an answer. */
  test.if(hasBottom).each([
    { key: "w", shows: "1/5 settled, 1 blocked  working" },
    { key: "p", shows: "Start or resume which plan?" },
    { key: "i", shows: "No plan is waiting for you" },
  ])(
    "ctrl+x $key, while a turn runs",
    async ({ key, shows }) => {
      const { screen, close } = panel
      screen.type(`\u0018${key}`)
      await screen.see(shows)
      await close()
      await screen.miss(shows)
    },
    LIMIT_MS,
  )

  test.each([
    { name: "boulder-status", shows: "1/5 settled, 1 blocked  working" },
    { name: "boulder-why", shows: "Decisions" },
    { name: "boulder-works", shows: "shop" },
    { name: "boulder-cost", shows: "Cost" },
  ])(
    "/$name asks no model, and is a dialog",
    async ({ name, shows }) => {
      const { screen, model, command, close } = panel
      const asked = model.requests.length
      await command(name)
      await screen.see(shows)
      await screen.see("Search")
      await close()
      await screen.miss("Search")
      expect(model.requests.length).toBe(asked)
    },
    LIMIT_MS,
  )

  test(
    "stop, resume and unblock do what the command line does, with the provider down",
    async () => {
      const { screen, model, command, close } = panel
      const asked = model.requests.length
      await model.stop().catch(() => undefined)
      await command("boulder-stop")
      await screen.see("Stopped: shop")
      await screen.see(/1\/5 paused/)
      await command("boulder-unblock")
      await screen.see("Unblock which task?")
      screen.type("\r")
      await screen.see("Unblocked: todo:5")
      expect(plan()).toContain("- [ ] 5. Get the key")
      await command("boulder-resume")
      await screen.see("Resumed: shop")
      await screen.miss(/1\/5 paused/)
      await command("boulder-approve")
      await screen.see(/found\s+none/)
      await close()
      await command("boulder-answer")
      await screen.see("No plan is waiting for you")
      await close()
      expect(model.requests.length).toBe(asked)
    },
    LIMIT_MS,
  )

  test.each([
    // Between two tries of the host it waits for the provider, and says until when.
    { name: "boulder-status", shows: /1\/5 settled {2}(?:working|waiting)/ },
    { name: "boulder-why", shows: "Decisions" },
    { name: "boulder-works", shows: "shop" },
    { name: "boulder-cost", shows: "Cost" },
    { name: "boulder-start", shows: "Start or resume which plan?" },
  ])(
    "/$name opens with the provider down",
    async ({ name, shows }) => {
      const { screen, command, close } = panel
      await command(name)
      await screen.see("Search")
      await screen.see(shows)
      await close()
      await screen.miss("Search")
    },
    LIMIT_MS,
  )

  test(
    "a plan begins with the provider down, from another terminal, and is shown",
    async () => {
      const { screen, command } = panel.another()
      await screen.see("ctrl+p commands")
      await command("boulder-start")
      await screen.see("Start or resume which plan?")
      screen.type("auth")
      await Bun.sleep(600)
      screen.type("\r")
      await screen.see("/start-work .boulder/plans/auth.md")
      await screen.see(/auth {10,}1\/5$/m)
    },
    LIMIT_MS,
  )

  test(
    "view files that are torn, foreign or gone change nothing, and end nothing",
    async () => {
      const { screen, write, project } = panel
      write(".boulder/live/torn.json", '{"version":1,"wri')
      write(".boulder/live/other.json", '{"version":1,"writer":5,"works":{}}')
      await Bun.sleep(REDRAWN_MS)
      await screen.see(/█░░░░░░░ 1\/5/)
      rmSync(join(project, ".boulder"), { recursive: true })
      await Bun.sleep(REDRAWN_MS)
      expect(screen.isRunning()).toBe(true)
      screen.type("still here")
      await screen.see("still here")
    },
    LIMIT_MS,
  )
})

/** The panel with a host that throws where the file `fault` says. */
const FAULTY = `
import panel from "${REPO}/dist/tui.js"
import { readFileSync } from "node:fs"
import { join } from "node:path"
export default {
  id: "faulty",
  tui: (api) => {
    const file = join(api.state.path.directory, "fault")
    const check = (name) => {
      let wanted = ""
      try { wanted = readFileSync(file, "utf8") } catch {}
      if (wanted.includes(name)) throw new Error("provoked: " + name)
    }
    const faulty = {
      theme: { get current() { check("theme"); return api.theme.current } },
      renderer: { get width() { check("width"); return api.renderer.width } },
      route: {
        get current() { check("route"); return api.route.current },
        navigate: (...args) => api.route.navigate(...args),
      },
      keymap: api.keymap && { registerLayer: (layer) => { check("keymap"); return api.keymap.registerLayer(layer) } },
      ui: { ...api.ui, dialog: { replace: (make) => { check("dialog"); api.ui.dialog.replace(make) }, clear: () => api.ui.dialog.clear(), setSize: (size) => api.ui.dialog.setSize(size) } },
    }
    return panel.tui(new Proxy(api, { get: (host, name) => (name in faulty ? faulty[name] : host[name]) }))
  },
}
`

describe.each(TESTED_VERSIONS.map((version) => ({ version })))("faults in $version", (one) => {
  let panel: PanelInHost
  beforeAll(async () => {
    panel = await startPanel(one.version, {
      columns: 160,
      files: { "faulty.mjs": FAULTY },
      tuiPlugin: (project) => `file://${project}/faulty.mjs`,
    })
    await panel.screen.see("ctrl+p commands")
    await panel.command("boulder-start")
    await panel.screen.see("auth")
    panel.screen.type("shop")
    await panel.screen.miss("auth 1/5")
    panel.screen.type("\r")
    await panel.screen.see("▶ todo:2")
  }, LIMIT_MS)
  afterAll(() => panel.stop())

  test.each([{ fault: "theme" }, { fault: "width" }, { fault: "route" }, { fault: "dialog" }])(
    "a host that throws at its $fault later is not brought down",
    async ({ fault }) => {
      const { screen, write, command, close } = panel
      write("fault", fault)
      if (fault === "dialog") {
        await command("boulder-status")
        await screen.see("provoked: dialog")
      } else await Bun.sleep(REDRAWN_MS)
      expect(screen.text()).not.toContain("crashed")
      expect(screen.isRunning()).toBe(true)
      write("fault", "")
      screen.type(`typed ${fault}`)
      await screen.see(`typed ${fault}`)
      screen.type("\u0015")
      await screen.miss(`typed ${fault}`)
      await screen.see(/█░░░░░░░ 1\/5/)
      await close()
    },
    LIMIT_MS,
  )
})

describe.each(TESTED_VERSIONS.map((version) => ({ version })))(
  "without the server part in $version",
  (one) => {
    test(
      "a start says what is missing and where it belongs",
      async () => {
        const panel = await startPanel(one.version, { columns: 120, hasServer: false })
        try {
          await panel.screen.see("ctrl+p commands")
          await panel.command("boulder-start")
          await panel.screen.see("but not the plugin itself")
          await panel.screen.see('Add "opencode-boulder" to "plugin" in opencode.json')
        } finally {
          await panel.stop()
        }
      },
      LIMIT_MS,
    )
  },
)
