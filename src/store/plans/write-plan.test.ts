import { expect, test } from "bun:test"
import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { withFolder } from "../../../test/support/store-folder.ts"
import { changePlan, markTaskInPlan } from "./write-plan.ts"

test("a plan that changes each time that it is looked at is left to whoever changes it", () =>
  withFolder(async (root) => {
    const file = join(root, "a.md")
    writeFileSync(file, "- [ ] 1. A\n")
    const change = (text: string) => {
      writeFileSync(file, `${text}x\n`)
      return `${text}ours\n`
    }
    const made = await changePlan({ root, path: "a.md", doing: "tick task 1", change })
    expect(made).toEqual({
      kind: "refused",
      message: "Expected a.md to stay still; found it changing. Do it yourself: tick task 1.",
    } as typeof made)
    expect(readFileSync(file, "utf8")).not.toContain("ours")
  }))

test("a task that the plan has no more is not marked, and it is said which in which plan", () =>
  withFolder(async (root) => {
    const text = "- [ ] 1. A\n"
    writeFileSync(join(root, "a.md"), text)
    const mark = { key: "task:2", titleHash: "00000000", state: "done", note: null } as const
    const made = await markTaskInPlan(root, "a.md", mark)
    expect(made).toEqual({
      kind: "refused",
      message: "Expected task:2 in a.md; found no such task now.",
    } as typeof made)
    expect(readFileSync(join(root, "a.md"), "utf8")).toBe(text)
  }))

const isRoot = process.getuid?.() === 0
test.skipIf(!isRoot)(
  "a plan of another user's keeps its owner, group and permissions behind a mark by root",
  () =>
    withFolder(async (root) => {
      const file = join(root, "a.md")
      writeFileSync(file, "- [ ] 1. A\n")
      chmodSync(file, 0o640)
      chownSync(file, 1_000, 1_001)
      const change = (text: string) => text.replace("[ ]", "[x]")
      const made = await changePlan({ root, path: "a.md", doing: "tick task 1", change })
      expect(made.kind).toBe("marked")
      const { uid, gid, mode } = statSync(file)
      expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: 1_000, gid: 1_001, mode: 0o640 })
    }),
)
