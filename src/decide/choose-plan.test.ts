import { describe, expect, test } from "bun:test"
import { choosePlan, looksLikePath, planNameOf, requestOf } from "./choose-plan.ts"

const candidates = [
  ".boulder/plans/auth-rewrite.md",
  ".boulder/plans/auth.md",
  ".omo/plans/Billing_Overhaul.md",
  "specs/search/tasks.md",
  ".kiro/specs/search/tasks.md",
  "openspec/changes/add-2fa/tasks.md",
  ".planning/phases/01-base/01-01-PLAN.md",
  "docs/superpowers/plans/2026-03-26-dashboard-core.md",
  "specs/007-ledger/tasks.md",
  "ROADMAP.md",
].map((path) => ({ path, name: planNameOf(path) }))
const chosen = (request: string) => {
  const choice = choosePlan(candidates, request)
  if (choice.kind === "chosen") return choice.candidate.path
  return choice.kind === "ambiguous" ? choice.among.map(({ path }) => path) : choice.kind
}

describe("exact name, then normalised name, then unique prefix (omo#813, omo#2926)", () => {
  test.each([
    {
      request: "auth",
      is: ".boulder/plans/auth.md",
      name: "an exact name, though another begins with it",
    },
    { request: "auth-rewrite", is: ".boulder/plans/auth-rewrite.md", name: "an exact name" },
    {
      request: ".kiro/specs/search/tasks.md",
      is: ".kiro/specs/search/tasks.md",
      name: "an exact path",
    },
    {
      request: "specs/007-ledger",
      is: "specs/007-ledger/tasks.md",
      name: "the path of its folder",
    },
    {
      request: "@openspec/changes/add-2fa/",
      is: "openspec/changes/add-2fa/tasks.md",
      name: "that path as a host attaches it",
    },
    {
      request: "billing overhaul",
      is: ".omo/plans/Billing_Overhaul.md",
      name: "blanks for underscores, small letters",
    },
    { request: "AUTH.md", is: ".boulder/plans/auth.md", name: "its file's ending" },
    { request: "ａｕｔｈ", is: ".boulder/plans/auth.md", name: "wide letters" },
    { request: "bill", is: ".omo/plans/Billing_Overhaul.md", name: "a unique prefix" },
    {
      request: "add",
      is: "openspec/changes/add-2fa/tasks.md",
      name: "a prefix of a folder's name",
    },
    { request: "auth-", is: ".boulder/plans/auth-rewrite.md", name: "a prefix that only one has" },
    { request: "01-01", is: ".planning/phases/01-base/01-01-PLAN.md", name: "a number" },
    {
      request: "dashboard",
      is: "docs/superpowers/plans/2026-03-26-dashboard-core.md",
      name: "a prefix behind a date",
    },
    { request: "ledger", is: "specs/007-ledger/tasks.md", name: "a name behind its number" },
  ])("$name: $request", ({ request, is }) => {
    expect(chosen(request)).toBe(is)
  })
  test.each([
    {
      request: "search",
      name: "two plans of one name",
      is: ["specs/search/tasks.md", ".kiro/specs/search/tasks.md"],
    },
    {
      request: "au",
      name: "a prefix of two",
      is: [".boulder/plans/auth-rewrite.md", ".boulder/plans/auth.md"],
    },
  ])("never a guess: $name lists them", ({ request, is }) => {
    expect(chosen(request)).toEqual([...is])
  })
  test.each([
    { request: "rewrite", name: "the middle of a name" },
    { request: "nothing", name: "another name" },
    { request: "", name: "nothing" },
    { request: "/", name: "the root" },
    { request: ".md", name: "an ending alone" },
    { request: "-", name: "a sign alone" },
    { request: ".*", name: "a pattern" },
  ])("$name is no name", ({ request }) => {
    expect(chosen(request)).toBe("missing")
  })
  test("a missing one comes with the plans that are known", () => {
    expect(choosePlan(candidates, "nothing")).toEqual({ kind: "missing", known: candidates })
  })
})

describe("what is attached with @, and the name of a file", () => {
  const files = [
    ...["fix_plan.md", "@fix_plan.md", ".cursor/plans/robots.plan.md", "tasks/todo-list.md"],
    ...["a/tasks.json", "b/tasks.json"],
  ].map((path) => ({ path, name: planNameOf(path) }))
  const among = (request: string) => {
    const choice = choosePlan(files, request)
    if (choice.kind === "chosen") return choice.candidate.path
    return choice.kind === "ambiguous" ? choice.among.map(({ path }) => path) : choice.kind
  }
  test.each([
    { request: "@fix_plan.md", is: "@fix_plan.md" },
    { request: "fix_plan.md", is: "fix_plan.md" },
    { request: "fix_plan", is: ["fix_plan.md", "@fix_plan.md"] },
    { request: "@robots", is: ".cursor/plans/robots.plan.md" },
    { request: "robots.plan.md", is: ".cursor/plans/robots.plan.md" },
    { request: "@robots.plan.md", is: ".cursor/plans/robots.plan.md" },
    { request: "tasks.json", is: ["a/tasks.json", "b/tasks.json"] },
    { request: "todo.md", is: "missing" },
    { request: "@", is: "missing" },
  ])("$request: $is", ({ request, is }) => {
    expect<unknown>(among(request)).toEqual(is)
  })
})

describe("a plan's name", () => {
  test.each([
    { path: ".boulder/plans/auth.md", name: "auth" },
    { path: "docs/My Plan.markdown", name: "My Plan" },
    { path: "specs/search/tasks.md", name: "search" },
    { path: "specs/search/Plan.md", name: "search" },
    { path: ".taskmaster/tasks/tasks.json", name: "tasks" },
    { path: ".cursor/plans/fix_robots.plan.md", name: "fix_robots" },
    { path: "prd.json", name: "prd" },
    { path: "scripts/ralph/prd.json", name: "ralph" },
    { path: ".plan.md", name: ".plan" },
    { path: ".planning/PLAN.md", name: "PLAN" },
    { path: "tasks.md", name: "tasks" },
    { path: "v1.2.md", name: "v1.2" },
    { path: "@fix_plan.md", name: "fix_plan" },
    { path: "specs/@scope/tasks.md", name: "@scope" },
  ])("$path: $name", ({ path, name }) => {
    expect(planNameOf(path)).toBe(name)
  })
})

describe("what a person typed behind a command", () => {
  test.each([
    { text: " auth ", request: "auth" },
    { text: '"my plan"', request: "my plan" },
    { text: "' my plan '", request: "my plan" },
    { text: "@.boulder/plans/auth.md", request: "@.boulder/plans/auth.md" },
    { text: '"@docs/a b.md"', request: "@docs/a b.md" },
    { text: '"half', request: '"half' },
    { text: '"', request: '"' },
    { text: `"mixed'`, request: `"mixed'` },
    { text: "", request: "" },
  ])("$text: $request", ({ text, request }) => {
    expect(requestOf(text)).toBe(request)
  })
})

describe("a request that names a file", () => {
  test.each([
    { request: "docs/plan.md", path: true },
    { request: "plan.md", path: true },
    { request: "PLAN.MARKDOWN", path: true },
    { request: "tasks.json", path: true },
    { request: "./x", path: true },
    { request: "auth", path: false },
    { request: "auth.mdx", path: false },
    { request: "", path: false },
  ])("$request: $path", ({ request, path }) => {
    expect(looksLikePath(request)).toBe(path)
  })
})
