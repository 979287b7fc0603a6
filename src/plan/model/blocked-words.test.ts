import { describe, expect, test } from "bun:test"
import { markTask } from "../mark-task.ts"
import { parsePlan } from "../parse-plan.ts"
import { saysNothing } from "./blocked-words.ts"

const noteIn = (rows: string): string | null => {
  const text = `## TODOs\n\n${rows}\n`
  const [task] = parsePlan(text).tasks
  if (task === undefined) throw new Error("no task")
  return task.note?.words ?? null
}

describe("the note of a blocked task", () => {
  test.each([
    { name: "a sub-line", rows: "- [ ] 1. Deploy\n  - BLOCKED: no key", is: "no key" },
    { name: "in bold", rows: "- [!] 1. Deploy\n  **BLOCKED**: no key", is: "no key" },
    {
      name: "among details",
      rows: "- [ ] 1. Deploy\n  What: x\n  - BLOCKED: no key\n  More: y",
      is: "no key",
    },
    { name: "a sub-item's", rows: "- [ ] 1. Deploy\n  - [ ] a\n      - BLOCKED: no key", is: null },
    { name: "no words", rows: "- [!] 1. Deploy\n  - BLOCKED:", is: null },
    { name: "a mark alone", rows: "- [!] 1. Deploy", is: null },
    {
      name: "another task's",
      rows: "- [!] 1. Deploy\n- [ ] 2. Run\n  - BLOCKED: no key",
      is: null,
    },
  ])("$name", ({ rows, is }) => {
    expect(noteIn(rows)).toBe(is)
  })
  test.each([
    { name: "no words", below: "- BLOCKED:", is: "blocked" },
    { name: "none", below: "- BLOCKED: none", is: "open" },
    { name: "n/a", below: "**BLOCKED:** n/a", is: "open" },
    { name: "nothing", below: "- BLOCKED: nothing so far", is: "open" },
    { name: "no API key", below: "- BLOCKED: no API key", is: "blocked" },
    { name: "of ours", below: "- BLOCKED: no key (hnd_1)", is: "open" },
    {
      name: "of ours, and one by hand",
      below: "- BLOCKED: no key (hnd_1)\n  - BLOCKED: no paint",
      is: "blocked",
    },
  ])("an open box above one that says $name is $is", ({ below, is }) => {
    const [task] = parsePlan(`## TODOs\n\n- [ ] 1. Deploy\n  ${below}\n`).tasks
    expect(task?.state).toBe(is as "open")
  })
  test.each([
    ...[
      "none",
      "None.",
      "n/a",
      "N/A - all done",
      "no",
      "No.",
      "No, all tests pass.",
      "-",
      "—",
      "**none**",
    ],
    ...[
      "no blockers",
      "No blockers so far, all is well",
      "no known blockers",
      "not blocked",
      "Not blocked any more",
    ],
    ...[
      "not applicable",
      "Not applicable here",
      "nothing",
      "nothing so far",
      "nothing here",
      "none at the moment",
    ],
    ...["nothing is blocking", "no issues.", "no known problems"],
  ])("%s says nothing", (words) => {
    expect(saysNothing(words)).toBe(true)
  })
  test.each([
    ...[
      "None of the secrets are set",
      "nothing here compiles",
      "nothing compiles",
      "no API key",
      "no network",
    ],
    ...[
      "no issue tracker token",
      "not allowed to write",
      "note the missing key",
      "nobody answers",
      "-1 is returned",
    ],
    ...["none (hnd_01)", "no database at port 5432", "not blocking but odd"],
  ])("%s is a reason", (words) => {
    expect(saysNothing(words)).toBe(false)
  })
  test.each([
    {
      name: "a sub-item's behind its row",
      below: "- [ ] a\n  - BLOCKED: no key\n- [ ] b",
      is: null,
    },
    { name: "one that goes on with a sub-item", below: "- [ ] a\nBLOCKED: no key", is: null },
    {
      name: "an item of its own behind the sub-items",
      below: "- [ ] a\n- BLOCKED: no key",
      is: "no key",
    },
    {
      name: "one before the sub-items",
      below: "BLOCKED: no key\n\n- [ ] a\n  - BLOCKED: b",
      is: "no key",
    },
  ])("under a heading with a box $name", ({ below, is }) => {
    expect(noteIn(`### 1. [ ] Deploy\n${below}`)).toBe(is)
  })
  test("where no marker says blocked, our line alone does", () => {
    const text = "# Plan\n\n- [ ] 1. Deploy\n- [ ] 2. Run\n"
    const [task] = parsePlan(text).tasks
    if (task === undefined) throw new Error("no task")
    const marked = markTask(text, task, "blocked", "nothing works (hnd_1)")
    expect(marked.ok && marked.text).toBe(
      "# Plan\n\n- [ ] 1. Deploy\n  - BLOCKED: nothing works (hnd_1)\n- [ ] 2. Run\n",
    )
    const states = marked.ok ? parsePlan(marked.text).tasks.map(({ state }) => state) : []
    expect(states).toEqual(["blocked", "open"])
  })
  test("a plan's own legend that has a marker for it lets the box decide", () => {
    const text = "Legend: [B] blocked\n\n- [ ] 1. Deploy\n  - BLOCKED: no key (hnd_1)\n"
    expect(parsePlan(text).tasks[0]?.state).toBe("open")
  })
  test("a block over a line by hand, or over ours left behind, marks the box", () => {
    for (const left of ["no paint", "no paint (hnd_1)"]) {
      const text = `## TODOs\n\n- [ ] 1. Deploy\n  - BLOCKED: ${left}\n`
      const [task] = parsePlan(text).tasks
      if (task === undefined) throw new Error("no task")
      const marked = markTask(text, task, "blocked", "no key (hnd_2)")
      expect(marked.ok && marked.text).toBe(
        "## TODOs\n\n- [~] 1. Deploy\n  - BLOCKED: no key (hnd_2)\n",
      )
    }
  })
  test("it is the one that markTask writes", () => {
    const text = "## TODOs\n\n- [ ] 1. Deploy\n  What: x\n- [ ] 2. Run\n"
    const [task] = parsePlan(text).tasks
    if (task === undefined) throw new Error("no task")
    const marked = markTask(text, task, "blocked", "no key (hnd_1)")
    if (!marked.ok) throw new Error(marked.message)
    const [again] = parsePlan(marked.text).tasks
    expect(again?.state).toBe("blocked")
    expect(again?.note?.words).toBe("no key (hnd_1)")
  })
})

