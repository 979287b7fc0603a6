import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Notification } from "../../src/decide/notification.ts"
import { waitUntil } from "../support/host-wait.ts"
import { inSections, LEAD, started, ticked } from "../support/long-run-project.ts"
import type { PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

/** A program that adds what it gets to a file of the project. */
const KEEP = ["sh", "-c", "cat >> told.jsonl"]
const plan = inSections(3)

function toldIn(root: string): readonly Notification[] {
  const path = join(root, "told.jsonl")
  if (!existsSync(path)) return []
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
  return lines.map((line): Notification => JSON.parse(line))
}

const untilTold = (root: string, count: number) =>
  waitUntil(
    () => toldIn(root).length === count,
    () => JSON.stringify(toldIn(root)),
  )

const asked = (id: string) => ({
  type: "question.asked",
  properties: {
    id,
    sessionID: LEAD,
    questions: [
      { question: "Which?", header: "W", options: [{ label: "Keep" }, { label: "Drop" }] },
    ],
  },
})

const tell = ({ hooks }: PluginInProcess, event: object) => hooks.event?.({ event: event as never })

describe("a program that is told", () => {
  test("gets a pause, as one JSON object with all that docs/NOTIFY.md names", () =>
    withFolder(async (root) => {
      const { plugin, edit, work } = await started(root, plan, { notify: { command: KEEP } })
      await edit(plan.replaceAll("[ ]", "[~]"))
      await plugin.fallIdle(LEAD)
      await untilTold(root, 1)
      const { work_id } = await work()
      expect<unknown>(toldIn(root)).toEqual([
        {
          version: 1,
          event: "pause",
          at: expect.any(String),
          project: root,
          plan: { name: "demo", path: ".boulder/plans/demo.md" },
          work: work_id,
          session: LEAD,
          reason: "only-blocked-left",
          says: "only blocked tasks are left",
          to_resume: expect.stringContaining("opencode-boulder unblock"),
          facts: expect.objectContaining({ total: 3, blocked: 3 }),
          request: null,
        },
      ])
      const documented = await readFile(join(import.meta.dir, "../../docs/NOTIFY.md"), "utf8")
      for (const field of Object.keys(toldIn(root)[0] ?? {}))
        expect(documented).toContain(`| \`${field}\` |`)
    }))

  test("gets the end of a plan, and a question with its choices", () =>
    withFolder(async (root) => {
      const { plugin, edit } = await started(root, plan, { notify: { command: KEEP } })
      await tell(plugin, asked("que_1"))
      await untilTold(root, 1)
      await tell(plugin, {
        type: "question.replied",
        properties: { sessionID: LEAD, requestID: "que_1", answers: [["Keep"]] },
      })
      await edit(ticked(plan, 1, 2, 3))
      await plugin.fallIdle(LEAD)
      await untilTold(root, 2)
      expect(toldIn(root)).toMatchObject([
        {
          event: "question",
          request: { id: "que_1", questions: [{ text: "Which?", choices: ["Keep", "Drop"] }] },
        },
        { event: "done", reason: "plan-complete" },
      ])
    }))

  test("gets nothing of another session, nor what it is not to be told", () =>
    withFolder(async (root) => {
      const on = ["done"]
      const { plugin, edit } = await started(root, plan, { notify: { command: KEEP, on } })
      await tell(plugin, asked("que_1"))
      await edit(ticked(plan, 1, 2, 3))
      await tell(plugin, {
        type: "question.replied",
        properties: { sessionID: LEAD, requestID: "que_1", answers: [["Keep"]] },
      })
      await plugin.fallIdle(LEAD)
      await untilTold(root, 1)
      expect(toldIn(root)).toMatchObject([{ event: "done" }])
    }))

  test("gets no second question within a minute", () =>
    withFolder(async (root) => {
      const { plugin } = await started(root, plan, { notify: { command: KEEP } })
      for (const id of ["que_1", "que_2", "que_3"]) await tell(plugin, asked(id))
      await untilTold(root, 1)
      await Bun.sleep(300)
      expect(toldIn(root).map(({ request }) => request?.id)).toEqual(["que_1"])
      await plugin.hooks.dispose?.()
    }))
})

test.each([
  { name: "hangs", rest: "exec sleep 300" },
  { name: "prints 1 GB", rest: "exec head -c 1000000000 /dev/zero" },
])("a program that $name holds up nothing", ({ rest }) =>
  withFolder(async (root) => {
    const command = ["sh", "-c", `echo $$ > begun; ${rest}`]
    const { plugin, edit, work } = await started(root, plan, { notify: { command } })
    await edit(ticked(plan, 1, 2, 3))
    await plugin.fallIdle(LEAD)
    expect((await work()).status).toBe("completed")
    expect(plugin.toasts.at(-1)).toContain("complete: 3/3")
    const begun = () =>
      existsSync(join(root, "begun")) ? readFileSync(join(root, "begun"), "utf8") : ""
    await waitUntil(() => begun().endsWith("\n"), begun)
    try {
      process.kill(Number(begun()), "SIGKILL")
    } catch {
      // It has printed all, and is over.
    }
  }),
)

test.each([
  { name: "does not exist", command: ["/no/such/program"] },
  { name: "fails", command: ["sh", "-c", "exit 3"] },
])("a program that $name is a line in the journal, and fails nothing", ({ command }) =>
  withFolder(async (root) => {
    const { plugin, edit, work } = await started(root, plan, { notify: { command } })
    await edit(ticked(plan, 1, 2, 3))
    await plugin.fallIdle(LEAD)
    expect((await work()).status).toBe("completed")
    const journal = () => readFileSync(join(root, ".boulder/journal.jsonl"), "utf8")
    await waitUntil(() => journal().includes('"reason":"notify-failed"'), journal)
    expect(plugin.toasts.at(-1)).toContain("complete: 3/3")
  }),
)
