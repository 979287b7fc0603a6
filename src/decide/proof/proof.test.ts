import { describe, expect, test } from "bun:test"
import { aPlan, aTask, at } from "../../../test/support/builders.ts"
import type { ProofEntry } from "../../boulder/proof-entry.ts"
import type { Task } from "../../plan/model/plan.ts"
import { proofOf } from "./proof.ts"

const checked = (label: string, command: string, given: Partial<Task> = {}): Task =>
  aTask({ state: "done", checks: [{ command, line: 3 }], ...given, label })
const ONE = checked("1", "npm test -- one")
const TWO = checked("2", "npm test -- two")

const named = ({ key, titleHash }: Task) => ({ key, title_hash: titleHash })
const fact = { at: at(0), session: "ses_child" }
const run = (
  task: Task | null,
  outcome: (ProofEntry & { kind: "run" })["outcome"],
  check = "npm test -- one",
): ProofEntry => ({
  ...fact,
  kind: "run",
  task: task === null ? null : named(task),
  check,
  outcome,
  exit: outcome === "passed" ? 0 : 1,
  tree: null,
})
const write = (task: Task | null, path: string): ProofEntry => ({
  ...fact,
  kind: "write",
  task: task === null ? null : named(task),
  path,
})
const tick = (task: Task): ProofEntry => ({
  kind: "tick",
  at: at(0),
  task: named(task),
  tier: "claimed",
})

const tierOf = (task: Task, entries: readonly ProofEntry[], others: readonly Task[] = []) =>
  proofOf(aPlan([task, ...others]), entries).of(task)?.tier ?? null

describe("what a tick stands on", () => {
  test.each([
    { what: "no run", entries: [], tier: "claimed" },
    { what: "a run that passed", entries: [run(ONE, "passed")], tier: "proven" },
    { what: "a run that failed", entries: [run(ONE, "failed")], tier: "failed" },
    { what: "a run whose end nobody knows", entries: [run(ONE, "unknown")], tier: "claimed" },
    { what: "a check that cannot run", entries: [run(ONE, "unavailable")], tier: "unavailable" },
    {
      what: "the last run decides: passed",
      entries: [run(ONE, "failed"), run(ONE, "passed")],
      tier: "proven",
    },
    {
      what: "the last run decides: failed",
      entries: [run(ONE, "passed"), run(null, "failed")],
      tier: "failed",
    },
    { what: "the lead's own run", entries: [run(null, "passed")], tier: "proven" },
    {
      what: "another task's subagent has run it",
      entries: [run(TWO, "passed")],
      tier: "proven",
    },
    {
      what: "its file before the run",
      entries: [write(ONE, "a.ts"), run(ONE, "passed")],
      tier: "proven",
    },
    {
      what: "its file behind the run",
      entries: [write(ONE, "a.ts"), run(ONE, "passed"), write(ONE, "a.ts")],
      tier: "changed",
    },
    {
      what: "another file of its own behind the run",
      entries: [run(ONE, "passed"), write(ONE, "b.ts")],
      tier: "changed",
    },
    {
      what: "its file behind the run, by another task's subagent",
      entries: [write(ONE, "a.ts"), run(ONE, "passed"), write(TWO, "a.ts")],
      tier: "changed",
    },
    {
      what: "the folder of its file behind the run, by another task's subagent",
      entries: [write(ONE, "src/auth/a.ts"), run(ONE, "passed"), write(TWO, "src/auth")],
      tier: "changed",
    },
    {
      what: "another folder behind the run, by another task's subagent",
      entries: [write(ONE, "src/auth/a.ts"), run(ONE, "passed"), write(TWO, "src/aut")],
      tier: "proven",
    },
    {
      what: "another task's file behind the run",
      entries: [write(ONE, "a.ts"), run(ONE, "passed"), write(TWO, "b.ts")],
      tier: "proven",
    },
    {
      what: "the lead's own write behind the run, before the tick",
      entries: [run(ONE, "passed"), write(null, "a.ts")],
      tier: "changed",
    },
    {
      what: "the same, the tick seen",
      entries: [run(ONE, "passed"), write(null, "a.ts"), tick(ONE)],
      tier: "changed",
    },
    {
      what: "the lead's own write behind the tick",
      entries: [run(ONE, "passed"), tick(ONE), write(null, "a.ts")],
      tier: "proven",
    },
    {
      what: "all files behind the run, before it is settled",
      entries: [write(ONE, "a.ts"), run(ONE, "passed"), tick(ONE), write(TWO, ".")],
      tier: "changed",
    },
    {
      what: "all files behind the tick that settled it",
      entries: [
        ...[write(ONE, "a.ts"), run(ONE, "passed")],
        { ...tick(ONE), tier: "proven" as const } as ProofEntry,
        write(TWO, "."),
      ],
      tier: "proven",
    },
    {
      what: "run again behind its change",
      entries: [write(ONE, "a.ts"), run(ONE, "passed"), write(ONE, "a.ts"), run(null, "passed")],
      tier: "proven",
    },
  ] as const)("$what: $tier", ({ entries, tier }) => {
    expect(tierOf(ONE, entries, [TWO])).toBe(tier)
  })

  test("a task without a check has no tier, nor has an open one that nothing was run for", () => {
    expect(tierOf(aTask({ label: "1", state: "done" }), [])).toBeNull()
    expect(tierOf({ ...ONE, state: "open" }, [])).toBeNull()
    expect(tierOf({ ...ONE, state: "open" }, [run(ONE, "failed")])).toBe("failed")
  })

  test("of several checks the one speaks that speaks most against it", () => {
    const both = { ...ONE, checks: [...(ONE.checks ?? []), { command: "make", line: 4 }] }
    expect(tierOf(both, [run(both, "passed")])).toBe("claimed")
    expect(tierOf(both, [run(both, "passed"), run(both, "failed", "make")])).toBe("failed")
    expect(tierOf(both, [run(both, "passed"), run(both, "passed", "make")])).toBe("proven")
  })
})

