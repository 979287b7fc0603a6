import { describe, expect, test } from "bun:test"
import { toolCallOf } from "../opencode/host/v1/tool-call-of.ts"
import { mayRunAtHardLimit } from "./decide-round.ts"

const PLAN = ".boulder/plans/demo.md"
const facts = { planPath: PLAN, ours: new Set(["save_task_progress"]) }
const edit = (oldString: string, newString: string, path = PLAN) => ({
  tool: "edit",
  args: { filePath: path, oldString, newString },
  paths: [path],
})
const patch = (body: string, path = PLAN) => ({
  tool: "apply_patch",
  args: { patchText: `*** Begin Patch\n*** Update File: ${path}\n@@\n${body}\n*** End Patch` },
  paths: [path],
})

describe("at the hard limit", () => {
  test.each([
    { name: "a tick", call: edit("- [ ] 1. Build", "- [x] 1. Build"), is: true },
    { name: "ticks of several boxes", call: edit("[ ] a\n[ ] b", "[x] a\n[~] b"), is: true },
    { name: "a box taken back", call: edit("[x] a", "[ ] a"), is: true },
    {
      name: "a line that blocks a task",
      call: edit("- [ ] 1. Build", "- [ ] 1. Build\n  BLOCKED: no key"),
      is: true,
    },
    {
      name: "a rejection that is removed",
      call: edit("Read it VERDICT: REJECT", "Read it"),
      is: true,
    },
    { name: "a tick in another file", call: edit("[ ] a", "[x] a", "src/a.md"), is: false },
    { name: "a tick as a patch", call: patch(" # Plan\n-- [ ] 1. a\n+- [x] 1. a"), is: true },
    {
      name: "a patch of two files",
      call: { ...patch("-[ ] a\n+[x] a\n*** Add File: b"), paths: [PLAN, "b"] },
      is: false,
    },
    {
      name: "one of our tools",
      call: { tool: "save_task_progress", args: {}, paths: [] },
      is: true,
    },
    {
      name: "any other tool",
      call: { tool: "bash", args: { command: "ls" }, paths: [] },
      is: false,
    },
    { name: "a delegation", call: { tool: "task", args: {}, paths: [] }, is: false },
    {
      name: "the plan written whole",
      call: { tool: "write", args: { filePath: PLAN, content: "- [x] a" }, paths: [PLAN] },
      is: true,
    },
    {
      name: "a shell that names the plan",
      call: { tool: "bash", args: { command: `cat ${PLAN}` }, paths: [PLAN] },
      is: false,
    },
    { name: "an edit that names no file", call: { tool: "edit", args: 7, paths: [] }, is: false },
  ])("$name: $is", ({ call, is }) => {
    const { tool, args, paths } = call
    const asked = toolCallOf({ tool, sessionID: "ses_a", callID: "call" }, args)
    expect(mayRunAtHardLimit({ ...asked, named: paths }, facts)).toBe(is)
  })
})
