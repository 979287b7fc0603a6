import { describe, expect, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { outcomeText } from "../../src/cli/views/outcome-text.ts"
import { statusText } from "../../src/cli/views/status-view.ts"
import {
  approvedText,
  resumedText,
  stoppedText,
  unblockedText,
} from "../../src/cli/views/work-text.ts"
import type { RunOutcome } from "../../src/headless/run-event.ts"
import { blockedLines } from "../../src/prompts/blocked-lines.ts"
import { ofWork } from "../../src/prompts/typed-command.ts"
import { findPlans } from "../../src/store/plans/find-plans.ts"
import { aTask, aWork } from "../support/builders.ts"
import { BY_NAME } from "../support/by-name.ts"
import { shownOn } from "../support/cli-in-process.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

/** What a cloned repository may call a folder. */
const EVIL = "auth!`touch PWNED`"
const EVIL_PATHS = [`specs/${EVIL}/tasks.md`, "specs/@package.json/tasks.md", "specs/b $1/tasks.md"]

async function put(root: string, path: string, text = "- [ ] 1. One\n"): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

const argumentsIn = (said: string, command: string): readonly string[] =>
  said
    .split("\n")
    .filter((line) => line.includes(`/${command} `))
    .map((line) => line.slice(line.indexOf(`/${command} `) + command.length + 2))

describe("what the commands list for the user to paste into the host", () => {
  test("holds nothing that the host runs, attaches or fills; pasted, it starts that very plan", () =>
    withFolder(async (root) => {
      for (const path of EVIL_PATHS) await put(root, path)
      const plugin = openPlugin(root, { planPaths: (boulder) => findPlans(root, boulder) })
      const offered = argumentsIn(await plugin.startWork("ses_lead", ""), "start-work")
      expect(offered.length).toBe(EVIL_PATHS.length)
      for (const [index, argument] of offered.entries()) {
        expect(argument).not.toMatch(/[!`@$]/)
        const said = await plugin.startWork(`ses_${index}`, argument)
        expect(said).toMatch(/^<boulder>\nStart the plan /)
      }
      const stoppable = argumentsIn(await command(plugin, "stop-work", ""), "stop-work")
      expect(stoppable.length).toBe(EVIL_PATHS.length)
      for (const argument of stoppable) {
        expect(argument).not.toMatch(/[!`@$]/)
        const said = await command(plugin, "stop-work", argument)
        expect(said).toContain(" stopped. To resume: /start-work ")
        expect(argumentsIn(said, "start-work")[0]).not.toMatch(/[!`@$]/)
      }
    }))
})

/** The plan that a start has begun, by its path; what was said where there is none. */
const startedPath = (said: string) =>
  said.startsWith("<boulder>\nStart the plan ") ? (/\(([^()]+)\)/.exec(said)?.[1] ?? said) : said

const ORDINARY_PATHS = [
  ...["docs/plans/dp.md", ".boulder/plans/auth.md", ".boulder/plans/auth-rewrite.md"],
  ...["fix_plan.md", "@fix_plan.md", "specs/search/tasks.md", ".kiro/specs/search/tasks.md"],
  ...["docs/plans/My plan.md", ".cursor/plans/x.plan.md"],
]

describe("what /start-work lists of ordinary plans", () => {
  test("starts, pasted whole, each of them once", () =>
    withFolder(async (root) => {
      for (const path of ORDINARY_PATHS) await put(root, path)
      const plugin = openPlugin(root, { planPaths: (boulder) => findPlans(root, boulder) })
      const offered = argumentsIn(await plugin.startWork("ses_lead", ""), "start-work")
      const started: string[] = []
      for (const [index, argument] of offered.entries())
        started.push(startedPath(await plugin.startWork(`ses_${index}`, argument)))
      expect(started.sort()).toEqual([...ORDINARY_PATHS].sort())
    }))
  test.each([
    { request: "@fix_plan.md", is: "@fix_plan.md" },
    { request: "fix_plan.md", is: "fix_plan.md" },
    { request: "@docs/plans/dp.md", is: "docs/plans/dp.md" },
    { request: "x.plan.md", is: ".cursor/plans/x.plan.md" },
  ])("$request starts $is", ({ request, is }) =>
    withFolder(async (root) => {
      for (const path of ORDINARY_PATHS) await put(root, path)
      const plugin = openPlugin(root, { planPaths: (boulder) => findPlans(root, boulder) })
      expect(startedPath(await plugin.startWork("ses_lead", request))).toBe(is)
    }),
  )
  test("a file name that several plans have is asked about; the lines start them", () =>
    withFolder(async (root) => {
      for (const path of ORDINARY_PATHS) await put(root, path)
      const plugin = openPlugin(root, { planPaths: (boulder) => findPlans(root, boulder) })
      const offered = argumentsIn(await plugin.startWork("ses_lead", "tasks.md"), "start-work")
      expect([...offered].sort()).toEqual([".kiro/specs/search/tasks.md", "specs/search/tasks.md"])
    }))
})

describe("where no plan was found", () => {
  test.each([true, false])("is said whether the search was cut: %s", (isCut) =>
    withFolder(async (root) => {
      const plugin = openPlugin(root, { planPaths: async () => ({ paths: [], isCut }) })
      const said = await plugin.startWork("ses_lead", "")
      expect(said).toContain("No plan was found.")
      expect(said.includes("too large to search all of it")).toBe(isCut)
    }),
  )
})

async function command(
  { hooks }: ReturnType<typeof openPlugin>,
  name: string,
  given: string,
): Promise<string> {
  const output = { parts: [] }
  await hooks["command.execute.before"]?.(
    { command: name, sessionID: "ses_other", arguments: given },
    output,
  )
  return String(Reflect.get(output.parts[0] ?? {}, "text"))
}

describe("command lines that we print, pasted into a shell", () => {
  // Without a character of a frame: those are replaced, and a key that was would be refused.
  const name = "x$(touch$" + "{IFS}PWNED)"
  const called = { typed: BY_NAME, name }
  const work = aWork({ plan_name: name })
  const task = aTask({ label: name })
  const run = (outcome: RunOutcome) =>
    outcomeText(outcome, {
      plan: name,
      sessionId: `ses_${name}`,
      serverStopped: true,
      typed: BY_NAME,
      name: null,
    }).text
  const need = (reason: string): RunOutcome => ({
    kind: "needs-user",
    need: { reason, detail: "" },
  })
  const blockedTask = {
    key: task.key,
    title: "t",
    reason: null,
    unblock: null,
    isHeld: false,
    handoff: null,
  }
  const blocked = blockedLines([blockedTask], { most: 1, tokens: 400 }, BY_NAME)
  const evilTask = { ...blockedTask, key: name }
  const reading = { kind: "unavailable", message: "" } as const
  const status = statusText(
    [
      {
        work,
        state: { kind: "idle" },
        reading,
        blocked: [evilTask],
        last: null,
        pace: null,
        name,
        typed: ofWork(BY_NAME, name),
      },
    ],
    shownOn(300),
  )

  test.each([
    { of: "stop", text: stoppedText(name, { isNew: true, ...called }) },
    { of: "resume", text: resumedText(name, "aborted", called) },
    { of: "approve", text: approvedText(work, called) },
    { of: "unblock", text: unblockedText(work, task, called) },
    { of: "an interrupted run", text: run({ kind: "interrupted" }) },
    { of: "a waiting wave", text: run(need("awaiting-approval")) },
    { of: "a question", text: run(need("question")) },
    { of: "a permission", text: run(need("permission")) },
    { of: "a spent budget", text: run(need("budget-spent")) },
    { of: "another pause", text: run(need("aborted")) },
    { of: "a blocked task", text: blocked.join("\n") },
    { of: "the status of a blocked task", text: status },
  ])("run nothing of a plan's name: $of", ({ text }) =>
    withFolder(async (root) => {
      const lines = text.match(/opencode(?:-boulder [a-z]+| --session) (?:'(?:[^']|'\\'')*'|\S)+/g)
      expect(lines?.length).toBeGreaterThan(0)
      for (const line of lines ?? [])
        execFileSync("sh", ["-c", line.replace(/^[a-z-]+/, ":")], { cwd: root })
      expect(existsSync(join(root, "PWNED"))).toBe(false)
    }),
  )
})
