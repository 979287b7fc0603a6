import { expect, test } from "bun:test"
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import process from "node:process"
import { withFolder } from "../../../test/support/store-folder.ts"
import { nodeFilePort } from "../disk/file-port.ts"
import { readRevisionName } from "../revisions/revision-names.ts"
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

const DONE = (text: string) => text.replace("[ ]", "[x]")
const ASKED = { path: "plans/a.md", doing: "tick task 1", change: DONE }

async function withPlan(run: (root: string, names: () => readonly string[]) => Promise<void>) {
  await withFolder(async (root) => {
    mkdirSync(join(root, "plans"))
    writeFileSync(join(root, "plans/a.md"), "- [ ] 1. A\n")
    await run(root, () => readdirSync(root, { recursive: true }).map(String).toSorted())
  })
}

/** Gives the names that were there as the rename was asked for, which is answered so. */
function portRenaming(answer: (from: string) => Error | null, names: () => readonly string[]) {
  const port = nodeFilePort()
  const seen: (readonly string[])[] = []
  const rename = async (from: string, to: string) => {
    seen.push(names())
    const error = answer(from)
    if (error !== null) throw error
    return port.rename(from, to)
  }
  return { port: { ...port, rename }, seen }
}

test("what a kill in a mark would leave lies in our folder, by a name that the sweep knows", () =>
  withPlan(async (root, names) => {
    mkdirSync(join(root, ".boulder"))
    const { port, seen } = portRenaming(() => null, names)
    expect(await changePlan({ root, ...ASKED }, port)).toEqual({ kind: "marked" })
    const [temp = "", ...others] = (seen[0] ?? []).filter((name) => name.endsWith(".tmp"))
    expect(others).toEqual([])
    expect(dirname(temp)).toBe(".boulder")
    expect(readRevisionName(basename(temp))).toMatchObject({ kind: "temp", revision: 0 })
    expect(names()).toEqual([".boulder", "plans", "plans/a.md"])
  }))

test("a plan is marked without a folder of ours, and makes none", () =>
  withPlan(async (root, names) => {
    expect(await changePlan({ root, ...ASKED })).toEqual({ kind: "marked" })
    expect(names()).toEqual(["plans", "plans/a.md"])
  }))

test("a plan on another file system than our folder is marked, and nothing is left", () =>
  withPlan(async (root, names) => {
    mkdirSync(join(root, ".boulder"))
    const crosses = Object.assign(new Error("cross-device"), { code: "EXDEV" })
    const isOurs = (from: string) => from.startsWith(join(root, ".boulder"))
    const { port } = portRenaming((from) => (isOurs(from) ? crosses : null), names)
    expect(await changePlan({ root, ...ASKED }, port)).toEqual({ kind: "marked" })
    expect(readFileSync(join(root, "plans/a.md"), "utf8")).toContain("[x]")
    expect(names()).toEqual([".boulder", "plans", "plans/a.md"])
  }))
