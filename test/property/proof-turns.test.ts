import { test } from "bun:test"
import fc from "fast-check"
import { isoOf } from "../../src/boulder/iso-time.ts"
import type { ProofEntry } from "../../src/boulder/proof-entry.ts"
import { proofOf } from "../../src/decide/proof/proof.ts"
import { seeTicks } from "../../src/decide/see-ticks.ts"
import type { Task } from "../../src/plan/model/plan.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"

/*
 * Three tasks, by the lead or by subagents that work at once, ticked in any order, together or one by one. Who works honestly
 * runs the checks behind its last write; one that writes a file again behind them is never taken for proven.
 */
const at = "2026-01-01T00:00:00Z"
const LABELS = [0, 1, 2] as const

interface Stint {
  readonly label: number
  readonly bySubagent: boolean
  readonly files: number
  readonly hasFailed: boolean
  /** The lead runs the checks of what a subagent has done. */
  readonly isRunByLead: boolean
}

const stints = (label: number): fc.Arbitrary<Stint> =>
  fc.record({
    label: fc.constant(label),
    bySubagent: fc.boolean(),
    files: fc.integer({ min: 1, max: 2 }),
    hasFailed: fc.boolean(),
    isRunByLead: fc.boolean(),
  })

const schedules = fc.record({
  stints: fc
    .shuffledSubarray([...LABELS], { minLength: 3 })
    .chain((order) => fc.tuple(...order.map(stints))),
  hasShared: fc.boolean(),
  /** Which of the events of subagents that are under way comes next, and when the lead ticks. */
  picks: fc.infiniteStream(fc.nat(99)),
  ticksEarly: fc.boolean(),
  ticksAtOnce: fc.boolean(),
})
type Schedule = typeof schedules extends fc.Arbitrary<infer Value> ? Value : never

/** What one stint leaves: its subagent's part, and the lead's behind that; and a write of one of its files once more. */
function entriesOf(
  { label, bySubagent, files, hasFailed, isRunByLead }: Stint,
  plan: readonly Task[],
  checksOf: ChecksOf,
) {
  const own = { key: plan[label]?.key ?? "", title_hash: plan[label]?.titleHash ?? "" }
  const task = bySubagent ? own : null
  const write = (file: number): ProofEntry => ({
    kind: "write",
    at,
    session: "s",
    task,
    path: `src/${label}${file}.ts`,
  })
  const run = (check: string, isPassed: boolean, of: typeof task): ProofEntry => ({
    kind: "run",
    at,
    session: "s",
    task: of,
    check,
    outcome: isPassed ? "passed" : "failed",
    exit: isPassed ? 0 : 1,
    tree: null,
  })
  const checks = checksOf(label)
  const passed = (of: typeof task) => checks.map((check) => run(check, true, of))
  const work = [
    ...Array.from({ length: files }, (_, file) => write(file)),
    ...(hasFailed ? [run(checks[0] ?? "", false, task), write(0)] : []),
  ]
  const back: ProofEntry = { kind: "back", at, session: "s", task: own, tree: null }
  const again = write(0)
  if (!bySubagent) return { child: [], lead: [...work, ...passed(null)], again }
  return isRunByLead
    ? { child: [...work, back], lead: passed(null), again }
    : { child: [...work, ...passed(task), back], lead: [], again }
}

/** The entries of subagents that work at once, each one's own in its order. */
function interleaved(children: readonly (readonly ProofEntry[])[], next: () => number) {
  let under = children.map((child) => [...child])
  const entries: ProofEntry[] = []
  for (;;) {
    under = under.filter((child) => child.length > 0)
    const entry = under[next() % under.length]?.shift()
    if (entry === undefined) return entries
    entries.push(entry)
  }
}

type ChecksOf = (label: number) => readonly string[]

function checksWith(hasOwn: boolean, hasShared: boolean): ChecksOf {
  const shared = hasShared || !hasOwn ? ["npm run lint"] : []
  return (label) => [...(hasOwn ? [`npm run t${label}`] : []), ...shared]
}

function planWith(checksOf: ChecksOf) {
  const text = LABELS.map((label) => {
    const checks = checksOf(label).map((check) => `\`${check}\``)
    return `- [ ] ${label}. Do ${label}\n  Verify: ${checks.join(" and ")}\n`
  })
  return parsePlan(`# Plan\n\n## TODOs\n\n${text.join("")}`, { path: "plans/demo.md" })
}

/** Plays a schedule; gives the labels of the tasks that a tick was not proven for. */
function heldIn(
  { stints, hasShared, picks, ticksEarly, ticksAtOnce }: Schedule,
  liar: number | null,
  hasOwn = true,
): Set<number> {
  const checksOf = checksWith(hasOwn, hasShared)
  let { tasks } = planWith(checksOf)
  const entries: ProofEntry[] = []
  const held = new Set<number>()
  const next = (): number => picks.next().value ?? 0
  let looks = 0
  const look = (): number => {
    looks += 1
    const when = { at: isoOf(Date.parse(at) + looks), by: "agent" } as const
    const { added } = seeTicks({ tasks }, entries, { ...when, isRequired: true, untold: [] })
    return entries.push(...added) && added.length
  }
  const tick = (labels: readonly number[]): void => {
    tasks = tasks.map((task, label) => (labels.includes(label) ? { ...task, state: "done" } : task))
    look()
    // What one look says, the next one says again.
    if (look() > 0) throw new Error("a look without news has found some")
    const proof = proofOf({ tasks }, entries)
    for (const [label, task] of tasks.entries())
      if (task.state === "done" && !proof.isTickProven(task)) held.add(label)
  }
  const ticked = new Set<number>()
  const tickAll = (labels: readonly number[]): void => {
    const fresh = labels.filter((label) => !ticked.has(label))
    for (const label of fresh) ticked.add(label)
    if (ticksAtOnce) tick(fresh)
    else for (const label of fresh) tick([label])
  }
  const made = stints.map((stint) => ({ ...stint, ...entriesOf(stint, tasks, checksOf) }))
  entries.push(
    ...interleaved(
      made.map(({ child }) => child),
      next,
    ),
  )
  const done: number[] = []
  let lie: ProofEntry | null = null
  for (const { label, lead, again } of made) {
    // At the end, or before the turn and behind the tick of another one.
    if (lie !== null && next() % 2 === 0) {
      entries.push(lie)
      lie = null
    }
    entries.push(...lead)
    if (label === liar) lie = again
    done.push(label)
    if (ticksEarly && next() % 2 === 0) tickAll(done.filter((one) => one !== liar))
  }
  if (lie !== null) entries.push(lie)
  tickAll(done.toSorted(() => (next() % 2) - 0.5))
  return held
}

test("who runs the checks behind the last write is never held", () => {
  fc.assert(
    fc.property(schedules, (schedule) => heldIn(schedule, null).size === 0),
    { numRuns: 200 },
  )
})

test("who writes a file again behind them is never taken for proven", () => {
  fc.assert(
    fc.property(schedules, fc.nat(2), (schedule, liar) => heldIn(schedule, liar).has(liar)),
    { numRuns: 200 },
  )
})

test("of one check for all tasks, a look without news lets go of none that is held", () => {
  fc.assert(
    fc.property(schedules, (schedule) => heldIn(schedule, null, false).size <= LABELS.length),
    { numRuns: 200 },
  )
})
