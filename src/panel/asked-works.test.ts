import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { aWork } from "../../test/support/builders.ts"
import { withFolder } from "../../test/support/store-folder.ts"
import { putWork } from "../boulder/change-work.ts"
import { parsePlan } from "../plan/parse-plan.ts"
import { openFileBoulderStore } from "../store/revisions/file-boulder-store.ts"
import { askedWorks } from "./asked-works.ts"

const PATH = ".boulder/plans/shop.md"
const COUNT = 45
const NUMBERS = Array.from({ length: COUNT }, (_, index) => index + 1)
const KEYS = NUMBERS.map((number) => `todo:${number}`)
const planOf = (row: (number: number) => string): string =>
  `## TODOs\n\n- [ ] 0. Go on\n${NUMBERS.map(row).join("")}`

const BLOCKED = planOf(
  (number) => `- [!] ${number}. Get key ${number}\n  BLOCKED: no key ${number}\n`,
)
const TICKED = planOf((number) => `- [x] ${number}. Get key ${number}\n`)

async function put(root: string, plan: string, isHeld: boolean): Promise<void> {
  await mkdir(join(root, ".boulder/plans"), { recursive: true })
  await writeFile(join(root, PATH), plan)
  const { tasks } = parsePlan(plan, { path: PATH, siblings: [] })
  const hold = { why: "`check` has not been run", times: 1, approved: false }
  const held = Object.fromEntries(
    tasks
      .filter(({ state }) => state === "done")
      .map(({ key, titleHash }) => [key, { ...hold, title_hash: titleHash }]),
  )
  const work = aWork({ active_plan: PATH, plan_name: "shop", ...(isHeld ? { held } : {}) })
  await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, work))
}

test("every blocked task is listed, with why", () =>
  withFolder(async (root) => {
    await put(root, BLOCKED, false)
    const { works } = await askedWorks(root)
    const [work] = works
    expect(work).toMatchObject({ plan_name: "shop", plan: PATH, held: [] })
    expect(work?.blocked.map(({ key }) => key)).toEqual(KEYS)
    expect(work?.blocked.at(-1)).toMatchObject({ title: "Get key 45", reason: "no key 45" })
  }))

test("every held task is listed, with why", () =>
  withFolder(async (root) => {
    await put(root, TICKED, true)
    const { works } = await askedWorks(root)
    const [work] = works
    expect(work?.held.map(({ key }) => key)).toEqual(KEYS)
    expect(work?.held.at(-1)).toEqual({
      key: "todo:45",
      title: "Get key 45",
      reason: "`check` has not been run",
    })
    expect(work?.blocked).toEqual([])
  }))

test("a project in which nothing was started has no work", () =>
  withFolder(async (root) => {
    expect(await askedWorks(root)).toEqual({ works: [], refusal: null })
  }))

test("where the state cannot be read, it says why", () =>
  withFolder(async (root) => {
    await mkdir(join(root, ".boulder"))
    await writeFile(join(root, ".boulder/boulder.json"), "{")
    const { works, refusal } = await askedWorks(root)
    expect(works).toEqual([])
    expect(refusal).toContain("boulder.json")
  }))
