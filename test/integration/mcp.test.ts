import { afterEach, describe, expect, test } from "bun:test"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { idIn, useTool } from "../support/handoff-tools.ts"
import { startHost } from "../support/opencode-host.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { countUp } from "../support/store-boulders.ts"
import { withFolder } from "../support/store-folder.ts"

const CLI = join(import.meta.dir, "../../dist/cli/main.js")
const agents: Agent[] = []
afterEach(async () => {
  for (const { client } of agents.splice(0)) await client.close()
})

interface Agent {
  readonly client: Client
  /** What its server has written to stderr so far. */
  readonly stderr: () => string
  /** Calls a tool; gives what it said, and whether that is an error. */
  call(
    name: string,
    args?: Readonly<Record<string, unknown>>,
  ): Promise<{ text: string; isError: boolean }>
}

/** An agent of another host: the SDK's client on the built command line, in Node. */
async function anAgent(
  cwd: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Agent> {
  const client = new Client({ name: "another-host", version: "1" })
  const transport = new StdioClientTransport({
    command: "node",
    args: [CLI, "mcp", ...args],
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stderr: "pipe",
  })
  let said = ""
  transport.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString()
  })
  await client.connect(transport)
  const agent: Agent = {
    client,
    stderr: () => said,
    call: async (name, given = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: { ...given } })
      const [part] = content as readonly { type: string; text: string }[]
      return { text: part?.text ?? "", isError: isError === true }
    },
  }
  agents.push(agent)
  return agent
}

const blocked = {
  summary: "Half of the importer.",
  status: "blocked",
  blocked_reason: "no network. Unblock: a network",
  task: "the importer",
}

test("the SDK's client finds the three tools, and they cost at most 350 tokens", () =>
  withFolder(async (root) => {
    const { client } = await anAgent(root)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      "save_task_progress",
      "list_blocked_tasks",
      "get_blocked_task",
    ])
    expect(client.getServerVersion()?.name).toBe("opencode-boulder")
    expect(encode(JSON.stringify(tools)).length).toBeLessThanOrEqual(350)
    expect(await readdir(root)).toEqual([])
  }))

test("one agent blocks, the next is told at its start, claims and completes, the third is told nothing", () =>
  withFolder(async (root) => {
    const first = await anAgent(root, ["--session", "claude-1"])
    expect(first.client.getInstructions()).toBeUndefined()
    const saved = await first.call("save_task_progress", blocked)
    expect(saved).toMatchObject({ isError: false })
    const id = idIn(saved.text)

    const second = await anAgent(root, [], { OPENCODE_BOULDER_SESSION: "codex.2" })
    expect(second.client.getInstructions()).toBe(
      `<boulder>\nA note, not the user's words: task ${id} was left blocked just now. If the user's request is that task, take it with get_blocked_task.\n</boulder>`,
    )
    const listed = await second.call("list_blocked_tasks")
    expect(listed.text).toContain(
      `- ${id} "the importer": blocked just now; 1 attempt; reason: no network; unblock when: a network`,
    )
    const claimed = await second.call("get_blocked_task", { id })
    expect(claimed.text).toContain("› Half of the importer.")
    expect(claimed.text).toContain("saved just now by claude-1. Agents' words, not the user's:")
    const record = await openFileHandoffStore({ root }).read(id)
    expect(record?.claim?.session_id).toBe("codex.2")

    const third = await anAgent(root)
    expect(third.client.getInstructions()).toBeUndefined()
    expect((await third.call("list_blocked_tasks")).text).toContain("No blocked or interrupted")
    const refused = await third.call("get_blocked_task", { id })
    expect(refused.isError).toBe(true)
    expect(refused.text).toContain(`Refused: ${id} is in the hands of session codex.2 until`)

    const done = await second.call("save_task_progress", { summary: "Done.", status: "complete" })
    expect(done.text).toContain(`Saved ${id}: complete.`)
    expect(await readdir(join(root, ".boulder/handoffs/settled"))).toEqual([`${id}.json`])
    expect((await third.call("get_blocked_task", { id: "codex.2" })).text).toContain("settled")
  }))

describe("a refusal is an error, and says what to send", () => {
  test.each([
    [
      "save_task_progress",
      { ...blocked, blocked_reason: undefined },
      "status blocked needs a reason",
    ],
    ["save_task_progress", { ...blocked, summary: "x".repeat(4_001) }, "at most 4,000 characters"],
    [
      "save_task_progress",
      { ...blocked, task: "hnd_AAAAAAAAAAAA" },
      "no such handoff in this project",
    ],
    ["save_task_progress", {}, "Send save_task_progress({"],
    ["get_blocked_task", { id: "hnd_AAAAAAAAAAAA" }, "no such handoff in this project"],
    ["get_blocked_task", {}, "Send get_blocked_task({"],
    ["take_over_the_world", {}, "there is no tool take_over_the_world"],
  ])("%s", (name, args, words) =>
    withFolder(async (root) => {
      const agent = await anAgent(root)
      const { text, isError } = await agent.call(name, args)
      expect(text).toContain(words)
      expect(isError).toBe(true)
    }),
  )
})

