import { expect, test } from "bun:test"
import type { ModelRequest } from "../support/host-model-request.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, planOf, roles, ticked } from "../support/plans.ts"
import type { Reply } from "../support/scripted-model.ts"
import { type FileOperation, makeTracingPlugin } from "../support/tracing-plugin.ts"

const PLAN = ".boulder/plans/demo.md"
/** Longer than the steps in which file systems keep times, so that a reading of a changed plan holds. */
const STEP_MS = 500

const plugin = makeTracingPlugin()

/** What the plugin did from the end of one turn to the first request of the next. */
interface Between {
  readonly unchanged: readonly FileOperation[]
  readonly changed: readonly FileOperation[]
  readonly unchangedAgain: readonly FileOperation[]
  readonly planBytes: number
}

/** Four turns of a session: the plan is edited, as a user does, towards the end of the second. */
async function betweenTurns(tasks: number): Promise<Between> {
  const plan = planOf(...Array.from({ length: tasks }, (_, index) => `Build part ${index + 1}`))
  const begun: (readonly FileOperation[])[] = []
  const lead = ({ stepOfTurn }: ModelRequest): Reply => {
    if (stepOfTurn === 0) {
      begun.push(plugin.take())
      return begun.length > 3
        ? { text: "over", hang: true }
        : { toolCalls: [delegate("todo:2", { prompt: `try ${begun.length}` })] }
    }
    if (begun.length === 2) host.writeFile(PLAN, ticked(plan, "1"))
    plugin.take()
    return { text: "over", delayMs: STEP_MS }
  }
  const host = await startHost({
    files: { [PLAN]: plan },
    plugin: [[plugin.url, { continuation: { cooldown_seconds: 0 } }]],
    env: plugin.env,
    script: roles({ lead, child: () => ({ text: `result ${begun.length}` }) }),
  })
  try {
    host.command(await host.createSession(), "start-work", "demo").catch(() => undefined)
    await host.waitFor(() => begun.length === 4, { what: "four turns", timeoutMs: 60_000 })
    const [, unchanged = [], changed = [], unchangedAgain = []] = begun.map((all) =>
      below(host, all),
    )
    return { unchanged, changed, unchangedAgain, planBytes: plan.length }
  } finally {
    await host.stop()
  }
}

/** With paths as they are below the project. */
function below({ project }: OpencodeHost, all: readonly FileOperation[]): readonly FileOperation[] {
  return all.map((one) => ({ ...one, path: one.path.replace(`${project}/`, "") }))
}

const isRead = ({ name }: FileOperation) => name === "read" || name === "readFile"
/** What the kernel says of this process is no file of a project: whoever writes first in it asks once. */
const filesRead = (all: readonly FileOperation[]) =>
  [...new Set(all.filter(isRead).map(({ path }) => path))]
    .filter((path) => !path.startsWith("/proc/"))
    .toSorted()
const bytesRead = (all: readonly FileOperation[]) =>
  all.filter(isRead).reduce((sum, { bytes }) => sum + bytes, 0)
const ofPlan = (all: readonly FileOperation[]) => all.filter(({ path }) => path === PLAN)

test("at the start of a turn only boulder.json and the plan's stat are read; a changed plan once", async () => {
  const small = await betweenTurns(10)
  const large = await betweenTurns(10_000)
  for (const { unchanged, changed, unchangedAgain, planBytes } of [small, large]) {
    for (const all of [unchanged, unchangedAgain]) {
      expect(filesRead(all)).toEqual([".boulder/boulder.json"])
      expect(new Set(ofPlan(all).map(({ name }) => name))).toEqual(new Set(["stat"]))
    }
    expect(filesRead(changed)).toEqual([".boulder/boulder.json", PLAN])
    const [opened, ...reads] = ofPlan(changed).filter(({ name }) => name !== "stat")
    expect(opened).toEqual({ name: "open", path: PLAN, bytes: 0 })
    // In pieces, each once.
    expect(reads.every(({ name }) => name === "read")).toBe(true)
    expect(bytesRead(reads)).toBe(planBytes)
  }
  expect(bytesRead(large.unchanged) / bytesRead(small.unchanged)).toBeCloseTo(1, 1)
  expect(large.unchanged.length).toBeLessThanOrEqual(small.unchanged.length * 1.1)
}, 180_000)
