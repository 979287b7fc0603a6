// The ways in which a shell command with a check in it can end.
// Over 250 lines: one state goes through all that a shell does.
import { type CheckAt, mayRun, runsCheck, type Step, stepsOf } from "./find-check.ts"
import type { ShellCommand, ShellList } from "./read-shell.ts"
import {
  doingOf,
  mayChange,
  type ShellDoing,
  type ShellOptions,
  setsOtherPath,
} from "./shell-doing.ts"
import { mayMissFile, mayMissValue } from "./shell-failing.ts"

/** How a command ends on one of its possible ways. */
export interface End {
  /** `own`: with the check's own exit code, which is not 0. */
  readonly status: "zero" | "own" | "other"
  /** How the last run of the check ended; `unsure` if it goes on after the command, or something hides it. */
  readonly ran: "no" | "ok" | "bad" | "unsure"
  /** The check ran with a time limit of its own. */
  readonly isTimed: boolean
}

interface State extends End {
  /** How the first command of the last pipeline ended. */
  readonly first: End["status"]
  /** How an earlier command ended, as stored in a variable; null if no variable is known to hold that. */
  readonly saved: { readonly name: string; readonly status: End["status"] } | null
  readonly options: ShellOptions
  /** The shell has ended. */
  readonly isOver: boolean
  /** A command has run that can change the meaning of everything after it. */
  readonly isLost: boolean
}

interface Asked {
  readonly check: CheckAt
  /** The command ended with 0, so a `cd` before it may have failed. Otherwise nobody is to blame for its failure. */
  readonly isZero: boolean
  /** A check at this place counts: it is not after `!`, and not piped into another command. */
  readonly isCounted: boolean
  /** `set -e` applies here: not before `&&` or `||`, nor after `!`, nor in a group at such a place, whoever has set it. */
  readonly isErring: boolean
}

type States = readonly State[]

const NO_OPTIONS: ShellOptions = { pipefail: false, errexit: false, nounset: false }
const BEGIN: State = {
  status: "zero",
  ran: "no",
  isTimed: false,
  first: "zero",
  saved: null,
  options: NO_OPTIONS,
  isOver: false,
  isLost: false,
}

/** All the ways in which a command can end, as far as its words tell; `isZero` says whether its exit code was 0. */
export function endsOf(list: ShellList, check: CheckAt, isZero: boolean): readonly End[] {
  return runList(list, [BEGIN], { check, isZero, isCounted: true, isErring: true })
}

/** Continues from each state, and keeps each resulting state once. */
function each(states: States, run: (state: State) => States): States {
  const all = states.flatMap((state) => (state.isOver ? [state] : run(state)))
  return [...new Map(all.map((state) => [JSON.stringify(state), state])).values()]
}

function runList(list: ShellList, begin: States, asked: Asked): States {
  let states = begin
  for (const stretch of stretchesOf(stepsOf(list, asked.check))) {
    const isBehind = stretch.at(-1)?.joint === "&"
    states = each(states, (state) => {
      const ends = runStretch(stretch, state, asked)
      return isBehind ? [behind(state, ends)] : ends.flatMap((end) => erring(stretch, end, asked))
    })
  }
  return states
}

/** Groups what `&&` and `||` join. */
function stretchesOf(steps: readonly Step[]): readonly (readonly Step[])[] {
  const stretches: Step[][] = []
  let isOpen = false
  for (const step of steps) {
    if (isOpen) stretches.at(-1)?.push(step)
    else stretches.push([step])
    isOpen = step.joint === "&&" || step.joint === "||"
  }
  return stretches
}

function behind(state: State, ends: States): State {
  const isRun = ends.some(({ ran }) => ran !== state.ran)
  return { ...state, status: "zero", ran: isRun ? "unsure" : state.ran }
}

