import { planJson } from "../../src/cli/views/plan-json.ts"
import { planText } from "../../src/cli/views/plan-text.ts"
import { readWithRemark } from "../../src/plan/blocks/remark-reading.ts"
import { addBoxes, offeredLines, whyNotRanges } from "../../src/plan/boxes/add-boxes.ts"
import { compareReadings, warnOfShard } from "../../src/plan/compare-readings.ts"
import { summaryOf } from "../../src/plan/data/gsd-plan.ts"
import { DIALECTS } from "../../src/plan/dialects/dialects.ts"
import { splitLabel } from "../../src/plan/dialects/label.ts"
import { markTask } from "../../src/plan/mark-task.ts"
import {
  blockedWords,
  namesRecord,
  saysNothing,
  withoutRecord,
} from "../../src/plan/model/blocked-words.ts"
import { hashText } from "../../src/plan/model/hash-text.ts"
import { fences, lineRange, splitLines } from "../../src/plan/model/lines.ts"
import { meaningOf } from "../../src/plan/model/markers.ts"
import { cleanTitle, hashTitle, isOfWords } from "../../src/plan/model/title.ts"
import { verdictIn } from "../../src/plan/model/verdict.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { detailsOf, printShard } from "../../src/plan/print-shard.ts"
import { takeKey } from "../../src/plan/tasks/take-key.ts"
import { withTicks } from "../../src/plan/with-ticks.ts"
import { aTask } from "./builders.ts"
import type { HostileReader } from "./hostile-readers.ts"

const TASK = aTask({ label: "1", line: 1, endLine: 2, title: "A" })

