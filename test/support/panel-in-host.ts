import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { makeHostFolders } from "./host-folders.ts"
import { hostBinary, REPO } from "./host-version.ts"
import { delegate } from "./plans.ts"
import { type Script, type ScriptedModel, startScriptedModel } from "./scripted-model.ts"
import { openTerminal, type TerminalScreen } from "./terminal-screen.ts"

/** The real terminal interface of a host on a project of two plans, with the panel. */
export type PanelInHost = {
  readonly screen: TerminalScreen
  readonly model: ScriptedModel
  readonly project: string
  /** Types a slash command and Enter; the prompt must be empty. */
  command(name: string): Promise<void>
  /** Closes a dialog. */
  close(): Promise<void>
  write(path: string, text: string): void
  /** A second terminal interface of the same user on the same project. */
  another(): Keyboard
  stop(): Promise<void>
}

/** A terminal interface, and what is typed in it. */
export type Keyboard = Pick<PanelInHost, "screen" | "command" | "close">

/** Five tasks: one done, one with wide characters, one that waits for another, one blocked. */
const SHOP = `# Shop

## TODOs

- [x] 1. Read the cart
- [ ] 2. Show the cart with 漢字 and a very long title that does not fit
- [ ] 3. Pay with a card
- [ ] 4. Ship it
- [!] 5. Get the key
  BLOCKED: no key for the cloud. Unblock when the key is in .env
`

/** A lead that delegates `todo:2` to a subagent that never comes back. */
const HANGING: Script = (request) => {
  if (request.kind !== "main") return undefined
  if (!request.toolNames.includes("task")) return { text: "on it", hang: true }
  return request.stepOfTurn === 0 && request.lastUserText.includes("Start the plan")
    ? { toolCalls: [delegate("todo:2", { prompt: "Show the cart" })] }
    : { text: "ok" }
}

/** The corner of a dialog, the host's own or ours. A running turn says "esc interrupt". */
const DIALOG = / {3,}esc(?! +(?:again to +)?interrupt)(?: |$)/m

/** Starts a host of this version. */
export async function startPanel(
  version: string,
  given: {
    readonly columns: number
    readonly rows?: number
    /** What `plugin` of tui.json names. Default: this checkout. */
    readonly tuiPlugin?: (project: string) => string
    /** False: only the server part. */
    readonly hasPanel?: boolean
    /** False: only the panel. */
    readonly hasServer?: boolean
    /** Default: two plans of five tasks. */
    readonly files?: Readonly<Record<string, string>>
    /** Default: the lead delegates `todo:2` to a subagent that never comes back. */
    readonly script?: Script
    readonly pluginOptions?: Readonly<Record<string, unknown>>
    readonly permission?: unknown
    /** What else tui.json says. */
    readonly tui?: Readonly<Record<string, unknown>>
    /** The name of its terminal, as `TERM_PROGRAM` gives it. */
    readonly terminal?: string
  },
): Promise<PanelInHost> {
  const {
    columns,
    rows = 44,
    tuiPlugin = () => `file://${REPO}`,
    files = {},
    hasPanel = true,
    hasServer = true,
    script = HANGING,
    pluginOptions,
    permission,
    tui = {},
    terminal,
  } = given
  const model = await startScriptedModel(script)
  const folders = makeHostFolders(model.url, {
    version,
    ...(hasServer ? {} : { plugin: [] }),
    ...(pluginOptions === undefined ? {} : { pluginOptions }),
    ...(permission === undefined ? {} : { permission }),
    files: { ".boulder/plans/shop.md": SHOP, ".boulder/plans/auth.md": SHOP, ...files },
  })
  const { project, env } = folders
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  if (hasPanel) write("tui.json", JSON.stringify({ plugin: [tuiPlugin(project)], ...tui }))
  const screens: TerminalScreen[] = []
  const binary = await hostBinary(version)
  const open = (): Keyboard => {
    const ofTerminal = terminal === undefined ? {} : { TERM_PROGRAM: terminal }
    const screen = openTerminal([binary], {
      ...{ cwd: project, env: { ...env, ...ofTerminal } },
      ...{ columns, rows },
    })
    screens.push(screen)
    return keyboardOf(screen)
  }
  return {
    ...open(),
    model,
    project,
    write,
    another: open,
    async stop() {
      for (const screen of screens) await screen.stop()
      await model.stop().catch(() => undefined)
    },
  }
}

function keyboardOf(screen: TerminalScreen): Keyboard {
  return {
    screen,
    async command(name) {
      screen.type(`/${name}`)
      await screen.see(new RegExp(`/${name} +\\S`))
      screen.type("\r")
    },
    async close() {
      screen.type("\u001b")
      // A terminal that reads the next letter together with the Escape takes both for Alt and that letter.
      await screen.miss(DIALOG)
      await Bun.sleep(600)
    },
  }
}