/** Under `set -e` a failure ends the shell. In a stretch, a group or a check of several commands it depends. */
function erring(stretch: readonly Step[], state: State, { isErring }: Asked): States {
  if (!isErring || !state.options.errexit || state.isOver || state.status === "zero") return [state]
  const [only, ...others] = stretch
  const isPlain = others.length === 0 && only?.isNegated === false && !only.isCheck
  const over = { ...state, isOver: true }
  return isPlain && only.commands.every(({ group }) => group === null) ? [over] : [state, over]
}

function runStretch(stretch: readonly Step[], begin: State, asked: Asked): States {
  let states: States = [begin]
  let joint: Step["joint"] = ";"
  for (const step of stretch) {
    const before = joint
    states = each(states, (state) => {
      const isZero = state.status === "zero"
      const isSkipped = before === "&&" ? !isZero : before === "||" && isZero
      const isLast = step === stretch.at(-1)
      return isSkipped
        ? [state]
        : runStep(step, state, { ...asked, isErring: asked.isErring && isLast })
    })
    joint = step.joint
  }
  return states
}

function runStep(step: Step, state: State, asked: Asked): States {
  if (step.isCheck) return runSeveral(step, state, asked)
  const [first, ...others] = step.commands
  if (first === undefined) return [state]
  const isCounted = asked.isCounted && !step.isNegated
  const isErring = asked.isErring && !step.isNegated
  const ends =
    others.length === 0
      ? runCommand(first, state, { ...asked, isCounted, isErring }).map((end) => ({
          ...end,
          first: end.status,
        }))
      : runPipe(step.commands, state, { ...asked, isCounted, isErring })
  return step.isNegated ? ends.map(negated) : ends
}

/** Runs a check of several commands. */
function runSeveral({ into, commands }: Step, state: State, asked: Asked): States {
  const isKept = into.length === 0 || (state.options.pipefail && into.every(isHarmless))
  if (!isKept || !isCertain(state, asked)) return either({ ...state, ran: "unsure" })
  const isUnopened = commands.some((one) => mayMissFile(one, asked.check.redirections))
  return [...runCheck(state, false), ...(isUnopened ? [failed(state)] : [])]
}

function isHarmless(command: ShellCommand): boolean {
  return command.group === null && doingOf(command).kind === "harmless"
}

function negated(end: State): State {
  return end.isOver ? end : { ...end, status: end.status === "zero" ? "other" : "zero" }
}

/** What looks like the check is run as the check here, and its exit code is passed on. */
function isCertain({ isLost }: State, { isCounted }: Asked): boolean {
  return isCounted && !isLost
}

/** Each command of a pipe runs in its own shell; under `pipefail` the last one that fails decides how the pipe ends. */
function runPipe(commands: readonly ShellCommand[], begin: State, asked: Asked): States {
  let ways: States = [begin]
  for (const [at, command] of commands.entries()) {
    const isFirst = at === 0
    const askedHere = { ...asked, isCounted: asked.isCounted && isFirst }
    ways = each(ways, (way) =>
      runCommand(command, { ...begin, ran: way.ran, isTimed: way.isTimed }, askedHere).map(
        (end) => {
          const isPassedOver = begin.options.pipefail && !isFirst && end.status === "zero"
          const status = isPassedOver ? way.status : end.status
          const first = isFirst ? end.status : way.first
          return { ...begin, ran: end.ran, isTimed: end.isTimed, first, status }
        },
      ),
    )
  }
  return ways
}

function runCheck(state: State, isTimed: boolean): States {
  return [
    { ...state, status: "zero", first: "zero", ran: "ok", isTimed },
    { ...state, status: "own", first: "own", ran: "bad", isTimed },
  ]
}

function runCommand(command: ShellCommand, begin: State, asked: Asked): States {
  const { group } = command
  if (group === null) return runSimple(command, begin, asked)
  return [...runGroup(group, begin, asked), ...failedByShell(command, begin, asked)]
}

