import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { putWork } from "../../boulder/change-work.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"

test("/stop-work books what the work's sessions have spent so far", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, "plans/demo.md")
    await plugin.tellTokens(LEAD, 700)
    const command = { command: "stop-work", sessionID: LEAD, arguments: "" }
    await plugin.hooks["command.execute.before"]?.(command, { parts: [] })
    expect(await plugin.command(LEAD, "stop-work", "")).toContain("Plan demo was stopped already.")
    const { boulder } = await openFileBoulderStore({ root }).read()
    expect(Object.values(boulder?.works ?? {})).toMatchObject([
      { status: "paused", pause_reason: "stopped-by-user", tokens: { spent: 700 } },
    ])
    await plugin.hooks.dispose?.()
  }))

/** What `/stop-work` says to a session, while each of the others leads a work. */
const stopped = (sessionID: string, leads: readonly string[], given = "") =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const plugin = openPlugin(root)
    for (const [at, lead] of leads.entries()) {
      await writeFile(join(root, `plans/p${at}.md`), planOf("Write a"))
      await plugin.startWork(lead, `plans/p${at}.md`)
    }
    const output = { parts: [] }
    const command = { command: "stop-work", sessionID, arguments: given }
    await plugin.hooks["command.execute.before"]?.(command, output)
    await plugin.hooks.dispose?.()
    return String(Reflect.get(output.parts[0] ?? {}, "text"))
  })

test("/stop-work means the session's own work, or the only one", async () => {
  expect(await stopped("ses_b", ["ses_a", "ses_b"])).toContain("Plan p1 stopped.")
  expect(await stopped("ses_c", ["ses_a"])).toContain("Plan p0 stopped.")
  const unclear = await stopped("ses_c", ["ses_a", "ses_b"])
  expect(unclear).toContain("Which work? Name one:")
  expect(unclear).toContain("/stop-work p0")
  expect(await stopped("ses_c", ["ses_a", "ses_b"], "none")).toContain(
    "Expected an open work called none, found none. Name one:",
  )
})

test("/stop-work asks which of two works of one name is meant, and /work-status tells them apart", () =>
  withFolder(async (root) => {
    const plugin = openPlugin(root)
    const paths = ["a/shop.md", "b/shop.md", "b/auth.md"]
    for (const path of paths) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), planOf("Write a"))
      await plugin.startWork(`ses_${path.replace(/\W/g, "")}`, path)
    }
    expect(await plugin.command("ses_c", "stop-work", "shop")).toContain(
      "shop could be several works; name one:\n/stop-work b/shop.md\n/stop-work a/shop.md\n<",
    )
    const status = await plugin.command("ses_c", "work-status")
    const heads = [...status.matchAll(/(?<=\n\n|exactly this and do nothing else:\n)\S+(?=: )/g)]
    expect(heads.map(String)).toEqual(["auth", "b/shop.md", "a/shop.md"])
    await plugin.hooks.dispose?.()
  }))

test("/stop-work where nothing is open says that there is nothing to stop", async () => {
  expect(await stopped("ses_c", [], "shop")).toContain(
    "Expected an open work, found none: there is nothing to stop.",
  )
})

/** What `/work-status` says in a session, after a plan was started and `then` was done. */
const asked = (
  then: (given: {
    plugin: ReturnType<typeof openPlugin>
    root: string
  }) => Promise<void> = async () => undefined,
) =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, "plans/demo.md")
    await then({ plugin, root })
    const output = { parts: [] }
    const command = { command: "work-status", sessionID: LEAD, arguments: "" }
    await plugin.hooks["command.execute.before"]?.(command, output)
    await plugin.hooks.dispose?.()
    return String(Reflect.get(output.parts[0] ?? {}, "text"))
  })

test("/work-status speaks of a work as `status` and the panel do", async () => {
  expect(await asked()).toContain("demo: working, 0/2 tasks settled")
  const stopped = await asked(async ({ plugin }) => {
    const stop = { command: "stop-work", sessionID: LEAD, arguments: "" }
    await plugin.hooks["command.execute.before"]?.(stop, { parts: [] })
  })
  expect(stopped).toContain("demo: paused, 0/2 tasks settled")
  expect(stopped).toContain("You stopped it. To resume: type /start-work")
  const left = await asked(async ({ root }) => {
    const elsewhere = { driver: "1-1-00000000-0000000000000000", lead_session_id: "ses_other" }
    const store = openFileBoulderStore({ root })
    const { boulder } = await store.read()
    const [work] = Object.values(boulder?.works ?? {})
    if (work !== undefined) await store.update((one) => putWork(one, { ...work, ...elsewhere }))
  })
  expect(left).toContain("demo: idle, 0/2 tasks settled")
  expect(left).toContain(
    "No opencode is working on it (one that starts here and has its session resumes it after half a minute). To resume: type /start-work",
  )
})

test("/work-status has the details of a work that stands alone", async () => {
  expect(await asked()).toMatch(/^Round: 1/m)
  const two = await asked(async ({ plugin, root }) => {
    await writeFile(join(root, "plans/other.md"), planOf("Write c"))
    await plugin.startWork("ses_other", "plans/other.md")
  })
  expect(two).toMatch(/^demo: /m)
  expect(two).toMatch(/^other: /m)
  expect(two).not.toMatch(/^Round: /m)
})

test("/work-status tells the last decision in a sentence, and how long ago it was", async () => {
  const said = await asked(async ({ plugin }) => {
    await plugin.fallIdle(LEAD)
  })
  expect(said).toMatch(/\n\nLast decision: Continued \(tasks remain\), just now/m)
})

test.each([
  { command: "start-work", given: "nosuch", says: "Expected a plan called nosuch, found none." },
  { command: "start-work", given: "", says: "No plan was found." },
  {
    command: "start-work",
    given: ".boulder/plans/empty.md",
    says: "Expected tasks as list rows with a box",
  },
  { command: "start-work", given: "../out.md", says: "Expected a plan inside the project" },
  {
    command: "stop-work",
    given: "",
    says: "Expected an open work, found none: there is nothing to stop.",
  },
])("why `/$command $given` did nothing is told without the model", ({ command, given, says }) =>
  withFolder(async (root) => {
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    await writeFile(join(root, ".boulder/plans/empty.md"), "# Nothing\n")
    const plugin = openPlugin(root)
    const call = { command, sessionID: LEAD, arguments: given }
    await plugin.hooks["command.execute.before"]?.(call, { parts: [] })
    expect(plugin.toasts).toEqual([expect.stringContaining(says)])
    await plugin.hooks.dispose?.()
  }),
)

test("a plan whose file has no ending is started by its path", () =>
  withFolder(async (root) => {
    await writeFile(join(root, "TODO"), planOf("Write a"))
    const plugin = openPlugin(root)
    expect(await plugin.startWork(LEAD, "TODO")).toContain("Start the plan TODO (TODO)")
    await plugin.hooks.dispose?.()
  }))

test("a command that was done is told by the model's line alone", () =>
  withFolder(async (root) => {
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    await writeFile(join(root, ".boulder/plans/demo.md"), planOf("Write a"))
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, ".boulder/plans/demo.md")
    const stop = { command: "stop-work", sessionID: LEAD, arguments: "" }
    await plugin.hooks["command.execute.before"]?.(stop, { parts: [] })
    expect(plugin.toasts).toEqual([])
    await plugin.hooks.dispose?.()
  }))
