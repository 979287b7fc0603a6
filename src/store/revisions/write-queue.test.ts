import { expect, test } from "bun:test"
import { join } from "node:path"
import { countUp } from "../../../test/support/store-boulders.ts"
import { memoryFiles } from "../../../test/support/store-memory-files.ts"
import { hookedPort } from "../../../test/support/store-port-hooks.ts"
import { newWriteId, ownIdentity } from "../disk/writer-identity.ts"
import { openFileBoulderStore } from "./file-boulder-store.ts"

const ROOT = "/project"
const NOW = 1_790_000_000_000
const TICKET = "1-1-00000000-0000000000000000.ticket"

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** A folder with a state in it, and a ticket of a writer that will not come, taken so long ago. */
async function withTicket(agoMs: number) {
  const files = memoryFiles(ROOT)
  await openFileBoulderStore({ root: ROOT, files }).update(countUp("before"))
  const name = `boulder.json.${NOW - agoMs}.${TICKET}`
  await files.createText(join(ROOT, ".boulder", name), "")
  return { files, name }
}

test("a slow writer comes next, however fast another writes again and again", async () => {
  const files = memoryFiles(ROOT)
  let isDone = false
  const quick = openFileBoulderStore({ root: ROOT, files, pause: () => turns(20) })
  const writing = (async () => {
    while (!isDone) {
      await quick.update(countUp("quick"))
      await turns(1)
    }
  })()
  let publications = 0
  const slow = openFileBoulderStore({
    root: ROOT,
    files: hookedPort(files, {
      before: async ({ operation, path }) => {
        if (operation === "link" && /\.r\d+$/.test(path)) publications += 1
        await turns(30)
      },
    }),
    limitMs: 2_000,
    pause: () => turns(30),
  })
  await slow.update(countUp("slow"))
  isDone = true
  await writing
  expect(publications).toBeLessThanOrEqual(3)
  expect(files.names().filter((name) => name.endsWith(".ticket"))).toEqual([])
})

test("a writer in front that does not come is waited for no longer than another that is slow", async () => {
  const { files } = await withTicket(10)
  let waitedMs = 0
  const pause = async (ms: number) => {
    waitedMs += ms
  }
  const store = openFileBoulderStore({ root: ROOT, files, pause, now: () => NOW })
  expect((await store.update(countUp("w"))).changed).toBe(true)
  expect(waitedMs).toBeGreaterThan(100)
  expect(waitedMs).toBeLessThan(210)
})

test("a ticket of a process that is dead is taken away", async () => {
  const files = memoryFiles(ROOT)
  await openFileBoulderStore({ root: ROOT, files }).update(countUp("before"))
  // No process has so high a number.
  const dead = newWriteId({ ...(await ownIdentity()), pid: 2 ** 31 - 2 })
  const names = Array.from({ length: 5 }, (_, at) => `boulder.json.${NOW - 9 + at}.${dead}.ticket`)
  for (const name of names) await files.createText(join(ROOT, ".boulder", name), "")
  let waitedMs = 0
  const pause = async (ms: number) => {
    waitedMs += ms
  }
  const store = openFileBoulderStore({ root: ROOT, files, pause, now: () => NOW })
  await store.update(countUp("w"))
  expect(waitedMs).toBeLessThan(200)
  expect(files.names().filter((name) => name.endsWith(".ticket"))).toEqual([])
})

test.each([{ agoMs: 60_000 }, { agoMs: -60_000 }])(
  "a ticket of $agoMs ms ago holds nobody up, and is swept",
  async ({ agoMs }) => {
    const { files, name } = await withTicket(agoMs)
    const pause = async () => {
      throw new Error("Expected no wait.")
    }
    const store = openFileBoulderStore({ root: ROOT, files, pause, now: () => NOW })
    await store.update(countUp("w"))
    expect(files.names()).not.toContain(name)
  },
)
