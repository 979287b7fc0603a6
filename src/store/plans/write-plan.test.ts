import { describe, expect, test } from "bun:test"
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import process from "node:process"
import { withFolder } from "../../../test/support/store-folder.ts"
import { hookedPort } from "../../../test/support/store-port-hooks.ts"
import { type FilePort, nodeFilePort } from "../disk/file-port.ts"
import { isInPlace } from "../disk/store-error.ts"
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

test("what a kill in a mark would leave lies in our folder, by a name that the sweep knows", () =>
  withPlan(async (root, names) => {
    mkdirSync(join(root, ".boulder"))
    const seen: string[] = []
    const port = hookedPort(nodeFilePort(), {
      before: ({ operation }) => {
        if (operation === "rename") seen.push(...names())
      },
    })
    expect(await changePlan({ root, ...ASKED }, port)).toEqual({ kind: "marked" })
    const [temp = "", ...others] = seen.filter((name) => name.endsWith(".tmp"))
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

const isOurs = (root: string, path: string) => path.startsWith(join(root, ".boulder/"))
const coded = (code: string) => Object.assign(new Error(`${code}: by a test`), { code })

describe("where our folder is no way, a plan is marked from beside it, and nothing is left", () => {
  async function expectMarked(
    prepare: (root: string) => void,
    portOf: (root: string, port: FilePort) => FilePort = (_, port) => port,
  ) {
    await withPlan(async (root, names) => {
      const file = join(root, "plans/a.md")
      chmodSync(file, 0o640)
      prepare(root)
      const before = names()
      const made = await changePlan({ root, ...ASKED }, portOf(root, nodeFilePort()))
      expect(made).toEqual({ kind: "marked" })
      expect(readFileSync(file, "utf8")).toBe("- [x] 1. A\n")
      expect(statSync(file).mode & 0o777).toBe(0o640)
      expect(names()).toEqual(before)
    })
  }
  const folder = (root: string) => mkdirSync(join(root, ".boulder"))

  test.each(["EACCES", "EROFS", "EDQUOT"].map((code) => ({ code })))(
    "it answers $code to whatever would change it",
    ({ code }) =>
      expectMarked(folder, (root, port) =>
        hookedPort(port, {
          before: ({ operation, path }) => {
            if (isOurs(root, path) && ["createOpen", "remove"].includes(operation))
              throw coded(code)
          },
        }),
      ),
  )

  test.each(["EXDEV", "EPERM"].map((code) => ({ code })))(
    "nothing can be renamed from there: $code",
    ({ code }) =>
      expectMarked(folder, (root, port) => ({
        ...port,
        rename: async (from, to) => {
          if (isOurs(root, from)) throw coded(code)
          return port.rename(from, to)
        },
      })),
  )

  test("it is a link out of the project, which nothing goes through", () =>
    withFolder(async (elsewhere) => {
      const seen: string[] = []
      await expectMarked(
        (root) => symlinkSync(elsewhere, join(root, ".boulder")),
        (root, port) =>
          hookedPort(port, {
            before: ({ path }) => {
              if (isOurs(root, path)) seen.push(path)
            },
          }),
      )
      expect(seen).toEqual([])
    }))

  test("it is a link to nothing", () =>
    expectMarked((root) => symlinkSync(join(root, "gone"), join(root, ".boulder"))))

  test("it is a file", () => expectMarked((root) => writeFileSync(join(root, ".boulder"), "")))
})

test("a plan that is marked, and whose folder cannot be brought to the disk, is said to be in place", () =>
  withPlan(async (root) => {
    const port = hookedPort(nodeFilePort(), {
      before: ({ operation }) => {
        if (operation === "syncFolder") throw coded("EIO")
      },
    })
    const error = await changePlan({ root, ...ASKED }, port).catch((thrown: unknown) => thrown)
    expect(readFileSync(join(root, "plans/a.md"), "utf8")).toBe("- [x] 1. A\n")
    expect(isInPlace(error)).toBe(true)
    expect(String(error)).toBe(
      `StoreError: Expected to bring ${join(root, "plans/a.md")} to the disk; found EIO: by a test. It is in place, but a power cut may undo it. Check the disk and the system log.`,
    )
  }))

test("a plan is marked, and not only said to be, where our folder is removed before the rename", () =>
  withPlan(async (root, names) => {
    mkdirSync(join(root, ".boulder"))
    const port = hookedPort(nodeFilePort(), {
      before: ({ operation }) => {
        if (operation === "rename") rmSync(join(root, ".boulder"), { recursive: true, force: true })
      },
    })
    expect(await changePlan({ root, ...ASKED }, port)).toEqual({ kind: "marked" })
    expect(readFileSync(join(root, "plans/a.md"), "utf8")).toBe("- [x] 1. A\n")
    expect(names()).toEqual(["plans", "plans/a.md"])
  }))

test("a plan that is in place is not written a second time, though its folder cannot be synced", () =>
  withPlan(async (root, names) => {
    mkdirSync(join(root, ".boulder"))
    let asked = 0
    const change = (text: string) => {
      asked += 1
      return DONE(text)
    }
    const port = hookedPort(nodeFilePort(), {
      before: (step) => {
        if (step.operation === "syncFolder") throw coded("EIO")
      },
    })
    await expect(changePlan({ root, ...ASKED, change }, port)).rejects.toThrow("EIO")
    expect(asked).toBe(1)
    expect(names()).toEqual([".boulder", "plans", "plans/a.md"])
  }))

test("where neither folder can be written, it is said of the plan's own", () =>
  withPlan(async (root, names) => {
    mkdirSync(join(root, ".boulder"))
    const port = hookedPort(nodeFilePort(), {
      before: ({ operation, path }) => {
        if (["createOpen", "remove"].includes(operation))
          throw Object.assign(new Error(`EROFS: ${operation} ${dirname(path)}`), { code: "EROFS" })
      },
    })
    await expect(changePlan({ root, ...ASKED }, port)).rejects.toMatchObject({
      code: "not-permitted",
      found: `EROFS: createOpen ${join(root, "plans")}`,
    })
    expect(names()).toEqual([".boulder", "plans", "plans/a.md"])
  }))
