import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { putWork } from "../../src/boulder/change-work.ts"
import { isoOf } from "../../src/boulder/iso-time.ts"
import type { LiveView } from "../../src/boulder/live-view.ts"
import { runCli } from "../../src/cli/run-cli.ts"
import { NOTHING_REMEMBERED } from "../../src/decide/memory/session-memory.ts"
import { viewOfWork } from "../../src/opencode/live/view-of-work.ts"
import { newWriteId, ownIdentity } from "../../src/store/disk/writer-identity.ts"
import { openLiveFiles } from "../../src/store/records/live-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aWork, LEAD, NOW } from "../support/builders.ts"
import { aTerminal, runInFolder } from "../support/cli-in-process.ts"
import { waitUntil } from "../support/host-wait.ts"
import { planOf } from "../support/plans.ts"
import { withFolder } from "../support/store-folder.ts"

const OWN = await ownIdentity()
const view = (writer: string, ms: number): LiveView => ({
  version: 1,
  writer,
  at: isoOf(NOW + ms),
  problems: ["Option reuse: expected one of hint, auto, off; found 1. Its default is used."],
  works: [
    viewOfWork({
      work: aWork(),
      plan: null,
      blocked: [],
      lead: {
        waitingFor: "question",
        asks: "Which colour?",
        session: LEAD,
        backsOffUntil: null,
        hostWaitsUntil: null,
      },
      memoryOf: () => NOTHING_REMEMBERED,
      windowSize: 3,
      now: NOW,
    }),
  ],
})

test.each([
  { by: "a living opencode that leads it", writer: newWriteId(OWN), ms: -5_000, isLed: true },
  {
    by: "one that has died",
    writer: newWriteId({ ...OWN, pid: 2 ** 22 + 9 }),
    ms: 0,
    isLed: false,
  },
  { by: "one that hangs", writer: newWriteId(OWN), ms: -60_000, isLed: false },
])("status of a work shown by $by", ({ writer, ms, isLed }) =>
  withFolder(async (root) => {
    await mkdir(join(root, ".boulder", "plans"), { recursive: true })
    await writeFile(join(root, ".boulder", "plans", "demo.md"), planOf("Write a"))
    await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, aWork()))
    await openLiveFiles({ root }).write(view(writer, ms))
    const { out } = await runInFolder(root, "status", { columns: 120 })
    expect(out.includes("Which colour?")).toBe(isLed)
    expect(out.startsWith("Option reuse: expected")).toBe(isLed)
    expect(out.includes("idle")).toBe(!isLed)
    const { out: json } = await runInFolder(root, "status --json")
    expect(JSON.parse(json).works[0].state.kind).toBe(isLed ? "waiting-for-you" : "idle")
  }),
)

test("status --watch shows what a running opencode finds wrong with its options, too", () =>
  withFolder(async (root) => {
    await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, aWork()))
    await openLiveFiles({ root }).write(view(newWriteId(OWN), -5_000))
    const ending = new AbortController()
    const terminal = aTerminal({ cwd: root, signal: ending.signal })
    const watching = runCli(["status", "--watch"], terminal)
    await waitUntil(
      () => terminal.said.out.includes("last change"),
      () => terminal.said.out,
    )
    ending.abort()
    await watching
    expect(terminal.said.out.replace(/\s+/g, " ")).toContain("Option reuse: expected one of hint")
  }))

test("at 28 columns each row of the head but the name's is indented", () =>
  withFolder(async (root) => {
    const active_plan = "plans/a-long-name-of-a-plan.md"
    await mkdir(join(root, "plans"))
    await writeFile(join(root, active_plan), planOf("One", "Two").replace("[ ] 2.", "[!] 2."))
    const work = aWork({ active_plan, plan_name: "a-long-name-of-a-plan" })
    await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, work))
    const { out } = await runInFolder(root, "status", { columns: 28 })
    const [first = "", ...rows] = out.split("\n").filter((row) => row !== "")
    expect(first).toStartWith("a-long-name-of-a-plan")
    expect(out.replace(/\s+/g, " ")).toContain("0/2 settled, 1 blocked")
    expect(rows.filter((row) => !row.startsWith("  "))).toEqual([])
  }))
