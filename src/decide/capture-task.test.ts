import { describe, expect, test } from "bun:test"
import { aPlan, aTask, aWork } from "../../test/support/builders.ts"
import { growth } from "../../test/support/growth.ts"
import type { Task } from "../plan/plan.ts"
import { captureTask } from "./capture-task.ts"

const titled = (label: string, title: string, given: Partial<Omit<Task, "label">> = {}) =>
  aTask({ label, title, ...given })
const tasks = [
  titled("1", "Add the users table", { state: "done", runnable: false }),
  titled("2", "Add the login route"),
  titled("3", "Add the login route with rate limiting"),
  titled("12", "Write the docs"),
  titled("1.2", "Migrate the data"),
  titled("F1", "Plan compliance audit", { section: "final-wave" }),
  {
    ...titled("x", "Rotate the keys"),
    key: "task:~a1b2c3d4",
    label: null,
    section: "task" as const,
  },
  titled("AUTH-7", "Audit the session store", { section: "task" }),
  { ...titled("12", "Write the docs again"), key: "todo:12#2", reusable: false },
  { ...titled("x", "添加登录接口"), key: "task:~0badcafe", label: null, section: "task" as const },
  titled("9", "Ajouter l’écran É"),
]
const plan = aPlan(tasks)
const captured = (description: string, prompt = "") => {
  const found = captureTask(plan, aWork(), { description, prompt })
  return found === null ? null : `${found.task.key} ${found.by}`
}

describe("named in the description by its key", () => {
  test.each([
    { description: "todo:3", key: "todo:3" },
    { description: "todo:3: add rate limiting", key: "todo:3" },
    { description: "Work on todo:3.", key: "todo:3" },
    { description: "(todo:3)", key: "todo:3" },
    { description: "`todo:3` now", key: "todo:3" },
    { description: "**todo:3** now", key: "todo:3" },
    { description: "_todo:3_ now", key: "todo:3" },
    { description: "TODO:3", key: "todo:3" },
    { description: "task=todo:3", key: "todo:3" },
    { description: "task:todo:3", key: "todo:3" },
    { description: "key:todo:3", key: "todo:3" },
    { description: "todo:12", key: "todo:12" },
    { description: "todo:1.2", key: "todo:1.2" },
    { description: "final-wave:F1 audit", key: "final-wave:f1" },
    { description: "task:~a1b2c3d4", key: "task:~a1b2c3d4" },
    { description: "task:AUTH-7", key: "task:auth-7" },
    { description: "todo:12#2", key: "todo:12#2" },
    { description: "任务todo:3、请完成", key: "todo:3" },
    { description: "任务 todo:3、请完成", key: "todo:3" },
    { description: "ｔｏｄｏ：３", key: "todo:3" },
    { description: "a settled one, todo:1", key: "todo:1" },
  ])("$description: $key", ({ description, key }) => {
    expect(captured(description)).toBe(`${key} named-in-description`)
  })
  test.each([
    { description: "todo:123" },
    { description: "todo:1.25" },
    { description: "todo:2-3" },
    { description: "mytodo:3" },
    { description: "sub-todo:3" },
    { description: "todo: 3" },
    { description: "todo:99" },
    { description: "a key of another plan, task:t012" },
    { description: "" },
  ])("$description is no key of this plan", ({ description }) => {
    expect(captured(description)).toBe("todo:2 first-unsettled")
  })
  test("a description that names two keys names none", () => {
    expect(captured("todo:3 and todo:12")).toBe("todo:2 first-unsettled")
  })
  test("a key in the description comes before a key in the prompt", () => {
    expect(captured("todo:3", "todo:12")).toBe("todo:3 named-in-description")
  })
  test("three parallel calls on three named tasks land on three keys (omo PR #2640)", () => {
    expect(["todo:2", "todo:3", "todo:12"].map((key) => captured(key))).toEqual([
      "todo:2 named-in-description",
      "todo:3 named-in-description",
      "todo:12 named-in-description",
    ])
  })
})

