import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { emptyBoulder } from "../../src/boulder/boulder.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aWork } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PATHS = [".boulder/plans/shop.md", ".omo/plans/shop.md"]
const ROWS = "## TODOs\n\n- [ ] 1. One\n- [!] 2. Two\n  BLOCKED: no key\n"

/** Two works whose plans have one name. */
const withTwo = (run: (root: string) => Promise<void>) =>
  withFolder(async (root) => {
    for (const path of PATHS) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), ROWS)
    }
    const works = Object.fromEntries(
      PATHS.map((path, index) => {
        const id = `shop-${index}`
        const given = { work_id: id, active_plan: path, plan_name: "shop" }
        return [id, aWork({ ...given, lead_session_id: `ses_${index}` })]
      }),
    )
    await openFileBoulderStore({ root }).update(() => ({ ...emptyBoulder(), works }))
    await run(root)
  })
const refusal = (root: string, line: string): Promise<string> =>
  runInFolder(root, line).then(
    ({ out }) => `done: ${out}`,
    (error: unknown) => String(error),
  )

test.each([
  { kind: "work", command: "works" },
  { kind: "plan", command: "plan" },
])("each name of a $kind that completion offers is one that the command takes", (given) =>
  withTwo(async (root) => {
    const { out } = await runInFolder(root, `completion ${given.kind}`)
    const names = out.trim().split("\n")
    expect(names.toSorted()).toEqual(PATHS.toSorted())
    for (const name of names)
      expect((await runInFolder(root, `${given.command} ${name}`)).err).toBe("")
  }),
)

test("a name that several have is not asked whether it is meant", () =>
  withTwo(async (root) => {
    const said = await refusal(root, "stop shop")
    expect(said).toContain("several that could be meant. Name one of: ")
    expect(said).not.toContain("Did you mean")
    expect(await refusal(root, "stop shpo")).not.toContain("Did you mean")
  }))

test.each(["stop", "plan"])("what `%s` asks to name one of is what it takes", (command) =>
  withTwo(async (root) => {
    const said = await refusal(root, `${command} shop`)
    const named = (/Name one of: (.*)\.$/.exec(said)?.[1] ?? "").split(", ")
    expect(named.toSorted()).toEqual(PATHS.toSorted())
  }),
)

test("each is told apart where works are listed", () =>
  withTwo(async (root) => {
    for (const command of ["works", "cost", "status"]) {
      const { out } = await runInFolder(root, command)
      const heads = out.split("\n").filter((line) => PATHS.some((path) => line.startsWith(path)))
      expect({ command, heads: heads.length }).toEqual({ command, heads: 2 })
    }
    const said = await refusal(root, "unblock 9")
    for (const path of PATHS) expect(said.split(";")[0]).toContain(path)
  }))

test("what unblock lists is what it takes", () =>
  withTwo(async (root) => {
    const said = await refusal(root, "unblock")
    const named = (/Blocked tasks: (.*)\.$/.exec(said)?.[1] ?? "").split(", ")
    expect(named.toSorted()).toEqual(PATHS.toSorted().map((path) => `todo:2 ${path}`))
    for (const words of named)
      expect(await refusal(root, `unblock ${words}`)).toStartWith("done: Unblocked: todo:2")
  }))
