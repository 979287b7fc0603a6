// A plan that was begun by its path, in a folder where no format keeps plans: from then on its name means it everywhere.
import { describe, expect, test } from "bun:test"
import { mkdir, rm, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { findPlans } from "../../src/store/plans/find-plans.ts"
import { plansHere } from "../../src/store/plans/plans-here.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const OUTSIDE = "notes/launch.md"
const INSIDE = ".boulder/plans/shop.md"

async function put(root: string, path: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), "- [ ] 1. One\n- [ ] 2. Two\n")
}

/** A project with a plan of each kind, the one outside begun by its path. */
const withBegun = (look: (root: string, start: Start) => Promise<void>) =>
  withFolder(async (root) => {
    for (const path of [OUTSIDE, INSIDE]) await put(root, path)
    const plugin = openPlugin(root, { planPaths: (boulder) => findPlans(root, boulder) })
    const start: Start = (session, request) => plugin.startWork(session, request)
    expect(await start("ses_begun", OUTSIDE)).toContain(`Start the plan`)
    await look(root, start)
    await plugin.hooks.dispose?.()
  })

type Start = (session: string, request: string) => Promise<string>

/** The program that is to be started as the host is not there: a refusal of the plan comes before it. */
const NO_HOST = { OPENCODE_BIN: "/nonexistent", PATH: "/usr/bin:/bin" }

describe("a plan that was begun by its path", () => {
  test("is started again by its name", () =>
    withBegun(async (_, start) => {
      expect(await start("ses_begun", "launch")).toContain(OUTSIDE)
    }))

  test("is in the panel's list and among the names that the shell completes, once", () =>
    withBegun(async (root) => {
      expect([...(await plansHere(root))].sort()).toEqual([INSIDE, OUTSIDE].sort())
      await symlink(join(root, OUTSIDE), join(root, ".boulder/plans/launch.md"))
      expect([...(await plansHere(root))].sort()).toEqual([INSIDE, OUTSIDE].sort())
      const { out } = await runInFolder(root, "completion plan")
      expect(out.split("\n").filter((line) => line === "launch")).toHaveLength(1)
    }))

  test("runs by the line that resume prints", () =>
    withBegun(async (root) => {
      await runInFolder(root, "stop launch")
      const { out } = await runInFolder(root, "resume launch")
      const line = /opencode-boulder (run \S+)/.exec(out)?.[1] ?? "none was printed"
      const env = { HOME: root, ...NO_HOST }
      const said = await runInFolder(root, line, { env }).catch((error: unknown) => String(error))
      expect(JSON.stringify(said)).toContain("/nonexistent")
    }))

  test("is read by plan and by the doctor", () =>
    withBegun(async (root) => {
      expect((await runInFolder(root, "plan launch")).out).toContain("0/2 settled")
      const doctor = await runInFolder(root, "doctor", { env: { HOME: root, ...NO_HOST } })
      expect(doctor.out.replaceAll(/\s+/g, " ")).toContain(`${OUTSIDE}: generic format, 2 tasks`)
    }))

  test("is not meant by its name once its file is gone, nor before it was begun", () =>
    withBegun(async (root, start) => {
      await put(root, "notes/other.md")
      expect(await start("ses_new", "other")).toContain("Expected a plan called other, found none.")
      await rm(join(root, OUTSIDE))
      expect(await plansHere(root)).toEqual([INSIDE])
    }))
})

