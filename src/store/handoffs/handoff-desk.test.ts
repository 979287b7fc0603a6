import { describe, expect, test } from "bun:test"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { CHILD, LEAD, NOW } from "../../../test/support/builders.ts"
import { aHandoff } from "../../../test/support/handoff-builders.ts"
import {
  type DeskScene,
  SCENE_PLAN,
  SECOND_TASK,
  withDesk,
} from "../../../test/support/handoff-scene.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { Work } from "../../boulder/boulder.ts"
import { changeWork } from "../../boulder/change-work.ts"
import type { PlaceInWork } from "../../boulder/handoff-target.ts"
import type { HandoffCaller, HandoffDesk } from "./handoff-desk.ts"
import { openFileHandoffStore } from "./handoff-file-store.ts"
import { projectScope } from "./handoff-scope.ts"

const LEADER: PlaceInWork = { workId: "demo", role: "lead", task: null }
const CHILD_OF_2: PlaceInWork = { workId: "demo", role: "child", task: SECOND_TASK }

const caller = (sessionId: string, given: Partial<HandoffCaller> = {}): HandoffCaller => ({
  sessionId,
  agent: "build",
  place: null,
  family: [],
  ...given,
})
const lead = caller(LEAD, { place: LEADER, family: [LEAD, CHILD] })
const child = caller(CHILD, { place: CHILD_OF_2, family: [LEAD, CHILD] })
const outside = caller("mcp_agent")

const saying = (
  status: "in_progress" | "blocked" | "complete",
  task: string | null = null,
  reason = "no key. Unblock: a key",
) => ({ status, summary: `${status} now`, reason: status === "blocked" ? reason : null, task })

async function saved(
  desk: HandoffDesk,
  by: HandoffCaller,
  request: Parameters<HandoffDesk["save"]>[1],
) {
  const outcome = await desk.save(by, request)
  if (outcome.kind === "refused") throw new Error(outcome.reason)
  return outcome
}