/** The ways in which a command ends because the shell cannot open its files or evaluate its words. */
function failedByShell(command: ShellCommand, state: State, { check }: Asked): States {
  const { options, saved } = state
  const isUnvalued = mayMissValue(command, { ...options, saved: saved?.name })
  return [
    ...(mayMissFile(command, check.redirections) ? [failed(state)] : []),
    ...(isUnvalued ? [{ ...failed(state), isOver: true }] : []),
  ]
}

function runSimple(command: ShellCommand, begin: State, asked: Asked): States {
  const isKnown = isCertain(begin, asked) && !setsOtherPath(command)
  const by = isKnown ? runsCheck(command, asked.check) : null
  const before = stateBefore(command, begin, asked)
  const unrun = failedByShell(command, before, asked)
  if (by === null) return [...done(doingOf(command), before, asked), ...unrun]
  return [...runCheck(begin, by.isTimed), ...(by.isByRunner ? [failed(begin)] : []), ...unrun]
}

/** What a command that is not the check may hide of a run inside it, and may change in a stored value. */
function stateBefore(command: ShellCommand, begin: State, { check }: Asked): State {
  // What a plain shell runs is examined there.
  const isHidden = doingOf(command).kind !== "shell" && mayRun(command.tokens, check.tokens)
  const isChanged = begin.saved !== null && mayChange(begin.saved.name, command)
  return { ...begin, ...(isHidden && { ran: "unsure" }), ...(isChanged && { saved: null }) }
}

function done(doing: ShellDoing, state: State, asked: Asked): States {
  switch (doing.kind) {
    case "zero":
      return [{ ...state, status: "zero" }]
    case "harmless":
      return asked.isZero ? either(state) : [{ ...state, status: "zero" }]
    case "moves":
      // If the check before it has passed, its failure is its own.
      return done({ kind: state.ran === "ok" ? "other" : "harmless" }, state, asked)
    case "fails":
      return [failed(state)]
    case "ends":
      return ended(state, doing.as)
    case "ends-with":
      return state.saved?.name === doing.name
        ? [{ ...state, isOver: true, status: state.saved.status }]
        : ended(state, "any")
    case "saves":
      return [
        {
          ...state,
          status: "zero",
          saved: { name: doing.name, status: doing.as === "last" ? state.status : state.first },
        },
      ]
    case "diverts":
      return either({ ...state, isLost: true, saved: null })
    case "sets":
      return [{ ...state, options: { ...state.options, ...doing.to }, status: "zero" }]
    case "shell":
      return runShell(doing.list, state, asked)
    case "other":
      return either(state)
  }
}

function either(state: State): States {
  return [{ ...state, status: "zero" }, failed(state)]
}

function failed(state: State): State {
  return { ...state, status: "other" }
}

function ended(state: State, as: "last" | "first" | "zero" | "fails" | "any"): States {
  const over = { ...state, isOver: true }
  if (as === "last") return [over]
  if (as === "first") return [{ ...over, status: state.first }]
  if (as === "zero") return [{ ...over, status: "zero" }]
  return as === "fails" ? [failed(over)] : either(over)
}

/** Another shell has neither this one's settings nor its variables. */
function runShell(list: ShellList, state: State, asked: Asked): States {
  const { options, saved } = state
  const own = { ...state, options: NO_OPTIONS, saved: null }
  const ends = runGroup({ isSubshell: true, list }, own, { ...asked, isErring: true })
  return ends.map((end) => ({ ...end, options, saved }))
}

function runGroup(
  { isSubshell, list }: NonNullable<ShellCommand["group"]>,
  state: State,
  asked: Asked,
): States {
  const ends = runList(list, [state], asked)
  if (!isSubshell) return ends
  const { options, isOver, isLost, saved } = state
  return each(
    ends.map((end) => ({ ...end, isOver: false })),
    // Changes there may be the shell's own arithmetic: `(( … ))`.
    (end) => [{ ...end, options, isOver, isLost, saved: end.saved && saved }],
  )
}
