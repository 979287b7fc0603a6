import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import type { Boulder, Work } from "../../src/boulder/boulder.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openWorkArchive } from "../../src/store/records/work-archive.ts"
import { type HostHttp, hostHttp } from "../support/host-http.ts"
import { type HostProcess, startHostProcess } from "../support/host-process.ts"
import { hostBinary, REPO } from "../support/host-version.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, planOf, roles } from "../support/plans.ts"

/** Where a session has its plan: the whole path, for the scripted model. */
const planOfSession = new Map<string, string>()
/** Sessions that do the first task of their plan and then no more. */
const lazy = new Set<string>()
const plan = (name: string) => `.boulder/plans/${name}.md`
/** A machine with other things to do. */
const LIMIT_MS = 60_000
const SUBFOLDER = "packages/one"

let host: OpencodeHost
let second: HostProcess | null = null
beforeAll(async () => {
  const names = ["root", "sub", "link", "here", "there", "first", "second", "moved"]
  host = await startHost({
    files: {
      [`${SUBFOLDER}/package.json`]: "{}",
      ...Object.fromEntries(names.map((name) => [plan(name), planOf(`A of ${name}`, "B")])),
    },
    pluginOptions: { continuation: { cooldown_seconds: 0 } },
    script: roles({
      lead: ({ sessionId, stepOfTurn }) => {
        const path = planOfSession.get(sessionId) ?? ""
        const text = readFileSync(path, "utf8")
        const open = /- \[ \] (\d)\./.exec(text)?.[1]
        const isEnough = stepOfTurn === 2 || (lazy.has(sessionId) && text.includes("[x]"))
        if (open === undefined || isEnough) return { text: "over" }
        return { toolCalls: [stepOfTurn === 0 ? delegate(`todo:${open}`) : tickIn(path, open)] }
      },
    }),
  })
})
afterEach(async () => {
  await second?.stop()
  second = null
})
afterAll(() => host.stop())

describe("one project has one state, the right one, opened", () => {
  test("from its folder and from a subfolder at once, in one server", async () => {
    const sub = join(host.project, SUBFOLDER)
    await Promise.all([
      carryOut(at(host.project), host.project, "root"),
      carryOut(at(sub), host.project, "sub"),
    ])
    await expectRecorded(host.project, "root", "sub")
    expect(existsSync(join(sub, ".boulder"))).toBe(false)
    expect(statusIn(sub)).toMatch(/^sub .* 2\/2 settled {2}complete$/m)
  }, 120_000)

  test("by a path with a link in it", async () => {
    const link = join(host.root, "link")
    symlinkSync(host.project, link)
    await carryOut(at(link), host.project, "link")
    await expectRecorded(host.project, "link")
    expect(statusIn(link)).toMatch(/^link .* 2\/2 settled {2}complete$/m)
  }, 120_000)

  test("from a linked worktree: a state of its own, beside that of the first", async () => {
    const linked = join(host.root, "linked")
    execFileSync("git", ["worktree", "add", "-q", linked], { cwd: host.project, stdio: "pipe" })
    await Promise.all([
      carryOut(at(host.project), host.project, "here"),
      carryOut(at(join(linked, SUBFOLDER)), linked, "there"),
    ])
    await expectRecorded(host.project, "here")
    await expectRecorded(linked, "there")
    expect(workIn(host.project, "there")).toBeNull()
    expect(workIn(linked, "here")).toBeNull()
    expect(readFileSync(join(host.project, plan("there")), "utf8")).not.toContain("[x]")
    expect(existsSync(join(linked, SUBFOLDER, ".boulder"))).toBe(false)
  }, 120_000)

  test("by two servers at once: both works are whole, and no update of either is lost", async () => {
    const other = await secondServer()
    await Promise.all([
      carryOut(at(host.project), host.project, "first"),
      carryOut(other, host.project, "second"),
    ])
    await expectRecorded(host.project, "first", "second")
  }, 120_000)

  test("by two servers, one after the other on one work: the later one leads, the first one rests", async () => {
    const other = await secondServer()
    const here = at(host.project)
    const first = await newSession(here, join(host.project, plan("moved")))
    lazy.add(first)
    await here.post(`/session/${first}/command`, start("moved"))
    await untilJournal(first, "no-progress")
    const later = await carryOut(other, host.project, "moved")
    await expectRecorded(host.project, "moved")
    expect(workIn(host.project, "moved")?.session_ids).toEqual([first, later])
    await host.prompt(first, "How far is it?")
    await untilJournal(first, "taken-over")
  }, 120_000)
})

