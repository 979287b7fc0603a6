import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type Boulder, boulderSchema, emptyBoulder, type Work } from "../../src/boulder/boulder.ts"
import { putWork } from "../../src/boulder/change-work.ts"
import { checkpointText, isSameCheckpoint } from "../../src/boulder/checkpoint.ts"
import { beginRound, endRound } from "../../src/boulder/round-record.ts"
import { decideRound } from "../../src/decide/decide-round.ts"
import { windowOf } from "../../src/decide/window.ts"
import { optionsSchema } from "../../src/opencode/host/options.ts"
import { openSessions } from "../../src/opencode/host/sessions.ts"
import { changeReading } from "../../src/opencode/work/record-plan.ts"
import type { MarkState } from "../../src/plan/check-marked.ts"
import { markTask } from "../../src/plan/mark-task.ts"
import { hashText } from "../../src/plan/model/hash-text.ts"
import { splitLines } from "../../src/plan/model/lines.ts"
import type { TaskState } from "../../src/plan/model/plan.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { shardOf, shardPlan } from "../../src/plan/shard-plan.ts"
import { at, aWork, LEAD } from "../support/builders.ts"

/** A task as a person keeps it in mind: the plan's reader has no part in it. */
interface Row {
  readonly id: number
  readonly label: number
  readonly title: string
  readonly state: TaskState
  /** The ids of the tasks that come first. */
  readonly after: readonly number[]
  readonly isWave: boolean
}

const BOX: Readonly<Record<TaskState, string>> = {
  open: " ",
  in_progress: "/",
  blocked: "~",
  done: "x",
  cancelled: "-",
}
const SIZE = 3
const EVERY = 2
const options = optionsSchema.parse({
  long_run: { window_size: SIZE, checkpoint_every: EVERY, shard_size: 10 },
})
const limits = { soft: 60_000, hard: 90_000, scaled: false }

const isDone = ({ state }: Row): boolean => state === "done" || state === "cancelled"

function keyOf({ label, isWave }: Row): string {
  return isWave ? `final-wave:f${label}` : `todo:${label}`
}

/** The plan as the person would write it. */
function textOf(rows: readonly Row[]): string {
  const line = (row: Row): string => {
    const first = rows.filter(({ id }) => row.after.includes(id)).map(({ label }) => label)
    const below = first.length === 0 ? "" : `\n  Depends on: ${first.join(", ")}`
    return `- [${BOX[row.state]}] ${row.isWave ? "F" : ""}${row.label}. ${row.title}${below}`
  }
  const part = (wave: boolean) => rows.filter(({ isWave }) => isWave === wave).map(line)
  return `# Plan\n\n## TODOs\n\n${part(false).join("\n")}\n\n## Final Verification Wave\n\n${part(true).join("\n")}\n`
}

/** What can be worked on now, by the person's own reckoning. */
function readyIn(rows: readonly Row[]): readonly string[] {
  const isLeft = rows.some((row) => !row.isWave && !isDone(row))
  const ready = rows.filter(
    (row) =>
      (row.state === "open" || row.state === "in_progress") &&
      rows.every((first) => !row.after.includes(first.id) || isDone(first)) &&
      !(row.isWave && isLeft),
  )
  const inOrder = [...ready.filter(({ isWave }) => !isWave), ...ready.filter((row) => row.isWave)]
  return inOrder.slice(0, SIZE).map(keyOf)
}

/** A person's or an agent's act on one row, or on the order of all. */
type Act = (rows: readonly Row[], place: number) => readonly Row[]

const marking =
  (state: TaskState): Act =>
  (rows, place) =>
    rows.map((row, index) => (index === place % rows.length ? { ...row, state } : row))

const ACTS: Readonly<Record<string, Act>> = {
  settle: marking("done"),
  cancel: marking("cancelled"),
  block: marking("blocked"),
  unblock: (rows, place) =>
    rows.map((row, index) =>
      index === place % rows.length && row.state === "blocked" ? { ...row, state: "open" } : row,
    ),
  begin: marking("in_progress"),
  reopen: marking("open"),
  insert: (rows, place) => {
    const id = Math.max(0, ...rows.map((row) => row.id)) + 1
    const row = { id, label: 100 + id, title: `title ${id}`, state: "open", after: [] } as const
    return rows.toSpliced(place % (rows.length + 1), 0, { ...row, isWave: false })
  },
  remove: (rows, place) => {
    const gone = rows[place % rows.length]?.id
    const left = rows.filter(({ id }) => id !== gone)
    return rows.length < 3 ? rows : left.map((row) => without(row, gone))
  },
  reword: (rows, place) =>
    rows.map((row, index) =>
      index === place % rows.length ? { ...row, title: `${row.title} anew` } : row,
    ),
  move: (rows, place) => [
    ...rows.slice(place % rows.length),
    ...rows.slice(0, place % rows.length),
  ],
}

