import { describe, expect, test } from "bun:test"
import type { MarkState } from "./check-marked.ts"
import { markTask } from "./mark-task.ts"
import { parsePlan } from "./parse-plan.ts"

/** The text behind a mark of the task with this key. */
function marked(text: string, key: string, state: MarkState, note?: string): string {
  const task = parsePlan(text, { path: "plan.json" }).tasks.find((one) => one.key === key)
  if (task === undefined) throw new Error(`no ${key}`)
  const done = markTask(text, task, state, note)
  return done.ok ? done.text : `refused: ${done.message}`
}

const prd = (story: string) => `{\n  "userStories": [\n    ${story}\n  ]\n}\n`
const features = (story: string, other = '{ "id": "x", "title": "X", "status": "done" }') =>
  `{ "features": [ ${story}, ${other} ] }`
const tasks = (task: string) => `{"master":{"tasks":[${task}]}}`

describe("the value of the key that says it is written, and nothing else", () => {
  test.each([
    {
      name: "a story that passes",
      state: "done" as const,
      text: prd('{ "id": "S", "title": "T", "passes":false , "notes": "" }'),
      to: prd('{ "id": "S", "title": "T", "passes":true , "notes": "" }'),
    },
    {
      name: "a story that is taken up again",
      state: "open" as const,
      text: prd('{ "id": "S", "title": "T", "passes": true }'),
      to: prd('{ "id": "S", "title": "T", "passes": false }'),
    },
    {
      name: "a story of which nobody has said yet whether it passes",
      state: "done" as const,
      text: prd('{ "id": "S", "title": "T", "passes": null }'),
      to: prd('{ "id": "S", "title": "T", "passes": true }'),
    },
    {
      name: "a status beside it follows, in the plan's own word",
      state: "done" as const,
      text: prd('{"id":"S","title":"T","passes":false,"status":"x"},{"status":"Completed"}'),
      to: prd('{"id":"S","title":"T","passes":true,"status":"Completed"},{"status":"Completed"}'),
    },
    {
      name: "a feature with a status alone",
      state: "done" as const,
      text: features('{ "id": "S", "title": "T", "status": "not-started" }'),
      to: features('{ "id": "S", "title": "T", "status": "done" }'),
    },
    {
      name: "a feature that is blocked",
      state: "blocked" as const,
      text: features('{ "id": "S", "title": "T", "status": "todo" }'),
      to: features('{ "id": "S", "title": "T", "status": "blocked" }'),
    },
    {
      name: "a story with a status that is blocked, with its reason",
      state: "blocked" as const,
      note: "no key",
      text: prd('{ "id": "S", "title": "T", "status": "pending", "notes": "mind" }'),
      to: prd(
        '{ "id": "S", "title": "T", "status": "blocked", "notes": "BLOCKED: no key\\nmind" }',
      ),
    },
    {
      name: "the same taken up again",
      state: "open" as const,
      text: prd('{ "id": "S", "title": "T", "status": "blocked", "notes": "BLOCKED: no key" }'),
      to: prd('{ "id": "S", "title": "T", "status": "pending" }'),
    },
    {
      name: "task-master's word for what is under way",
      state: "in_progress" as const,
      text: tasks('{"id":"s","title":"T","status":"pending"}'),
      to: tasks('{"id":"s","title":"T","status":"in-progress"}'),
    },
    {
      name: "under way is not in review, whoever else is",
      state: "in_progress" as const,
      text: tasks(
        '{"id":"s","title":"T","status":"pending"},{"id":2,"title":"U","status":"review"}',
      ),
      to: tasks(
        '{"id":"s","title":"T","status":"in-progress"},{"id":2,"title":"U","status":"review"}',
      ),
    },
    {
      name: "blocked is not deferred, whatever else is",
      state: "blocked" as const,
      text: tasks(
        '{"id":"s","title":"T","status":"pending"},{"id":2,"title":"U","status":"deferred"}',
      ),
      to: tasks(
        '{"id":"s","title":"T","status":"blocked"},{"id":2,"title":"U","status":"deferred"}',
      ),
    },
    {
      name: "what is opened again has not failed",
      state: "open" as const,
      text: features(
        '{"id":"s","title":"T","status":"done"},{"id":2,"title":"U","status":"failed"}',
      ),
      to: features(
        '{"id":"s","title":"T","status":"pending"},{"id":2,"title":"U","status":"failed"}',
      ),
    },
    {
      name: "a word that the file lists as valid",
      state: "done" as const,
      text: '{"rules":{"valid_status":["open","finished"]},"features":[{"id":"s","title":"T","status":"open"}]}',
      to: '{"rules":{"valid_status":["open","finished"]},"features":[{"id":"s","title":"T","status":"finished"}]}',
    },
    {
      name: "a listed word that says more, where none says just this",
      state: "open" as const,
      text: '{"status_values":["backlog","ready","done"],"features":[{"id":"s","title":"T","status":"done"}]}',
      to: '{"status_values":["backlog","ready","done"],"features":[{"id":"s","title":"T","status":"backlog"}]}',
    },
    {
      name: "a missing key, in the hand of the keys above it",
      state: "done" as const,
      text: '{"userStories":[\r\n\t{\r\n\t\t"id" : "S",\r\n\t\t"title" : "T"\r\n\t},\r\n\t{ "passes": true }]}',
      to: '{"userStories":[\r\n\t{\r\n\t\t"id" : "S",\r\n\t\t"title" : "T",\r\n\t\t"passes" : true\r\n\t},\r\n\t{ "passes": true }]}',
    },
    {
      name: "behind a byte order mark",
      state: "done" as const,
      text: `\ufeff${prd('{ "id": "S", "title": "Tü", "passes": false }')}`,
      to: `\ufeff${prd('{ "id": "S", "title": "Tü", "passes": true }')}`,
    },
  ])("$name", ({ text, state, to, note }) => {
    expect(marked(text, "task:s", state, note)).toBe(to)
  })

  test.each([
    { name: "goes again with it", notes: "" },
    { name: "stays where it was empty", notes: ', "notes": ""' },
    { name: "stays in front of other keys", notes: ', "notes": "", "branch": "b"' },
    { name: "stays with its words", notes: ', "notes": "Ask Ann.\\n"' },
    { name: "stays with its entries", notes: ', "notes": [\n    "Ask Ann.",\n    "Ask Bob."\n  ]' },
    { name: "stays with its only entry", notes: ', "notes": ["Ask Ann."]' },
    { name: "stays as an empty list", notes: ', "notes": [ ]' },
  ])("the key of a block's reason $name, whatever the other stories have", ({ notes }) => {
    const text = `{ "userStories": [\n  { "id": "S", "title": "T", "passes": false${notes} },\n  { "id": "U", "title": "V", "passes": false },\n  { "id": "W", "title": "X", "passes": false, "notes": "b" }\n] }\n`
    const keys = ["task:s", "task:u", "task:w"]
    const held = keys.reduce((before, key) => marked(before, key, "blocked", "no key"), text)
    const { tasks } = parsePlan(held, { path: "prd.json" })
    expect(tasks.map(({ state, note }) => [state, note?.words])).toEqual(
      Array(3).fill(["blocked", "no key"]),
    )
    expect(marked(held, "task:s", "blocked", "no key")).toBe(held)
    const other = marked(held, "task:s", "blocked", "no pump")
    expect(marked(other, "task:s", "blocked", "no key")).toBe(held)
    expect(keys.reduce((before, key) => marked(before, key, "open"), held)).toBe(text)
  })

  test("a block of a story is the first line of its notes, and goes with it", () => {
    const text = prd('{ "id": "S", "title": "T", "passes": false, "notes": "Ask Ann." }')
    const held = marked(text, "task:s", "blocked", "no key (hnd_1)")
    expect(held).toBe(text.replace('"Ask Ann."', '"BLOCKED: no key (hnd_1)\\nAsk Ann."'))
    expect(parsePlan(held, { path: "prd.json" }).state).toBe("only-blocked")
    expect(marked(held, "task:s", "open")).toBe(text)
    expect(marked(held, "task:s", "in_progress")).toBe(text)
  })
  test("a block that a person has written goes with it as well", () => {
    const story = (notes: string) =>
      prd(`{ "id": "S", "title": "T", "passes": false, "notes": ${JSON.stringify(notes)} }`)
    const held = story("**BLOCKED:** no key\nAsk Ann.")
    expect(marked(held, "task:s", "open")).toBe(story("Ask Ann."))
  })
  test("the reason is the task's, and one that says nothing is none", () => {
    const noted = (notes: string) => {
      const text = prd(JSON.stringify({ id: "S", title: "T", passes: false, notes }))
      const [task] = parsePlan(text, { path: "prd.json" }).tasks
      return [task?.state, task?.note?.words]
    }
    expect(noted("BLOCKED: no key (hnd_1)\nAsk Ann.")).toEqual(["blocked", "no key (hnd_1)"])
    expect(noted("BLOCKED: none")).toEqual(["open", undefined])
    expect(noted("**BLOCKED:** no key\nAsk Ann.")).toEqual(["blocked", "no key"])
    expect(noted("- __BLOCKED__ : no key")).toEqual(["blocked", "no key"])
    expect(noted("Ask Ann.\nBLOCKED: no key")).toEqual(["open", undefined])
    expect(noted("BLOCKER: of old")).toEqual(["open", undefined])
  })
  test("a mark that is there already changes nothing", () => {
    const text = prd('{ "id": "S", "title": "T", "passes": true }')
    expect(marked(text, "task:s", "done")).toBe(text)
  })
  test("the second of two with the same id is the one that is marked", () => {
    const one = '{ "id": "s", "title": "One", "passes": false }'
    const two = '{ "id": "s", "title": "Two", "passes": false }'
    expect(marked(prd(`${one}, ${two}`), "task:s#2", "done")).toBe(
      prd(`${one}, ${two.replace("false", "true")}`),
    )
  })
})

describe("refused, with what was found", () => {
  test.each([
    {
      name: "a key that stands twice: readers take the last, editors the first",
      text: prd('{ "id": "S", "title": "T", "passes": false, "passes": false }'),
      state: "done" as const,
    },
    {
      name: "notes that hold no text",
      text: prd('{ "id": "S", "title": "T", "passes": false, "notes": [{ "by": "Ann" }] }'),
      state: "blocked" as const,
    },
    {
      name: "a block whose entry says more",
      text: prd('{ "id": "S", "title": "T", "passes": false, "notes": ["BLOCKED: a\\nb"] }'),
      state: "open" as const,
    },
  ])("$name", ({ text, state }) => {
    expect(marked(text, "task:s", state)).toStartWith("refused: ")
  })
  test("a task that is no longer there", () => {
    const [task] = parsePlan(prd('{ "id": "S", "title": "T", "passes": false }'), {
      path: "prd.json",
    }).tasks
    const other = prd('{ "id": "S", "title": "Another", "passes": false }')
    expect(task && markTask(other, task, "done")).toMatchObject({ ok: false })
  })
})
