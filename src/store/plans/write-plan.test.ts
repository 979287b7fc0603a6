import { expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import { changePlan } from "./write-plan.ts"

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
