// Makes random worlds. The weights say how likely each act is, so that real progress is frequent.
import fc from "fast-check"
import type { WorldPlan } from "./run-world.ts"
import type { Step } from "./step.ts"

const WEIGHTS: Readonly<Record<string, number>> = {
  works: 60,
  "delegates badly": 20,
  "delegates several": 3,
  "fixes a review": 3,
  resumes: 5,
  "ticks early": 2,
  "ticks all": 1,
  "ends its turn": 3,
  asks: 2,
  "needs permission": 4,
  saves: 5,
  "edits a source": 2,
  "is blocked": 2,
  rejects: 3,
  "is unclear": 2,
  "words a verdict": 4,
  "forges a frame": 1,
  "edits the plan from below": 3,
  fails: 3,
  starts: 3,
  "starts elsewhere": 3,
  "takes over": 3,
  stops: 2,
  writes: 4,
  "switches the agent": 2,
  "presses ESC": 3,
  "presses ESC and writes": 3,
  answers: 8,
  approves: 6,
  refuses: 6,
  "edits the plan": 3,
  "undoes a message": 1,
  compacts: 3,
  unblocks: 4,
  "runs the command line": 3,
  "begins a process": 3,
  "kills a process": 1,
  "loses a prompt": 2,
  "does not answer": 2,
  "holds events": 2,
  "tells events": 3,
  "tells an idle twice": 2,
  "breaks the disk": 1,
  passes: 12,
  "breaks a read": 3,
  "damages a task state": 3,
  "moves the plan away": 2,
  "silences git": 1,
  "adds to a finished work": 6,
  "asks run": 4,
  "lists what is blocked": 5,
  "delegates below": 3,
  "lists its blocks": 4,
  "starts the other plan": 5,
  "starts by the other name": 4,
  "runs the command line on one": 4,
  "renames the plan": 2,
  "sets the clock": 2,
  "cuts the power": 1,
  "loses the model": 2,
  "fails to begin": 2,
  "reloads opencode": 2,
  "older state appears": 1,
  "runs against a mute server": 1,
  "meets a limit": 2,
  "falls silent": 2,
  "ends a process": 2,
  "runs the plan": 3,
}

/** An act of a phrase, with its choices if they matter. */
type Said = string | readonly [act: string, a: number, b: number]

/** Acts in a row that seldom come together by themselves. Every row is equally likely. */
const PHRASES: readonly (readonly Said[])[] = [
  // A turn that moves nothing, and a git that answers now and then.
  ["ends its turn", "silences git", "passes", "ends its turn", "silences git", "passes"],
  // A provider that answers nothing.
  ["loses the model", "ends its turn", "passes", "passes", "passes", "loses the model", "starts"],
  ["fails to begin", "ends its turn", "passes"],
  // Everything is done, and the user is asked in the same turn.
  ["works", "works", "works", "works", "works", "works", "asks", "answers"],
  // A turn of another agent, begun by the user, ends.
  [["switches the agent", 0, 0], "ends its turn", "passes", "ends its turn", "passes"],
  // Calls of two leads that have the same ids but different tasks.
  [
    ["delegates several", 0, 1],
    "begins a process",
    "takes over",
    ["ticks early", 0, 3],
    ["works", 2, 0],
    ["works", 1, 0],
    "works",
  ],
  // A call below another, with the same id, fails.
  ["works", "delegates below", ["fails", 0, 0]],
  // A lead resumes what another has made, and its user refuses what that asks for.
  [
    "works",
    "works",
    "ends its turn",
    "takes over",
    ["resumes", 1, 0],
    ["needs permission", 1, 0],
    ["refuses", 0, 0],
    ["ends its turn", 1, 0],
    "passes",
  ],
  // A review rejects, everything is ticked nevertheless, and somebody runs the plan.
  [
    ["ticks all", 0, 0],
    "works",
    ["rejects", 0, 0],
    ["rejects", 0, 0],
    ["passes", 2, 0],
    ["ticks all", 0, 1],
    "asks run",
  ],
  // A work that has paused without progress, and a read of its watch that fails.
  [
    ...["ends its turn", "passes", "ends its turn", "passes", "ends its turn", "passes"],
    ...["breaks a read", "passes", "passes"],
  ],
  // Everything is blocked, a read fails once, and the plan is edited.
  ["works", "is blocked", "works", "passes", "breaks a read", "passes", "edits the plan", "passes"],
  // Two sessions are blocked, and the later one looks.
  [["saves", 2, 0], "works", ["saves", 2, 0], "lists its blocks"],
  // A word of the user that comes while a stop is being looked at.
  ["works", "presses ESC and writes", "passes", "presses ESC and writes", "passes"],
  // A task state that is damaged while its session works on.
  ["saves", "damages a task state", "works", "ends its turn", "passes"],
  // A person resumes a work whose plan is missing.
  [
    "works",
    "presses ESC",
    "passes",
    "moves the plan away",
    ["runs the command line", 1, 0],
    "passes",
    "moves the plan away",
  ],
  // A clock that is set back after a turn, and what is prompted then.
  ["works", "ends its turn", ["sets the clock", 1, 0], "passes", "passes", "passes", "passes"],
  // A folder that is disposed of while its lead works.
  ["works", "works", "reloads opencode", "passes", "passes"],
  // A subagent at its provider's limit, beside one that hangs.
  [
    ["delegates several", 0, 1],
    ["meets a limit", 1, 0],
    "falls silent",
    ["passes", 10, 0],
    "passes",
  ],
  // A run to its end, on a plan that another session led before.
  [
    "presses ESC",
    "runs the plan",
    ...["works", "works", "works", "works", "works", "works", "asks", "answers", "works", "passes"],
  ],
  // Rows whose numbers differ from those that the model has read.
  [
    ["edits the plan", 0, 0],
    ["edits the plan", 4, 1],
    ["works", 0, 1],
  ],
  [
    ["edits the plan", 4, 0],
    ["saves", 1, 1],
  ],
  // The same, named only by their keys.
  [
    ["edits the plan", 3, 0],
    ["works", 0, 2],
  ],
  [
    ["edits the plan", 4, 0],
    ["works", 0, 2],
  ],
  // A block is taken back from outside, in a work that goes on or waits for nothing else.
  ["works", ["is blocked", 0, 0], "unblocks", "works"],
  [
    "works",
    ["is blocked", 0, 0],
    "presses ESC",
    ["passes", 6, 0],
    ["unblocks", 0, 0],
    ["passes", 6, 0],
  ],
  // A review rejects, and whoever fixes that says so in the words of a review.
  [["ticks all", 0, 0], "works", ["rejects", 0, 0], "fixes a review", "words a verdict"],
  // A session that must lead two plans.
  ["presses ESC", ["starts the other plan", 0, 0], ["runs the command line on one", 1, 0]],
]