test("every call makes the agent's leases last", () =>
  withFolder(async (root) => {
    const holder = await anAgent(root, ["--session", "holder", "--lease", "2s"])
    const { text } = await holder.call("save_task_progress", {
      ...blocked,
      status: "in_progress",
      blocked_reason: undefined,
    })
    const store = openFileHandoffStore({ root })
    const until = async () => (await store.read(idIn(text)))?.claim?.lease_until ?? ""
    const first = await until()
    for (let call = 0; call < 40 && (await until()) === first; call++) {
      await Bun.sleep(50)
      await holder.call("list_blocked_tasks")
    }
    expect((await until()) > first).toBe(true)
  }))

test("another project has nothing of it, though the id is known", () =>
  withFolder((one) =>
    withFolder(async (two) => {
      const id = idIn((await (await anAgent(one)).call("save_task_progress", blocked)).text)
      const stranger = await anAgent(two)
      expect(stranger.client.getInstructions()).toBeUndefined()
      expect((await stranger.call("list_blocked_tasks")).text).toContain("No blocked")
      expect(await stranger.call("get_blocked_task", { id })).toMatchObject({ isError: true })
    }),
  ))

describe("a stranger marks nothing in a work's plan", () => {
  const PLAN = ".boulder/plans/demo.md"
  const progress = { summary: "Half.", status: "in_progress", task: "todo:1" }
  const complete = { summary: "Done.", status: "complete", task: "todo:1" }
  const stuck = { ...blocked, blocked_reason: "a stranger's words. Unblock: x", task: "todo:1" }

  test.each([
    { what: "in_progress, then complete", saves: [progress, complete] },
    { what: "in_progress, then blocked", saves: [progress, stuck] },
    { what: "blocked, then complete", saves: [stuck, complete] },
    { what: "complete at once", saves: [complete] },
  ])(
    "$what: saved as an offer, the plan's bytes and the work's blocks are as they were",
    ({ saves }) =>
      withFolder(async (root) => {
        const plan = join(root, PLAN)
        await mkdir(dirname(plan), { recursive: true })
        await writeFile(plan, "# Demo\n\n## TODOs\n\n- [ ] 1. One\n- [ ] 2. Two\n")
        expect(await openPlugin(root).startWork(LEAD, PLAN)).toContain("One")
        const before = await readFile(plan)
        const stranger = await anAgent(root, ["--session", "stranger"])
        const ids = new Set<string>()
        for (const save of saves) {
          const { text, isError } = await stranger.call("save_task_progress", save)
          expect({ text, isError }).toMatchObject({ isError: false })
          ids.add(idIn(text))
          expect(await readFile(plan)).toEqual(before)
        }
        // Without a task in it, a record would leave the plan alone for another reason.
        for (const id of ids)
          expect(await openFileHandoffStore({ root }).read(id)).toMatchObject({
            session_id: "stranger",
            task_key: "todo:1",
            from_outside: true,
          })
        const works = Object.values(
          (await openFileBoulderStore({ root }).read()).boulder?.works ?? {},
        )
        expect(works.map((work) => work.blocked)).toEqual([{}])
      }),
  )
})

test("--agent keeps to the handoffs of that agent", () =>
  withFolder(async (root) => {
    const mine = await anAgent(root, ["--agent", "docs"])
    const id = idIn((await mine.call("save_task_progress", blocked)).text)
    const other = await anAgent(root, ["--agent", "tests"])
    expect((await other.call("list_blocked_tasks")).text).toContain("No blocked")
    expect(await other.call("get_blocked_task", { id })).toMatchObject({ isError: true })
    const same = await anAgent(root, ["--agent", "docs"])
    expect((await same.call("list_blocked_tasks")).text).toContain(id)
  }))

test("a session's name that is none is refused before anything is served", () =>
  withFolder(async (root) => {
    const child = Bun.spawn(["node", CLI, "mcp", "--session", "no spaces"], {
      cwd: root,
      stdin: "pipe",
      stderr: "pipe",
    })
    expect(await child.exited).toBe(2)
    expect(await new Response(child.stderr).text()).toContain("Expected a session's name")
  }))

test("the server ends when the other side hangs up, with 0", () =>
  withFolder(async (root) => {
    const child = Bun.spawn(["node", CLI, "mcp"], { cwd: root, stdin: "pipe", stderr: "pipe" })
    await child.stdin.end()
    expect(await child.exited).toBe(0)
    expect(await new Response(child.stderr).text()).toBe("")
  }))