describe("a check that several tasks have", () => {
  const A = checked("1", "npm test")
  const B = checked("2", "npm test")

  test.each([
    { what: "run for another task", entries: [run(A, "passed", "npm test")], tier: "claimed" },
    { what: "run for itself", entries: [run(B, "passed", "npm test")], tier: "proven" },
    {
      what: "run by the lead, and nothing written for it",
      entries: [run(null, "passed", "npm test")],
      tier: "proven",
    },
    {
      what: "the same behind the tick before",
      entries: [tick(A), run(null, "passed", "npm test")],
      tier: "proven",
    },
    {
      what: "the same before its result, where it was delegated",
      entries: [
        run(null, "passed", "npm test"),
        { ...fact, kind: "back" as const, task: named(B) },
      ],
      tier: "claimed",
    },
    {
      what: "run by the lead behind its result",
      entries: [
        { ...fact, kind: "back" as const, task: named(B) },
        run(null, "passed", "npm test"),
      ],
      tier: "proven",
    },
    {
      what: "run by the lead behind what it has written itself",
      entries: [write(null, "a.ts"), run(null, "passed", "npm test")],
      tier: "proven",
    },
    {
      what: "run by the lead behind what it has written for the task before",
      entries: [write(null, "a.ts"), run(null, "passed", "npm test"), tick(A)],
      tier: "claimed",
    },
  ] as const)("$what: $tier", ({ entries, tier }) => {
    expect(tierOf(B, entries, [A])).toBe(tier)
  })
})

describe("checks that change in the plan", () => {
  const OLD = "npm test -- one"
  const seenWith = (commands: readonly string[], by?: "agent" | "person"): ProofEntry => ({
    kind: "checks",
    at: at(0),
    task: named(ONE),
    checks: [...commands],
    ...(by !== undefined && { by }),
  })
  const withChecks = (...commands: readonly string[]): Task => {
    const { checks: _, ...bare } = ONE
    return commands.length === 0
      ? bare
      : { ...bare, checks: commands.map((command) => ({ command, line: 3 })) }
  }

  test.each([
    { what: "another in its place, by an agent", edits: [["true", "agent"]], asked: ["true"] },
    { what: "taken out by an agent", edits: [["", "agent"]], asked: [OLD] },
    { what: "taken out by a person", edits: [["", "person"]], asked: [] },
    {
      what: "taken out and put back",
      edits: [
        ["", "agent"],
        [OLD, "agent"],
      ],
      asked: [OLD],
    },
    {
      what: "taken out, then another",
      edits: [
        ["", "agent"],
        ["make", "agent"],
      ],
      asked: ["make"],
    },
    {
      what: "another, then none",
      edits: [
        ["make", "agent"],
        ["", "agent"],
      ],
      asked: ["make"],
    },
    {
      what: "out by an agent, then by a person",
      edits: [
        ["", "agent"],
        ["make", "person"],
        ["", "person"],
      ],
      asked: [],
    },
  ])("$what: asked for $asked", ({ edits, asked }) => {
    const changes = edits.map(([check = "", by]) =>
      seenWith(check === "" ? [] : [check], by === "agent" ? "agent" : "person"),
    )
    const now = withChecks(...[edits.at(-1)?.[0] ?? ""].filter((check) => check !== ""))
    const proof = proofOf(aPlan([now]), [seenWith([OLD]), ...changes])
    expect(proof.asked(now).join(" + ")).toBe(asked.join(" + "))
  })

  test("one that was taken out by an agent is proven by its own run, and by no other", () => {
    const now = withChecks()
    const entries = [seenWith([OLD]), run(ONE, "failed"), seenWith([], "agent")]
    expect(proofOf(aPlan([now]), entries).of(now)).toMatchObject({
      tier: "failed",
      check: OLD,
      isTakenOut: true,
    })
    const proven = proofOf(aPlan([now]), [...entries, run(null, "passed")])
    expect(proven.of(now)?.tier).toBe("proven")
  })

  test("of two, one that an agent takes out is asked for beside the other", () => {
    const now = withChecks("make")
    const entries = [
      seenWith([OLD, "make"]),
      seenWith(["make"], "agent"),
      run(ONE, "passed", "make"),
    ]
    const proof = proofOf(aPlan([now]), entries)
    expect([...proof.asked(now)]).toEqual(["make", OLD])
    expect(proof.of(now)).toMatchObject({ tier: "claimed", check: OLD })
  })
})

