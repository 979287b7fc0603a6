import { describe, expect, test } from "bun:test"
import { aPlan, aTask, aTaskSession, aWork, CHILD } from "../../test/support/builders.ts"
import { LONG_SIZES, tooSlow } from "../../test/support/hostile-growth.ts"
import type { Task } from "../plan/model/plan.ts"
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
  titled("20", "UI"),
  titled("21", "कुंजी बदलो"),
  titled("#4", "The bell is silent at night", { section: "task" }),
  titled("fix-robots", "Replace is_none_or", { section: "task" }),
  titled("T004", "Replay what Task 3 wrote", { section: "task" }),
  titled("30", "Docs"),
  titled("43", "2 factors at login"),
  titled("44", "Say what todo:2 has made"),
  titled("41", "Port a-b (c) [d] {e} x+y*z? f|g ^$ h\\i /j.k/ #l ~m & <n>"),
]
const plan = aPlan(tasks)
const captured = (description: string, prompt = "", resumes: string | null = null) => {
  const recorded = { task_sessions: { "todo:3": aTaskSession(tasks[2] ?? aTask({ label: "3" })) } }
  const found = captureTask(plan, aWork(recorded), { description, prompt, resumes })
  return found.task === null ? found.by : `${found.task.key} ${found.by}`
}

test.each([...["todo:3(12)", "todo:3: Task 2", "todo:3: 12 files"]])(
  "a key says it by itself, whatever label stands right behind it: %s",
  (description) => {
    expect(captured(description)).toBe("todo:3 key")
  },
)

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
    { description: "task:#4", key: "task:#4" },
    { description: "task:fix-robots: stable Rust", key: "task:fix-robots" },
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
    expect(captured(description)).toBe(`${key} key`)
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
    expect(captured(description)).toBe("nobody")
  })
  test("a description that names two keys names none", () => {
    expect(captured("todo:3 and todo:12")).toBe("nobody")
  })
  test("a key in the description comes before a key in the prompt", () => {
    expect(captured("todo:3", "todo:12")).toBe("todo:3 key")
  })
  test("three parallel calls on three named tasks land on three keys (omo PR #2640)", () => {
    expect(["todo:2", "todo:3", "todo:12"].map((key) => captured(key))).toEqual([
      "todo:2 key",
      "todo:3 key",
      "todo:12 key",
    ])
  })
})