describe("with a plan", () => {
  test("the lead blocks a task: marked with its reason, known to the work, offered with its condition", () =>
    withDesk(async ({ desk, plan, blocked }) => {
      const { handoff, mark } = await saved(desk, lead, saying("blocked", "todo:1"))
      expect(mark).toEqual({ kind: "marked", key: "todo:1", state: "blocked" })
      const note = `BLOCKED: no key. Unblock: a key (${handoff.id})`
      expect(await plan()).toContain(`- [~] 1. Add the login form\n  - ${note}\n- [ ] 2.`)
      expect(await blocked()).toEqual({ "todo:1": handoff.id })
      expect(handoff).toMatchObject({
        work_id: "demo",
        plan_name: "demo",
        task_key: "todo:1",
        task_text: "Add the login form",
        unblock: "a key",
      })
      expect((await desk.open("build")).handoffs).toEqual([handoff])
    }))

  test("the plan's mark comes before boulder.json: a crash between the two leaves the truth", async () => {
    const plans: string[] = []
    const writes = (text: string) => plans.push(text)
    await withDesk(
      async ({ desk }) => void (await saved(desk, lead, saying("blocked", "todo:1"))),
      {
        writes,
      },
    )
    expect(plans).toEqual([expect.stringContaining("- [~] 1. Add the login form")])
  })

  test("the next session claims it and completes it: ticked, and no blocker any more", () =>
    withDesk(async ({ desk, plan, blocked }) => {
      const { handoff } = await saved(desk, lead, saying("blocked", "todo:1"))
      expect(await desk.get(outside, handoff.id, true)).toMatchObject({ claimed: true })
      const done = await saved(desk, outside, saying("complete"))
      expect(done.handoff.id).toBe(handoff.id)
      expect(done.mark).toEqual({ kind: "marked", key: "todo:1", state: "done" })
      expect(await plan()).toContain("- [x] 1. Add the login form\n")
      expect(await blocked()).toEqual({})
      expect((await desk.open("build")).handoffs).toEqual([])
    }))

  test("who may settle no task is not told to name one: that would be refused", () =>
    withDesk(async ({ desk }) => {
      const nobodys = { ...child, place: { ...CHILD_OF_2, task: null } }
      const markOf = async (by: HandoffCaller, task: string | null) =>
        (await saved(desk, by, saying("complete", task))).mark
      expect(await markOf(nobodys, "what I was asked")).toEqual({ kind: "none" })
      expect(await markOf(nobodys, "todo:1")).toMatchObject({ kind: "left", why: "not-yours" })
      expect(await markOf(child, "an aside")).toEqual({ kind: "no-task" })
      expect(await markOf(lead, "another aside")).toEqual({ kind: "no-task" })
    }))

  test("its own lead takes it up again: open for work", () =>
    withDesk(async ({ desk, plan, blocked }) => {
      const { handoff } = await saved(desk, lead, saying("blocked", "todo:1"))
      const again = await saved(desk, lead, saying("in_progress", handoff.id))
      expect(again.mark).toEqual({ kind: "marked", key: "todo:1", state: "in_progress" })
      expect(await plan()).not.toContain("BLOCKED")
      expect(await blocked()).toEqual({})
    }))

  test("somebody from outside who takes it up leaves the mark: nobody else is to begin it", () =>
    withDesk(async ({ desk, plan }) => {
      const { handoff } = await saved(desk, lead, saying("blocked", "todo:1"))
      await desk.get(outside, handoff.id, true)
      expect((await saved(desk, outside, saying("in_progress"))).mark).toEqual({ kind: "none" })
      expect(await plan()).toContain("BLOCKED")
    }))

  test("a subagent says nothing of the task, and means the one that it was given", () =>
    withDesk(async ({ desk, plan }) => {
      const { handoff, mark } = await saved(desk, child, saying("complete"))
      expect(handoff.task_key).toBe("todo:2")
      expect(mark).toMatchObject({ kind: "marked", state: "done" })
      expect(await plan()).toContain("- [x] 2. Check the password")
    }))

  test("a subagent may not tick another's task, nor anybody from outside one that is not in his hands", () =>
    withDesk(async ({ desk, plan }) => {
      const left = { kind: "left", key: "todo:1", why: "not-yours" }
      expect((await saved(desk, child, saying("complete", "todo:1"))).mark).toMatchObject(left)
      expect((await saved(desk, outside, saying("complete", "todo:1"))).mark).toMatchObject(left)
      expect(await plan()).toBe(SCENE_PLAN)
    }))

  test("who opens a record from outside marks nothing: not when it holds it, and not when it blocks it", () =>
    withDesk(async ({ desk, plan, blocked }) => {
      const left = { kind: "left", key: "todo:1", why: "not-yours" }
      const taken = await saved(desk, outside, saying("in_progress", "todo:1"))
      expect(taken.handoff.from_outside).toBe(true)
      expect((await saved(desk, outside, saying("blocked", "todo:1"))).mark).toMatchObject(left)
      await saved(desk, outside, saying("in_progress", "todo:1"))
      const done = await saved(desk, outside, saying("complete", "todo:1"))
      expect(done).toMatchObject({ handoff: { id: taken.handoff.id }, mark: left })
      const again = await saved(desk, outside, saying("blocked", "todo:1"))
      await desk.get(caller("mcp_other"), again.handoff.id, true)
      expect((await saved(desk, caller("mcp_other"), saying("complete"))).mark).toMatchObject(left)
      expect(await plan()).toBe(SCENE_PLAN)
      expect(await blocked()).toEqual({})
    }))

  test("what comes from outside stays an offer for the lead, beside the work's own record", () =>
    withDesk(async ({ desk, plan }) => {
      const { handoff } = await saved(desk, outside, saying("in_progress", "todo:1"))
      const own = await saved(desk, lead, saying("in_progress", "todo:1"))
      expect(own.handoff.id).not.toBe(handoff.id)
      await saved(desk, outside, saying("blocked", handoff.id))
      expect((await desk.open("build")).handoffs.map(({ id }) => id)).toContain(handoff.id)
      await desk.get(lead, handoff.id, true)
      const done = await saved(desk, lead, saying("complete", handoff.id))
      expect(done.mark).toEqual({ kind: "marked", key: "todo:1", state: "done" })
      expect(await plan()).toContain("- [x] 1. Add the login form\n")
    }))

  test("a work's record is claimed before somebody from outside blocks or completes it", () =>
    withDesk(async ({ desk }) => {
      const { handoff } = await saved(desk, lead, saying("blocked", "todo:1"))
      for (const status of ["blocked", "complete"] as const)
        expect(await desk.save(outside, saying(status, handoff.id))).toMatchObject({
          kind: "refused",
          reason: "unclaimed",
        })
      expect(await desk.get(lead, handoff.id, false)).toMatchObject({ handoff })
    }))

  test("rows of the final wave are the user's", () =>
    withDesk(async ({ desk, plan }) => {
      const { mark } = await saved(desk, lead, saying("complete", "final-wave:f1"))
      expect(mark).toMatchObject({ kind: "left", why: "final-wave" })
      expect(await plan()).toBe(SCENE_PLAN)
    }))

  test("partial_plan_updates off: the model marks, the blocker is known all the same", () =>
    withDesk(
      async ({ desk, plan, blocked }) => {
        const { handoff, mark } = await saved(desk, lead, saying("blocked", "todo:1"))
        expect(mark).toMatchObject({ kind: "left", why: "by-option" })
        expect(await plan()).toBe(SCENE_PLAN)
        expect(await blocked()).toEqual({ "todo:1": handoff.id })
      },
      { marksPlans: false },
    ))

  const free = (work: Work): Work => ({ ...work, blocked: {} })

  test("a task that a person has unblocked is offered to nobody, until it is blocked again", () =>
    withDesk(async ({ desk, setPlan, store }) => {
      const { handoff } = await saved(desk, lead, saying("blocked", "todo:1"))
      const ids = async () => (await desk.open("build")).handoffs.map(({ id }) => id)
      await setPlan(SCENE_PLAN)
      // The plan may be one that could not be marked.
      expect(await ids()).toEqual([handoff.id])
      await store.update(changeWork("demo", new Date(NOW).toISOString(), free))
      expect(await ids()).toEqual([])
      await saved(desk, lead, saying("blocked", "todo:1"))
      expect(await ids()).toEqual([handoff.id])
    }))

  test("a task that a person has ticked is closed, and not offered for ever", () =>
    withDesk(async ({ desk, setPlan }) => {
      const { handoff } = await saved(desk, lead, saying("blocked", "todo:1"))
      await desk.get(outside, handoff.id, true)
      await setPlan(SCENE_PLAN.replace("- [ ] 1.", "- [x] 1."))
      expect((await desk.open("build")).handoffs.map(({ id }) => id)).toEqual([handoff.id])
      await saved(desk, outside, saying("blocked"))
      expect((await desk.open("build")).handoffs).toEqual([])
    }))
})

