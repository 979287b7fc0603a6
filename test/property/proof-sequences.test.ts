import { describe, expect, test } from "bun:test"
import { isoOf } from "../../src/boulder/iso-time.ts"
import type { ProofEntry } from "../../src/boulder/proof-entry.ts"
import { proofOf } from "../../src/decide/proof/proof.ts"
import { seeTicks } from "../../src/decide/see-ticks.ts"
import type { Task } from "../../src/plan/model/plan.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"

/*
 * All short sequences of two tasks: `a` and `A` are files of the first, which the lead works; `b` is the file of the second, which
 * the lead works, or a subagent (then `k` is its own run); `c1` and `c2` are runs of the lead's; `n` are its notes.
 */
const AT = "2026-01-01T00:00:00Z"
const CHECKS = ["npm run c1", "npm run c2"] as const
const PLAN = parsePlan(
  `# Plan\n\n## TODOs\n\n${CHECKS.map((check, at) => `- [ ] ${at + 1}. Do ${at + 1}\n  Verify: \`${check}\`\n`).join("")}`,
  { path: "plans/demo.md" },
).tasks
const FILES: Readonly<Record<string, string>> = {
  a: "src/a.ts",
  A: "src/more.ts",
  b: "src/b.ts",
  n: "NOTES.md",
}
const RUNS: Readonly<Record<string, 0 | 1>> = { c1: 0, c2: 1, k: 1 }

type Word = "a" | "A" | "b" | "n" | "c1" | "c2" | "k" | "t1" | "t2" | "t12"
type Sequence = readonly Word[]

interface World {
  readonly isDelegated: boolean
  readonly words: readonly Word[]
}
const WORLDS: readonly World[] = [
  { isDelegated: false, words: ["a", "A", "b", "c1", "c2", "n"] },
  { isDelegated: true, words: ["a", "A", "b", "c1", "c2", "k", "n"] },
]
const TICKS: readonly Sequence[] = [["t12"], ["t1", "t2"], ["t2", "t1"]]
const LONGEST = 5

function* sequencesOf(words: readonly Word[], length: number): Generator<Sequence> {
  if (length === 0) yield []
  else
    for (const rest of sequencesOf(words, length - 1)) for (const one of words) yield [...rest, one]
}

function entriesOf(word: Word, isDelegated: boolean): readonly ProofEntry[] {
  const named = (task: Task | undefined) => ({
    key: task?.key ?? "",
    title_hash: task?.titleHash ?? "",
  })
  const second = named(PLAN[1])
  const isBySubagent = isDelegated && (word === "b" || word === "k")
  const by = { at: AT, session: "s", task: isBySubagent ? second : null }
  const path = FILES[word]
  const run = RUNS[word]
  const made: ProofEntry =
    path === undefined
      ? { ...by, kind: "run", check: CHECKS[run ?? 0], outcome: "passed", exit: 0, tree: null }
      : { ...by, kind: "write", path }
  const back = { at: AT, session: "s", kind: "back", task: second, tree: null } as const
  return isBySubagent ? [made, back] : [made]
}

/** The tasks, by their index, that a tick of a sequence was not proven for. */
function heldIn(sequence: Sequence, isDelegated: boolean): readonly number[] {
  const entries: ProofEntry[] = []
  let tasks: readonly Task[] = PLAN
  for (const [index, word] of sequence.entries()) {
    if (!word.startsWith("t")) {
      entries.push(...entriesOf(word, isDelegated))
      continue
    }
    tasks = tasks.map((task) =>
      word.includes(task.label ?? "-") ? { ...task, state: "done" } : task,
    )
    const at = isoOf(Date.parse(AT) + index * 1_000)
    const { added } = seeTicks({ tasks }, entries, {
      at,
      by: "agent",
      isRequired: true,
      untold: [],
    })
    entries.push(...added)
  }
  const proof = proofOf({ tasks }, entries)
  return tasks.flatMap((task, at) => (proof.isTickProven(task) ? [] : [at]))
}

const taskOf = (word: Word): number | null =>
  word === "a" || word === "A" ? 0 : word === "b" ? 1 : null

/** What is written is checked in the runs that follow it next: the lead does not check the other task first. */
function isOrderly(sequence: Sequence, isDelegated: boolean): boolean {
  return sequence.every((word, at) => {
    const task = taskOf(word)
    if (task === null || (isDelegated && task === 1)) return true
    const from = sequence.findIndex((one, to) => to > at && RUNS[one] !== undefined && one !== "k")
    if (from < 0) return true
    const to = sequence.findIndex((one, end) => end > from && RUNS[one] === undefined)
    const runs = sequence.slice(from, to < 0 ? undefined : to)
    return runs.some((one) => one !== "k" && RUNS[one] === task)
  })
}

/** How each task stands in truth: its check was run behind its last write, and it has one. */
function truthOf(sequence: Sequence): readonly boolean[] {
  return PLAN.map((_, task) => {
    const written = sequence.findLastIndex((word) => taskOf(word) === task)
    const run = sequence.findLastIndex((word) => RUNS[word] === task)
    return written >= 0 && run > written
  })
}

/** The sequences in which both tasks are worked, in whatever order they are checked. */
function* inAnyOrder({ words }: World): Generator<Sequence> {
  for (let length = 2; length <= LONGEST; length++)
    for (const sequence of sequencesOf(words, length)) {
      const isWorked = PLAN.every((_, task) => sequence.some((word) => taskOf(word) === task))
      // The files of the first are told apart by their order alone.
      const isFirst = /^[^A]*(?:a.*)?$/.test(sequence.join(""))
      if (isWorked && isFirst) yield sequence
    }
}

/** Those in which each task is checked in its order. */
const worked = (world: World): readonly Sequence[] =>
  [...inAnyOrder(world)].filter((sequence) => isOrderly(sequence, world.isDelegated))

/** Each sequence with its ticks, for which `isWrong` says so of the tasks that are held. */
function wrongIn(
  sequences: Iterable<Sequence>,
  { isDelegated }: World,
  isWrong: (held: readonly number[]) => boolean,
): readonly string[] {
  return [...sequences]
    .flatMap((sequence) => TICKS.map((ticks) => [...sequence, ...ticks]))
    .filter((all) => isWrong(heldIn(all, isDelegated)))
    .map((all) => all.join(" "))
}

const isHonest = (sequence: Sequence): boolean => truthOf(sequence).every(Boolean)

describe.each(WORLDS)("of two tasks, the second delegated: $isDelegated", (world) => {
  const all = worked(world)
  const honest = all.filter(isHonest)

  test("who runs each check behind the last write of its task is never held", () => {
    expect(wrongIn(honest, world, (held) => held.length > 0)).toEqual([])
    expect(honest.length).toBeGreaterThan(50)
  })

  test("a task that is written behind its last check is held, in whatever order they are ticked", () => {
    const plain = all.filter((sequence) => !sequence.includes("n"))
    const missed = plain.flatMap((sequence) => {
      const truth = truthOf(sequence)
      const isMissed = (held: readonly number[]): boolean =>
        truth.some((isDone, task) => !isDone && !held.includes(task))
      return wrongIn([sequence], world, isMissed)
    })
    expect(missed).toEqual([])
  })

  test("and the other one is not, where the lead has checked one task at a time and writes such a file again", () => {
    const apart = honest.filter((sequence) => !/c1 c2|c2 c1/.test(sequence.join(" ")))
    const wrong = apart.flatMap((sequence) =>
      [...new Set(sequence)]
        .filter((word) => taskOf(word) !== null)
        .flatMap((word) =>
          wrongIn([[...sequence, word]], world, (held) => held.join() !== `${taskOf(word)}`),
        ),
    )
    expect(wrong).toEqual([])
  })
})

/** Whether the lead's files can be the tasks' in such a way that each task that is not held is done; notes can be nobody's. */
function isDoneInAWay(
  sequence: Sequence,
  { isDelegated }: World,
  held: readonly number[],
): boolean {
  const own = isDelegated ? ["a", "A", "n"] : ["a", "A", "b", "n"]
  const files = own.filter((file) => sequence.some((word) => word === file))
  const ways = files.reduce<readonly Readonly<Record<string, number>>[]>(
    (known, file) =>
      known.flatMap((way) =>
        (file === "n" ? [0, 1, 2] : [0, 1]).map((task) => ({ ...way, [file]: task })),
      ),
    [isDelegated ? { b: 1 } : {}],
  )
  return ways.some((way) =>
    PLAN.every((_, task) => {
      const written = sequence.findLastIndex((word) => way[word] === task)
      const run = sequence.findLastIndex((word) => RUNS[word] === task)
      return held.includes(task) || (written >= 0 && run > written)
    }),
  )
}

test.each(WORLDS)(
  "what is missed in any order, an honest lead of other files does as well; the second delegated: $isDelegated",
  (world) => {
    const all = [...inAnyOrder(world)].flatMap((sequence) =>
      TICKS.map((ticks) => ({
        sequence,
        held: heldIn([...sequence, ...ticks], world.isDelegated),
      })),
    )
    const told = all.filter(({ sequence, held }) => !isDoneInAWay(sequence, world, held))
    expect(told.map(({ sequence }) => sequence.join(" "))).toEqual([])
  },
)