describe("13j: named in the description by its label with its word, or by its whole title", () => {
  test.each([
    { description: "3. Add the login route with rate limiting", is: "todo:3 label" },
    { description: "3. add rate limits", is: "todo:3 label" },
    { description: "3) add rate limits", is: "todo:3 label" },
    { description: "3:", is: "todo:3 label" },
    { description: "Task 3", is: "todo:3 label" },
    { description: "finish task #3 now", is: "todo:3 label" },
    { description: "Task 2: Add the login route", is: "todo:2 label" },
    { description: "Task 1.2 of the plan", is: "todo:1.2 label" },
    { description: "2) add  the LOGIN route", is: "todo:2 label" },
    { description: "F1: Plan compliance audit", is: "final-wave:f1 label" },
    { description: "AUTH-7 again", is: "task:auth-7 label" },
    { description: "Rotate the keys", is: "task:~a1b2c3d4 title" },
    { description: "请 添加登录接口", is: "task:~0badcafe title" },
    { description: "请添加登录接口吧", is: "task:~0badcafe title" },
    { description: "9. Ajouter l’écran E\u0301", is: "todo:9 label" },
    { description: "Ajouter l'écran É", is: "todo:9 title" },
    { description: "Add the login route", is: "todo:2 title" },
    { description: "Add the `login` **route**", is: "todo:2 title" },
    { description: "5. Add the login route", is: "todo:2 title" },
    { description: "Add the login route with rate limiting", is: "todo:3 title" },
    { description: "12. Write the docs", is: "todo:12 label" },
    { description: "2, 3: Add the login route with rate limiting", is: "todo:3 title" },
    { description: "UI", is: "todo:20 title" },
    { description: "20. UI", is: "todo:20 label" },
    { description: "Task 3 - 2 new endpoints", is: "todo:3 label" },
    { description: "Task **3**", is: "todo:3 label" },
    { description: "__Rotate the keys__", is: "task:~a1b2c3d4 title" },
    { description: "1.Rotate the keys.", is: "task:~a1b2c3d4 title" },
    { description: "कुंजी बदलो", is: "todo:21 title" },
  ])("$description: $is", ({ description, is }) => {
    expect(captured(description)).toBe(is)
  })
  test.each([
    { description: "12: Add the login route", why: "the title of one task with another's label" },
    { description: "2. Write the docs", why: "another's label with a title" },
    { description: "12. Something", why: "a label that two tasks have" },
    { description: "3", why: "the label alone" },
    { description: "add 3 routes", why: "a number" },
    { description: "Task 31", why: "a label of no task" },
    { description: "Task 3.1", why: "a label below it" },
    { description: "Tasks 2 and 3", why: "two labels" },
    { description: "task 2, 3", why: "two labels" },
    { description: "Task 2-3", why: "two labels" },
    { description: "Rotate the keys, then write the docs", why: "two titles" },
    { description: "Build the database", why: "a title within a word" },
    { description: "xRotate the keys", why: "a title right behind a letter" },
    { description: "Fix the UI", why: "a title of one word among others" },
    { description: "Write the docset", why: "a title that a word goes on behind" },
    { description: "Write the missing tests", why: "no title of the plan" },
    { description: "登录", why: "half a title" },
    { description: "Rotate the keys_of others", why: "a title that an identifier goes on behind" },
    { description: "Rotate the keys-by-hand tool", why: "a title that a word goes on behind" },
    { description: "Write the docs.rs page", why: "a title that a file's name goes on behind" },
    { description: "कुंजी बदलोगे", why: "a title that a vowel sign goes on behind" },
    { description: "Fix src/f1/index.ts", why: "a label in a path" },
    { description: "Fix lib\\auth-7\\a.ts", why: "a label in a path" },
    { description: "todo:2 and 3", why: "a key and a label" },
    { description: "todo:2, 3", why: "a key and a label" },
    { description: "todo:2 through 3", why: "a range" },
    { description: "Tasks 2 through 3", why: "a range" },
    { description: "Task 2, and 3", why: "two labels" },
    { description: "task 2—3", why: "a range" },
    { description: "Task 2 then 3", why: "two labels" },
    { description: "Tasks 2 bis 3", why: "a range in another language" },
    { description: "todo:2 and Task 3", why: "a key and another's label" },
    { description: "todo:2 and T004", why: "a key and another's label" },
    { description: "todo:2 and Rotate the keys", why: "a key and another's title" },
    { description: "todo:2 Rotate the keys", why: "a key with another's title" },
    { description: "todo:2: rotate `the` keys.", why: "a key with another's title" },
    { description: 'todo:2 - "Rotate the keys"', why: "a key with another's title" },
    { description: "[todo:2] Rotate the keys", why: "a key with another's title" },
    { description: "todo:2 添加登录接口", why: "a key with another's title" },
    {
      description: "Add the login route and Add the login route with rate limiting",
      why: "a title that stands alone too, and within another's",
    },
    { description: "Task 2: Add the login route, rotate the keys", why: "a label and two titles" },
    { description: "2. Add the login route 21. Rotate", why: "two rows" },
    { description: "2. login; 3. limits", why: "two rows" },
    { description: "2) login (3) limits", why: "two rows" },
    { description: "2. and 3.", why: "two rows" },
    { description: "Task 2 as well as 3", why: "two labels" },
    { description: "Task 2 und 3", why: "two labels in another language" },
    { description: "Task 2 and then 3", why: "two labels" },
    { description: "todo:2, as well as 3", why: "a key and a label" },
    { description: "Tasks one and 3", why: "two labels, one in words" },
    { description: "T004: Replay what Task 3 wrote, then Task 3", why: "a label of no own title" },
  ])("$description is $why: nobody", ({ description }) => {
    expect(captured(description)).toBe("nobody")
  })
  test.each([
    { description: "todo:2: Add the login route", is: "todo:2 key" },
    { description: "todo:3 Add the login route with `rate` limiting", is: "todo:3 key" },
    { description: "Task 2, todo:2", is: "todo:2 key" },
    { description: "task:t004 Replay what `Task 3` wrote", is: "task:t004 key" },
    { description: "Replay what Task 3 wrote", is: "task:t004 title" },
    { description: "todo:2 and update the docs and the UI", is: "todo:2 key" },
    {
      description: "Port a-b (c) [d] {e} x+y*z? f|g ^$ h\\i /j.k/ #l ~m & <n>",
      is: "todo:41 title",
    },
    { description: "todo:2 Test what Task 3 has made", is: "todo:2 key" },
    { description: "todo:2 factors at login", is: "todo:2 key" },
    { description: "Say what todo:2 has made", is: "todo:44 title" },
    { description: "todo:44: Say what todo:2 has made", is: "todo:44 key" },
    { description: "todo:2: fix what F1 found", is: "todo:2 key" },
    { description: "final-wave:f1 Review tasks 2-12", is: "final-wave:f1 key" },
    { description: "todo:2, before we rotate the keys", is: "todo:2 key" },
    { description: "todo:2 Rotate the keys of the login route", is: "todo:2 key" },
    { description: "todo:2 docs", is: "todo:2 key" },
    { description: "todo:2, Add the login route", is: "todo:2 key" },
    { description: "todo:12#2 Write the docs again", is: "todo:12#2 key" },
    { description: "todo:2 add 3 endpoints, 12 tests", is: "todo:2 key" },
    { description: "todo:2 as well as it goes", is: "todo:2 key" },
    { description: "2. Raise it to 3.5 and wait", is: "todo:2 label" },
    { description: "Task 2...", is: "todo:2 label" },
  ])("$description names one: $is", ({ description, is }) => {
    expect(captured(description)).toBe(is)
  })
  test.each([
    { description: "Tasks 2..3", prompt: "Do Task 3." },
    { description: "todo:2..3", prompt: "Begin with Task 3." },
    { description: "Task 2..3", prompt: "todo:3" },
  ])("a range in the description, $description, leaves nothing to the prompt", (words) => {
    expect(captured(words.description, words.prompt)).toBe("nobody")
  })
  test("what the prompt says beside a key in the description is its context", () => {
    const context = "Task 12 is done. Rotate the keys comes behind it, then todo:12."
    expect(captured("todo:2 the login", context)).toBe("todo:2 key")
  })
  test("two tasks of one title are named by none", () => {
    const twins = aPlan([titled("4", "Do the same"), titled("5", "Do the same")])
    const words = { description: "Do the same", prompt: "", resumes: null }
    expect(captureTask(twins, aWork(), words).by).toBe("nobody")
  })
  test("a description that names several is final: what else is said names nobody", () => {
    expect(captured("todo:3 and todo:12", "todo:3", CHILD)).toBe("nobody")
  })
})