describe("with a plan that was renumbered since two of its tasks were blocked", () => {
  const renumbered = (
    run: (scene: DeskScene, first: string, second: string) => Promise<void>,
  ): Promise<void> =>
    withDesk(async (scene) => {
      const { handoff: first } = await saved(scene.desk, lead, saying("blocked", "todo:1"))
      const { handoff: second } = await saved(scene.desk, lead, saying("blocked", "todo:2"))
      const text = await scene.plan()
      const front = "- [ ] 1. Something new\n"
      const moved = text.replace("] 2.", "] 3.").replace("- [~] 1.", `${front}- [~] 2.`)
      await scene.setPlan(moved)
      await run(scene, first.id, second.id)
    })
  test("a new block of one overwrites no block of the other", () =>
    renumbered(async ({ desk, blocked }, _, second) => {
      const { handoff } = await saved(desk, lead, saying("blocked", "todo:2"))
      expect(await blocked()).toEqual({ "todo:2": handoff.id, "todo:3": second })
    }))
  test("nor does its end take the other's away", () =>
    renumbered(async ({ desk, blocked }, _, second) => {
      await saved(desk, lead, saying("complete", "todo:2"))
      expect(await blocked()).toEqual({ "todo:3": second })
    }))
  test("it keeps its one record", () =>
    renumbered(async ({ desk }, first, second) => {
      const { handoff } = await saved(desk, lead, saying("blocked", "todo:2"))
      expect(handoff.id).toBe(first)
      const open = (await desk.open("build")).handoffs
      const named = open.map(({ id, task_key }) => `${id} ${task_key}`).sort()
      expect(named).toEqual([`${first} todo:2`, `${second} todo:3`].sort())
    }))
  test("whoever saves, reads or claims it is told its key of now", () =>
    renumbered(async ({ desk }, first) => {
      const { handoff } = await saved(desk, lead, saying("blocked", first))
      const read = await desk.get(outside, first, false)
      const claimed = await desk.get(outside, first, true)
      const keys = [{ handoff }, read, claimed].map((one) => one.handoff?.task_key)
      expect(keys).toEqual(["todo:2", "todo:2", "todo:2"])
    }))
})

test("what a finished work has left as a whole is closed", () =>
  withDesk(async ({ desk, finish }) => {
    await saved(desk, lead, saying("blocked"))
    expect((await desk.open("build")).handoffs).toHaveLength(1)
    await finish()
    expect((await desk.open("build")).handoffs).toEqual([])
  }))

