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
  const isScreen = terminal.isInteractive && !asJson
  const last = { text: "", json: "" }
  if (isScreen) terminal.out(OTHER_SCREEN)
  try {
    while (!terminal.signal.aborted) {
      const { text, json } = await read()
      if (isScreen) terminal.out(redrawn(text, terminal.rows()))
      else if (json !== last.json) terminal.out(asJson ? json : text)
      Object.assign(last, { text, json })
      await sleep(WATCH_MS, undefined, { signal: terminal.signal }).catch(() => undefined)
    }
  } finally {
    // What stood on the screen before is there again, and below it what was seen last.
    if (isScreen) terminal.out(`${OWN_SCREEN}${last.text}`)
  }
}

/** The screen that programs draw on, and back to the one with what was printed. */
const OTHER_SCREEN = `${ESC}[?1049h`
const OWN_SCREEN = `${ESC}[?1049l`

/** Written over what stood there, line by line, so that nothing flickers; what the terminal has no row for is counted. */
function redrawn(text: string, rows: number): string {
  const all = text.trimEnd().split("\n")
  const room = Math.max(1, rows - 1)
  const kept = all.length <= room ? all : all.slice(0, room - 1)
  const more = all.length - kept.length
  const lines = more === 0 ? kept : [...kept, moreWords(more)]
  return `${ESC}[H${lines.map((line) => `${line}${ESC}[K\n`).join("")}${ESC}[J`
}

function moreWords(lines: number): string {
  return `… ${lines === 1 ? "1 more line does" : `${lines} more lines do`} not fit here`
}