describe("what a review has found is no review", () => {
  test.each([
    { description: "Fix F1 findings", is: "nobody" },
    { description: "Fix the issues that F1 found", is: "nobody" },
    { description: "F1 fixes: add the missing tests", is: "nobody" },
    { description: "Address F1's rejection", is: "nobody" },
    { description: "Resolve final-wave:f1 findings", is: "nobody" },
    { description: "final-wave:f1 fix the missing tests", is: "nobody" },
    { description: "Fix plan compliance audit findings", is: "nobody" },
    { description: "Address `Plan compliance audit`", is: "nobody" },
    { description: "todo:2 fix what final-wave:f1 found", is: "todo:2 key" },
    { description: "todo:2: final-wave:f1 findings", is: "todo:2 key" },
    { description: "Task 2: fix F1 findings", is: "todo:2 label" },
    { description: "F1 again, after the fixes", is: "final-wave:f1 label" },
    { description: "Re-review F1 after fixes", is: "final-wave:f1 label" },
    { description: "final-wave:f1 verify the fix of its findings", is: "final-wave:f1 key" },
    { description: "F1: Plan compliance audit, fixes too", is: "final-wave:f1 label" },
    { description: "Plan compliance audit of the fixes", is: "final-wave:f1 title" },
    { description: "AUTH-7 fixes", is: "task:auth-7 label" },
    { description: "F1 (plan compliance audit) findings", is: "nobody" },
    { description: "F1: Plan compliance audit: fixes", is: "nobody" },
    { description: "F1 audit findings", is: "nobody" },
    { description: "Implement f1-login", is: "nobody" },
  ])("$description: $is", ({ description, is }) => {
    expect(captured(description)).toBe(is)
  })
  const wave = [
    titled("1", "Add the route"),
    titled("2", "Fix F1 findings"),
    titled("f1-login", "Sign in with it", { section: "task" }),
    titled("F1", "Plan compliance audit", { section: "final-wave" }),
    titled("F2", "Code quality review", { section: "final-wave" }),
    titled("1", "Real manual QA", { section: "final-wave" }),
  ]
  test.each([
    { description: "F1 and F2 findings: add tests", is: "nobody" },
    { description: "F1, F2 fixes", is: "nobody" },
    { description: "F1–F2 fixes", is: "nobody" },
    { description: "final-wave:f1 and final-wave:f2 findings", is: "nobody" },
    { description: "todo:1 F1, F2 and QA findings", is: "todo:1 key" },
    { description: "Re-review F1 and F2 after the fixes", is: "nobody" },
    { description: "Fix F1 findings", is: "todo:2 title" },
    { description: "Task 2: fix `F1` findings", is: "todo:2 label" },
    { description: "Review F1 with F2 fixes", is: "final-wave:f1 label" },
    { description: "Implement todo:1", is: "todo:1 key" },
    { description: "todo:1 fixes", is: "todo:1 key" },
    { description: "Implement todo:2 and 1", is: "nobody" },
    { description: "Implement task:f1-login", is: "task:f1-login key" },
    { description: "final-wave:1 fixes", is: "nobody" },
  ])("of several rows, and of those that have a task's label: $description: $is", (given) => {
    const words = { prompt: "", resumes: null, ...given }
    const { task, by } = captureTask(aPlan(wave), aWork(), words)
    expect(task === null ? by : `${task.key} ${by}`).toBe(given.is)
  })
  test("the prompt says what is fixed then, and a resumed reviewer reviews nothing by it", () => {
    expect(captured("Fix F1 findings", "todo:2: add what final-wave:f1 misses.")).toBe("nobody")
    expect(captured("Fix F1 findings", "Fix what final-wave:f1 found, in todo:2.")).toBe(
      "todo:2 key",
    )
    const row = tasks[5] ?? aTask({ label: "F1" })
    const work = aWork({ task_sessions: { [row.key]: aTaskSession(row) } })
    const resumes = (description: string) =>
      captureTask(plan, work, { description, prompt: "", resumes: CHILD }).by
    expect([resumes("Fix F1 findings"), resumes("F1 again")]).toEqual(["nobody", "label"])
    expect([resumes("Fix what you found"), resumes("go on")]).toEqual(["nobody", "session"])
  })
})