test("a task that was renumbered keeps what is known of it", () => {
  const moved = { ...ONE, key: "todo:7", label: "7" }
  const entries = [write(ONE, "a.ts"), run(ONE, "passed"), tick(ONE)]
  const proof = proofOf(aPlan([moved, TWO]), entries)
  expect(proof.of(moved)?.tier).toBe("proven")
  expect(proof.isTickKnown(moved)).toBe(true)
  expect(proof.isTickKnown(TWO)).toBe(false)
})

describe("records of a task from before its renumbering and from behind it", () => {
  const shared = (label: string) => checked(label, "npm test -- one")
  const moved = { ...ONE, key: "todo:2", label: "2" }
  const before = [write(ONE, "a.ts"), run(ONE, "passed")]

  test("count for it, and not for the row that has its old number now", () => {
    const newcomer = { ...shared("1"), title: "New", titleHash: "newcomer" }
    const proof = proofOf(aPlan([newcomer, moved]), [...before, tick(moved)])
    expect(proof.of(moved)?.tier).toBe("proven")
    expect(proof.of(newcomer)?.tier).toBe("claimed")
  })

  test("of one whose row is gone they count for no task that has its number now", () => {
    const next = { ...TWO, key: "todo:1", label: "1", checks: ONE.checks ?? [] }
    const entries = [write(TWO, "b.ts"), run(next, "passed"), write(ONE, "a.ts"), tick(next)]
    expect(proofOf(aPlan([next]), entries).of(next)?.tier).toBe("proven")
  })

  test("of two that have changed places each keeps its own", () => {
    const [one, two] = [moved, { ...TWO, key: "todo:1", label: "1" }]
    const entries = [...before, run(TWO, "failed", "npm test -- two"), write(one, "a.ts")]
    const proof = proofOf(aPlan([two, one]), [...entries, tick(two)])
    expect(proof.of(two)?.tier).toBe("failed")
    expect(proof.of(one)).toMatchObject({ tier: "changed" })
  })

  test("of one that was only reworded all but its tick count", () => {
    const reworded = { ...ONE, title: "Other words", titleHash: "reworded" }
    const entries = [...before, tick(ONE), write(reworded, "b.ts")]
    const proof = proofOf(aPlan([reworded, TWO]), entries)
    expect(proof.isTickKnown(reworded)).toBe(false)
    expect(proof.of(reworded)).toMatchObject({ tier: "changed" })
  })
})

test("a tick that was taken back is to be seen anew", () => {
  const entries = [tick(ONE), { kind: "reopened" as const, at: at(1), task: named(ONE) }]
  expect(proofOf(aPlan([ONE]), entries).isTickKnown(ONE)).toBe(false)
})

test("no run of before speaks for a task whose tick was taken back", () => {
  const back = { kind: "reopened" as const, at: at(1), task: named(ONE) }
  const before = [run(ONE, "passed"), tick(ONE), back]
  expect(proofOf(aPlan([ONE]), [...before, tick(ONE)]).of(ONE)).toMatchObject({
    tier: "claimed",
    uncounted: "taken-back",
  })
  expect(tierOf(ONE, [...before, run(ONE, "passed")])).toBe("proven")
})

