import { afterAll, beforeAll, expect, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { idIn, useTool } from "../support/handoff-tools.ts"
import { REPO } from "../support/host-version.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf } from "../support/plans.ts"
import { openPostgres, type PostgresServer } from "../support/postgres-server.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

const PLAN = ".boulder/plans/demo.md"
/** One repository, as two people have named it. */
const REMOTES = ["git@github.com:acme/shop.git", "https://github.com/acme/shop"]

const folder = temporaryFolder("clones")
let server: PostgresServer
let url: string
let here: OpencodeHost
let there: OpencodeHost

const git = (...args: string[]) => execFileSync("git", args, { stdio: "pipe" })

function clone(name: string, remote: string): string {
  const path = join(folder, name)
  git("clone", "-q", join(folder, "origin"), path)
  git("-C", path, "remote", "set-url", "origin", remote)
  return path
}

beforeAll(async () => {
  const origin = join(folder, "origin")
  mkdirSync(dirname(join(origin, PLAN)), { recursive: true })
  writeFileSync(join(origin, PLAN), planOf("Write a.txt", "Write b.txt"))
  git("init", "-q", origin)
  git("-C", origin, "add", ".")
  git("-C", origin, "-c", "user.name=a", "-c", "user.email=a@b.invalid", "commit", "-qm", "Plan")
  server = await openPostgres()
  url = await server.newDatabase()
  // Under its name, as the command line looks for it; a checkout may have another.
  const plugin = join(folder, "opencode-boulder")
  symlinkSync(REPO, plugin)
  const started = REMOTES.map((remote, index) =>
    startHost({
      copyFrom: clone(`clone-${index}`, remote),
      plugin: [[`file://${plugin}`, { handoffs: { store: "postgres" } }]],
      env: { BOULDER_DATABASE_URL: url },
    }),
  )
  const [first, second] = await Promise.all(started)
  if (first === undefined || second === undefined) throw new Error("Expected two hosts.")
  here = first
  there = second
}, 120_000)

afterAll(async () => {
  await Promise.all([here?.stop(), there?.stop()])
  await server?.close()
})

test("two opencode servers in two clones hand one blocked task over, and nobody else is given it", async () => {
  const blocker = await here.createSession()
  await here.command(blocker, "start-work", "demo")
  const saved = await useTool(here, blocker, "save_task_progress", {
    summary: "Half of it stands.",
    status: "blocked",
    blocked_reason: "this machine has no network",
    task: "todo:1",
  })
  const id = idIn(saved)
  expect(saved).toContain("blocked; a later session is offered it")
  expect(here.readFile(PLAN)).toContain(id)
  expect(here.hasFile(".boulder/handoffs")).toBe(false)

  const taker = await there.createSession()
  await there.command(taker, "start-work", "demo")
  const listed = await useTool(there, taker, "list_blocked_tasks")
  expect(listed).toContain(id)
  expect(listed).toContain("this machine has no network")
  const claimed = await useTool(there, taker, "get_blocked_task", { id })
  expect(claimed).toContain("Half of it stands.")
  expect(claimed).toContain("Claimed by you until")

  const late = await here.createSession()
  expect(await useTool(here, late, "get_blocked_task", { id })).toContain("in the hands of")
  const done = await useTool(there, taker, "save_task_progress", {
    summary: "It stands.",
    status: "complete",
  })
  expect(done).toContain("todo:1 is marked done in the plan.")
  expect(there.readFile(PLAN)).toMatch(/- \[x\] 1\. .*Write a\.txt/)
  const later = await here.createSession()
  expect(await useTool(here, later, "list_blocked_tasks")).not.toContain(id)
})

test("the command line of each clone lists what all machines hold, and nothing says where the database is", async () => {
  const session = await there.createSession()
  const saved = await useTool(there, session, "save_task_progress", {
    summary: "begun",
    status: "in_progress",
    task: "the importer",
  })
  const id = idIn(saved)
  for (const host of [here, there]) {
    const list = (...args: string[]) =>
      execFileSync("node", [join(REPO, "dist/cli/main.js"), "handoffs", "--all", ...args], {
        cwd: host.project,
        env: { ...host.env, BOULDER_DATABASE_URL: url },
        encoding: "utf8",
      })
    expect(list()).toContain(id)
    const { handoffs, machines } = JSON.parse(list("--json"))
    expect(handoffs).toMatchObject([{ id, claim: { session_id: session } }])
    expect(Object.keys(machines)).toEqual([id])
    for (const text of [host.log(), JSON.stringify(host.journal()), host.readFile("opencode.json")])
      expect(text).not.toContain(url)
  }
})
