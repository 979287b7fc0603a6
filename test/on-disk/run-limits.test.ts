import { afterAll, describe, expect, test } from "bun:test"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { complete, putWork, stop } from "../../src/boulder/change-work.ts"
import { isoOf } from "../../src/boulder/iso-time.ts"
import { newWork } from "../../src/boulder/new-work.ts"
import { followEvents } from "../../src/headless/follow-events.ts"
import type { RunEvent, RunOutcome } from "../../src/headless/run-event.ts"
import { type RunOptions, runPlan } from "../../src/headless/run-plan.ts"
import { hostClient } from "../../src/opencode/host/http/host-client.ts"
import { type ServerAccess, serverAccess } from "../../src/opencode/host/http/server-access.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { planOf } from "../support/plans.ts"
import { withFolder } from "../support/store-folder.ts"

const ends: (() => void)[] = []
afterAll(() => {
  for (const end of ends.splice(0)) end()
})

/** A server of a few lines; without an answer for a path it is mute there. */
async function aServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ServerAccess> {
  const server = createServer(answer).listen(0, "127.0.0.1")
  await once(server, "listening")
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === "object" ? address?.port : null
  const access = serverAccess(`http://127.0.0.1:${port}`, {})
  if (access === null) throw new Error("no address")
  return access
}

function run(
  root: string,
  given: Partial<RunOptions>,
): { readonly outcome: Promise<RunOutcome>; readonly interrupt: () => void } {
  const control = new AbortController()
  const { signal } = control
  const options = { root, plan: "", env: { PATH: process.env["PATH"] }, onEvent: () => undefined }
  return { outcome: runPlan({ ...options, signal, ...given }), interrupt: () => control.abort() }
}

/** An opencode that starts and says nothing; it writes its id to `pid`. */
async function muteBinary(root: string): Promise<string> {
  const path = join(root, "opencode")
  await writeFile(path, `#!/bin/sh\necho $$ > "${root}/pid"\nexec sleep 1000\n`)
  await chmod(path, 0o755)
  return path
}

async function pidIn(root: string): Promise<number> {
  while (!existsSync(join(root, "pid")) || readFileSync(join(root, "pid"), "utf8") === "")
    await sleep(10)
  return Number(readFileSync(join(root, "pid"), "utf8"))
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.concurrent("13m: a run ends when it is told to, whatever it waits for", () => {
  test("by Ctrl-C before its server answers; the server is gone", () =>
    withFolder(async (root) => {
      const { outcome, interrupt } = run(root, { binary: await muteBinary(root) })
      const pid = await pidIn(root)
      interrupt()
      expect(await outcome).toEqual({ kind: "interrupted" })
      expect(isAlive(pid)).toBe(false)
    }))

  test("by --timeout before its server answers; the server is gone", () =>
    withFolder(async (root) => {
      const { outcome } = run(root, { binary: await muteBinary(root), timeoutMs: 500 })
      expect(await outcome).toMatchObject({ kind: "out-of-time" })
      expect(isAlive(await pidIn(root))).toBe(false)
    }))

  test.each([
    { where: "at once", mute: /./ },
    { where: "behind its health", mute: /^\/(?!global\/health)/ },
  ])("by Ctrl-C and by --timeout where a server is mute $where", ({ mute }) =>
    withFolder(async (root) => {
      const asked: string[] = []
      const attach = await aServer(({ url = "" }, response) => {
        asked.push(url)
        if (!mute.test(url)) response.end("{}")
      })
      const first = run(root, { attach })
      while (!asked.some((url) => mute.test(url))) await sleep(10)
      first.interrupt()
      expect(await first.outcome).toEqual({ kind: "interrupted" })
      const second = run(root, { attach, timeoutMs: 300 })
      expect(await second.outcome).toMatchObject({ kind: "out-of-time" })
    }),
  )

  test("by itself where the server that it is to attach to says nothing, with what to do", () =>
    withFolder(async (root) => {
      const attach = await aServer(() => undefined)
      const said = await run(root, { attach }).outcome.catch(String)
      expect(said).toMatch(/Expected opencode to answer at http:\/\/127.*opencode serve/)
    }))
})

test.concurrent("13r: a stream that breaks while /question fails is followed on, and what waits is told later", async () => {
  let streams = 0
  let refusals = 0
  let endFirst = (): void => undefined
  const access = await aServer(({ url = "" }, response) => {
    if (url.startsWith("/event")) {
      streams += 1
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write(`data: ${JSON.stringify({ type: "connected", stream: streams })}\n\n`)
      if (streams === 1) endFirst = () => response.destroy()
      return
    }
    if (url.startsWith("/question") && refusals++ < 2) response.writeHead(500).end()
    else response.end(JSON.stringify(url.startsWith("/question") ? [{ id: "que_1" }] : []))
  })
  const control = new AbortController()
  const { signal } = control
  ends.push(() => control.abort())
  const taken: unknown[] = []
  const told = Promise.withResolvers<void>()
  const client = hostClient(access, { directory: "/", signal })
  const { lost } = await followEvents(
    client,
    async (event) => {
      taken.push(event)
      // A stream that breaks before it was read counts as none.
      if (taken.length === 1) endFirst()
      if (JSON.stringify(event).includes("que_1")) told.resolve()
    },
    signal,
  )
  const isLost = lost.then(
    () => true,
    () => true,
  )
  expect(await Promise.race([told.promise.then(() => false), isLost])).toBe(false)
  expect(taken).toEqual([
    { type: "connected", stream: 1 },
    { type: "connected", stream: 2 },
    { type: "question.asked", properties: { id: "que_1" } },
  ])
})

type Answers = Readonly<Record<string, (response: ServerResponse) => unknown>>

/** An opencode of a few lines that works on a plan: its first streams break, and then it refuses what waits, twice. */
async function brokenHost(root: string) {
  const scene = { streams: 0, refusals: 0, asked: [] as readonly object[] }
  let stream: ServerResponse | undefined
  /** Called where the client has read of the stream: one that breaks before counts as none. */
  const breakStream = () => {
    if (scene.streams <= BREAKS) stream?.destroy()
  }
  const json = (value: unknown) => (response: ServerResponse) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value))
  const answers: Answers = {
    "/path": json({ worktree: root, directory: root }),
    "/command": json([{ name: "start-work" }]),
    "/session": (response) => {
      json({ id: LEAD })(response)
      breakStream()
    },
    [`/session/${LEAD}/command`]: async (response) => {
      await begin(root)
      json({})(response)
    },
    [`/session/${LEAD}/message`]: json([]),
    "/permission": json([]),
    "/question": (response) => {
      const isRefused = scene.streams > 1 && scene.refusals++ < 2
      if (isRefused) response.writeHead(500).end()
      else json(scene.asked)(response)
      breakStream()
    },
    "/event": (response) => {
      stream = response
      scene.streams += 1
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write(`data: ${JSON.stringify({ type: "server.connected", properties: {} })}\n\n`)
    },
  }
  const attach = await aServer(({ url = "" }, response) => {
    const answer = answers[url.replace(/\?.*/, "")] ?? json({})
    answer(response)
  })
  return { scene, attach }
}

