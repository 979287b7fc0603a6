import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Boulder, Work } from "../../src/boulder/boulder.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import type { SessionApi } from "../../src/opencode/host/session-api.ts"
import type { Shell } from "../../src/opencode/host/shell.ts"
import { openPlugin } from "./plugin-in-process.ts"

export const PLAN = ".boulder/plans/demo.md"
export const LEAD = "ses_lead"
/** No waits, and no remark on ticks without a delegation. */
const QUIET = { continuation: { cooldown_seconds: 0 }, orchestrator_writes: "allow" }

/** A plan of sections with this many tasks each; every task has a line of details. */
export function inSections(...sizes: readonly number[]): string {
  let label = 0
  const sections = sizes.map((size, at) => {
    const rows = Array.from({ length: size }, () => {
      label += 1
      return `- [ ] ${label}. Build part ${label}\n  Details-${label}: as the drawing has it\n`
    })
    return `### Part ${at + 1}\n\n${rows.join("")}`
  })
  return `# Plan\n\n## TODOs\n\n${sections.join("\n")}`
}

/** The plan with these boxes ticked. */
export const ticked = (plan: string, ...labels: readonly number[]) =>
  labels.reduce((text, label) => text.replace(`- [ ] ${label}.`, `- [x] ${label}.`), plan)

/** The plugin on a project with this plan, started by `LEAD`. */
export async function started(
  root: string,
  plan: string,
  options: object = {},
  answers: Partial<SessionApi> = {},
  given: Partial<Shell> = {},
) {
  await mkdir(join(root, ".boulder/plans"), { recursive: true })
  await writeFile(join(root, PLAN), plan)
  const plugin = openPlugin(root, { ...readOptions({ ...QUIET, ...options }), ...given }, answers)
  const text = await plugin.startWork(LEAD, PLAN)
  const work = async (): Promise<Work> => {
    const boulder: Boulder = JSON.parse(await readFile(join(root, ".boulder/boulder.json"), "utf8"))
    const [only] = Object.values(boulder.works)
    if (only === undefined) throw new Error("No work")
    return only
  }
  const { work_id } = await work()
  const folder = (name: string) => join(root, ".boulder/works", work_id, name)
  return {
    plugin,
    text,
    work,
    plan: () => readFile(join(root, PLAN), "utf8"),
    edit: (next: string) => writeFile(join(root, PLAN), next),
    shards: async () => (await readdir(folder("shards"))).toSorted(),
    shard: (number: number) => readFile(folder(`shards/00${number}.md`), "utf8"),
    shardPath: (number: number) => folder(`shards/00${number}.md`),
    checkpoints: async () => (await readdir(folder("checkpoints")).catch(() => [])).toSorted(),
    checkpoint: async (number: number) =>
      JSON.parse(await readFile(folder(`checkpoints/00000${number}.json`), "utf8")),
  }
}