test.each([
  ...[
    "no - waiting for the key",
    "No: needs the key",
    "none, blocked by the bank",
    "no; pending approval",
  ],
])("%j says what the work waits for", (words) => {
  expect(saysNothing(words)).toBe(false)
})
test.each(["no - all fine", "No, not waiting for anything", "none; nothing is pending"])(
  "%j names nothing that the work waits for",
  (words) => {
    expect(saysNothing(words)).toBe(true)
  },
)

test.each(["无", "无。", "なし", "없음", "keine", "nichts.", "Ninguno", "нет"])(
  "%j says that nothing is blocked",
  (words) => {
    expect(saysNothing(words)).toBe(true)
  },
)

test.each([
  "等待密钥",
  "키를 기다림",
  "無効な鍵",
  "ждём ключ",
  "нет ключа",
  "kein Schlüssel",
  "nada que probar sin clave",
])("%j blocks", (words) => {
  expect(saysNothing(words)).toBe(false)
})

describe("a detail that says what a task is blocked by", () => {
  const taskOf = (detail: string) =>
    parsePlan(
      `## Groundwork\n- [ ] 1. Dig the pond\n- [ ] Paint the wall\n- [ ] 3. Fill\n${detail}\n`,
    ).tasks.find(({ title }) => title === "Fill")

  test.each([
    { detail: "  - Blocked by: the key of the vendor", is: "the key of the vendor" },
    { detail: "  **Blocked By**: approval, from Ann", is: "approval, from Ann" },
    { detail: "  - **Blocked by:** API access", is: "API access" },
  ])("blocks it where it names nothing of the plan: $detail", ({ detail, is }) => {
    const task = taskOf(detail)
    expect([task?.state, task?.runnable, task?.note?.words]).toEqual(["blocked", false, is])
  })

  test.each([
    "  - Blocked by: none",
    "  - Blocked By: —",
    "  - Blocked by: nothing, can start at once",
    "  - Can run: YES | Blocked by: the key of the vendor",
    "  - **Blocked By**: all tasks above",
    "  - Blocked by: Wave A",
    "  - Blocked by: the previous row",
    "  - Blocked by: Groundwork",
    "  - Blocks: the key of the vendor",
  ])("does not where it names none, or what is in the plan: %s", (detail) => {
    expect([taskOf(detail)?.state, taskOf(detail)?.runnable]).toEqual(["open", true])
  })

  test("makes it wait for a task of that number, and for none by its title", () => {
    const waits = (detail: string) => [taskOf(detail)?.state, taskOf(detail)?.dependsOn.length]
    expect(waits("  - Blocked by: 1")).toEqual(["open", 1])
    expect(waits("  - Blocked by: Paint the wall")).toEqual(["open", 0])
  })
})

test("what a heading says of the row that it tells more of comes first for that row", () => {
  const phase = (number: number, first: string) =>
    `### Phase ${number}: P${number}\n**Goal**: words\n**Depends on**: ${first}\n\nPlans:\n- [ ] 0${number}-01: a\n\n`
  const text = `# Roadmap\n\n## Phases\n- [ ] **Phase 1: P1** - a\n- [ ] **Phase 2: P2** - b\n- [ ] **Phase 3: P3** - c\n\n## Phase Details\n\n${phase(1, "Nothing (first phase)")}${phase(2, "Phase 1")}${phase(3, "Phase 2, Phase 0")}`
  const { tasks, warnings } = parsePlan(text)
  expect([tasks.map(({ dependsOn, runnable }) => [dependsOn, runnable]), warnings]).toEqual([
    [
      [[], true],
      [["task:1"], false],
      [["task:2"], false],
    ],
    [],
  ])
})
