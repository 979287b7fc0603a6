// Shows the progress of a run on the terminal.
import { basename } from "node:path"
import type { Need, RunEvent } from "../../headless/run-event.ts"
import { cleanLine, cleanText } from "../../plan/model/foreign-text.ts"
import { minuteWords } from "../../prompts/pause-words.ts"
import { doneWords, reasonSays } from "../../prompts/reasons.ts"
import type { Typed } from "../../prompts/typed-command.ts"
import { stateWords } from "../../prompts/work-state-words.ts"
import { localTime } from "../terminal/local-time.ts"
import { type Terminal, tell } from "../terminal/terminal.ts"
import { fitLine } from "./columns.ts"
import { hourWords } from "./pace.ts"
import { progressBar, progressLine } from "./progress-bar.ts"

/** What may happen between one short wait and the next. */
const BETWEEN_WAITS: ReadonlySet<RunEvent["kind"]> = new Set(["waits", "tokens", "decision"])
/** A shorter wait is shown to the second. */
const LONG_MS = 60_000

type Task = { readonly key: string; readonly title: string }

const REDRAW = `\r${String.fromCodePoint(0x1b)}[2K`

/** Shows a run while it goes on: one redrawn bar on a terminal, plain lines anywhere else. */
export function openRunView(
  terminal: Pick<Terminal, "out" | "isInteractive" | "columns" | "typed">,
  options: { readonly showHints: boolean },
) {
  const running: Task[] = []
  let progress: RunEvent & { kind: "progress" } = {
    kind: "progress",
    settled: 0,
    total: 0,
    next: null,
  }
  let wait: Wait | null = null
  let saidUntil: string | null = null
  let server = ""
  let bar = ""

  const draw = (): void => {
    const { settled, total, next } = progress
    if (!terminal.isInteractive || total === 0) return
    const task = running.at(-1) ?? next
    const before = bar
    const width = terminal.columns() - 1
    bar =
      wait === null
        ? progressLine({ settled, total, task }, width)
        : fitLine(
            `${progressLine({ settled, total, task: null }, width)} · ${spanWords(wait.leftMs)} left · ${waitText(wait, terminal.typed, localTime)}`,
            width,
          )
    if (bar !== before) terminal.out(REDRAW + bar)
  }
  const print = (text: string): void => {
    if (bar !== "") terminal.out(REDRAW)
    tell(terminal, `${text}\n`)
    bar = ""
  }
  /** Whether to report a wait: several short ones in a row, such as the host's quick retries, are one line. */
  const isNews = ({ state, leftMs }: Wait): boolean => {
    if (state.until === saidUntil || (saidUntil !== null && leftMs < LONG_MS)) return false
    saidUntil = state.until
    return true
  }
  const track = (event: RunEvent): void => {
    if (event.kind === "waits") wait = waitOf(event)
    if (!BETWEEN_WAITS.has(event.kind)) saidUntil = null
    if (event.kind === "progress") progress = event
    if (event.kind !== "task") return
    const task = { key: event.key ?? "", title: event.title }
    if (event.state === "delegated") running.push(task)
    else
      running.splice(
        Math.max(
          0,
          running.findIndex(({ key }) => key === task.key),
        ),
        1,
      )
  }

  return {
    show(event: RunEvent) {
      const { settled, total } = progress
      track(event)
      if (event.kind === "server") server = event.url
      // The next task may be another one at the same counts.
      const isKnown =
        event.kind === "progress" && settled === event.settled && total === event.total
      const text = isKnown ? null : eventText(event, { ...terminal, ...options, server })
      if (text !== null) print(text)
      if (event.kind === "waits" && wait !== null && isNews(wait))
        print(`${waitText(wait, terminal.typed, minuteWords)} (in ${spanWords(wait.leftMs)})`)
      draw()
    },
    /** Removes the bar; nothing is shown afterwards. */
    end() {
      if (bar !== "") terminal.out(REDRAW)
      bar = ""
    },
  }
}

