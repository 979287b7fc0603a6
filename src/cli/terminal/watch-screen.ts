// Shows what changes, until the command ends.
import { setTimeout as sleep } from "node:timers/promises"
import type { Terminal } from "./terminal.ts"

const WATCH_MS = 1_000
const ESC = String.fromCodePoint(0x1b)

/** Reads once a second. A terminal is redrawn; anything else gets only changes, as JSON if asked for. */
export async function watchScreen(
  terminal: Terminal,
  asJson: boolean,
  read: () => Promise<{ readonly text: string; readonly json: string }>,
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
    // Restores what was on the screen before, and puts what was seen last below it.
    if (isScreen) terminal.out(`${OWN_SCREEN}${last.text}`)
  }
}

/** Switches to the alternate screen, and back to the one with what was printed. */
const OTHER_SCREEN = `${ESC}[?1049h`
const OWN_SCREEN = `${ESC}[?1049l`

/** Written line by line over the old text, so that nothing flickers; lines without a row on the terminal are counted. */
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
