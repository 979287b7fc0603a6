import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { captureTask } from "../../src/decide/capture-task.ts"
import { progressOf } from "../../src/decide/progress.ts"
import { isWaveDue, planOf, rowsOf } from "../../src/decide/wave-rows.ts"
import { waitingIn } from "../../src/decide/window.ts"
import { splitLines } from "../../src/plan/model/lines.ts"
import {
  beforeWave,
  blockedOf,
  byKey,
  unsettledOf,
  withChecks,
} from "../../src/plan/model/once-a-reading.ts"
import type { Plan } from "../../src/plan/model/plan.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { shardOf, shardPlan } from "../../src/plan/shard-plan.ts"
import { type PlanLines, withTicks } from "../../src/plan/with-ticks.ts"
import { lineStartsIn, ticksAt } from "../../src/store/plans/ticks-between.ts"
import { aWork } from "../support/builders.ts"

const FOLDER = join(import.meta.dir, "..", "fixtures", "plans")
/** What a few of the corpus' plans lie at: a path is a hint at the dialect. */
const CORPUS = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), "utf8") }))

/** A plan's text, and what was read of it. */
interface PlanText extends PlanLines {
  readonly text: string
}

const textOf = (text: string, path?: string): PlanText => ({
  text,
  lines: splitLines(text),
  plan: parsePlan(text, path === undefined ? {} : { path }),
})

/** The readings of the corpus' plans, and of what ticks make of them: the small ones come again and again. */
const read = new Map<string, PlanText>()

function corpusText(text: string, name: string): PlanText {
  const key = `${name}\n${text}`
  const known = read.get(key) ?? textOf(text, name)
  read.set(key, known)
  return known
}

/** Where any line shows `[ ]`: a row, a part of one, a box in a fence or in a sentence. */
const openBoxes = (text: string): readonly number[] =>
  [...text.matchAll(/\[ \]/g)].map(({ index }) => index + 1)

const tickedText = (text: string, ticks: readonly number[]): string => {
  const signs = text.split("")
  for (const at of ticks) signs[at] = "x"
  return signs.join("")
}

const WORK = aWork({})

/** What is worked out once for a plan and all that ticks make of it: of a patched reading as of a whole one. */
function askedOf(plan: Plan) {
  const { tasks } = plan
  const shards = shardPlan(tasks, 12)
  const [first, ...others] = tasks
  const captured = (description: string) =>
    captureTask(plan, WORK, { description, prompt: "", resumes: null })
  return {
    byKey: tasks.map(({ key }) => byKey(tasks).get(key)),
    unsettled: unsettledOf(tasks),
    blocked: blockedOf(tasks),
    progress: progressOf(plan, WORK, { tree: null, writes: [] }),
    beforeWave: beforeWave(tasks),
    beforeWaveByKey: tasks.map(({ key }) => byKey(beforeWave(tasks)).get(key)),
    checks: withChecks(tasks),
    shards: [shards, tasks.map((task) => shardOf(tasks, shards, task))],
    wave: [rowsOf(plan), isWaveDue(plan), planOf(plan)],
    waiting: waitingIn(plan, WORK, others),
    captured: [first, ...others.slice(0, 1)].flatMap((task) =>
      task === undefined ? [] : [task.key, `Task ${task.label}`, task.title].map(captured),
    ),
  }
}

const linesIn = ({ lines }: PlanLines): readonly string[] => lines.slice(0, lines.length)

/** Where the text of before was ticked, by its bytes. */
function ticksTo(before: string, after: string) {
  const [bytes, ticked] = [Buffer.from(before), Buffer.from(after)]
  const places = [...bytes.keys()].filter((at) => bytes[at] !== ticked[at])
  return ticksAt(bytes, places, lineStartsIn(bytes))
}

/** Ticks, and ticks what that gave once more: a patched reading is patched again. */
function heldEqual(
  start: string,
  rounds: readonly (readonly number[])[],
  readText: (text: string) => PlanText = textOf,
): number {
  let known = readText(start)
  let patched = 0
  for (const [round, picks] of rounds.entries()) {
    const open = openBoxes(known.text)
    if (open.length === 0) break
    const ticks = [...new Set(picks.map((pick) => open[pick % open.length] ?? 0))].toSorted(
      (one, other) => one - other,
    )
    const text = tickedText(known.text, ticks)
    // What is asked of a reading before it is ticked holds behind that as far as it may.
    askedOf(known.plan)
    const short = withTicks(known, ticksTo(known.text, text))
    // Nothing is held to what comes of the last.
    if (short === null && round === rounds.length - 1) break
    const whole = readText(text)
    if (short !== null) {
      patched += 1
      expect({ ...short, text, lines: linesIn(short) }).toEqual({ ...whole, lines: linesIn(whole) })
      expect(askedOf(short.plan)).toEqual(askedOf(whole.plan))
    }
    known = short === null ? whole : { ...short, text }
  }
  return patched
}

const rounds = fc.array(fc.array(fc.nat(10_000), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 6,
})

