import { expect, test } from "bun:test"
import { openUnderWay } from "./under-way.ts"

const hangs = () => new Promise<void>(() => undefined)

test("what has begun before is waited for, however it ends; what begins later is not", async () => {
  const underWay = openUnderWay(60_000)
  const said: string[] = []
  underWay.add(Bun.sleep(20).then(() => said.push("written")))
  underWay.add(Bun.sleep(10).then(() => Promise.reject(new Error("failed"))))
  const over = underWay.over()
  underWay.add(hangs())
  await over
  expect(said).toEqual(["written"])
})

test("what hangs is waited for until its limit, and by nobody behind that", async () => {
  const underWay = openUnderWay(20)
  underWay.add(hangs())
  await underWay.over()
  underWay.add(undefined)
  await underWay.over()
})