describe("named by the recorded session that it resumes", () => {
  test.each([
    { prompt: "", is: "todo:3 session" },
    { prompt: "Go on with todo:3.", is: "todo:3 session" },
    { prompt: "todo:3, as in todo:12", is: "todo:3 session" },
    { prompt: "Task 12 is done: mend the rest.", is: "todo:3 session" },
    { prompt: "as in todo:12", is: "nobody" },
    { prompt: "Now review it: final-wave:f1", is: "nobody" },
    { prompt: "todo:12 and final-wave:f1", is: "nobody" },
  ])("and its prompt says $prompt: $is", ({ prompt, is }) => {
    expect(captured("go on", prompt, CHILD)).toBe(is)
  })
  test("but the description comes first", () => {
    expect(captured("todo:12", "", CHILD)).toBe("todo:12 key")
  })
  test("another session names nobody, nor does that of a task that was reworded", () => {
    expect(captured("go on", "", "ses_other")).toBe("nobody")
    const before = aTaskSession(aTask({ label: "3", title: "As it was" }))
    const work = aWork({ task_sessions: { "todo:3": before } })
    const words = { description: "", prompt: "", resumes: CHILD }
    expect(captureTask(plan, work, words).by).toBe("nobody")
  })
})

describe("named in the prompt", () => {
  test.each([
    { prompt: "Please do todo:12, see docs.", is: "todo:12 key" },
    { prompt: "todo:12 … todo:12.", is: "todo:12 key" },
    { prompt: "After todo:3 came todo:12.", is: "nobody" },
    { prompt: "todo:12, not task:t999", is: "todo:12 key" },
    { prompt: "Do todo:2, then Task 3.", is: "nobody" },
    { prompt: "Do todo:2, then rotate the keys.", is: "nobody" },
    { prompt: "Work on task 3.", is: "todo:3 label" },
    { prompt: "Please rotate the keys.", is: "task:~a1b2c3d4 title" },
    { prompt: "12. Write the docs\n2. Add the login route", is: "nobody" },
    { prompt: "1. Read it\n2. Fix it", is: "nobody" },
    { prompt: "2. Fix it", is: "nobody" },
    { prompt: "What F1 has found: add the missing tests", is: "nobody" },
    { prompt: "Add tests, so that the plan compliance audit passes", is: "nobody" },
    { prompt: "Read src/auth-7/index.ts", is: "nobody" },
    { prompt: "final-wave:f1", is: "final-wave:f1 key" },
    { prompt: "UI", is: "nobody" },
  ])("$prompt: $is", ({ prompt, is }) => {
    expect(captured("go on", prompt)).toBe(is)
  })
})

