import { describe, expect, test } from "bun:test"
import { guardWrite, type WriteAttempt } from "./guard-write.ts"

const planPath = ".omo/plans/auth.md"
const verdict = (given: Partial<WriteAttempt>) => {
  const found = guardWrite({
    writer: "lead",
    paths: ["src/a.ts"],
    planPath,
    orchestratorWrites: "warn",
    ...given,
  })
  return found.kind === "refuse" ? `${found.reason} ${found.path}` : found.kind
}
const subagent = { writer: "subagent" as const }
const block = { orchestratorWrites: "block" as const }
const allow = { orchestratorWrites: "allow" as const }

describe("who may write what", () => {
  test.each<{ name: string; given: Partial<WriteAttempt>; is: string }>([
    { name: "a subagent writes sources", given: subagent, is: "allow" },
    {
      name: "a subagent writes the plan",
      given: { ...subagent, paths: [planPath] },
      is: `plan-by-subagent ${planPath}`,
    },
    {
      name: "a subagent writes the plan among others",
      given: { ...subagent, paths: ["a.ts", planPath] },
      is: `plan-by-subagent ${planPath}`,
    },
    {
      name: "a subagent writes the plan where all is allowed",
      given: { ...subagent, ...allow, paths: [planPath] },
      is: `plan-by-subagent ${planPath}`,
    },
    {
      name: "a subagent writes another plan of ours",
      given: { ...subagent, paths: [".boulder/plans/b.md"] },
      is: "plan-by-subagent .boulder/plans/b.md",
    },
    {
      name: "a subagent writes our state",
      given: { ...subagent, paths: [".boulder/boulder.json"] },
      is: "state-by-anyone .boulder/boulder.json",
    },
    {
      name: "a subagent writes another file of that name",
      given: { ...subagent, paths: ["x/.omo/plans/auth.md"] },
      is: "allow",
    },
    { name: "the lead ticks the plan", given: { paths: [planPath] }, is: "allow" },
    {
      name: "the lead writes the file that settles the plan's tasks",
      given: { ...block, planPath: "p/05-02-PLAN.md", paths: ["p/05-02-SUMMARY.md"] },
      is: "allow",
    },
    {
      name: "the lead writes such a file of another plan",
      given: { ...block, planPath: "p/05-02-PLAN.md", paths: ["p/05-03-SUMMARY.md"] },
      is: "sources-by-lead p/05-03-SUMMARY.md",
    },
    {
      name: "the lead writes another plan of ours",
      given: { ...block, paths: [".boulder/plans/b.md"] },
      is: "allow",
    },
    {
      name: "the lead writes our state",
      given: { paths: [".boulder/boulder.json"] },
      is: "state-by-anyone .boulder/boulder.json",
    },
    {
      name: "the lead writes our state where all is allowed",
      given: { ...allow, paths: [".boulder/works/w/shards/001.md"] },
      is: "shard-by-anyone .boulder/works/w/shards/001.md",
    },
    {
      name: "the lead writes our state among others",
      given: { paths: [planPath, ".boulder/.gitignore"] },
      is: "state-by-anyone .boulder/.gitignore",
    },
    { name: "the lead edits sources, by default", given: {}, is: "remind" },
    { name: "the lead edits sources, blocked", given: block, is: "sources-by-lead src/a.ts" },
    { name: "the lead edits sources, allowed", given: allow, is: "allow" },
    {
      name: "the lead edits plan and sources, blocked",
      given: { ...block, paths: [planPath, "b.ts"] },
      is: "sources-by-lead b.ts",
    },
    {
      name: "the lead writes outside the root",
      given: { ...block, paths: ["/tmp/x"] },
      is: "sources-by-lead /tmp/x",
    },
    {
      name: "a folder that is only called alike",
      given: { ...subagent, paths: [".boulders/x", "a/.boulder/x"] },
      is: "allow",
    },
    {
      name: "a write in the place of our folder",
      given: { ...allow, paths: [".boulder"] },
      is: "state-by-anyone .boulder",
    },
    {
      name: "a write in the place of the plans' folder",
      given: { ...allow, paths: [".boulder/plans"] },
      is: "state-by-anyone .boulder/plans",
    },
    { name: "a write without a path", given: { ...block, paths: [] }, is: "allow" },
  ])("$name: $is", ({ given, is }) => {
    expect(verdict(given)).toBe(is)
  })
})
