import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { BY_NAME, IN_OPENCODE } from "../../test/support/by-name.ts"
import { inPanel } from "../panel/run-command-line.ts"
import { REASONS } from "./reasons.ts"
import { inShell, ofWork, starting, startOr, type Typed } from "./typed-command.ts"
import { stateWords } from "./work-state-words.ts"

const IN_PANEL = inPanel("opencode-boulder")

test.each([
  { name: "run", opencode: "/start-work auth" },
  { name: "resume", opencode: "/start-work auth" },
  { name: "stop", opencode: "/stop-work auth" },
  { name: "status", opencode: "/work-status", panel: "/boulder-status" },
  { name: "approve", opencode: "opencode-boulder approve auth", panel: "/boulder-approve" },
  { name: "unblock", opencode: "opencode-boulder unblock auth", panel: "/boulder-unblock" },
  { name: "prune", opencode: "opencode-boulder prune auth" },
])("$name as it is typed where its reader is", ({ name, opencode, panel = opencode }) => {
  expect(BY_NAME(name, "auth")).toBe(`opencode-boulder ${name} auth`)
  expect(IN_OPENCODE(name, "auth")).toBe(opencode)
  expect(IN_PANEL(name, "auth")).toBe(panel)
})

test("a plan's name is put as its place reads it", () => {
  expect(BY_NAME("resume", "docs/a$b.md")).toBe("opencode-boulder resume 'docs/a$b.md'")
  expect(IN_OPENCODE("resume", "docs/a$b.md")).toBe("/start-work plan:docs/a%24b.md")
})

test("what the reader fills in stands in for the work's name", () => {
  const typed = ofWork(IN_OPENCODE, "auth")
  expect(typed("run", { as: "<its new path>" })).toBe("/start-work <its new path>")
  expect(typed("run")).toBe("/start-work auth")
})

/** What resumes a work, as it is read in a place, for a work that has to be named. */
const todo = (reason: keyof typeof REASONS, typed: Typed) =>
  REASONS[reason]?.todo?.(ofWork(typed, "auth"), false)
test.each([
  {
    reason: "aborted",
    shell: "send its session a message or run opencode-boulder resume auth",
    opencode: "send its session a message or type /start-work auth",
  },
  {
    reason: "budget-spent",
    shell: "run opencode-boulder resume auth (with a fresh budget)",
    opencode: "type /start-work auth (with a fresh budget)",
  },
  {
    reason: "plan-unavailable",
    shell:
      "put the plan back, fix it or make it writable, or run opencode-boulder run <its new path>",
    opencode: "put the plan back, fix it or make it writable, or type /start-work <its new path>",
  },
  {
    reason: "awaiting-approval",
    shell: "run opencode-boulder approve auth",
    opencode: "type /start-work auth, or run opencode-boulder approve auth",
    panel: "type /start-work auth, or type /boulder-approve",
  },
  {
    reason: "only-blocked-left",
    shell:
      "unblock a task (take its mark and BLOCKED line out of the plan, or run opencode-boulder unblock auth)",
    opencode:
      "unblock a task (take its mark and BLOCKED line out of the plan, or run opencode-boulder unblock auth)",
    panel:
      "unblock a task (take its mark and BLOCKED line out of the plan, or type /boulder-unblock)",
  },
] as const)("$reason: what to do, where it is read", ({ reason, shell, opencode, ...rest }) => {
  expect(todo(reason, BY_NAME)).toBe(shell)
  expect(todo(reason, IN_OPENCODE)).toBe(opencode)
  expect(todo(reason, IN_PANEL)).toBe("panel" in rest ? rest.panel : opencode)
})

test("in a shell, nothing that can be done there is left to a slash command", () => {
  // Which session leads is said in that session.
  const inSession = ["taken-over", "agent-changed"]
  for (const [reason, { todo }] of Object.entries(REASONS)) {
    const said = todo?.(BY_NAME, true) ?? ""
    const isAlone = said.includes("/start-work") && !said.includes("opencode-boulder")
    expect({ reason, isAlone }).toEqual({ reason, isAlone: inSession.includes(reason) })
  }
})

test("a start, and what a start does too", () => {
  expect(starting(BY_NAME, "auth")).toBe(
    "type /start-work auth in opencode, or run: opencode-boulder run auth",
  )
  expect(starting(IN_OPENCODE, "auth")).toBe("type /start-work auth")
  expect(startOr(BY_NAME, "approve")).toBe("run opencode-boulder approve")
  expect(stateWords({ kind: "idle" }, { typed: BY_NAME })).toBe(
    "idle: no opencode is working on it (one that starts here and has its session resumes it after half a minute). To resume: type /start-work in opencode, or run: opencode-boulder run",
  )
})

/** Texts between quotes that name a slash command of ours. */
const NAMED = /["'`][^"'`\n]*(?<![\w.-])\/?(?:start-work|stop-work|work-status)(?!\.ts)\b/

test("a command line that is called by its whole path is run in a shell", () => {
  const typed = inShell("/opt/boulder/dist/cli/main.js")
  expect(startOr(typed, "resume")).toBe("run /opt/boulder/dist/cli/main.js resume")
  expect(starting(typed, "auth")).toBe(
    "type /start-work auth in opencode, or run: /opt/boulder/dist/cli/main.js run auth",
  )
})

test("no other source writes the name of a slash command", () => {
  const sources = fileURLToPath(new URL("../", import.meta.url))
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"),
  )
  const naming = files.filter((path) => {
    const code = readFileSync(`${sources}${path}`, "utf8")
      .replace(/\/\*[\s\S]*?\*\//g, "")
      .replace(/^\s*\/\/.*$/gm, "")
    return NAMED.test(code)
  })
  expect(naming).toEqual(["prompts/typed-command.ts"])
})
