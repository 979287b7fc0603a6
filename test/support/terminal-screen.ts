import xterm from "@xterm/headless"
import { waitUntil } from "./host-wait.ts"
import { screenSvg } from "./screen-svg.ts"

/** A program in a terminal of its own, and what is on its screen. */
export type TerminalScreen = {
  /** The rows of the screen, each without the spaces at its end. */
  rows(): readonly string[]
  /** The rows as one text. */
  text(): string
  /** The same with its colours, as SVG. */
  picture(): string
  /** The notifications that it has asked the terminal for, each as it came (OSC 9, 99, 777). */
  told(): readonly string[]
  /** Waits until the screen shows this text, or one that matches. */
  see(wanted: string | RegExp): Promise<void>
  /** Waits until it no longer does. */
  miss(unwanted: string | RegExp): Promise<void>
  /** Types keys, as a terminal sends them. */
  type(keys: string): void
  resize(columns: number, rows: number): Promise<void>
  isRunning(): boolean
  stop(): Promise<void>
}

const LIMIT_MS = 120_000
/** What a person types next comes this long after what the screen shows, in ms. */
const SETTLE_MS = 150

/** Starts a program in a terminal with this many columns and rows. Needs nothing but Bun and an emulator. */
export function openTerminal(
  command: readonly string[],
  given: {
    readonly cwd: string
    readonly env: Readonly<Record<string, string>>
    readonly columns: number
    readonly rows: number
  },
): TerminalScreen {
  const { cwd, env, columns: cols, rows } = given
  const screen = new xterm.Terminal({ cols, rows, allowProposedApi: true, scrollback: 0 })
  const told: string[] = []
  for (const kind of [9, 99, 777])
    screen.parser.registerOscHandler(kind, (words) => {
      told.push(words)
      return true
    })
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...env, TERM: "xterm-256color" },
    terminal: {
      cols,
      rows,
      data: (_, bytes) => screen.write(new Uint8Array(bytes)),
    },
  })
  const { terminal } = child
  if (terminal === undefined) throw new Error("Expected a terminal of Bun's; found none.")
  // It asks what terminal it is in, and waits for the answer.
  screen.onData((answer) => terminal.write(answer))
  const lines = (): readonly string[] =>
    Array.from({ length: screen.rows }, (_, row) =>
      (screen.buffer.active.getLine(row)?.translateToString(true, 0, screen.cols) ?? "").trimEnd(),
    )
  const text = () => lines().join("\n")
  const has = (wanted: string | RegExp) =>
    typeof wanted === "string" ? text().includes(wanted) : wanted.test(text())
  const until = async (what: string, isSo: () => boolean): Promise<void> => {
    await waitUntil(isSo, () => `the screen:\n${text()}`, { what, timeoutMs: LIMIT_MS })
    await Bun.sleep(SETTLE_MS)
  }
  return {
    rows: lines,
    text,
    told: () => told,
    picture: () => screenSvg(screen),
    see: (wanted) => until(`the screen shows ${wanted}`, () => has(wanted)),
    miss: (unwanted) => until(`the screen shows no more ${unwanted}`, () => !has(unwanted)),
    type: (keys) => void terminal.write(keys),
    async resize(columns, height) {
      screen.resize(columns, height)
      terminal.resize(columns, height)
      await Bun.sleep(SETTLE_MS)
    },
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill("SIGKILL")
      await child.exited
      terminal.close()
      screen.dispose()
    },
  }
}