async function begin(root: string): Promise<void> {
  const work = newWork({
    planPath: PLAN,
    planName: "demo",
    sessionId: LEAD,
    now: isoOf(Date.now()),
  })
  await openFileBoulderStore({ root }).update((boulder) =>
    putWork(boulder, { ...work, driver: "1-1-0" }),
  )
}

const PLAN = ".boulder/plans/demo.md"
/** So many streams break, the first ones. */
const BREAKS = 3

describe.concurrent("13r: a run whose stream breaks again and again, while what waits is refused", () => {
  const withPlan = (test: (root: string) => Promise<void>) =>
    withFolder(async (root) => {
      await mkdir(join(root, ".boulder/plans"), { recursive: true })
      await writeFile(join(root, PLAN), planOf("Write one"))
      await test(root)
    })

  test("ends with the question that was asked meanwhile", () =>
    withPlan(async (root) => {
      const { scene, attach } = await brokenHost(root)
      const { outcome } = run(root, { plan: "demo", attach })
      while (scene.streams < BREAKS) await sleep(10)
      scene.asked = [{ id: "que_1", sessionID: LEAD, questions: [] }]
      expect(await outcome).toMatchObject({ kind: "needs-user", need: { requestId: "que_1" } })
    }))

  test("stays at that question, and ends all the same with its work's stop", () =>
    withPlan(async (root) => {
      const { scene, attach } = await brokenHost(root)
      const asked = Promise.withResolvers<void>()
      const onEvent = (event: RunEvent) => {
        if (event.kind === "needs") asked.resolve()
      }
      const { outcome } = run(root, { plan: "demo", attach, stays: true, onEvent })
      while (scene.streams < BREAKS) await sleep(10)
      scene.asked = [{ id: "que_1", sessionID: LEAD, questions: [] }]
      await asked.promise
      await openFileBoulderStore({ root }).update((boulder) =>
        Object.values(boulder.works).map(stop).reduce(putWork, boulder),
      )
      expect(await outcome).toMatchObject({
        kind: "needs-user",
        need: { reason: "stopped-by-user" },
      })
    }))

  test("ends with its work", () =>
    withPlan(async (root) => {
      const { scene, attach } = await brokenHost(root)
      const { outcome } = run(root, { plan: "demo", attach })
      while (scene.streams <= BREAKS) await sleep(10)
      await writeFile(join(root, PLAN), planOf("Write one").replace("[ ]", "[x]"))
      await openFileBoulderStore({ root }).update((boulder) =>
        Object.values(boulder.works).map(complete).reduce(putWork, boulder),
      )
      expect(await outcome).toMatchObject({ kind: "complete" })
    }))
})
