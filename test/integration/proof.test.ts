import { afterAll, beforeAll, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { ProofEntry } from "../../src/boulder/proof-entry.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate } from "../support/plans.ts"
import { bash, playedIn, write } from "../support/proof-play.ts"
import type { Reply } from "../support/scripted-model.ts"

const PLAN = ".boulder/plans/demo.md"
/** A task a behaviour: its check, what is done for it, and the tier that it must have. */
const TASKS: readonly {
  readonly does: string
  readonly check: string
  readonly acts: readonly Reply[]
  readonly byChild?: boolean
  readonly tier: string
  readonly exit: number | null
}[] = [
  {
    does: "ends with 0",
    check: "sh ok.sh one",
    acts: [bash("cd . && sh ok.sh one 2>&1")],
    tier: "proven",
    exit: 0,
  },
  {
    does: "is run by the subagent behind its write",
    check: "sh ok.sh two",
    acts: [write("src/two.ts"), bash("sh ok.sh two")],
    byChild: true,
    tier: "proven",
    exit: 0,
  },
  { does: "ends with 3", check: "sh bad.sh", acts: [bash("sh bad.sh")], tier: "failed", exit: 3 },
  {
    does: "is not there",
    check: "no-such-command-x now",
    acts: [bash("no-such-command-x now")],
    tier: "unavailable",
    exit: 127,
  },
  {
    does: "does not end in time",
    check: "sleep 5",
    acts: [bash("sleep 5", { timeout: 500 })],
    tier: "unavailable",
    exit: null,
  },
  {
    does: "is ended by a signal, in a pipe under pipefail",
    check: "sh killed.sh piped",
    acts: [bash("set -o pipefail; sh killed.sh piped | tail -1")],
    tier: "failed",
    exit: 137,
  },
  {
    does: "is ended by a signal together with the shell that has become it",
    check: "sh killed.sh alone",
    acts: [bash("sh killed.sh alone", { timeout: 2_000 })],
    tier: "unavailable",
    exit: null,
  },
  {
    does: "is hidden by a pipe",
    check: "sh bad.sh piped",
    acts: [bash("sh bad.sh piped | tail -1")],
    tier: "claimed",
    exit: 0,
  },
  {
    does: "fails in a pipe under pipefail",
    check: "sh bad.sh safe",
    acts: [bash("set -o pipefail; sh bad.sh safe | tail -1")],
    tier: "failed",
    exit: 3,
  },
  {
    does: "is left in the background",
    check: "sh bad.sh later",
    acts: [bash("sh bad.sh later &")],
    tier: "claimed",
    exit: 0,
  },
  {
    does: "is named and not run",
    check: "sh ok.sh told",
    acts: [bash("echo 'sh ok.sh told: all passed'")],
    tier: "claimed",
    exit: null,
  },
  { does: "is never run", check: "sh ok.sh never", acts: [], tier: "claimed", exit: null },
  {
    does: "is run before the last change",
    check: "sh ok.sh old",
    acts: [bash("sh ok.sh old"), write("src/old.ts")],
    byChild: true,
    tier: "changed",
    exit: 0,
  },
]

let host: OpencodeHost
beforeAll(async () => {
  const rows = TASKS.map(
    ({ check }, at) => `- [ ] ${at + 1}. Do ${at + 1}\n  Verify: \`${check}\`\n`,
  )
  host = await startHost({
    files: {
      [PLAN]: `# Plan\n\n## TODOs\n\n${rows.join("")}`,
      "ok.sh": "exit 0\n",
      "bad.sh": "exit 3\n",
      "killed.sh": "kill -9 $$\n",
    },
    pluginOptions: {
      orchestrator_writes: "allow",
      continuation: { cooldown_seconds: 0 },
      long_run: { checkpoint_every: 100 },
    },
  })
}, 120_000)
afterAll(() => host.stop())

test("each behaviour has its tier by what the real bash tells, and is told of once", async () => {
  const child = new Map<string, Reply[]>()
  const steps = TASKS.flatMap(({ acts, byChild }, at): (() => Reply)[] => {
    const label = `${at + 1}`
    const doing = byChild
      ? [
          (): Reply => {
            child.set(`work on ${label}`, [...acts])
            return { toolCalls: [delegate(`todo:${label}`, { prompt: `work on ${label}` })] }
          },
        ]
      : acts.map((act) => () => act)
    const filePath = join(host.project, PLAN)
    const edit = { filePath, oldString: `- [ ] ${label}.`, newString: `- [x] ${label}.` }
    return [...doing, () => ({ toolCalls: [{ name: "edit", args: edit }] })]
  })
  const read = await playedIn(host, steps, child)

  const { tasks } = JSON.parse((await runInFolder(host.project, "proof --json")).out)
  expect(
    tasks.map((task: { tier: string; run: { exit: number | null } | null }, at: number) => ({
      does: TASKS[at]?.does,
      tier: task.tier,
      exit: task.run?.exit ?? null,
    })),
  ).toEqual(TASKS.map(({ does, tier, exit }) => ({ does, tier, exit })))
  const last = read.at(-1) ?? ""
  const told = TASKS.map((_, at) => last.split(`todo:${at + 1} is ticked, but`).length - 1)
  expect(told).toEqual(TASKS.map(({ tier }) => (tier === "proven" ? 0 : 1)))
}, 180_000)

test("what is written down names session, time and tree of each run", () => {
  const [work = ""] = [
    ...new Bun.Glob("*").scanSync({ cwd: join(host.project, ".boulder/works"), onlyFiles: false }),
  ]
  const log = readFileSync(join(host.project, ".boulder/works", work, "proof.jsonl"), "utf8")
  const entries = log
    .split("\n")
    .filter(Boolean)
    .map((line): ProofEntry => JSON.parse(line))
  const runs = entries.filter(({ kind }) => kind === "run")
  expect(runs.length).toBe(11)
  for (const run of runs)
    expect(run).toMatchObject({
      session: expect.stringMatching(/^ses_/),
      at: expect.stringMatching(/^20/),
      tree: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
})