const LONGEST = Math.max(...PHRASES.map(({ length }) => length))

const act = fc.oneof(
  ...Object.entries(WEIGHTS).map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) })),
)

const step: fc.Arbitrary<Step> = fc.record({
  act,
  a: fc.nat(11),
  b: fc.nat(11),
  c: fc.nat(31),
  hold: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(40) }),
  order: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.nat(1_000_000) },
  ),
})

const options = fc.constantFrom<Record<string, unknown>>(
  {},
  {},
  { reuse: "auto" },
  { long_run: { checkpoint_every: 1 } },
  { long_run: { enabled: false } },
  { long_run: { blocker_skip: false } },
  { orchestrator_writes: "block" },
  { reuse: "off", long_run: { window_size: 99 } },
  { continuation: { max_per_hour: 3 } },
)

/** The acts of a phrase, with random choices where it gives none. */
const phrase = fc
  .tuple(fc.constantFrom(...PHRASES), fc.array(step, { minLength: LONGEST, maxLength: LONGEST }))
  .map(([acts, steps]) =>
    acts.map((said, at) => {
      const [name, a, b] = typeof said === "string" ? [said] : said
      const { a: anyA, b: anyB, c } = steps[at] ?? STILL
      return { act: name, a: a ?? anyA, b: b ?? anyB, c, hold: null, order: 0, isOfPhrase: true }
    }),
  )
/** One step, or a phrase. */
const drawn: fc.Arbitrary<readonly Drawn[]> = fc.oneof(
  { weight: 12, arbitrary: step.map((one) => [{ ...one, isOfPhrase: false }]) },
  { weight: 1, arbitrary: phrase },
)
const STILL: Step = { act: "works", a: 0, b: 0, c: 0, hold: null, order: 0 }

/** Without these acts nothing goes on. */
const USUAL: ReadonlySet<string> = new Set(["works", "answers", "approves", "passes", "asks"])
const ODD = Object.keys(WEIGHTS).filter((name) => !USUAL.has(name))
/** In one world few odd things happen, but often. Otherwise each would undo what another has led to. */
const oddities = fc.oneof(
  { weight: 3, arbitrary: fc.subarray(ODD, { minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.subarray(ODD) },
)

/** Random worlds with about this many steps. */
export function arbitraryWorld(steps: number): fc.Arbitrary<WorldPlan> {
  return fc.tuple(oddities, worldOf(steps)).map(([odd, { begin, steps: all }]) => {
    const allowed = new Set([...USUAL, ...odd])
    const isAllowed = ({ act: name, isOfPhrase }: Drawn) => isOfPhrase || allowed.has(name)
    return {
      begin,
      steps: all.map(({ isOfPhrase, ...one }) =>
        isAllowed({ ...one, isOfPhrase }) ? one : { ...one, act: "works" },
      ),
    }
  })
}

/** A step, and whether it belongs to a phrase. */
type Drawn = Step & { readonly isOfPhrase: boolean }

function worldOf(
  steps: number,
): fc.Arbitrary<{ readonly begin: WorldPlan["begin"]; readonly steps: readonly Drawn[] }> {
  return fc.record({
    begin: fc.record({
      tasks: fc.integer({ min: 1, max: 6 }),
      reviews: fc.nat(2),
      options,
      repeatsIds: fc.boolean(),
      isLinked: fc.oneof(
        { weight: 2, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
      hasSide: fc.boolean(),
      isWordy: fc.oneof(
        { weight: 4, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
      older: fc.oneof(
        { weight: 8, arbitrary: fc.constant("none" as const) },
        { weight: 1, arbitrary: fc.constantFrom("in-place" as const, "omo" as const) },
      ),
    }),
    steps: fc
      .tuple(
        // What counts from the start, such as calls, is only alike there.
        fc.oneof(
          { weight: 2, arbitrary: fc.constant<readonly Drawn[]>([]) },
          { weight: 1, arbitrary: phrase },
        ),
        fc.array(drawn, { maxLength: 2 * steps, size: "max" }),
      )
      .map(([opening, all]) => [...opening, ...all.flat()]),
  })
}