describe("without any plan", () => {
  test("free text is what it is about; the next one who says the same words meets the same record", () =>
    withDesk(async ({ desk }) => {
      const first = await saved(desk, outside, saying("blocked", "the importer"))
      expect(first).toMatchObject({
        mark: { kind: "none" },
        handoff: { task_text: "the importer" },
      })
      const second = await saved(desk, caller("ses_other"), saying("in_progress", "The  importer"))
      expect(second.handoff).toMatchObject({ id: first.handoff.id, attempts: 2 })
    }))

  test("no words at all: one record a session", () =>
    withDesk(async ({ desk }) => {
      const first = await saved(desk, outside, saying("in_progress"))
      const again = await saved(desk, outside, saying("blocked"))
      const other = await saved(desk, caller("ses_other"), saying("in_progress"))
      expect(again.handoff.id).toBe(first.handoff.id)
      expect(other.handoff.id).not.toBe(first.handoff.id)
    }))
})

describe("one record a subject", () => {
  test.each([
    { about: "a task of the plan", task: "todo:1", by: lead },
    { about: "a task, from outside", task: "todo:1", by: outside },
    { about: "free text", task: "the importer", by: outside },
    { about: "nothing", task: null, by: outside },
    { about: "a work as a whole", task: null, by: lead },
  ])("of $about, whoever saves at the same moment", ({ task, by }) =>
    withDesk(async ({ desk }) => {
      const saves = Array.from({ length: 12 }, () => saved(desk, by, saying("blocked", task)))
      const ids = (await Promise.all(saves)).map(({ handoff }) => handoff.id)
      expect(new Set(ids).size).toBe(1)
      expect((await desk.open("build")).handoffs).toHaveLength(1)
    }),
  )

  test("after it is settled the next one begins, twenty times over", () =>
    withDesk(async ({ desk }) => {
      const ids = new Set<string>()
      for (let time = 0; time < 20; time++) {
        const { handoff } = await saved(desk, outside, saying("blocked", "the importer"))
        expect((await saved(desk, outside, saying("complete", "the importer"))).handoff.id).toBe(
          handoff.id,
        )
        ids.add(handoff.id)
      }
      expect(ids.size).toBe(20)
      expect((await desk.open("build")).handoffs).toEqual([])
    }))

  test("an older record with an id at random is still the subject's", () =>
    withDesk(async ({ desk, root }) => {
      const id = "hnd_4fK20xQm81ZtLw7c"
      const scope = { project: projectScope(root), agent: null }
      await openFileHandoffStore({ root }).create(() => aHandoff({ id, scope }))
      expect((await saved(desk, outside, saying("blocked", "the importer"))).handoff.id).toBe(id)
      await saved(desk, outside, saying("complete", id))
      const next = await saved(desk, outside, saying("blocked", "the importer"))
      expect(next.handoff.id).not.toBe(id)
    }))

  test("a file of its id that cannot be read keeps nobody from saving", () =>
    withDesk(async ({ desk, root }) => {
      const { handoff } = await saved(desk, outside, saying("blocked", "the importer"))
      await writeFile(join(root, `.boulder/handoffs/${handoff.id}.1.json`), "{")
      const next = await saved(desk, outside, saying("blocked", "the importer"))
      expect(next.handoff.id).not.toBe(handoff.id)
    }))
})