describe("named in the description by label and title", () => {
  test.each([
    { description: "3. Add the login route with rate limiting", key: "todo:3" },
    { description: "Task 2: Add the login route", key: "todo:2" },
    { description: "2) add  the LOGIN route", key: "todo:2" },
    { description: "F1: Plan compliance audit", key: "final-wave:f1" },
    { description: "Rotate the keys", key: "task:~a1b2c3d4" },
    { description: "请 添加登录接口", key: "task:~0badcafe" },
    { description: "9. Ajouter l’écran E\u0301", key: "todo:9" },
  ])("$description: $key", ({ description, key }) => {
    expect(captured(description)).toBe(`${key} named-in-description`)
  })
  test.each([
    { description: "Add the login route", why: "the title without its label" },
    { description: "5. Add the login route", why: "the title with another label" },
    { description: "12: Add the login route", why: "the title of one task with another's label" },
    { description: "3", why: "the label alone" },
  ])("$why names none", ({ description }) => {
    expect(captured(description)).toBe("todo:2 first-unsettled")
  })
  test("of two titles the longer one is meant; of two equal ones none", () => {
    const twins = aPlan([titled("4", "Same"), titled("5", "Same"), titled("6", "Other")])
    const words = { description: "4, 5: Same", prompt: "" }
    expect(captureTask(twins, aWork(), words)?.by).toBe("first-unsettled")
    expect(captured("2, 3: Add the login route with rate limiting")).toBe(
      "todo:3 named-in-description",
    )
  })
})

describe("named in the prompt", () => {
  test("one key there is the task's", () => {
    expect(captured("go on", "Please do todo:12, see docs.")).toBe("todo:12 named-in-prompt")
  })
  test("the same key twice is one key", () => {
    expect(captured("go on", "todo:12 … todo:12.")).toBe("todo:12 named-in-prompt")
  })
  test("two keys there name none", () => {
    expect(captured("go on", "After todo:3 came todo:12.")).toBe("todo:2 first-unsettled")
  })
  test("a foreign key beside it does not count", () => {
    expect(captured("go on", "todo:12, not task:t999")).toBe("todo:12 named-in-prompt")
  })
  test("a title in the prompt names nothing: prompts quote whole plans", () => {
    expect(captured("go on", "12. Write the docs")).toBe("todo:2 first-unsettled")
  })
})

describe("else the first task that is left", () => {
  const first = (...left: readonly Task[]) =>
    captureTask(aPlan(left), aWork(), { description: "", prompt: "" })?.task.key ?? null
  test("settled ones are passed over", () => {
    expect(first(...tasks)).toBe("todo:2")
  })
  test("one that can be worked on comes before a blocked one", () => {
    expect(first(aTask({ label: "1", state: "blocked" }), aTask({ label: "2" }))).toBe("todo:2")
  })
  test("where all are blocked, the first of them", () => {
    expect(first(aTask({ label: "1", state: "blocked" }))).toBe("todo:1")
  })
  test("a plan with nothing left gives none", () => {
    expect(first(aTask({ label: "1", state: "done" }))).toBeNull()
  })
  test("a plan without tasks gives none", () => {
    expect(first()).toBeNull()
  })
})

describe("foreign text is read in linear time", () => {
  test.each([
    { name: "letters without an end", text: (size: number) => "a".repeat(size) },
    { name: "colons", text: (size: number) => "a:".repeat(size / 2) },
    { name: "a key's dots without an end", text: (size: number) => `todo:1${".".repeat(size)}x` },
    {
      name: "dots behind a title",
      text: (size: number) => `add the login route ${".".repeat(size)}x`,
    },
    { name: "sections", text: (size: number) => "todo:".repeat(size / 5) },
    { name: "blanks", text: (size: number) => " ".repeat(size) },
  ])("$name", ({ text }) => {
    const [small, large] = [text(25_000), text(100_000)]
    const read = (given: string) => captured(given, given)
    expect(read(small)).not.toBeNull()
    expect(growth(read, { small, large, enough: 10, noiseMs: 1 }).ratio).toBeLessThan(10)
  })
  test("a key behind 100,000 characters is not looked for, one before them is", () => {
    const long = "word ".repeat(20_000)
    expect(captured("go on", `${long}todo:12`)).toBe("todo:2 first-unsettled")
    expect(captured("go on", `todo:12 ${long}`)).toBe("todo:12 named-in-prompt")
  })
})