function without(row: Row, id: number | undefined): Row {
  return { ...row, after: row.after.filter((first) => first !== id) }
}

const WRITTEN: Readonly<Partial<Record<string, MarkState>>> = {
  settle: "done",
  block: "blocked",
  begin: "in_progress",
  reopen: "open",
}

/** What happens in a run besides: a hook looks, a turn ends, the process starts anew, the context grows. */
type Event =
  | { readonly kind: "act"; readonly name: string; readonly place: number }
  | { readonly kind: "look" | "idle" | "restart" }
  | { readonly kind: "tokens"; readonly tokens: number }

interface Run {
  readonly rows: readonly Row[]
  readonly work: Work
  readonly sessions: ReturnType<typeof openSessions>
  readonly checkpoints: readonly string[]
  /** The fewest settled tasks that a look has found since the last checkpoint. */
  readonly least: number
  /** What was settled beyond them at each checkpoint that is due by count. */
  readonly counted: readonly number[]
}

function readingOf(text: string) {
  const fingerprint = { size: text.length, mtime_ms: 0, hash: hashText(text) }
  return {
    kind: "read",
    plan: parsePlan(text),
    text,
    lines: splitLines(text),
    fingerprint,
  } as const
}

/** What the hook behind a tool does, of the same pure parts. */
function look(run: Run, now: string): Run {
  const reading = readingOf(textOf(run.rows))
  const { plan } = reading
  const { work, sessions } = run
  const counted = changeReading({ options, sessions }, reading, LEAD)(work)
  const settled = plan.counts.done + plan.counts.cancelled
  const { contextTokens } = sessions.of(LEAD)
  const decision = decideRound({
    round: work.round,
    settled,
    isNewlySettled: settled > work.completed_count,
    checkpointEvery: EVERY,
    contextTokens,
    grownBy: 0,
    limits,
  })
  const least = Math.min(run.least, settled)
  if (decision.kind === "go-on") return { ...run, work: counted, least }
  const seq = work.checkpoint_seq + 1
  const text = checkpointText({
    seq,
    reason: decision.reason,
    work: counted,
    plan,
    planHash: reading.fingerprint.hash,
    window: windowOf(plan, work, SIZE).map(({ key }) => key),
    contextTokens,
    taskState: null,
    at: now,
  })
  const checkpoints = [...run.checkpoints, text]
  const isDue = decision.reason === "checkpoint-due"
  return {
    ...run,
    work: endRound(decision.reason, seq, settled)(counted),
    checkpoints,
    least: settled,
    counted: isDue ? [...run.counted, settled - least] : run.counted,
  }
}

function after(run: Run, event: Event, now: string): Run {
  switch (event.kind) {
    case "act":
      return { ...run, rows: ACTS[event.name]?.(run.rows, event.place) ?? run.rows }
    case "look":
      return look(run, now)
    case "idle": {
      const looked = look(run, now)
      return { ...looked, work: beginRound(looked.work) }
    }
    case "restart":
      return { ...run, work: throughDisk(run.work), sessions: openSessions() }
    case "tokens": {
      const told = { kind: "context-told", sessionId: LEAD, contextTokens: event.tokens } as const
      run.sessions.note(told)
      return run
    }
  }
}

function throughDisk(work: Work): Work {
  const boulder: Boulder = putWork(emptyBoulder(), work)
  const read = boulderSchema.parse(JSON.parse(JSON.stringify(boulder))).works[work.work_id]
  if (read === undefined) throw new Error("The work is gone")
  return read
}

const started = fc
  .array(
    fc.record({
      state: fc.constantFrom<TaskState>("open", "open", "open", "blocked", "done"),
      isWave: fc.constant(false),
      firsts: fc.array(fc.nat(20), { maxLength: 2 }),
    }),
    { minLength: 2, maxLength: 24 },
  )
  .map((drawn) =>
    drawn.map(({ firsts, ...row }, id): Row => {
      const before = id === 0 ? [] : [...new Set(firsts.map((first) => first % id))]
      return { ...row, id, label: id + 1, title: `title ${id}`, after: before }
    }),
  )
  .chain((rows) =>
    fc.nat(2).map((count) => [
      ...rows,
      ...Array.from({ length: count }, (_, index): Row => {
        const id = rows.length + index
        const label = index + 1
        return { id, label, title: `review ${label}`, state: "open", after: [], isWave: true }
      }),
    ]),
  )
