import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { emptyBoulder } from "../../src/boulder/boulder.ts"
import type { RunEvent } from "../../src/headless/run-event.ts"
import { runPlan } from "../../src/headless/run-plan.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aWork } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { countUp } from "../support/store-boulders.ts"
import { withFolder } from "../support/store-folder.ts"

/** A project with one work, whose `boulder.json` is damaged. */
const withDamage = (run: (root: string) => Promise<void>) =>
  withFolder(async (root) => {
    const works = { "demo-1": aWork({ work_id: "demo-1" }) }
    const store = openFileBoulderStore({ root })
    await store.update(() => ({ ...emptyBoulder(), works }))
    await store.update(countUp("w"))
    await writeFile(join(root, ".boulder", "boulder.json"), "{")
    await run(root)
  })

async function noticesIn(root: string) {
  const { entries } = await openJournal({ root }).readLast(99)
  return entries.filter(({ decision }) => decision === "notice")
}

async function expectOneNotice(root: string): Promise<void> {
  const notices = await noticesIn(root)
  expect(notices).toMatchObject([{ reason: "restored", session: null, work: null }])
  expect(JSON.stringify(notices)).toContain("restored from its copy")
}

test.each(["status", "works", "stop demo"])(
  "a restore by the command line (%s) is on stderr and in the journal, once",
  (line) =>
    withDamage(async (root) => {
      const { err } = await runInFolder(root, line)
      expect(err.split("restored from its copy").length).toBe(2)
      expect(err).toStartWith("Note: ")
      await expectOneNotice(root)
      await runInFolder(root, line)
      await expectOneNotice(root)
    }),
)

test("a restore by a headless run is told and in the journal", () =>
  withDamage(async (root) => {
    const events: RunEvent[] = []
    const run = runPlan({
      root,
      plan: "demo",
      binary: join(root, "no-opencode-here"),
      env: {},
      signal: new AbortController().signal,
      onEvent: (event) => events.push(event),
    })
    await expect(run).rejects.toThrow()
    expect(events.map(({ kind }) => kind)).toEqual(["note", "starting"])
    await expectOneNotice(root)
  }))

test("a restore whose line cannot be written is told all the same, and the command goes on", () =>
  withDamage(async (root) => {
    await mkdir(join(root, ".boulder", "journal.jsonl"))
    const { out, err } = await runInFolder(root, "works")
    expect(out).toContain("demo")
    expect(err).toContain("restored from its copy")
    expect(err).toContain("journal.jsonl to be a file; found a folder. Move it away")
  }))
