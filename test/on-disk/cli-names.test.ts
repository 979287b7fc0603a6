import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { putWork } from "../../src/boulder/change-work.ts"
import { columnsOf } from "../../src/cli/views/columns.ts"
import { planNameOf } from "../../src/decide/choose-plan.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { at, aWork, LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { planOf, ticked } from "../support/plans.ts"
import { withFolder } from "../support/store-folder.ts"

function begun(name: string) {
  const active_plan = `.boulder/plans/${name}.md`
  return aWork({ work_id: `${name}-0`, plan_name: name, active_plan })
}

/** A project of these plans; those that are begun have a work. */
function inProject(
  plans: Readonly<Record<string, { readonly isBegun: boolean }>>,
  look: (root: string) => Promise<void>,
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    for (const [name, { isBegun }] of Object.entries(plans)) {
      const work = begun(name)
      await writeFile(join(root, work.active_plan), planOf(`Write ${name}`))
      if (isBegun) await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, work))
    }
    await look(root)
  })
}

/** A plan whose work is finished and has left `boulder.json`. */
async function putAway(root: string, path: string, text: string): Promise<void> {
  const id = path.replace(/^\.|\.md$/g, "").replaceAll("/", "-")
  await mkdir(join(root, ".boulder/works", id), { recursive: true })
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
  const { started_at, updated_at, cost } = aWork()
  const named = { work_id: id, plan_name: planNameOf(path), active_plan: path }
  const counts = { completed_count: 1, total_count: 1 }
  const work = { ...named, started_at, updated_at, cost, ...counts }
  await writeFile(join(root, `.boulder/works/${id}/work.json`), JSON.stringify(work))
}

const THERE = { isBegun: false }
const BEGUN = { isBegun: true }

describe("plan without a name, where nothing was started", () => {
  test("shows the only plan that is there", () =>
    inProject({ shop: THERE }, async (root) => {
      expect((await runInFolder(root, "plan")).out).toContain("Write shop")
    }))

  test("names the plans where there are several", () =>
    inProject({ shop: THERE, auth: THERE }, async (root) => {
      await expect(runInFolder(root, "plan")).rejects.toThrow(
        /^Expected the name of one of 2 plans; found no name\. Name one of: .*shop \(\.boulder\/plans\/shop\.md\)/,
      )
    }))

  test("says where to write one where there is none", () =>
    inProject({}, async (root) => {
      await expect(runInFolder(root, "plan")).rejects.toThrow(
        "Expected a plan; found none. Write one to .boulder/plans/<name>.md, or give a path.",
      )
    }))

  test("shows that of the open work, also beside others", () =>
    inProject({ shop: BEGUN, auth: THERE }, async (root) => {
      expect((await runInFolder(root, "plan")).out).toContain("Write shop")
    }))
})

test.each(["plan shpo", "run shpo"])("%s says which plan may be meant", (line) =>
  inProject({ shop: THERE, auth: THERE }, async (root) => {
    await expect(runInFolder(root, line)).rejects.toThrow(
      "Expected a plan called shpo; found none. Did you mean shop? Name one of: ",
    )
  }),
)

const NO_OPENCODE = "none serve to start; found: no such program. Install opencode"

describe("what is named is a plan, else a file that is there", () => {
  const plan = (root: string, name: string) => runInFolder(root, `plan ${name}`)
  const run = (root: string, name: string) =>
    runInFolder(root, `run ${name}`, { env: { OPENCODE_BIN: join(root, "none") } })

  test("a folder of a plan's name is not meant", () =>
    inProject({ shop: THERE }, async (root) => {
      await mkdir(join(root, "shop"))
      expect((await plan(root, "shop")).out).toContain("Write shop")
      await expect(run(root, "shop")).rejects.toThrow(NO_OPENCODE)
    }))

  test("a file without an ending", () =>
    inProject({ shop: THERE }, async (root) => {
      await writeFile(join(root, "TODO"), planOf("Write it"))
      expect((await plan(root, "TODO")).out).toContain("Write it")
      await expect(run(root, "TODO")).rejects.toThrow(NO_OPENCODE)
    }))

  test("a folder is no file, whoever asks", () =>
    inProject({ shop: THERE }, async (root) => {
      await mkdir(join(root, "src"))
      const says = "Expected a plan at src; it is not a file: name a markdown file."
      await expect(plan(root, "src")).rejects.toThrow(says)
      await expect(run(root, "src")).rejects.toThrow(says)
    }))

  test("a file in a folder that is not there, outside of the project", () =>
    inProject({ shop: THERE }, async (root) => {
      await expect(plan(root, join(root, "../none/deep/x.md"))).rejects.toThrow(
        "none/deep/x.md; no file is there: check the path",
      )
    }))
})

const FINISHED = (name: string) =>
  `Expected a plan that is not archived; found ${name}, with 1/1 tasks settled. What is kept of it: opencode-boulder works ${name}`

