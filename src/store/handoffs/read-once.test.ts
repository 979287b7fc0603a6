import { expect, test } from "bun:test"
import { aWork } from "../../../test/support/builders.ts"
import { openMemoryBoulderStore } from "../../../test/support/memory-boulder-store.ts"
import { emptyBoulder } from "../../boulder/boulder.ts"
import { putWork } from "../../boulder/change-work.ts"
import { openPlanFiles } from "../plans/plan-files.ts"
import { readOnce } from "./read-once.ts"

const work = aWork()
const put = (name: string) => putWork(emptyBoulder(), { ...work, plan_name: name })

/** A call on a store that counts its reads, and fails as often as it is told. */
function call() {
  const inner = openMemoryBoulderStore(put("first"))
  const made = { reads: 0, failing: 0 }
  const unlessTold = (): void => {
    if (made.failing-- > 0) throw new Error("the disk is busy")
  }
  const store = {
    ...inner,
    read: async () => {
      made.reads += 1
      unlessTold()
      return inner.read()
    },
    update: async (change: Parameters<typeof inner.update>[0]) => {
      unlessTold()
      return inner.update(change)
    },
  }
  const seen = readOnce({ store, plans: openPlanFiles({ root: "/nowhere", now: () => 0 }) }).store
  const name = async () => (await seen.read()).boulder?.works[work.work_id]?.plan_name
  const rename = (to: string) => (before: ReturnType<typeof put>) =>
    putWork(before, { ...work, plan_name: to })
  return { inner, seen, made, name, rename }
}

test("all reads of a call are one, whatever others write meanwhile", async () => {
  const { inner, made, name, rename } = call()
  expect(await name()).toBe("first")
  await inner.update(rename("of another process"))
  expect(await name()).toBe("first")
  expect(made.reads).toBe(1)
})

test("behind a change of its own a call sees what that gave, others' changes with it, and reads nothing", async () => {
  const { inner, seen, made, name, rename } = call()
  await name()
  await inner.update((before) => putWork(before, { ...work, work_id: "other", plan_name: "new" }))
  await seen.update(rename("second"))
  expect(await name()).toBe("second")
  expect(Object.keys((await seen.read()).boulder?.works ?? {})).toContain("other")
  expect(made.reads).toBe(1)
})

test("a read that failed is made again by whoever asks next", async () => {
  const { made, name } = call()
  made.failing = 1
  await expect(name()).rejects.toThrow("busy")
  expect(await name()).toBe("first")
})

test("behind a change that failed the state is read anew", async () => {
  const { inner, seen, made, name, rename } = call()
  await name()
  await inner.update(rename("of another process"))
  made.failing = 1
  await expect(seen.update(rename("second"))).rejects.toThrow("busy")
  expect(await name()).toBe("of another process")
})
