import { afterEach, describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isKilo } from "../support/host-version.ts"
import { waitUntil } from "../support/host-wait.ts"
import { type HostOptions, type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { orchestratorScript } from "../support/orchestrator.ts"
import {
  type CommandLine,
  commandLine,
  isPrinted,
  openRunProject,
  type RunProject,
} from "../support/run-project.ts"

const LIMIT_MS = 120_000
const PLAN = ".boulder/plans/demo.md"

const TWO_TASKS = `# Demo

## TODOs

- [ ] 1. Write the greeting
  **What to do**: put it into work/greeting.txt
- [ ] 2. Write the farewell
`
const WITH_WAVE = `${TWO_TASKS}
## Final Verification Wave

- [ ] F1. Read both texts
`

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const aProject = (text: string, options?: Parameters<typeof openRunProject>[2]) =>
  openRunProject({ path: PLAN, text }, ends, options)

interface AttachedProject extends CommandLine {
  /** `run` with what follows, attached to the host. */
  readonly run: CommandLine["cli"]
  readonly project: string
}

/** A project in a running server, for what a run does once its server is there: a start costs two seconds. */
async function anAttached(
  text: string,
  options?: Pick<HostOptions, "script" | "permission" | "plugin">,
): Promise<AttachedProject> {
  const host: OpencodeHost = await startHost({
    files: { [PLAN]: text },
    script: orchestratorScript({ project: () => host.project, planPath: PLAN }),
    ...options,
  })
  ends.push(() => host.stop())
  const line = commandLine(host.project, host.env, ends)
  const run: CommandLine["cli"] = (...args) => line.cli("run", ...args, "--attach", host.url)
  return { run, project: host.project, ...line }
}

/** The processes that a run has started to serve, by their ids. */
function serversBelow(pid: number): readonly string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")
  return children.filter(
    (child) => child !== "" && readFileSync(`/proc/${child}/cmdline`, "utf8").includes("serve"),
  )
}

async function planOf({ project }: RunProject): Promise<string> {
  return Bun.file(join(project, PLAN)).text()
}

