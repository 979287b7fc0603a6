// Whether a shell command runs a check, and what its exit code says of that check.
/** How the run of a check has ended. */
export type RunOutcome =
  | "passed"
  | "failed"
  /** It could not be run: there is no such command, or its time was over. */
  | "unavailable"
  /** It was run, but the exit code is another command's: of a pipe, say. */
  | "unknown"

/** How a command of a shell has ended: its exit code; null where it was ended before it had one. */
export type ShellExit = number | null

const MAX_COMMAND = 20_000
const MAX_TRIES = 20
/** What ends a shell before the check, or makes another thing of what follows. */
const DIVERTS = new Set(
  "exit exec return kill trap eval alias function break continue logout if then else elif while until for do case select coproc { ! [[".split(
    " ",
  ),
)
/** Words before a command that run it all the same. */
const WRAPPER =
  /^(?:[A-Za-z_]\w*=(?:"[^"$`]*"|'[^']*'|[^\s"'$`;&|]*)|time|nice|nohup|command|env|timeout(?: -\S+)* \d+[smh]?) /
const REDIRECTION = /^(?:\d?>&\d|&?\d?>{1,2} ?[^\s;&|<>()`$]+|<(?: ?\/dev\/null)) ?/

/**
 * What a command of a shell says of a check, white space apart; null where it does not run
 * it. Before the check other commands may stand, behind it redirections: with further arguments it is another command.
 * Never proof: a check in quotes, behind `||`, or one whose exit code a pipe or a later command hides.
 */
export function checkRun(command: string, check: string, exit: ShellExit): RunOutcome | null {
  const text = ` ${oneLine(command)} `
  const wanted = ` ${oneLine(check)}`
  if (wanted === " " || command.length > MAX_COMMAND) return null
  // The last run says how it went.
  let at = text.lastIndexOf(wanted)
  for (let tries = 0; at >= 0 && tries < MAX_TRIES; tries++) {
    const before = text.slice(1, at + 1)
    const lead = leadOf(before)
    const trail = lead === null ? null : trailOf(text.slice(at + wanted.length), before)
    if (lead !== null && trail !== null) return outcomeOf(lead, trail, exit)
    at = at === 0 ? -1 : text.lastIndexOf(wanted, at - 1)
  }
  return null
}

/** A command with one blank wherever there is white space; lines are commands of their own. */
function oneLine(command: string): string {
  return command
    .slice(0, MAX_COMMAND)
    .replace(/\\\r?\n/g, " ")
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ; ")
    .replace(/(?<!\\);/g, " ; ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^\( ?/, "( ")
    .replace(/(?<=[^\s$]) ?\)$/, " )")
}

/** What the exit code says of a check by what stands before it. */
type Lead = "own" | "all-before"
/** And by what stands behind it. */
type Trail = "own" | "all-behind" | "either" | "hidden"

/** Null where the check is not at the place of a command, or nobody can tell whether it is reached. */
function leadOf(before: string): Lead | null {
  if (hasOpenQuote(before) || /<<|\(\)|`|(?:^| )#/.test(before)) return null
  let rest = before
  for (let wrapper = lastWrapper(rest); wrapper !== null; wrapper = lastWrapper(rest))
    rest = wrapper
  if (rest === "" || rest === "( ") return "own"
  const parts = rest.split(/ ?(&&|\|\||;|\||&(?!\d|>)) /)
  if (parts.at(-1) !== "") return null
  const joints = parts.filter((_, at) => at % 2 === 1)
  const commands = parts.filter((_, at) => at % 2 === 0).slice(0, -1)
  const isDiverted = commands.some((one) =>
    DIVERTS.has(one.replace(/^\( /, "").split(" ", 1)[0] ?? ""),
  )
  if (isDiverted || joints.includes("||") || joints.at(-1) === "|") return null
  return joints.at(-1) === "&&" && !isHarmless(commands) ? "all-before" : "own"
}

/** `before` without the wrapper that it ends in; null where it ends in none. */
function lastWrapper(before: string): string | null {
  const from = Math.max(...[" && ", "; ", "( ", " & "].map((joint) => end(before, joint)), 0)
  const last = before.slice(from)
  const wrapper = WRAPPER.exec(last)?.[0]
  return wrapper === undefined ? null : before.slice(0, from) + last.slice(wrapper.length)
}

function end(text: string, joint: string): number {
  const at = text.lastIndexOf(joint)
  return at < 0 ? 0 : at + joint.length
}

/** Commands whose failure nobody takes for the check's. */
function isHarmless(commands: readonly string[]): boolean {
  return commands.every((one) =>
    /^(?:\( )?(?:cd|set|export|source|\.|echo|pwd|true)(?: |$)/.test(one),
  )
}

/** Null where the check goes on: with further arguments it is another command. */
function trailOf(behind: string, before: string): Trail | null {
  if (behind !== "" && !behind.startsWith(" ")) return null
  const rest = withoutRedirections(behind.trimStart(), before)
  if (rest === "" || rest === "; ") return "own"
  if (/^\|&? /.test(rest)) return isPipeOwn(rest, before) ? "own" : "hidden"
  const [joint = ""] = rest.split(" ", 1)
  return TRAILS.get(joint) ?? null
}

const TRAILS: ReadonlyMap<string, Trail> = new Map([
  ["&&", "all-behind"],
  ["||", "either"],
  [";", "hidden"],
  ["&", "hidden"],
])

function withoutRedirections(behind: string, before: string): string {
  let rest = behind
  for (let one = REDIRECTION.exec(rest); one !== null; one = REDIRECTION.exec(rest))
    rest = rest.slice(one[0].length)
  return /^\) ?/.test(rest) && before.startsWith("( ") ? rest.slice(1).trimStart() : rest
}

/** A pipe ends as its first command does under `pipefail`, or where the exit code is handed on. */
function isPipeOwn(rest: string, before: string): boolean {
  if (/^\|&? [^;&|]*; exit "?\$\{PIPESTATUS\[0\]\}"? ?;? ?$/.test(rest)) return true
  return /(?:^| )set (?:-\w*o|-o) pipefail (?:&&|;) /.test(before) && !/[;&]| \|\| /.test(rest)
}

function outcomeOf(lead: Lead, trail: Trail, exit: ShellExit): RunOutcome {
  if (exit === null) return "unavailable"
  if (trail === "hidden") return "unknown"
  if (exit === 0) return trail === "either" ? "unknown" : "passed"
  if (lead === "all-before" || trail === "all-behind") return "unknown"
  return exit === 126 || exit === 127 ? "unavailable" : "failed"
}

/** Whether what follows stands in quotes. */
function hasOpenQuote(text: string): boolean {
  let open = ""
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === "\\" && open !== "'") at++
    else if (open === "" && (sign === '"' || sign === "'")) open = sign
    else if (sign === open) open = ""
  }
  return open !== ""
}
