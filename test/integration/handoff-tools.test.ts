import { afterAll, beforeAll, expect, test } from "bun:test"
import { idIn, useTool } from "../support/handoff-tools.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"

let host: OpencodeHost
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.stop())

test("a blocked session hands on, the next is offered, claims and completes, the third sees nothing", async () => {
  const first = await host.createSession()
  expect(host.hasFile(".boulder")).toBe(false)
  const saved = await useTool(host, first, "save_task_progress", {
    summary: "Wrote half of the importer.\nLeft: the retry.",
    status: "blocked",
    blocked_reason: "the sandbox has no network. Unblock: network is there",
    task: "Importer for the price list",
  })
  const id = idIn(saved)
  expect(saved).toContain("blocked; a later session is offered it")

  const second = await host.createSession()
  const listed = await useTool(host, second, "list_blocked_tasks")
  expect(listed).toContain(id)
  expect(listed).toContain("Importer for the price list")
  expect(listed).toContain("the sandbox has no network")
  const opening = host.model.mainRequests(second)[0]?.lastUserText ?? ""
  expect(opening).toContain("1 task waits from earlier sessions")
  expect(opening).toContain(id)

  const claimed = await useTool(host, second, "get_blocked_task", { id })
  expect(claimed).toContain("Left: the retry.")
  expect(claimed).toContain("Claimed by you until")

  const third = await host.createSession()
  expect(await useTool(host, third, "list_blocked_tasks")).toContain("No blocked or interrupted")
  expect(host.model.mainRequests(third)[0]?.lastUserText).not.toContain("earlier sessions")
  expect(await useTool(host, third, "get_blocked_task", { id })).toContain("in the hands of")

  const done = await useTool(host, second, "save_task_progress", {
    summary: "Retry is in.",
    status: "complete",
  })
  expect(done).toContain(`Saved ${id}: complete and settled`)
  expect(host.hasFile(`.boulder/handoffs/settled/${id}.json`)).toBe(true)
  const fourth = await host.createSession()
  expect(await useTool(host, fourth, "list_blocked_tasks")).toContain("No blocked or interrupted")
  expect(host.model.mainRequests(fourth)[0]?.lastUserText).not.toContain("earlier sessions")
})