describe("a claim", () => {
  test("is the default way to one session's hands; another is told whose it is and until when", () =>
    withDesk(async ({ desk }) => {
      const { handoff } = await saved(desk, lead, saying("blocked", "the importer"))
      await desk.get(outside, handoff.id, true)
      expect(await desk.get(caller("ses_late"), handoff.id, true)).toMatchObject({
        kind: "refused",
        reason: "held-by-other",
        handoff: { claim: { session_id: "mcp_agent" } },
      })
      expect(await desk.save(caller("ses_late"), saying("complete", handoff.id))).toMatchObject({
        kind: "refused",
        reason: "held-by-other",
      })
    }))

  test("ends by itself after its lease; activity makes it last", () =>
    withDesk(async ({ desk, wait }) => {
      const { handoff } = await saved(desk, lead, saying("blocked", "the importer"))
      await desk.get(outside, handoff.id, true)
      wait(20)
      expect(await desk.renew("mcp_agent", handoff.id)).toBe(true)
      wait(29)
      expect(await desk.get(caller("ses_late"), handoff.id, true)).toMatchObject({
        kind: "refused",
      })
      wait(1)
      expect(await desk.get(caller("ses_late"), handoff.id, true)).toMatchObject({ claimed: true })
      expect(await desk.renew("mcp_agent", handoff.id)).toBe(false)
    }))

  test("that a save was not about is named; so is one that another has by now", () =>
    withDesk(async ({ desk, wait }) => {
      const { handoff } = await saved(desk, lead, saying("blocked", "the importer"))
      await desk.get(outside, handoff.id, true)
      const beside = await saved(desk, outside, saying("complete", "importer for prices"))
      expect(beside).toMatchObject({ stillHeld: [handoff.id], lost: [] })
      wait(31)
      await desk.get(caller("ses_late"), handoff.id, true)
      const late = await saved(desk, outside, saying("complete"))
      expect(late).toMatchObject({ stillHeld: [], lost: [handoff.id] })
      expect(late.handoff.id).not.toBe(handoff.id)
    }))

  test("of what a session left without words does not keep that session from saving anew", () =>
    withDesk(async ({ desk }) => {
      const { handoff } = await saved(desk, outside, saying("blocked"))
      await desk.get(caller("ses_late"), handoff.id, true)
      const anew = await saved(desk, outside, saying("in_progress"))
      expect(anew.handoff.id).not.toBe(handoff.id)
    }))

  test("reading without one changes nothing", () =>
    withDesk(async ({ desk }) => {
      const { handoff } = await saved(desk, lead, saying("blocked", "the importer"))
      expect(await desk.get(outside, handoff.id, false)).toEqual({
        kind: "found",
        handoff,
        claimed: false,
      })
    }))

  test("a settled one is refused for claim and save, and can be read", () =>
    withDesk(async ({ desk }) => {
      const { handoff } = await saved(desk, outside, saying("complete", "the importer"))
      const settled = { kind: "refused", reason: "settled" }
      expect(await desk.get(lead, handoff.id, true)).toMatchObject(settled)
      expect(await desk.save(lead, saying("blocked", handoff.id))).toMatchObject(settled)
      expect(await desk.get(lead, handoff.id, false)).toMatchObject({ kind: "found" })
    }))
})

test("a session id gives the record that it was last heard in", () =>
  withDesk(async ({ desk, wait }) => {
    await saved(desk, outside, saying("blocked", "one"))
    wait(1)
    const { handoff } = await saved(desk, outside, saying("blocked", "two"))
    expect(await desk.get(lead, "mcp_agent", false)).toMatchObject({ handoff: { id: handoff.id } })
    expect(await desk.get(lead, "ses_nobody", false)).toMatchObject({
      kind: "refused",
      reason: "unknown-handoff",
    })
  }))

describe("what another scope has is as if it were not there", () => {
  test("another agent's, with the scope by agent", () =>
    withDesk(
      async ({ desk }) => {
        const { handoff } = await saved(desk, outside, saying("blocked", "the importer"))
        const other = caller("ses_other", { agent: "plan" })
        expect((await desk.open("plan")).handoffs).toEqual([])
        expect((await desk.open("build")).handoffs).toHaveLength(1)
        const unknown = { kind: "refused", reason: "unknown-handoff", handoff: null }
        expect(await desk.get(other, handoff.id, true)).toMatchObject(unknown)
        expect(await desk.get(other, "mcp_agent", false)).toMatchObject(unknown)
        expect(await desk.save(other, saying("complete", handoff.id))).toMatchObject(unknown)
        const same = await saved(desk, other, saying("blocked", "the importer"))
        expect(same.handoff.id).not.toBe(handoff.id)
      },
      { byAgent: true },
    ))

  test("another project's, though its id is known", () =>
    withDesk(({ desk: here }) =>
      withDesk(async ({ desk: there }) => {
        const { handoff } = await saved(here, outside, saying("blocked", "the importer"))
        expect((await there.open("build")).handoffs).toEqual([])
        const unknown = { kind: "refused", reason: "unknown-handoff", handoff: null }
        expect(await there.get(outside, handoff.id, true)).toMatchObject(unknown)
        expect(await there.get(lead, "mcp_agent", false)).toMatchObject(unknown)
        expect(await there.save(outside, saying("complete", handoff.id))).toMatchObject(unknown)
      }),
    ))
})

test("nothing is on disk before the first save: neither reading nor listing makes a folder", () =>
  withFolder(async (root) => {
    const store = openFileHandoffStore({ root })
    expect(await store.open()).toMatchObject({ handoffs: [], unreadable: [] })
    expect(await store.lastOf("ses_x")).toBeNull()
    expect(readFile(join(root, ".boulder/.gitignore"), "utf8")).rejects.toThrow("ENOENT")
  }))