/** What reads a plan: a text that a tool or a person has written, in any format. */
export const PLAN_READERS: readonly HostileReader[] = [
  ...DIALECTS.map(({ name }) => ({
    reader: "plan/parse-plan.ts parsePlan",
    as: `a ${name} plan`,
    read: (text: string) => parsePlan(text, { dialect: name }),
  })),
  plan("of whatever dialect it shows", (text) => text),
  plan("below the heading for tasks", (text) => `## TODOs\n\n- [ ] 1. A\n${text}`),
  plan("as a row's title", (text) => `- [ ] 1. ${oneLine(text)}\n- [ ] 2. B`),
  plan("as a row's label", (text) => `- [ ] ${oneLine(text)}. A\n- [ ] 2. B`),
  plan("as a heading", (text) => `## ${oneLine(text)}\n\n- [ ] 1. A`),
  plan("as a task's details", (text) => `- [ ] 1. A\n${indented(text)}\n- [ ] 2. B`),
  plan("as what a task depends on", (text) => `- [ ] 1. A (depends on ${oneLine(text)})`),
  plan("as a note of a block", (text) => `- [ ] 1. A\n  - BLOCKED: ${oneLine(text)}`),
  plan("as a verdict", (text) => `## Final Verification Wave\n- [x] F1. A ${oneLine(text)}`),
  plan("as a legend", (text) => `Legend: ${oneLine(text)}\n\n- [~] A`),
  plan("below a heading Legend", (text) => `# Legend\n${text}\n\n# Tasks\n\n- [~] A`),
  plan("as front matter", (text) => `---\n${text}\n---\n- [ ] A`),
  plan("as one value of front matter", (text) => `---\na: ${oneLine(text)}\n---\n- [ ] A`),
  plan("as the name of a dialect", (text) => `---\ndialect: ${oneLine(text)}\n---\n- [ ] A`),
  {
    reader: "plan/parse-plan.ts parsePlan",
    as: "a path",
    read: (text) => parsePlan("- [ ] A", { path: text, siblings: [text] }),
  },
  {
    reader: "plan/parse-plan.ts parsePlan",
    as: "the name of GSD's plan",
    read: (text) => parsePlan('<task type="a">', { path: `a/${text}/01-PLAN.md`, siblings: [] }),
  },
  {
    reader: "plan/parse-plan.ts parsePlan",
    as: "the body of GSD's element",
    read: (text) =>
      parsePlan(`<task type="a">\n<name>${oneLine(text)}</name>\n${text}\n</task>`, GSD),
  },
  {
    reader: "plan/parse-plan.ts parsePlan",
    as: "the type of GSD's element",
    read: (text) => parsePlan(`<task type="${oneLine(text)}">\n</task>`, GSD),
  },
  json("as a tasks.json", (text) => text),
  json("as a title", (text) => tasksJson({ id: 1, title: text, status: "pending" })),
  json("as an id", (text) => tasksJson({ id: text, title: "A", status: "pending" })),
  json("as a status", (text) => tasksJson({ id: 1, title: "A", status: text })),
  json("as a dependency", (text) =>
    tasksJson({ id: 1, title: "A", status: "pending", dependencies: [text] }),
  ),
  json("as many dependencies", (text) =>
    tasksJson({
      id: 1,
      title: "A",
      status: "pending",
      dependencies: [...text.slice(0, text.length / 20)].map((_, at) => at),
    }),
  ),
  json("as a dependency with a list in it", (text) =>
    tasksJson({
      id: 1,
      title: "A",
      status: "pending",
      dependencies: ["1,".repeat(text.length / 2)],
    }),
  ),
  json("as notes", (text) => tasksJson({ id: 1, title: "A", passes: false, notes: text })),
  json("as a list of features", (text) => JSON.stringify([{ description: text, passes: text }])),
  {
    reader: "plan/parse-plan.ts parsePlan",
    as: "an issue list",
    read: (text) => parsePlan(`{${text}`, { path: ".beads/issues.jsonl" }),
  },
  plan("as todos of front matter", (text) => `---\ntodos:\n${text}\n---\n- [ ] A`),
  plan("as a todo of front matter", (text) => `---\ntodos:\n  - id: ${oneLine(text)}\n---\n`),
  {
    reader: "plan/mark-task.ts markTask",
    as: "a todo of front matter",
    read: (text) => {
      const whole = `---\ntodos:\n  - id: a\n    content: A\n    status: pending ${oneLine(text)}\n---\n${text}`
      return markTask(whole, parsedTask(whole), "done", text)
    },
  },
  {
    reader: "plan/mark-task.ts markTask",
    as: "a JSON plan",
    read: (text) => {
      const whole = `{"userStories":[{"id":"1","title":"A"${oneLine(text.replace(/\S/g, " "))},\n"notes":"b"}]}`
      const [task] = parsePlan(whole, { path: "prd.json" }).tasks
      return task && markTask(whole, task, "blocked", text)
    },
  },
  json("as the name of a tag", (text) => JSON.stringify({ [text]: { tasks: [] } })),
  {
    reader: "plan/with-ticks.ts withTicks",
    read: (text) => {
      const whole = `- [x] 1. A\n- [ ] 2. ${oneLine(text)}\n${text}\n- [ ] 3. B`
      const known = { lines: splitLines(whole), plan: parsePlan(whole) }
      return withTicks(known, [{ index: 1, column: "- [".length }])
    },
  },
  {
    reader: "plan/mark-task.ts markTask",
    as: "the plan",
    read: (text) => markTask(`- [ ] 1. A\n${text}`, parsedTask(`- [ ] 1. A\n${text}`), "done"),
  },
  {
    reader: "plan/mark-task.ts markTask",
    as: "what goes on behind a row",
    read: (text) => {
      const whole = `- [ ] 1. A\n${indented(text)}\n- [ ] 2. B`
      return markTask(whole, parsedTask(whole), "blocked", text)
    },
  },
  {
    reader: "plan/mark-task.ts markTask",
    as: "a line that has changed",
    read: (text) => markTask(text, TASK, "blocked", text),
  },
  {
    reader: "plan/model/blocked-words.ts blockedWords",
    read: (text) => [text, `BLOCKED:${text}`, `- **BLOCKED**${text}: a`].map(blockedWords),
  },
  {
    reader: "plan/print-shard.ts printShard",
    read: (text) =>
      printShard({
        planPath: text,
        shard: { number: 1, first: 0, length: 1 },
        count: 1,
        lines: splitLines(text),
        tasks: [{ ...TASK, ...whole(text) }],
        isOfRows: true,
      }),
  },
  {
    reader: "plan/print-shard.ts detailsOf",
    read: (text) => detailsOf(splitLines(text), { ...TASK, ...whole(text) }),
  },
  {
    reader: "plan/compare-readings.ts compareReadings",
    read: (text) => compareReadings(text, readWithRemark),
  },
  {
    reader: "plan/compare-readings.ts compareReadings",
    as: "as much as is compared",
    read: (text) => compareReadings(text.slice(0, 64_000), readWithRemark),
  },
  {
    reader: "plan/compare-readings.ts warnOfShard",
    read: (text) => warnOfShard(splitLines(text), [{ ...TASK, ...whole(text) }], readWithRemark),
  },
  { reader: "plan/model/verdict.ts verdictIn", read: verdictIn },
  { reader: "plan/model/lines.ts fences", read: (text) => fences()(text) },
  { reader: "plan/model/blocked-words.ts saysNothing", read: saysNothing },
  { reader: "plan/model/blocked-words.ts namesRecord", read: namesRecord },
  { reader: "plan/model/blocked-words.ts withoutRecord", read: withoutRecord },
  { reader: "plan/model/title.ts cleanTitle", read: cleanTitle },
  { reader: "plan/dialects/label.ts splitLabel", read: splitLabel },
  { reader: "plan/model/title.ts hashTitle", read: hashTitle },
  { reader: "plan/model/title.ts isOfWords", read: isOfWords },
  { reader: "plan/model/hash-text.ts hashText", read: hashText },
  { reader: "plan/model/lines.ts splitLines", read: splitLines },
  { reader: "plan/model/lines.ts lineRange", read: (text) => lineRange(text, 1_000_000) },
  { reader: "plan/model/markers.ts meaningOf", read: (text) => meaningOf(text, []) },
  {
    reader: "plan/tasks/take-key.ts takeKey",
    read: (text) => takeKey(new Map(), { section: "todo", label: text }, hashText(text)),
  },
  {
    reader: "plan/boxes/add-boxes.ts addBoxes",
    read: (text) => [
      addBoxes(`1. a\n${text}`, "plan.md", "1-9"),
      addBoxes("1. a", "plan.md", text),
      offeredLines(text, "plan.md"),
    ],
  },
  { reader: "plan/boxes/add-boxes.ts whyNotRanges", read: whyNotRanges },
  {
    reader: "cli/views/plan-text.ts planText",
    as: "the plan",
    read: (text) => planText(text, parsePlan(text), 80),
  },
  {
    reader: "cli/views/plan-text.ts planText",
    as: "on a terminal that is very wide",
    read: (text) => planText(text, parsePlan(`- [ ] 1. ${oneLine(text)}`), 20_000),
  },
  {
    reader: "cli/views/plan-json.ts planJson",
    read: (text) => planJson(text, { kind: "unavailable", message: text }),
  },
  { reader: "plan/data/gsd-plan.ts summaryOf", read: summaryOf },
]

const GSD = { dialect: "gsd", path: "01-01-PLAN.md", siblings: ["01-01-SUMMARY.md"] }

function plan(as: string, write: (text: string) => string): HostileReader {
  return { reader: "plan/parse-plan.ts parsePlan", as, read: (text) => parsePlan(write(text)) }
}

function json(as: string, write: (text: string) => string): HostileReader {
  return {
    reader: "plan/parse-plan.ts parsePlan",
    as: `JSON: ${as}`,
    read: (text) => parsePlan(write(text), { path: "tasks.json" }),
  }
}

function tasksJson(task: object): string {
  return JSON.stringify({ tasks: [task, { id: 2, title: "B", status: "pending" }] })
}

function parsedTask(text: string) {
  return parsePlan(text).tasks[0] ?? TASK
}

function whole(text: string) {
  return { line: 1, endLine: splitLines(text).length + 1 }
}

function oneLine(text: string): string {
  return text.replaceAll("\n", " ").replaceAll("\r", " ")
}

function indented(text: string): string {
  return splitLines(text)
    .map((line) => `  ${line}`)
    .join("\n")
}
