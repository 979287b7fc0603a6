import { describe, expect, test } from "bun:test"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { createServer, type ServerResponse } from "node:http"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Work } from "../../src/boulder/boulder.ts"
import { complete, pause, putWork } from "../../src/boulder/change-work.ts"
import { isoOf } from "../../src/boulder/iso-time.ts"
import { newWork } from "../../src/boulder/new-work.ts"
import { isGoing, recordLimit } from "../../src/boulder/usage-limit.ts"
import type { RunOutcome } from "../../src/headless/run-event.ts"
import { type RunOptions, runPlan } from "../../src/headless/run-plan.ts"
import { serverAccess } from "../../src/opencode/host/http/server-access.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { newWriteId, ownIdentity } from "../../src/store/disk/writer-identity.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { planOf, ticked } from "../support/plans.ts"
import { withFolder } from "../support/store-folder.ts"

const MAIN = join(import.meta.dir, "../../src/cli/main.ts")
const PLAN = ".boulder/plans/demo.md"
const HOUR_MS = 3_600_000
const OWN = await ownIdentity()
const DRIVER = newWriteId({ ...OWN, pid: 1, started: "0" })

/** An opencode of a few lines, begun by a program of its own as `run` begins one, that has begun a work as `made` says. */
async function anOpencode(root: string, made: (work: Work) => Work, asked: readonly object[]) {
  const json = (value: unknown) => (response: ServerResponse) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value))
  const now = isoOf(Date.now())
  const work = newWork({ planPath: PLAN, planName: "demo", sessionId: LEAD, now })
  const driven = { ...work, driver: DRIVER }
  const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
    "/path": json({ worktree: root, directory: root }),
    "/command": json([{ name: "start-work" }]),
    "/session": json({ id: LEAD }),
    [`/session/${LEAD}/command`]: async (response) => {
      await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, made(driven)))
      json({})(response)
      for (const properties of asked) tell("question.asked", properties)
    },
    [`/session/${LEAD}/message`]: json([]),
    "/permission": json([]),
    "/question": json([]),
    "/event": (response) => {
      stream = response.writeHead(200, { "content-type": "text/event-stream" })
      tell("server.connected", {})
    },
  }
  let stream: ServerResponse | undefined
  const tell = (type: string, properties: object) =>
    stream?.write(`data: ${JSON.stringify({ type, properties })}\n\n`)
  const server = createServer(({ url = "" }, response) => {
    const answer = answers[url.replace(/\?.*/, "")] ?? json({})
    answer(response)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  const binary = join(root, "opencode")
  await writeFile(
    binary,
    `#!/bin/sh\necho "opencode server listening on ${url} "\nexec sleep 1000\n`,
  )
  await chmod(binary, 0o755)
  const end = () => {
    server.closeAllConnections()
    server.close()
  }
  return { binary, attach: serverAccess(url, {}) ?? undefined, end }
}

interface Case {
  readonly of: string
  /** What the work was made to. */
  readonly made?: (work: Work) => Work
  readonly plan?: string
  readonly asked?: readonly object[]
  readonly given?: Partial<RunOptions>
  /** Its user ends it once the work has begun. */
  readonly isInterrupted?: boolean
  /** The process that has changed the work by then. */
  readonly drivenBy?: string
  readonly ends: RunOutcome["kind"]
  readonly left: Partial<Work>
  /** What the journal says of it. */
  readonly why?: string
}

const atLimit = (work: Work): Work => {
  const at = Date.now()
  const met = { at, until: at + HOUR_MS, toldAt: at, attempts: 0 }
  return recordLimit(met, "day", at)(pause("usage-limited")(work))
}
const WAVE = "## TODOs\n\n- [x] 1. One\n\n## Final Verification Wave\n\n- [ ] F1. Review\n"
const hashOf = (text: string, key: string): string =>
  parsePlan(text).tasks.find((task) => task.key === key)?.titleHash ?? ""
const waveBack = (work: Work): Work => ({
  ...work,
  final_wave: {
    "final-wave:f1": {
      title_hash: hashOf(WAVE, "final-wave:f1"),
      verdict: "pass",
      session_id: null,
      at: work.started_at,
    },
  },
})
const waitsForApproval = (work: Work): Work => ({
  ...waveBack(work),
  awaiting_approval: { fingerprint: "final-wave:f1", since: work.started_at },
})
const QUESTION = { id: "que_1", sessionID: LEAD, questions: [] }

const CASES: readonly Case[] = [
  {
    of: "Ctrl-C",
    isInterrupted: true,
    ends: "interrupted",
    left: { status: "paused", pause_reason: "aborted" },
    why: "its run was interrupted",
  },
  {
    of: "Ctrl-C where another opencode carries it on in the same session",
    isInterrupted: true,
    drivenBy: newWriteId({ ...OWN, pid: process.ppid, started: startOf(process.ppid) }),
    ends: "interrupted",
    left: { status: "active", pause_reason: null },
  },
  {
    of: "Ctrl-C where another opencode carried it on, and has ended",
    isInterrupted: true,
    drivenBy: newWriteId({ ...OWN, pid: 2 ** 22 + 7 }),
    ends: "interrupted",
    left: { status: "paused", pause_reason: "aborted" },
    why: "its run was interrupted",
  },
  {
    of: "Ctrl-C where its opencode has opened the project anew",
    isInterrupted: true,
    drivenBy: newWriteId({ ...OWN, pid: 1, started: "0" }),
    ends: "interrupted",
    left: { status: "paused", pause_reason: "aborted" },
    why: "its run was interrupted",
  },
  {
    of: "--timeout",
    given: { timeoutMs: 6_000 },
    ends: "out-of-time",
    left: { status: "paused", pause_reason: "aborted" },
    why: "the time limit of its run is over",
  },
  {
    of: "a question that nobody answers",
    asked: [QUESTION],
    ends: "needs-user",
    left: { status: "paused", pause_reason: "rejected-by-user" },
    why: "its run ended with it unanswered",
  },
  {
    of: "Ctrl-C at a limit, behind which it would resume",
    made: atLimit,
    isInterrupted: true,
    ends: "interrupted",
    left: { status: "paused", pause_reason: "usage-limited" },
    why: "its run was interrupted",
  },
  {
    of: "a limit, and --no-wait",
    made: atLimit,
    given: { noWait: true },
    ends: "needs-user",
    left: { status: "paused", pause_reason: "usage-limited" },
    why: "its run ended",
  },
  {
    of: "a wave that waits for approval: nothing goes on without its user",
    plan: WAVE,
    made: waitsForApproval,
    ends: "needs-user",
    left: { status: "active", pause_reason: null },
  },
  {
    of: "Ctrl-C where a wave is back",
    plan: WAVE,
    made: waveBack,
    isInterrupted: true,
    ends: "interrupted",
    left: { status: "active", pause_reason: null },
  },
  {
    of: "Ctrl-C behind the last tick: whoever takes it up ends it",
    plan: ticked(planOf("Write one"), "1"),
    isInterrupted: true,
    ends: "interrupted",
    left: { status: "active", pause_reason: null },
  },
  {
    of: "a plan that is complete",
    made: complete,
    ends: "complete",
    left: { status: "completed" },
  },
]

/** What it tells of its pause; what it needs its user for it says itself. */
/** When a living process started, as Linux tells it. */
function startOf(pid: number): string {
  const path = `/proc/${pid}/stat`
  const text = existsSync(path) ? readFileSync(path, "utf8") : ""
  const fields = text.split(") ").at(-1)?.split(" ") ?? []
  return fields[19] ?? "0"
}

function toldOf({ why, ends, left }: Case): string[] {
  return why === undefined || ends === "needs-user" ? [] : [`${left.pause_reason}: ${why}`]
}

/** What it has told of decisions is put into `told`. */
async function runIt(
  root: string,
  { given, isInterrupted = false, drivenBy }: Case,
  host: object,
  told: string[] = [],
) {
  const control = new AbortController()
  const end = async () => {
    const store = openFileBoulderStore({ root })
    const [work] = Object.values((await store.read()).boulder?.works ?? {})
    if (drivenBy !== undefined && work !== undefined)
      await store.update((boulder) => putWork(boulder, { ...work, driver: drivenBy }))
    control.abort()
  }
  const outcome = runPlan({
    ...{ root, plan: "demo", env: { PATH: process.env["PATH"] }, ...host, ...given },
    signal: control.signal,
    onEvent: (event) => {
      if (event.kind === "progress" && isInterrupted) void end()
      if (event.kind === "decision") told.push(`${event.reason}: ${event.why}`)
    },
  })
  return outcome
}

describe.concurrent("what a run leaves goes on nowhere by itself: another opencode would take it up", () => {
  const inProject = (one: Case, then: (root: string, host: Host) => Promise<void>) =>
    withFolder(async (root) => {
      await mkdir(join(root, ".boulder/plans"), { recursive: true })
      await writeFile(join(root, PLAN), one.plan ?? planOf("Write one"))
      const host = await anOpencode(root, one.made ?? ((work) => work), one.asked ?? [])
      try {
        await then(root, host)
      } finally {
        host.end()
      }
    })
  type Host = Awaited<ReturnType<typeof anOpencode>>
  const leftIn = async (root: string): Promise<Work | undefined> =>
    Object.values((await openFileBoulderStore({ root }).read()).boulder?.works ?? {})[0]

  test.each(CASES)("$of", (one) =>
    inProject(one, async (root, { binary }) => {
      const told: string[] = []
      const { kind } = await runIt(root, one, { binary }, told)
      expect(told).toEqual(toldOf(one))
      const work = await leftIn(root)
      expect({ kind, work }).toMatchObject({ kind: one.ends, work: one.left })
      const { entries } = await openJournal({ root }).readLast(9)
      const paused = entries.filter(({ decision }) => decision === "pause")
      expect(paused.map(({ reason, facts }) => ({ reason, why: facts["why"] }))).toEqual(
        one.why === undefined ? [] : [{ reason: one.left.pause_reason ?? "", why: one.why }],
      )
      if (one.why !== undefined && work !== undefined) expect(isGoing(work)).toBe(false)
    }),
  )

  test("a limit, and --no-wait: it does not say that it resumes by itself", () => {
    const [one] = CASES.filter(({ of }) => of === "a limit, and --no-wait")
    return inProject(one as Case, async (root, { binary }) => {
      const outcome = await runIt(root, one as Case, { binary })
      expect(JSON.stringify(outcome)).not.toContain("resumes by itself")
    })
  })

  /** The command line, in a process of its own, once it has begun the work. */
  const begun = async (root: string, { binary }: Host) => {
    const env = { ...process.env, OPENCODE_BIN: binary }
    const child = spawn(process.execPath, [MAIN, "run", "demo"], { cwd: root, env })
    const ended = once(child, "close")
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false }))
      if (String(chunk).includes("0/1 settled")) break
    return { child, ended }
  }

  test.each([
    { of: "the end of its terminal, told by the system and by the shell", signal: "SIGHUP" },
    { of: "a service that is stopped", signal: "SIGTERM" },
    { of: "Ctrl-C, twice", signal: "SIGINT" },
  ] as const)("$of", ({ signal }) =>
    inProject(CASES[0] as Case, async (root, host) => {
      const { child, ended } = await begun(root, host)
      child.stdout.destroy()
      child.stderr.destroy()
      child.kill(signal)
      // The next one, if it still listens: two at once are one.
      await sleep(10)
      child.kill(signal)
      await ended
      expect(await leftIn(root)).toMatchObject({ status: "paused", pause_reason: "aborted" })
    }),
  )

  test("its reader is gone, as in run | head", () =>
    inProject(CASES[0] as Case, async (root, host) => {
      const { child, ended } = await begun(root, host)
      child.stdout.destroy()
      await writeFile(join(root, PLAN), planOf("Write one", "Write two"))
      await ended
      expect(await leftIn(root)).toMatchObject({ status: "paused", pause_reason: "aborted" })
    }))

  test("what does not end once its reader is gone ends by Ctrl-C, twice", () =>
    withFolder(async (root) => {
      const hangs = join(root, "hangs.ts")
      const gone = 'process.stdout.emit("error", Object.assign(new Error(), { code: "EPIPE" }))'
      await writeFile(
        hangs,
        `setInterval(() => 0, 1_000)\nsetTimeout(() => {\n${gone}\nconsole.error("gone")\n}, 1_500)\n`,
      )
      const child = spawn(process.execPath, ["--preload", hangs, MAIN, "--help"], { cwd: root })
      const ended = once(child, "close")
      for await (const chunk of child.stderr.iterator({ destroyOnReturn: false }))
        if (String(chunk).includes("gone")) break
      child.kill("SIGINT")
      await sleep(1_200)
      child.kill("SIGINT")
      const code = await Promise.race([ended.then(([found]) => found), sleep(3_000, "runs on")])
      child.kill("SIGKILL")
      expect(code).toBe(130)
    }))

  test("the server of --attach carries it on, whoever follows it", () => {
    const [one] = CASES
    return inProject(one as Case, async (root, { attach }) => {
      expect(await runIt(root, one as Case, { attach })).toEqual({ kind: "interrupted" })
      expect(await leftIn(root)).toMatchObject({ status: "active" })
    })
  })
})