/** Each task of each plan was delegated to a session of its own, and none of these is forgotten. */
async function expectRecorded(root: string, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const recorded = await recordedIn(root, name)
    expect(Object.keys(recorded).sort()).toEqual(["todo:1", "todo:2"])
    const parents = Object.values(recorded).map((id) =>
      at(root).get<{ parentID: string }>(`/session/${id}`),
    )
    const leads = (await Promise.all(parents)).map(({ parentID }) => parentID)
    const known = workIn(root, name)?.session_ids ?? []
    for (const lead of leads) expect(known).toContain(lead)
  }
}

function untilJournal(session: string, reason: string) {
  const isIt = (line: Readonly<Record<string, unknown>>) =>
    line["session"] === session && line["reason"] === reason
  return host.waitFor(() => host.journal().some(isIt), {
    what: `${reason} in the journal`,
    timeoutMs: LIMIT_MS,
  })
}

function at(directory: string): HostHttp {
  return hostHttp(() => host.url, directory)
}

/** A second process on the same folders: project, home and database. */
async function secondServer(): Promise<HostHttp> {
  const started = await startHostProcess(await hostBinary(), host, () => undefined)
  second = started
  const http = hostHttp(() => started.url, host.project)
  await http.get("/command")
  return http
}

async function newSession(http: HostHttp, path: string): Promise<string> {
  const { id } = await http.post<{ id: string }>("/session", {})
  planOfSession.set(id, path)
  return id
}

/**
 * Starts a plan in a new session; its work is complete in the end, in the state of `root`, with the session of each
 * task's subagent. Gives the session.
 */
async function carryOut(http: HostHttp, root: string, name: string): Promise<string> {
  const session = await newSession(http, join(root, plan(name)))
  await http.post(`/session/${session}/command`, start(name))
  await host.waitFor(() => workIn(root, name)?.status === "completed", {
    what: `${name} is done`,
    timeoutMs: LIMIT_MS,
  })
  expect(workIn(root, name)?.lead_session_id).toBe(session)
  expect(readFileSync(join(root, plan(name)), "utf8")).not.toContain("- [ ]")
  return session
}

/** The recorded sessions of a work's tasks, by their keys: those at hand, and those that have left. */
async function recordedIn(root: string, name: string): Promise<Readonly<Record<string, string>>> {
  const work = workIn(root, name)
  const left = await openWorkArchive(openRecordFiles({ root })).tasksOf(work?.work_id ?? "none")
  const all = [...left, ...Object.values(work?.task_sessions ?? {})]
  return Object.fromEntries(all.map(({ task_key, session_id }) => [task_key, session_id]))
}

function start(name: string) {
  return { command: "start-work", arguments: name }
}

function tickIn(filePath: string, label: string) {
  const args = { filePath, oldString: `- [ ] ${label}.`, newString: `- [x] ${label}.` }
  return { name: "edit", args }
}

function boulderIn(root: string): Boulder | null {
  const path = join(root, ".boulder/boulder.json")
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null
}

function workIn(root: string, name: string): Work | null {
  const works = Object.values(boulderIn(root)?.works ?? {})
  return works.find((work) => work.plan_name === name) ?? null
}

function statusIn(cwd: string): string {
  const cli = join(REPO, "dist/cli/main.js")
  return spawnSync("node", [cli, "status"], { cwd, encoding: "utf8" }).stdout
}