test("what the other side has asked before it hangs up is answered", () =>
  withFolder(async (root) => {
    const child = Bun.spawn(["node", CLI, "mcp", "--session", "script"], {
      cwd: root,
      stdin: "pipe",
      stdout: "pipe",
    })
    const clientInfo = { name: "a script", version: "1" }
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }
    for (const message of [
      { id: 1, method: "initialize", params: hello },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: { name: "save_task_progress", arguments: blocked } },
      { id: 3, method: "tools/call", params: { name: "list_blocked_tasks", arguments: {} } },
    ])
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    await child.stdin.end()
    const lines = (await new Response(child.stdout).text()).trimEnd().split("\n")
    const answers = new Map(lines.map((line) => [JSON.parse(line).id, line]))
    expect([...answers.keys()].sort()).toEqual([1, 2, 3])
    const id = idIn(answers.get(2) ?? "")
    expect((await openFileHandoffStore({ root }).read(id))?.status).toBe("blocked")
    expect(await child.exited).toBe(0)
  }))

test("a message without an end is not waited for: the server says why and ends, with bounded memory", () =>
  withFolder(async (root) => {
    const child = Bun.spawn(["node", "--max-old-space-size=64", CLI, "mcp"], {
      cwd: root,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    })
    const [megabyte, head] = ["x".repeat(1_000_000), '{"jsonrpc":"2.0","id":1,"method":"']
    child.stdin.write(head)
    const send = async () => {
      for (let sent = 0; sent < 200 && child.exitCode === null; sent++) {
        child.stdin.write(megabyte)
        await child.stdin.flush()
      }
    }
    // It may end in the middle of what is sent.
    await send().catch(() => undefined)
    expect(await child.exited).toBe(1)
    expect(await new Response(child.stderr).text()).toBe(
      "opencode-boulder: Expected an MCP message of at most 10 MB; found a longer one. The connection is closed: start the server again, and send less at once.\n",
    )
  }))

test("a line that is no message is told of on stderr, and the server goes on", () =>
  withFolder(async (root) => {
    const child = Bun.spawn(["node", CLI, "mcp"], {
      cwd: root,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    })
    child.stdin.write("no \u001b[31mJSON\n")
    child.stdin.write('[{"jsonrpc":"2.0","id":6,"method":"ping"}]\n')
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping" })}\n`)
    await child.stdin.flush()
    const reader = child.stdout.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('"id":7')
    await child.stdin.end()
    expect(await child.exited).toBe(0)
    const told = await new Response(child.stderr).text()
    expect(told).toContain("Expected an MCP message; found something else: ")
    expect(told).toEndWith("Expected an MCP message; found JSON of another form.\n")
    expect(told).not.toContain("\u001b")
  }))

test("through opencode's own `mcp` configuration, without the plugin", async () => {
  const command = ["node", CLI, "mcp"]
  const environment = { OPENCODE_BOULDER_SESSION: "opencode-by-mcp" }
  const host = await startHost({
    plugin: [],
    config: { mcp: { boulder: { type: "local", command, environment, enabled: true } } },
  })
  try {
    const session = await host.createSession()
    const id = idIn(await useTool(host, session, "boulder_save_task_progress", blocked))
    expect(await openFileHandoffStore({ root: host.project }).read(id)).toMatchObject({
      session_id: "opencode-by-mcp",
      status: "blocked",
      task_text: "the importer",
    })
    expect(await useTool(host, session, "boulder_list_blocked_tasks")).toContain(id)
    const claimed = await useTool(host, session, "boulder_get_blocked_task", { id })
    expect(claimed).toContain("Claimed by you until")
    const refused = await useTool(host, session, "boulder_save_task_progress", {
      ...blocked,
      blocked_reason: "",
    })
    expect(refused).toContain("status blocked needs a reason")
    const messages = await host.messages(session)
    const states = messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "tool" ? [part.state.status] : [])),
    )
    expect(states).toEqual(["completed", "completed", "completed", "error"])
  } finally {
    await host.stop()
  }
}, 120_000)

test("a restore over MCP is on stderr and in the journal", () =>
  withFolder(async (root) => {
    const store = openFileBoulderStore({ root })
    for (let done = 0; done < 2; done++) await store.update(countUp("w"))
    await writeFile(join(root, ".boulder", "boulder.json"), "{")
    const agent = await anAgent(root)
    await agent.call("save_task_progress", blocked)
    expect(agent.stderr()).toContain("Note: ")
    expect(agent.stderr()).toContain("restored from its copy")
    const { entries } = await openJournal({ root }).readLast(9)
    expect(entries.filter(({ decision }) => decision === "notice")).toMatchObject([
      { reason: "restored", session: null },
    ])
  }))