describe("for who stands in a folder below the root", () => {
  const below = (look: (root: string, folder: string) => Promise<void>) =>
    withFolder(async (root) => {
      await mkdir(join(root, ".git"))
      await mkdir(join(root, "packages/app"), { recursive: true })
      await look(root, join(root, "packages/app"))
    })

  test("a path from there is a plan's too, to run and to start", () =>
    below(async (root, folder) => {
      await put(folder, "plans/app.md")
      const plugin = openPlugin(root, { directory: folder })
      const started = await plugin.startWork("ses_below", "plans/app.md")
      expect(started).toContain("(packages/app/plans/app.md)")
      const run = runInFolder(folder, "run plans/app.md", { env: { HOME: root, ...NO_HOST } })
      await expect(run).rejects.toThrow("/nonexistent")
      await plugin.hooks.dispose?.()
    }))

  test("of a path from there that is no file it is said where it would be", () =>
    below(async (root, folder) => {
      await put(root, "plans/app.md")
      const says = "Expected a plan at packages/none.md; no file is there"
      const plugin = openPlugin(root, { directory: folder })
      expect(await plugin.startWork("ses_below", "../none.md")).toContain(says)
      const run = runInFolder(folder, "run ../none.md", { env: { HOME: root, ...NO_HOST } })
      await expect(run).rejects.toThrow(says)
      expect(await plugin.startWork("ses_below", "../../../none.md")).toContain(
        "Expected a plan inside the project",
      )
      await plugin.hooks.dispose?.()
    }))

  test("a path from there is its work's too, to every command of a work, also where its file is gone", () =>
    below(async (root, folder) => {
      await put(folder, "plans/app.md")
      await put(root, "plans/app.md")
      const plugin = openPlugin(root, { directory: folder })
      await plugin.startWork("ses_below", "packages/app/plans/app.md")
      await rm(join(folder, "plans/app.md"))
      for (const command of ["status", "works", "why", "stop", "resume"]) {
        const said = JSON.stringify(
          await runInFolder(folder, `${command} plans/app.md`).catch(String),
        )
        expect(said).not.toContain("found none")
        expect(said).not.toContain("that was started")
      }
      const { out } = await runInFolder(folder, "works plans/app.md")
      expect(out).toContain("plan: packages/app/plans/app.md")
      await plugin.hooks.dispose?.()
    }))

  test("a path from there stops its work, and so does one by way of a link", () =>
    below(async (root, folder) => {
      await put(folder, "plans/app.md")
      await put(root, "plans/other.md")
      await symlink(join(folder, "plans"), join(root, "linked"))
      const plugin = openPlugin(root, { directory: folder })
      for (const given of ["plans/app.md", "./plans/app.md", "linked/app.md"]) {
        await plugin.startWork("ses_other", "plans/other.md")
        await plugin.startWork("ses_below", "packages/app/plans/app.md")
        expect(await plugin.command("ses_else", "stop-work", given)).toContain("Plan app stopped.")
      }
      await plugin.hooks.dispose?.()
    }))

  test("`plan` reads a path from the root too", () =>
    below(async (root, folder) => {
      await put(root, "notes/launch.md")
      expect((await runInFolder(folder, "plan notes/launch.md")).out).toContain("0/2 settled")
    }))

  test.each([
    { given: "../nosuch.md", at: "packages/nosuch.md" },
    { given: "./nosuch.md", at: "packages/app/nosuch.md" },
    { given: "nosuch.md", at: "nosuch.md" },
  ])("a run of $given, which is missing in the project, says so", ({ given, at }) =>
    below(async (_root, folder) => {
      await expect(runInFolder(folder, `run ${given}`)).rejects.toThrow(
        `Expected a plan at ${at}; no file is there: check the path`,
      )
      await expect(runInFolder(folder, "run ../../../nosuch.md")).rejects.toThrow(
        "Expected a plan inside the project; found ../../../nosuch.md. Name a file below",
      )
    }),
  )

  test("a path from the root is taken first, but behind ./, and none out of it", () =>
    below(async (root, folder) => {
      for (const at of [folder, root]) await put(at, "plans/app.md")
      const plugin = openPlugin(root, { directory: folder })
      expect(await plugin.startWork("ses_below", "plans/app.md")).toContain("(plans/app.md)")
      expect(await plugin.startWork("ses_here", "./plans/app.md")).toContain(
        "(packages/app/plans/app.md)",
      )
      for (const [given, works] of [
        ["./plans/app.md", "packages/app/plans/app.md"],
        ["plans/app.md", "plans/app.md"],
      ] as const) {
        expect((await runInFolder(folder, `works ${given}`)).out).toContain(`plan: ${works}\n`)
        await writeFile(join(root, works), "- [ ] This one\n")
        expect((await runInFolder(folder, `plan ${given}`)).out).toContain("This one")
        await put(root, works)
      }
      expect(await plugin.startWork("ses_below", "../../../x.md")).toContain("inside the project")
      await plugin.hooks.dispose?.()
    }))

  test("the start of one that has got boxes is taken in opencode at the root too", () =>
    below(async (root, folder) => {
      await mkdir(join(root, ".boulder/plans"), { recursive: true })
      for (const [at, given] of [
        [join(root, ".boulder/plans/only.md"), ""],
        [join(folder, "app.md"), "app.md"],
        [join(folder, "other.md"), "./other.md"],
      ] as const) {
        await writeFile(at, "1. One\n2. Two\n")
        const { out } = await runInFolder(
          folder,
          `plan ${given} --add-boxes 1-2`.replace("  ", " "),
        )
        const [, path = "none"] =
          /\/start-work (\S+) in opencode/.exec(out.replace(/\s+/g, " ")) ?? []
        expect(join(root, path)).toBe(at)
        const plugin = openPlugin(root)
        expect(await plugin.startWork(`ses_${given.length}`, path)).toContain("One")
        await plugin.hooks.dispose?.()
      }
    }))

  test("where there is none, it is said in which folder one is found", () =>
    below(async (root, folder) => {
      await put(folder, ".boulder/plans/app.md")
      const place = join(root, ".boulder/plans/<name>.md")
      await expect(runInFolder(folder, "plan app")).rejects.toThrow(`Write one to ${place}, or`)
      await expect(runInFolder(folder, "run")).rejects.toThrow(`Write one to ${place}, or`)
      const plugin = openPlugin(root, { directory: folder })
      expect(await plugin.startWork("ses_below", "app")).toContain(
        `Put one at ${root}/.boulder/plans/`,
      )
      await plugin.hooks.dispose?.()
    }))

  test.each(["status", "why", "cost", "works", "proof", "report", "doctor"])(
    "%s says so too where nothing was started",
    (command) =>
      below(async (root, folder) => {
        const given = { columns: 500, env: { HOME: root, ...NO_HOST } }
        const said = await runInFolder(folder, command, given).then(({ out }) => out, String)
        expect(said).toContain(`rite one to ${join(root, ".boulder/plans/<name>.md")}`)
      }),
  )
})

test("of more plans than the doctor reads it says how many are left", () =>
  withFolder(async (root) => {
    for (let index = 0; index < 53; index++) await put(root, `.boulder/plans/p${index}.md`)
    const doctor = await runInFolder(root, "doctor", { env: { HOME: root, ...NO_HOST } })
    expect(doctor.out).toContain("3 more plans are not read here")
  }))