describe("a finished plan is known by its name wherever it lies, once its work has left boulder.json", () => {
  const finished = (look: (root: string) => Promise<void>): Promise<void> =>
    inProject({ shop: BEGUN }, async (root) => {
      await putAway(root, "docs/move.md", ticked(planOf("Move out"), "1"))
      await look(root)
    })

  test.each(["why move", "why docs/move.md", "why docs-move"])("%s", (line) =>
    finished(async (root) => {
      await openJournal({ root }).append({
        at: at(0),
        session: LEAD,
        work: "docs-move",
        decision: "finish",
        reason: "plan-complete",
        facts: {},
      })
      expect((await runInFolder(root, line)).out).toContain(
        "Finished: every required task is settled",
      )
      expect((await runInFolder(root, `${line} --session ses_other`)).out).toBe(
        "Nothing was decided in session ses_other yet.\n",
      )
    }),
  )

  test("plan, run", () =>
    finished(async (root) => {
      expect((await runInFolder(root, "plan move")).out).toContain("Move out")
      expect((await runInFolder(root, "run move")).out).toBe(
        "Complete: 1/1 tasks of docs/move.md settled; nothing to run.\n",
      )
      await expect(runInFolder(root, "run moev")).rejects.toThrow("Did you mean move?")
    }))

  test.each(["status", "stop", "resume", "approve", "unblock todo:1"])("%s", (command) =>
    finished(async (root) => {
      await expect(runInFolder(root, `${command} move`)).rejects.toThrow(FINISHED("move"))
    }),
  )

  test("of two that a name may mean it is the one at hand", () =>
    finished(async (root) => {
      await putAway(root, "docs/shop.md", ticked(planOf("Close it"), "1"))
      expect((await runInFolder(root, "works shop")).out).toContain(".boulder/plans/shop.md")
      expect((await runInFolder(root, "status shop")).out).toContain("shop")
      expect((await runInFolder(root, "plan shop")).out).toContain("Write shop")
      expect((await runInFolder(root, "stop sh")).out).toContain("Stopped: shop")
      expect((await runInFolder(root, "stop sh")).out).toStartWith("shop was stopped already. ")
      expect((await runInFolder(root, "works docs/shop.md")).out).toContain("docs/shop.md")
    }))
})

describe("a plan that nobody has started is told of, and how to start it", () => {
  test.each(["status", "why", "works", "cost", "proof", "report", "stop", "resume"])("%s", (name) =>
    inProject({ shop: THERE, auth: BEGUN }, async (root) => {
      await expect(runInFolder(root, `${name} shop`)).rejects.toThrow(
        "Expected a plan called shop that was started; found only .boulder/plans/shop.md, which was not. To start it: type /start-work shop in opencode, or run: opencode-boulder run shop",
      )
    }),
  )

  test("by its path too", () =>
    inProject({ shop: THERE }, async (root) => {
      await expect(runInFolder(root, "status .boulder/plans/shop.md")).rejects.toThrow(
        "found only .boulder/plans/shop.md, which was not.",
      )
    }))

  test("a finished plan whose work has left boulder.json was started", () =>
    inProject({ shop: THERE }, async (root) => {
      await putAway(root, ".boulder/plans/shop.md", ticked(planOf("Sell"), "1"))
      expect((await runInFolder(root, "works shop")).out).toContain("shop: archived")
      await expect(runInFolder(root, "status shop")).rejects.toThrow(FINISHED("shop"))
    }))
})

test("of a complete plan whose boxes were opened again it is said how to work on them", () =>
  inProject({ shop: BEGUN }, async (root) => {
    await openFileBoulderStore({ root }).update((boulder) =>
      putWork(boulder, { ...begun("shop"), status: "completed" }),
    )
    expect((await runInFolder(root, "status")).out.replace(/\n {4}/g, " ")).toContain(
      "0/1 settled  complete\n  A task of it is open again. To work on it: type /start-work shop in opencode, or run: opencode-boulder run shop\n\n  plan:",
    )
    await expect(runInFolder(root, "resume shop")).rejects.toThrow(
      "Expected a paused plan; found shop complete. To work on tasks that are new or open again: type /start-work shop in opencode, or run: opencode-boulder run shop",
    )
  }))

test("approve with a key says which tasks are held, and takes it for no plan", () =>
  inProject({ shop: BEGUN }, async (root) => {
    await expect(runInFolder(root, "approve todo:9")).rejects.toThrow(
      "Expected the key of a held task; found todo:9, which is not held. Held tasks: none.",
    )
  }))

test("report prints no page onto a terminal", () =>
  inProject({ shop: BEGUN }, async (root) => {
    await expect(runInFolder(root, "report shop", { isInteractive: true })).rejects.toThrow(
      "Expected --html FILE for the page; found a terminal. For example: opencode-boulder report shop --html report.html",
    )
    expect((await runInFolder(root, "report shop")).out).toStartWith("<!doctype html>")
  }))

test("cost shows each row whole at 40 columns", () =>
  withFolder(async (root) => {
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    const active_plan = ".boulder/plans/shop.md"
    await writeFile(join(root, active_plan), planOf("Write it"))
    const sum = { usd: 0, unpriced_tokens: 770, unknown_answers: 0 }
    const cost = { ...aWork({}).cost, ...sum, lead: sum }
    const work = aWork({ plan_name: "shop", active_plan, cost })
    await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, work))
    const { out } = await runInFolder(root, "cost", { columns: 40 })
    expect(out).toContain("lead sessions\n  unknown (770 tokens without a price)\n")
    expect(Math.max(...out.split("\n").map(columnsOf))).toBeLessThanOrEqual(40)
  }))
