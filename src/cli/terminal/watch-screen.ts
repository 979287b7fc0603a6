// Shows what changes, until the command is ended.
import { setTimeout as sleep } from "node:timers/promises"
import type { Terminal } from "./terminal.ts"

const WATCH_MS = 1_000
const ESC = String.fromCodePoint(0x1b)

/** What is shown at a moment: for a person, and as one line of JSON by which a change is seen. */
interface Shown {
  readonly text: string
  readonly json: string
}

/** Reads once a second; a terminal is drawn anew, anything else gets what has changed, as JSON if asked for. */
export async function watchScreen(
  terminal: Terminal,
  asJson: boolean,
  read: () => Promise<Shown>,
): Promise<void> {
  let before = ""
  while (!terminal.signal.aborted) {
    const { text, json } = await read()
    if (terminal.isInteractive && !asJson) terminal.out(redrawn(text, terminal.rows()))
    else if (json !== before) terminal.out(asJson ? json : text)
    before = json
    await sleep(WATCH_MS, undefined, { signal: terminal.signal }).catch(() => undefined)
  }
}

/** Written over what stood there, line by line, so that nothing flickers; what the terminal has no row for is left out. */
function redrawn(text: string, rows: number): string {
  const lines = text
    .trimEnd()
    .split("\n")
    .slice(0, Math.max(1, rows - 1))
  return `${ESC}[H${lines.map((line) => `${line}${ESC}[K\n`).join("")}${ESC}[J`
}