test("a plan without tasks names nobody", () => {
  const words = { description: "todo:1", prompt: "", resumes: null }
  expect(captureTask(aPlan([]), aWork(), words)).toEqual({ task: null, by: "nobody" })
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
  ])("$name", async ({ text }) => {
    const read = (given: string) => captured(given, given)
    expect(await tooSlow(read, text, { sizes: LONG_SIZES })).toBeNull()
  })
  test("a key behind 100,000 characters is not looked for, one before them is", () => {
    const long = "word ".repeat(20_000)
    expect(captured("go on", `${long}todo:12`)).toBe("nobody")
    expect(captured("go on", `todo:12 ${long}`)).toBe("todo:12 key")
  })
})

describe("a key or a label that was told when it was another task's", () => {
  const route = tasks[1] ?? aTask({ label: "2" })
  const limits = tasks[2] ?? aTask({ label: "3" })
  const told = [{ ...route, key: "todo:3" }]
  const now = (description: string, prompt = "", resumes: string | null = null) => {
    const recorded = { task_sessions: { "todo:3": aTaskSession(limits) } }
    const found = captureTask(plan, aWork(recorded), { description, prompt, resumes }, told)
    return found.task === null ? found.by : `${found.task.key} ${found.by}`
  }
  test.each([
    { description: "todo:3" },
    { description: "todo:3 as we said" },
    { description: "Task 3" },
    { description: "3. Limit it" },
    { description: "the next", prompt: "Work on todo:3." },
    { description: "the next", prompt: "Work on Task 3: add the login route with rate limiting." },
  ])("names neither: $description $prompt", ({ description, prompt }) => {
    expect(now(description, prompt)).toBe("nobody")
  })
  test.each([
    { what: "its title", description: "todo:3 Add the login route with rate limiting" },
    { what: "its title behind a label", description: "3. Add the login route with rate limiting" },
    { what: "its title alone", description: "Add the login route with rate limiting" },
    { what: "its session", description: "the next", resumes: CHILD },
  ])("is known by $what", ({ description, resumes = null }) => {
    expect(now(description, "", resumes)).toStartWith("todo:3 ")
  })
  test("other keys are what they were", () => {
    expect(now("todo:12")).toBe("todo:12 key")
  })
})
