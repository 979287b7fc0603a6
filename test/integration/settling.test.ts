import { afterEach, expect, test } from "bun:test"
import { join } from "node:path"
import { useTool } from "../support/handoff-tools.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf, ticked } from "../support/plans.ts"
import type { Reply } from "../support/scripted-model.ts"
import { reasonsOf, untilWork, workOn } from "../support/work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"
const titles = ["One", "Two", "Three", "Four", "Five"]

let host: OpencodeHost
afterEach(() => host.stop())

const call = (name: string, args: object): Reply => ({ toolCalls: [{ name, args: { ...args } }] })
const shell = (command: string): Reply => call("bash", { command, description: "Do it" })

test("a task is settled by the shell, by an edit, by our tool and by the user, each noticed at the next hook and counted once", async () => {
  const counted: number[] = []
  const turns: readonly (readonly (() => Reply)[])[] = [
    [
      () => shell(`sed -i 's/- \\[ \\] 1\\./- [x] 1./' ${PLAN}`),
      () => {
        const [oldString, newString] = ["- [ ] 2. Two", "- [x] 2. Two"]
        return call("edit", { filePath: join(host.project, PLAN), oldString, newString })
      },
      () => {
        const args = { summary: "It is done.", status: "complete", task: "todo:3" }
        return call("save_task_progress", args)
      },
      () => ({ text: "The round is over." }),
    ],
    [
      () => {
        host.writeFile(PLAN, ticked(host.readFile(PLAN), "4"))
        return shell("echo something else")
      },
      () => shell("echo and again"),
      () => ({ text: "I was told nothing." }),
    ],
  ]
  let turn = -1
  host = await startHost({
    files: { [PLAN]: planOf(...titles) },
    pluginOptions: { continuation: { cooldown_seconds: 0, no_progress_turns: 1 } },
    script: ({ kind, stepOfTurn }) => {
      if (kind !== "main") return undefined
      if (stepOfTurn === 0) turn += 1
      const step = turns[turn]?.[stepOfTurn]
      if (step === undefined) return { text: "Nothing is left to say." }
      counted.push(workOn(host, "demo")?.completed_count ?? -1)
      return step()
    },
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  const work = await untilWork(host, "demo", "no-progress")

  expect(counted).toEqual([0, 1, 2, 3, 3, 4, 4])
  expect(work).toMatchObject({ completed_count: 4, total_count: 5, checkpoint_seq: 1 })
  expect(reasonsOf(host, session).filter((said) => said.startsWith("end-round"))).toEqual([
    "end-round checkpoint-due",
  ])
  const results = host.model.mainRequests(session).map((request) =>
    request
      .lastToolResults()
      .map(({ text }) => text)
      .join("\n"),
  )
  const told = results.filter((result) => result.includes("nd this turn"))
  expect(told).toHaveLength(1)
  expect(told[0]).toContain("todo:3 is marked done in the plan.")
  expect(told[0]).toContain("checkpoint 1 is written (3/5 settled)")
  expect(host.readFile(PLAN)).toContain(
    "- [x] 1. One\n- [x] 2. Two\n- [x] 3. Three\n- [x] 4. Four\n",
  )
}, 180_000)

test("a tick in a shard is refused, with a word on where to tick", async () => {
  host = await startHost({ files: { [PLAN]: planOf(...titles) } })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  const shard = `.boulder/works/${workOn(host, "demo")?.work_id}/shards/001.md`
  const before = host.readFile(shard)
  const filePath = join(host.project, shard)
  const content = before.replace("- [ ] 1.", "- [x] 1.")
  await useTool(host, session, "write", { filePath, content })
  expect(host.model.mainRequests(session).at(-1)?.allText()).toContain(
    `boulder: refused to write ${shard}. It only shows a part of the plan: a task is settled by its box in ${PLAN}.`,
  )
  expect(host.readFile(shard)).toBe(before)
}, 180_000)