describe("opencode-boulder run, in Node, starting opencode by itself", () => {
  test(
    "carries a plan to its end and exits with 0",
    async () => {
      const place = await aProject(TWO_TASKS)
      const { code, out, err } = await place.cli("run", "demo", "--verbose")
      expect({ code, err }).toEqual({ code: 0, err: "" })
      expect(await planOf(place)).not.toContain("[ ]")
      expect(out).toContain("-> todo:1 Write the greeting")
      expect(out).toContain("<- todo:2 Write the farewell")
      expect(out).toContain("| Preferred reuse session for todo:1: ")
      expect(out).toContain("Finished: every required task is settled")
      expect(out.trimEnd().split("\n").slice(-2)).toEqual([
        "Complete: 2/2 tasks settled.",
        expect.stringMatching(/^To see what came of it: .* report \S+ --html report\.html$/),
      ])
    },
    LIMIT_MS,
  )

  test(
    "stops at the final wave with 3; approve and run again end with 0",
    async () => {
      const place = await aProject(WITH_WAVE)
      const first = await place.cli("run", "demo")
      expect(first.code).toBe(3)
      expect(first.err).toContain("awaiting-approval")
      const unapproved = await place.cli("run", "demo")
      expect(unapproved.code).toBe(3)
      expect(unapproved.err).toContain("awaiting-approval")
      const status = await place.cli("status")
      expect(status.out).toContain("2/3 settled  waiting for you")
      const approved = await place.cli("approve")
      expect(approved).toMatchObject({ code: 0, err: "" })
      expect(approved.out).toContain("Approved: the final wave of demo (final-wave:f1)")
      expect((await place.cli("approve")).code).toBe(1)
      const second = await place.cli("run")
      expect({ code: second.code, err: second.err }).toEqual({ code: 0, err: "" })
      expect(await planOf(place)).not.toContain("[ ]")
    },
    LIMIT_MS,
  )

  test(
    "stop in another terminal ends it behind its turn with 3 and the reason; resume and run again end with 0",
    async () => {
      const place = await aProject(TWO_TASKS, { script: () => ({ text: "…", delayMs: 5_000 }) })
      const { child, exit } = place.spawnCli("run", "demo")
      await isPrinted(child, "0/2 settled")
      expect(await place.cli("stop")).toMatchObject({ code: 0, err: "" })
      const first = await exit
      expect(first.code).toBe(3)
      expect(first.err).toContain("stopped-by-user")
      place.model.use(orchestratorScript({ project: () => place.project, planPath: PLAN }))
      expect((await place.cli("resume")).out).toContain("It was paused: you stopped it.")
      expect((await place.cli("run")).code).toBe(0)
      const { out } = await place.cli("why", "-n", "1")
      expect(out).toContain("Finished: every required task is settled.")
    },
    LIMIT_MS,
  )

  test(
    "13m: Ctrl-C while its server is still starting ends both",
    async () => {
      const place = await aProject(TWO_TASKS)
      const { child, exit } = place.spawnCli("run", "demo")
      const servers = await waitUntil(
        () => {
          const found = serversBelow(child.pid ?? 0)
          return found.length > 0 ? found : null
        },
        () => "no server was started",
      )
      child.kill("SIGINT")
      const { code, out } = await exit
      expect(code).toBe(130)
      expect(out).not.toContain("started at")
      expect(servers.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
    },
    LIMIT_MS,
  )

  test(
    "Ctrl-C stops the server that it started; run again resumes",
    async () => {
      const place = await aProject(TWO_TASKS, { script: () => ({ text: "…", hang: true }) })
      const { child, exit } = place.spawnCli("run", "demo")
      const out = await isPrinted(child, "0/2 settled")
      child.kill("SIGINT")
      const first = await exit
      expect(first.code).toBe(130)
      expect(first.err).toMatch(/To resume: \S*main\.js run/)
      const url = /started at (\S+)/.exec(out)?.[1] ?? ""
      expect(await fetch(`${url}/session`).catch(() => "gone")).toBe("gone")
      place.model.use(orchestratorScript({ project: () => place.project, planPath: PLAN }))
      expect((await place.cli("run")).code).toBe(0)
    },
    LIMIT_MS,
  )

  test(
    "killed, it leaves no server: status says that nobody is at it, and run again resumes",
    async () => {
      const place = await aProject(TWO_TASKS, { script: () => ({ text: "…", hang: true }) })
      const { child, exit } = place.spawnCli("run", "demo")
      await isPrinted(child, "0/2 settled")
      const servers = serversBelow(child.pid ?? 0)
      expect(servers).toHaveLength(1)
      child.kill("SIGKILL")
      await exit
      await waitUntil(
        () => servers.every((pid) => !existsSync(`/proc/${pid}`)),
        () => "the server goes on",
      )
      const { out } = await place.cli("status")
      expect(out).toContain(
        "0/2 settled  idle\n  No opencode is working on it (one that starts here and has its",
      )
      place.model.use(orchestratorScript({ project: () => place.project, planPath: PLAN }))
      expect((await place.cli("run")).code).toBe(0)
    },
    LIMIT_MS,
  )
})

describe("opencode-boulder run, in Node, attached to a server", () => {
  test(
    "answers no question: exits with 3 and says what was asked",
    async () => {
      const question = { question: "Which greeting?", header: "Greeting", options: [] }
      const { run } = await anAttached(TWO_TASKS, {
        script: ({ kind }) =>
          kind === "main"
            ? { toolCalls: [{ name: "question", args: { questions: [question] } }] }
            : undefined,
      })
      const { code, err } = await run("demo")
      expect(code).toBe(3)
      expect(err).toContain("Needs you (question-pending): Which greeting?")
    },
    LIMIT_MS,
  )

  test(
    "gives no permission: exits with 3, also where a subagent wants it",
    async () => {
      const { run } = await anAttached(TWO_TASKS, { permission: { write: "ask", edit: "ask" } })
      const { code, err } = await run("demo")
      expect(code).toBe(3)
      expect(err).toContain("Needs you (permission-pending)")
    },
    LIMIT_MS,
  )

  test(
    "a start that the plugin refuses ends with 1 and its reason",
    async () => {
      const { run, project } = await anAttached("# No task here\n")
      // Which plan is meant without a name the plugin finds, where it takes an older one's state over.
      const older = { active_plan: join(project, PLAN), plan_name: "demo", session_ids: [] }
      const state = JSON.stringify({ ...older, started_at: new Date(0).toISOString() })
      await Bun.write(join(project, ".omo/boulder.json"), state)
      const { code, err } = await run()
      expect(code).toBe(1)
      expect(err).toContain("Failed: Expected tasks as list rows with a box")
    },
    LIMIT_MS,
  )

  test(
    "without the plugin it ends with 1 and says how to add it",
    async () => {
      const { run } = await anAttached(TWO_TASKS, { plugin: [] })
      const { code, err } = await run("demo")
      expect(code).toBe(1)
      expect(err).toContain("found no command /start-work")
      expect(err).toContain("To see what is wrong: ")
    },
    LIMIT_MS,
  )

  test(
    "an unknown model or agent is told before anything begins",
    async () => {
      const { run, cli } = await anAttached(TWO_TASKS)
      const model = await run("demo", "--model", "no/such")
      expect(model).toMatchObject({ code: 1 })
      expect(model.err).toContain("Expected --model to name a model")
      const agent = await run("demo", "--agent", "nobody")
      expect(agent.err).toContain(`found nobody. Known: ${isKilo() ? "code" : "build"}`)
      expect((await cli("status")).out).toContain("No work was started here")
    },
    LIMIT_MS,
  )
})

test(
  "--attach follows a running server and leaves it running",
  async () => {
    const host = await startHost({
      files: { [PLAN]: TWO_TASKS },
      script: orchestratorScript({ project: () => host.project, planPath: PLAN }),
    })
    ends.push(() => host.stop())
    const { PATH = "" } = process.env
    const { cli } = commandLine(host.project, { PATH, HOME: host.root }, ends)
    const { code, out, err } = await cli("run", "demo", "--attach", host.url)
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out).toContain("server attached at")
    expect(host.readFile(PLAN)).not.toContain("[ ]")
    expect(await host.commandNames()).toContain("start-work")
  },
  LIMIT_MS,
)