const row = fc
  .tuple(
    fc.constantFrom("", "", "", "", "  ", "    "),
    fc.constantFrom("- ", "- ", "* ", "1. ", "> - ", "### ", "", "**"),
    fc.constantFrom(
      ...[
        "[ ]",
        "[ ]",
        "[ ]",
        "[ ]",
        "[x]",
        "[x]",
        "[~]",
        "[-]",
        "[?]",
        "[X]",
        "[ ]*",
        "[!]",
        "\\[ \\]",
      ],
    ),
    fc.constantFrom(
      ...[
        " 1. One",
        " 2. Two (depends on 1)",
        " 3. Three, blocked by: 1, 2",
        " F1. Audit: REJECTED",
      ],
      ...[
        " Done",
        " - pending",
        " ✅ Build it",
        " Build it (done)",
        " SKIPPED: it",
        " 1.1 Part",
        " Task 4: A",
      ],
      ...[
        " words",
        " 4. Four ä ü 日本",
        " **Verify**: `npm test`",
        " `a [ ] b`",
        " VERDICT: REJECT",
        " [ ] twice",
      ],
    ),
  )
  .map((parts) => parts.join(""))

const plain = fc
  .tuple(fc.constantFrom("- [ ]", "- [ ]", "- [ ]", "- [x]", "* [ ]"), fc.nat(40), fc.nat(2))
  .map(
    ([box, label, kind]) =>
      `${box} ${["", `${label}. `, `T0${label} `][kind]}Build part ${label}${kind > 0 && label % 5 === 0 ? ` (depends on ${label % 7})` : ""}`,
  )

const other = fc.constantFrom(
  ...[
    "",
    "",
    "",
    "  BLOCKED: no key",
    "  Depends on: 1",
    "  Verify: `npm test`",
    "  VERDICT: REJECT",
  ],
  ...[
    "## TODOs",
    "## Final Verification Wave",
    "## Legend",
    "Legend:",
    "### Task 1: A",
    "## Notes",
    "**Status:** done",
  ],
  ...[
    "### Phase 2",
    "## Risks",
    "Legend: [x] in progress",
    "Key",
    "```",
    "| Task | Status |",
    "|---|---|",
    "| a | open |",
  ],
  ...[
    "- plain",
    "5. numbered",
    "<!--",
    "-->",
    "**Acceptance criteria:**",
    "---",
    "Status: pending",
  ],
)

const plan = fc
  .tuple(
    fc.constantFrom("", "", "", "\ufeff", "---\nstatus: done\n---\n", "---\nstatus: open\n---\n"),
    fc.array(
      fc.oneof(
        { weight: 6, arbitrary: plain },
        { weight: 2, arbitrary: row },
        { weight: 1, arbitrary: other },
      ),
      { minLength: 1, maxLength: 16 },
    ),
    fc.constantFrom("\n", "\n", "\r\n", "\r"),
  )
  .map(([front, lines, end]) =>
    (front + ["## TODOs", "", "- [x] 90. Before", ...lines].join("\n")).replaceAll("\n", end),
  )

test("of the corpus' plans: a patched reading equals the reading of the whole text", () => {
  expect(CORPUS.length).toBeGreaterThan(20)
  let patched = 0
  fc.assert(
    fc.property(fc.nat(CORPUS.length - 1), rounds, (pick, picks) => {
      const { name, text } = CORPUS[pick] ?? { name: "", text: "" }
      patched += heldEqual(text, picks, (ticked) => corpusText(ticked, name))
    }),
    { numRuns: 1_500 },
  )
  expect(patched).toBeGreaterThan(200)
}, 120_000)

test("of plans of any lines: a patched reading equals the reading of the whole text", () => {
  let patched = 0
  fc.assert(
    fc.property(plan, rounds, (text, picks) => {
      patched += heldEqual(text, picks)
    }),
    { numRuns: 8_000 },
  )
  expect(patched).toBeGreaterThan(500)
}, 120_000)

test.each([
  { what: "rows that a tick makes a legend of", rows: "Legend:\n\n- [ ] Done\n- [ ] Pending\n" },
  {
    what: "rows that a tick makes say what marks mean",
    rows: "- [ ] = C\n- [-] = Done\n- [ ] = Pending\n- [ ] D\n",
  },
  { what: "a heading that says what marks mean", rows: "## Legend\n\n- [ ] Done\n- [ ] 4. C\n" },
  { what: "only optional ones left", rows: "- [ ]* 7. C\n\n## Notes\n\n- [ ] Outside\n" },
  { what: "a box of a list without marks", rows: "[ ] Done\n\n[ ] 4. C\n" },
])("$what: each box ticked alone", ({ rows }) => {
  const text = `## TODOs\n\n- [x] 9. A\n- [ ] 8. B\n\n${rows}`
  for (const pick of openBoxes(text).keys()) heldEqual(text, [[pick]])
})

test("of a plan of thousands of lines any part is given out as it was ticked", () => {
  const rows = Array.from(
    { length: 1_300 },
    (_, at) => `- [ ] ${at + 1}. Part ${at + 1}\n  with words`,
  )
  const text = ["## TODOs", "- [x] 0. Before", ...rows].join("\n")
  const [known, ticks] = [textOf(text), openBoxes(text)]
  const ticked = [0, 255, 256, 511, 1_299].map((at) => ticks[at] ?? 0)
  const after = tickedText(text, ticked)
  const lines = withTicks(known, ticksTo(text, after))?.lines
  const whole = splitLines(after)
  fc.assert(
    fc.property(fc.nat(whole.length), fc.nat(whole.length), (from, to) => {
      expect(lines?.slice(from, to)).toEqual(whole.slice(from, to))
    }),
  )
  expect(heldEqual(text, [[0, 7, 1_299], [256], [511, 512], [3]])).toBe(4)
})