test("a check that was run for another task since is not called one that was not run", () => {
  const back = { kind: "reopened" as const, at: at(1), task: named(ONE) }
  const entries = [run(ONE, "passed"), tick(ONE), back, run(TWO, "passed"), tick(TWO), tick(ONE)]
  const shared = { ...TWO, checks: ONE.checks ?? [] }
  expect(proofOf(aPlan([ONE, shared]), entries).of(ONE)).toMatchObject({
    tier: "claimed",
    uncounted: "another's",
  })
})

describe("what decides between facts", () => {
  const both = { ...ONE, checks: [...(ONE.checks ?? []), ...(TWO.checks ?? [])] }
  const second = "npm test -- two"
  test.each([
    {
      what: "of two checks, one that failed goes before one that could not run",
      entries: [run(ONE, "failed"), run(ONE, "unavailable", second)],
      tier: "failed",
    },
    {
      what: "one that was never run goes before one whose files were changed",
      entries: [run(ONE, "passed", second), write(ONE, "a.ts")],
      tier: "claimed",
    },
  ])("$what", ({ entries, tier }) => expect(tierOf(both, entries)).toBe(tier))

  test("what the lead has written before one tick belongs to none that comes later", () => {
    const entries = [
      write(null, "a.ts"),
      tick(ONE),
      write(null, "b.ts"),
      run(null, "passed", second),
      tick(TWO),
      write(null, "a.ts"),
    ]
    expect(tierOf(TWO, entries, [ONE])).toBe("proven")
  })

  test("what a subagent of an open task has written stays that task's, though the lead edits it, too", () => {
    const edited = [write(ONE, "a.ts"), write(null, "a.ts"), run(null, "passed", "npm test -- two")]
    expect(tierOf(TWO, [...edited, write(ONE, "a.ts")], [ONE])).toBe("proven")
  })

  test("a file that one tick has taken is the next task's for which the lead edits it", () => {
    const three = checked("3", "npm test -- three")
    const before = [write(null, "a.ts"), run(null, "passed"), tick(ONE)]
    const behind = [write(null, "a.ts"), run(null, "passed", "npm test -- two")]
    expect(tierOf(TWO, [...before, ...behind], [ONE, three])).toBe("proven")
    expect(tierOf(TWO, [...before, ...behind, write(three, "a.ts")], [ONE, three])).toBe("changed")
  })

  test("a file of two tasks that the lead edits anew is the one's whose check it runs behind that, where the other has more", () => {
    const three = checked("3", "npm test -- three")
    const runOf = (label: string) => run(null, "passed", `npm test -- ${label}`)
    const own = [write(null, "b.ts"), runOf("two")]
    const both = [...own, write(null, "a.ts"), runOf("one"), runOf("two")]
    const anew = [...both, write(null, "a.ts"), runOf("one"), write(three, "a.ts")]
    expect(tierOf(ONE, anew, [TWO, three])).toBe("changed")
    expect(tierOf(TWO, anew, [ONE, three])).toBe("proven")
  })

  test("a shared check that another task's subagent has run behind this one's write is not this one's", () => {
    const [one, two] = [ONE, TWO].map((task) => ({ ...task, checks: ONE.checks ?? [] }))
    if (one === undefined || two === undefined) throw new Error("two tasks are expected")
    expect(tierOf(one, [write(one, "a.ts"), run(two, "passed")], [two])).toBe("claimed")
  })

  test.each(["before", "approved", "proven", "claimed"] as const)(
    "a tick that was seen as %s is settled, but for the last",
    (tier) => {
      const entry: ProofEntry =
        tier === "approved"
          ? { kind: "approved", at: at(0), task: named(ONE) }
          : { kind: "tick", at: at(0), task: named(ONE), tier }
      expect(proofOf(aPlan([ONE]), [entry]).isTickProven(ONE)).toBe(tier !== "claimed")
    },
  )
})

test("of all files nobody knows whether a judge is among them", () => {
  const task = checked("1", "sh test/1.sh")
  const proof = proofOf(aPlan([task]), [write(task, "."), write(task, "test/1.sh")])
  expect([...proof.judgesEdited(task)]).toEqual(["test/1.sh"])
})

test("a task that was reworded keeps the writes behind its run, but no tick", () => {
  const reworded = { ...ONE, titleHash: "another" }
  const entries = [write(ONE, "a.ts"), run(ONE, "passed"), write(ONE, "a.ts"), tick(ONE)]
  const proof = proofOf(aPlan([reworded, TWO]), entries)
  expect(proof.of(reworded)?.tier).toBe("changed")
  expect(proof.isTickKnown(reworded)).toBe(false)
})
