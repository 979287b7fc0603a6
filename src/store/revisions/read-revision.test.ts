import { expect, test } from "bun:test"
import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { countOf, countUp } from "../../../test/support/store-boulders.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { hookedPort, systemError } from "../../../test/support/store-port-hooks.ts"
import { nodeFilePort } from "../disk/file-port.ts"
import { openFileBoulderStore } from "./file-boulder-store.ts"

/** A project whose `boulder.json` is damaged, read through a port that does this before it keeps the damaged file. */
const readDamaged = (before: (file: string, link: Parameters<typeof systemError>[1]) => unknown) =>
  withFolder(async (root) => {
    const store = openFileBoulderStore({ root })
    for (let times = 0; times < 2; times++) await store.update(countUp("w"))
    const file = join(root, ".boulder", "boulder.json")
    await writeFile(file, "{")
    const files = hookedPort(nodeFilePort(), {
      before: async (step) => {
        if (step.operation === "link" && step.path.includes(".corrupt-")) await before(file, step)
      },
    })
    const { boulder } = await openFileBoulderStore({ root, files }).read()
    return { count: countOf(boulder, "w"), isWhole: (await readFile(file, "utf8")) !== "{" }
  })

test("a damaged file that is taken away while it is restored is restored all the same", async () => {
  expect(await readDamaged((file) => rm(file, { force: true }))).toEqual({
    count: 2,
    isWhole: true,
  })
})

test("an error of the disk while it is restored is no such thing", async () => {
  const failing = readDamaged((_, step) => {
    throw systemError("EIO", step)
  })
  await expect(failing).rejects.toThrow("EIO")
})

test.each([
  { kind: "damaged", text: "{", code: "corrupt", says: "no copy can be read either" },
  {
    kind: "of a newer version",
    text: '{"schema_version":99}',
    code: "newer-schema",
    says: "its newest copies are of a newer schema",
  },
])("a damaged file all of whose copies are $kind is left alone, and it is said why", (copies) =>
  withFolder(async (root) => {
    const store = openFileBoulderStore({ root })
    for (let times = 0; times < 2; times++) await store.update(countUp("w"))
    const folder = join(root, ".boulder")
    const names = (await readdir(folder)).filter((name) => /^boulder\.json\.r/.test(name))
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) await writeFile(join(folder, name), copies.text)
    await writeFile(join(folder, "boulder.json"), "{")
    const reading = openFileBoulderStore({ root }).read()
    await expect(reading).rejects.toMatchObject({
      code: copies.code,
      message: expect.stringContaining(copies.says),
    })
    expect(await readFile(join(folder, "boulder.json"), "utf8")).toBe("{")
  }),
)

test("a state that is removed while a work is open is told, once (git clean -fdx)", () =>
  withFolder(async (root) => {
    const store = openFileBoulderStore({ root })
    for (let times = 0; times < 2; times++) await store.update(countUp("w"))
    await rm(join(root, ".boulder"), { recursive: true })
    const removed = await store.read()
    expect(removed.boulder).toBeNull()
    expect(removed.notices).toEqual([
      {
        kind: "removed",
        message: `${join(root, ".boulder", "boulder.json")} was removed by another program, with all its copies. Not resumed: w. Plans are not affected: to continue, start the plan again.`,
      },
    ])
    expect((await store.read()).notices).toEqual([])
    expect((await openFileBoulderStore({ root }).read()).notices).toEqual([])
  }))
