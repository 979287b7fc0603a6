import { afterAll, beforeAll, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import type { Handoff } from "../../src/boulder/handoff.ts"
import { idIn, useTool } from "../support/handoff-tools.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, firstTurn, planOf, roles } from "../support/plans.ts"
import { workOn } from "../support/work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"

let host: OpencodeHost
beforeAll(async () => {
  host = await startHost({
    files: { [PLAN]: planOf("Write a.txt", "Write b.txt", "Write c.txt") },
    pluginOptions: { continuation: { cooldown_seconds: 0 } },
  })
})
afterAll(() => host.stop())

/** What the model read with the first message of a session. */
const opening = (session: string) => host.model.mainRequests(session)[0]?.lastUserText ?? ""

test("a blocked session hands on, the next is offered, claims and completes, the third sees nothing", async () => {
  const first = await host.createSession()
  expect(host.hasFile(".boulder/handoffs")).toBe(false)
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
  expect(opening(first)).toBe("go on")
  expect(opening(second)).toBe(
    `go on\n<boulder>\nA note, not the user's words: task ${id} was left blocked just now. If the user's request is that task, take it with get_blocked_task.\n</boulder>`,
  )

  const claimed = await useTool(host, second, "get_blocked_task", { id })
  expect(claimed).toContain("Left: the retry.")
  expect(claimed).toContain("Claimed by you until")

  const third = await host.createSession()
  expect(await useTool(host, third, "list_blocked_tasks")).toContain("No blocked or interrupted")
  expect(opening(third)).toBe("go on")
  expect(await useTool(host, third, "get_blocked_task", { id })).toContain("in the hands of")

  const done = await useTool(host, second, "save_task_progress", {
    summary: "Retry is in.",
    status: "complete",
  })
  expect(done).toContain(`Saved ${id}: complete.`)
  expect(host.hasFile(`.boulder/handoffs/settled/${id}.json`)).toBe(true)
  const fourth = await host.createSession()
  expect(await useTool(host, fourth, "list_blocked_tasks")).toContain("No blocked or interrupted")
  expect(opening(fourth)).toBe("go on")
  expect(host.model.mainRequests(fourth)[0]?.systemText).not.toContain("left unfinished")
})

test("the line at a start comes once, in a session of its own, not in a subagent's", async () => {
  const blocker = await host.createSession()
  const saved = await useTool(host, blocker, "save_task_progress", {
    summary: "x",
    status: "blocked",
    blocked_reason: "y",
  })
  const session = await host.createSession()
  await useTool(host, session, "list_blocked_tasks")
  await host.restart()
  await useTool(host, session, "list_blocked_tasks")
  const read = host.model.mainRequests(session).at(-1)?.allText() ?? ""
  expect(read.match(/(?:was|were) left (?:blocked|unfinished)/g)).toHaveLength(1)
  host.model.use(
    roles({
      lead: ({ stepOfTurn }) =>
        stepOfTurn === 0 ? { toolCalls: [delegate("look around")] } : { text: "over" },
    }),
  )
  await host.prompt(session, "delegate")
  const [child] = await host.children(session)
  expect(opening(child?.id ?? "")).toBe("do it")
  await useTool(host, session, "save_task_progress", {
    summary: "x",
    status: "complete",
    task: idIn(saved),
  })
})

test("with a plan: blocked by its lead, offered with its session, claimed and completed by the next", async () => {
  const first = await host.createSession()
  host.model.use(
    roles({
      lead: firstTurn(({ stepOfTurn }) => {
        const save = {
          name: "save_task_progress",
          args: {
            summary: "a.txt is half there.",
            status: "blocked",
            blocked_reason: "the disk is full. Unblock: Ann has made room",
            task: "todo:1",
          },
        }
        const call = [delegate("todo:1 Write a.txt"), save][stepOfTurn]
        return call === undefined ? { text: "over" } : { toolCalls: [call] }
      }),
    }),
  )
  await host.command(first, "start-work", "demo")
  await host.command(first, "stop-work", "demo")
  const [child] = await host.children(first)
  const id = workOn(host, "demo")?.blocked["todo:1"] ?? ""
  expect(
    host.model.mainRequests(first).map(({ lastToolResults }) => lastToolResults()),
  ).toContainEqual([
    expect.objectContaining({
      text: `<boulder>\nSaved ${id}: blocked; a later session is offered it.\ntodo:1 is marked blocked in the plan.\n</boulder>`,
    }),
  ])
  const note = `BLOCKED: the disk is full. Unblock: Ann has made room (${id})`
  expect(host.readFile(PLAN)).toContain(`- [~] 1. Write a.txt\n  - ${note}\n- [ ] 2.`)

  const second = await host.createSession()
  host.model.use(roles({ lead: () => ({ text: "over" }) }))
  await host.command(second, "start-work", "demo")
  await host.command(second, "stop-work", "demo")
  expect(workOn(host, "demo")).toMatchObject({ blocked_count: 1, blocked: { "todo:1": id } })
  const started = host.model.mainRequests(second)[0]?.lastUserText ?? ""
  expect(started).toContain("`save_task_progress` as `complete` ticks its box")
  expect(started).toContain(
    `todo:1 (${id}) was left blocked: get_blocked_task reads and claims it.`,
  )
  expect(started).toContain('- todo:2 "Write b.txt"')
  expect(started).not.toContain('- todo:1 "Write a.txt"')
  expect(await useTool(host, second, "list_blocked_tasks")).toContain(
    `- ${id} todo:1 "Write a.txt": plan demo; blocked just now; 1 attempt; reason: the disk is full; unblock when: Ann has made room; reuse session ${child?.id}`,
  )
  const claimed = await useTool(host, second, "get_blocked_task", { id })
  expect(claimed).toContain("› a.txt is half there.")
  expect(claimed).toContain(`Preferred reuse session for todo:1: ${child?.id}`)
  expect(claimed).toContain("Claimed by you until")
  const done = { summary: "a.txt is there.", status: "complete" }
  expect(await useTool(host, second, "save_task_progress", done)).toBe(
    "<boulder>\ntodo:1 is marked done in the plan.\n</boulder>",
  )
  expect(host.readFile(PLAN)).toContain("- [x] 1. Write a.txt")

  const third = await host.createSession()
  host.model.use(roles({ lead: () => ({ text: "over" }) }))
  await host.command(third, "start-work", "demo")
  await host.command(third, "stop-work", "demo")
  expect(workOn(host, "demo")).toMatchObject({ completed_count: 1, blocked_count: 0, blocked: {} })
  expect(host.model.mainRequests(third)[0]?.lastUserText).not.toContain("left unfinished")
  expect(await useTool(host, third, "list_blocked_tasks")).toContain("No blocked or interrupted")
  const settled: Handoff = JSON.parse(host.readFile(`.boulder/handoffs/settled/${id}.json`))
  expect(settled).toMatchObject({ attempts: 2, session_id: second })
  expect(settled.history).toMatchObject([{ session_id: first, status: "blocked" }])
})

test("a subagent that gives up hands over the task that it was given", async () => {
  const session = await host.createSession()
  host.model.use(
    roles({
      lead: firstTurn(({ stepOfTurn }) =>
        stepOfTurn === 0 ? { toolCalls: [delegate("todo:3 Write c.txt")] } : { text: "over" },
      ),
      child: ({ stepOfTurn }) => {
        const args = { summary: "tried", status: "blocked", blocked_reason: "no rights" }
        return stepOfTurn === 0
          ? { toolCalls: [{ name: "save_task_progress", args }] }
          : { text: "gave up" }
      },
    }),
  )
  host.writeFile(PLAN.replace("demo", "other"), planOf("Write a.txt", "Write b.txt", "Write c.txt"))
  await host.command(session, "start-work", "other")
  await host.command(session, "stop-work", "other")
  const id = workOn(host, "other")?.blocked["todo:3"] ?? ""
  expect(host.readFile(PLAN.replace("demo", "other"))).toContain(
    `- [~] 3. Write c.txt\n  - BLOCKED: no rights (${id})`,
  )
  const [child] = await host.children(session)
  const read = await useTool(host, session, "get_blocked_task", { id: child?.id })
  expect(read).toContain(`${id}: todo:3 "Write c.txt"`)
  expect(read).toContain("Only read, not claimed.")
})

test("the three tools, word for word as the model gets them: at most 350 tokens together", async () => {
  const session = await host.createSession()
  await useTool(host, session, "list_blocked_tasks")
  const { tools } = host.model.mainRequests(session)[0]?.body ?? {}
  const ours = (Array.isArray(tools) ? tools : []).filter(({ function: { name } }) =>
    ["save_task_progress", "list_blocked_tasks", "get_blocked_task"].includes(name),
  )
  const golden = new URL("../fixtures/prompts/handoff-tools.json", import.meta.url)
  expect(ours).toEqual(JSON.parse(readFileSync(golden, "utf8")))
  expect(encode(JSON.stringify(ours)).length).toBeLessThanOrEqual(350)
})

test("arguments that are wrong come back with what to send", async () => {
  const session = await host.createSession()
  const refused = await useTool(host, session, "save_task_progress", {
    summary: "x",
    status: "blocked",
  })
  expect(refused).toContain("Refused: blocked_reason: status blocked needs a reason")
  expect(refused).toContain('Send save_task_progress({"summary":"…"')
})