interface Shown extends Pick<Terminal, "isInteractive" | "columns" | "typed"> {
  readonly showHints: boolean
  readonly server: string
}

/** An event as printed; null for one that only moves the bar. */
function eventText(
  event: RunEvent,
  { isInteractive, columns, typed, showHints, server }: Shown,
): string | null {
  switch (event.kind) {
    case "starting":
      return `starting ${cleanLine(basename(event.program, ".exe"))}`
    case "server":
      return `server ${event.started ? "started" : "attached"} at ${cleanLine(event.url)}`
    case "session":
      return `session ${cleanLine(event.sessionId)}`
    case "progress":
      if (isInteractive) return null
      return `${progressBar(event.settled, event.total)} ${event.settled}/${event.total} settled`
    case "task":
      return fitLine(taskText(event), columns())
    case "decision":
      // The call's own line says as much.
      if (event.reason === "task-named") return null
      return `${doneWords(event.decision)}: ${reasonSays(event.reason)}${whyWords(event)}`
    case "hint":
      return showHints ? hintText(event) : null
    case "user":
      return `user: ${cleanLine(event.text)}`
    case "note":
      return `Note: ${cleanLine(event.text)}`
    case "needs":
      return needLine(event.need, typed, server)
    case "begun":
    case "waits":
    case "tokens":
      return null
  }
}

function whyWords({ why, limited }: RunEvent & { kind: "decision" }): string {
  if (limited !== undefined)
    return ` (${cleanLine(limited.task)}, until ${minuteWords(limited.until)})`
  return why === undefined ? "" : ` (${cleanLine(why)})`
}

/** What waits for a person while the run stays, and how another terminal can answer it. */
function needLine({ reason, detail, requestId }: Need, typed: Typed, server: string): string {
  const head = `waits for you (${reason})${detail === "" ? "" : `: ${cleanLine(detail).slice(0, 300)}`}`
  if (requestId === undefined) return `${head}\n   ${typed("approve")}`
  const answer = { as: reason === "permission" ? "--yes, --always or --no" : "<choice>" }
  return `${head}\n   ${typed("answer", requestId, answer, { as: `--attach ${cleanLine(server)}` })}`
}

/** What the work waits for while it needs nobody. */
interface Wait {
  readonly state: NonNullable<(RunEvent & { kind: "waits" })["state"]>
  readonly leftMs: number
}

function waitOf({ state, leftMs }: RunEvent & { kind: "waits" }): Wait | null {
  return state === null ? null : { state, leftMs }
}

function waitText(
  { state, leftMs }: Wait,
  typed: Typed,
  timeOf: (iso: string, toSecond: boolean) => string,
): string {
  return stateWords(state, { typed, timeOf: (iso) => timeOf(iso, leftMs < LONG_MS) })
}

/** A span of time still to come, rounded up to the minute, or to the second in the last minute. */
function spanWords(ms: number): string {
  if (ms < LONG_MS) return `${Math.ceil(ms / 1_000)} s`
  const minutes = Math.ceil(ms / 60_000)
  const days = Math.floor(minutes / 1_440)
  return days > 0 ? `${days} d ${Math.floor((minutes % 1_440) / 60)} h` : hourWords(minutes)
}

const WHAT: Readonly<Record<(RunEvent & { kind: "task" })["state"], string>> = {
  delegated: "-> ",
  returned: "<- ",
  failed: "x  ",
}

function taskText({ key, title, state, resumed }: RunEvent & { kind: "task" }): string {
  const again = resumed && state === "delegated" ? " (resumed)" : ""
  return `${WHAT[state]}${key === null ? "" : `${cleanLine(key)} `}${cleanLine(title)}${again}`
}

/** Word for word, so that people see what the model sees. */
function hintText({ text }: RunEvent & { kind: "hint" }): string {
  return cleanText(text)
    .split("\n")
    .map((line) => `   | ${line}`)
    .join("\n")
}