const act = fc
  .tuple(fc.constantFrom(...Object.keys(ACTS)), fc.nat(60))
  .map(([name, place]): Event => ({ kind: "act", name, place }))
const other = fc.oneof(
  fc.constantFrom<Event>({ kind: "look" }, { kind: "look" }, { kind: "idle" }, { kind: "restart" }),
  fc.constantFrom(1_000, 61_000, 91_000).map((tokens): Event => ({ kind: "tokens", tokens })),
)
const events = fc.array(fc.oneof(act, act, other), { maxLength: 30 })

function runOf(rows: readonly Row[], all: readonly Event[], seconds = 0): Run {
  const sessions = openSessions()
  const begun: Run = { rows, work: aWork(), sessions, checkpoints: [], least: 0, counted: [] }
  const run = all.reduce((now, event, step) => after(now, event, at(seconds + step)), begun)
  return look(run, at(seconds + all.length))
}

describe("the window", () => {
  test("holds the first tasks that are ready: none that is settled, blocked, or waits for one that is not settled", () => {
    fc.assert(
      fc.property(started, events, (rows, all) => {
        const run = runOf(rows, all)
        expect(run.work.current_window).toEqual([...readyIn(run.rows)])
      }),
      { numRuns: 1_500 },
    )
  })
})

describe("any order of settling, blocking, unblocking, edits and restarts", () => {
  test("ends with the counts of a fresh reading of the plan", () => {
    fc.assert(
      fc.property(started, events, (rows, all) => {
        const { rows: left, work } = runOf(rows, all)
        const { counts, tasks } = parsePlan(textOf(left))
        expect(work).toMatchObject({
          completed_count: left.filter(isDone).length,
          blocked_count: left.filter(({ state }) => state === "blocked").length,
          total_count: left.length,
        })
        expect([counts.done + counts.cancelled, counts.blocked, counts.total]).toEqual([
          work.completed_count,
          work.blocked_count,
          work.total_count,
        ])
        const first = work.current_window[0]
        if (first === undefined) return
        expect(work.active_shard).toBe(shardOf(tasks, shardPlan(tasks, 10), { key: first }))
      }),
      { numRuns: 1_000 },
    )
  })

  test("gives the same checkpoints each time, byte for byte but for the times", () => {
    fc.assert(
      fc.property(started, events, (rows, all) => {
        const one = runOf(rows, all).checkpoints
        const again = runOf(rows, all, 9_999).checkpoints
        expect(again).toHaveLength(one.length)
        for (const [index, text] of one.entries())
          expect(isSameCheckpoint(text, again[index] ?? "")).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test("counts a settled task for one checkpoint alone", () => {
    fc.assert(
      fc.property(started, events, (rows, all) => {
        for (const count of runOf(rows, all).counted) expect(count).toBeGreaterThanOrEqual(EVERY)
      }),
      { numRuns: 500 },
    )
  })

  test("leaves the next checkpoint as near as ever: as many tasks again end a round", () => {
    fc.assert(
      fc.property(started, events, (rows, all) => {
        const run = runOf(rows, all)
        const next = run.rows.filter((row) => !isDone(row)).slice(0, EVERY)
        if (next.length < EVERY) return
        const settled = run.rows.map((row) =>
          next.includes(row) ? { ...row, state: "done" as const } : row,
        )
        const then = look({ ...run, rows: settled }, at(999))
        expect(then.checkpoints.length).toBe(run.checkpoints.length + 1)
      }),
      { numRuns: 500 },
    )
  })
})

test("a mark that we write says the same as one by hand", () => {
  const marks = fc.constantFrom(...Object.keys(WRITTEN))
  fc.assert(
    fc.property(started, marks, fc.nat(60), (rows, name, place) => {
      const plan = parsePlan(textOf(rows))
      const task = plan.tasks[place % rows.length]
      const state = WRITTEN[name]
      if (task === undefined || state === undefined) return
      const written = markTask(textOf(rows), task, state, state === "blocked" ? "why" : undefined)
      const byHand = parsePlan(textOf(ACTS[name]?.(rows, place) ?? rows))
      const states = (of: typeof plan) => of.tasks.map((one) => `${one.key} ${one.state}`)
      expect(written.ok && states(parsePlan(written.text))).toEqual(states(byHand))
    }),
    { numRuns: 300 },
  )
})
