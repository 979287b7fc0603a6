import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { REPO } from "../support/host-version.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf, roles } from "../support/plans.ts"
import { reasonsOf, untilWork, workOn } from "../support/work-on-disk.ts"

const QUIET = { continuation: { cooldown_seconds: 0 } }
const two = planOf("Write a.txt", "Write b.txt")
const over = roles({ lead: () => ({ text: "over" }) })

/** What the model was given for a command. */
async function said(
  host: OpencodeHost,
  command: string,
  args: string,
  session?: string,
): Promise<string> {
  const id = session ?? (await host.createSession())
  await host.command(id, command, args)
  return (
    host.model.mainRequests(id).findLast(({ lastUserText }) => lastUserText.includes("<boulder>"))
      ?.lastUserText ?? ""
  )
}

describe("choosing a plan", () => {
  let host: OpencodeHost
  beforeAll(async () => {
    host = await startHost({
      files: {
        ".boulder/plans/auth-login.md": two,
        ".boulder/plans/auth-logout.md": two,
        ".omo/plans/Billing Page.md": two,
        "specs/search/tasks.md": "# Tasks\n\n- [ ] T001 Index\n- [ ] T002 Query\n",
        ".boulder/plans/empty.md": "# Nothing yet\n",
        ".boulder/plans/done.md": two.replaceAll("[ ]", "[x]"),
        "notes/folder/readme.md": "x\n",
      },
      pluginOptions: QUIET,
      script: over,
    })
  })
  afterAll(() => host.stop())

  test("nothing is on disk before the first start", () => {
    expect(host.hasFile(".boulder/boulder.json")).toBe(false)
    expect(host.hasFile(".boulder/journal.jsonl")).toBe(false)
  })
  test("several plans and no name: listed, not guessed (omo#2926)", async () => {
    const text = await said(host, "start-work", "")
    expect(text).toContain("Which plan? Name one:")
    expect(text).toContain("/start-work auth-login\n")
    expect(host.boulder()).toBeNull()
  })
  test("an ambiguous prefix is listed", async () => {
    const text = await said(host, "start-work", "auth")
    expect(text).toContain("auth could be several plans")
    expect(host.boulder()).toBeNull()
  })
  test("a missing name lists what there is", async () => {
    expect(await said(host, "start-work", "nonesuch")).toContain(
      "Expected a plan called nonesuch, found none.",
    )
  })
  test("a path outside the project is refused", async () => {
    expect(await said(host, "start-work", "../elsewhere.md")).toContain(
      "Expected a plan inside the project",
    )
  })
  test("a directory is no plan", async () => {
    expect(await said(host, "start-work", "notes/folder")).toContain("it is not a file")
  })
  test("a plan without tasks is refused, and says what was expected (omo#2648)", async () => {
    expect(await said(host, "start-work", "empty")).toContain(
      "Expected tasks as list rows with a box",
    )
  })
  test("a plan that is done has nothing to do", async () => {
    expect(await said(host, "start-work", "done")).toContain("Nothing to do")
    expect(host.boulder()).toBeNull()
  })
  test("quotes of the host's command line and another spelling of the name do not matter", async () => {
    const session = await host.createSession()
    const text = await said(host, "start-work", '"billing-page"', session)
    expect(text).toContain("Start the plan Billing Page (.omo/plans/Billing Page.md):")
    await said(host, "stop-work", "", session)
    expect(workOn(host, "Billing Page")).toMatchObject({
      pause_reason: "stopped-by-user",
      lead_session_id: session,
    })
  })
  test("a folder names the plan where every file is called the same", async () => {
    const session = await host.createSession()
    expect(await said(host, "start-work", "search", session)).toContain(
      "Start the plan search (specs/search/tasks.md):",
    )
    await said(host, "stop-work", "search", session)
  })
})

describe("one work, several sessions", () => {
  let host: OpencodeHost
  beforeAll(async () => {
    host = await startHost({
      files: { ".boulder/plans/demo.md": two },
      pluginOptions: QUIET,
      script: over,
    })
  })
  afterAll(() => host.stop())

  test("the only plan needs no name; starting again resumes; another session takes over and says from whom", async () => {
    const first = await host.createSession()
    expect(await said(host, "start-work", "", first)).toContain("Start the plan demo")
    await untilWork(host, "demo", "no-progress")
    expect(await said(host, "work-status", "", first)).toContain(
      "Its last turns changed nothing. To resume: send its session a message",
    )
    expect(await said(host, "start-work", "", first)).toContain("Resume the plan demo")
    await untilWork(host, "demo", "no-progress")
    const second = await host.createSession()
    expect(await said(host, "start-work", "demo", second)).toContain(
      `Note: taken over from session ${first}`,
    )
    expect(workOn(host, "demo")).toMatchObject({
      lead_session_id: second,
      session_ids: [first, second],
    })
    await untilWork(host, "demo", "no-progress")
    await host.prompt(first, "hello")
    await host.waitFor(() => reasonsOf(host, first).at(-1) === "rest taken-over", {
      what: "taken-over",
    })
  })

  test("a work whose lead is busy is not taken over", async () => {
    const first = await host.createSession()
    host.model.use(
      roles({
        lead: ({ sessionId }) =>
          sessionId === first ? { text: "w", hang: true } : { text: "over" },
      }),
    )
    const turn = host.command(first, "start-work", "demo").catch(() => undefined)
    await host.waitFor(() => host.model.mainRequests(first).length === 1, { what: "a turn" })
    expect(await said(host, "start-work", "demo")).toContain(
      `found session ${first} working on it right now`,
    )
    expect(workOn(host, "demo")?.lead_session_id).toBe(first)
    await host.abort(first)
    await turn
  })
})

test("a folder without git is a project as well", async () => {
  const host = await startHost({
    git: false,
    files: { ".boulder/plans/demo.md": two },
    pluginOptions: QUIET,
    script: over,
  })
  try {
    const session = await host.createSession()
    await host.command(session, "start-work", "demo")
    await untilWork(host, "demo", "no-progress")
  } finally {
    await host.stop()
  }
})

test("a malformed boulder.json is moved aside, the user is told, and nothing is lost", async () => {
  const broken = '{"schema_version": 3, "works": {"demo'
  const host = await startHost({
    files: { ".boulder/plans/demo.md": two },
    pluginOptions: QUIET,
    script: over,
  })
  try {
    const first = await host.createSession()
    await host.command(first, "start-work", "demo")
    await untilWork(host, "demo", "no-progress")
    const before = workOn(host, "demo")
    host.writeFile(".boulder/boulder.json", broken)
    await host.restart()
    const session = await host.createSession()
    const text = await said(host, "work-status", "", session)
    expect(text).toContain("demo: paused, ")
    // Whoever reads first is told, the view too: it always comes as a toast, and in this text where that was first.
    const toasts = () => JSON.stringify(host.eventsOf("tui.toast.show"))
    await host.waitFor(() => toasts().includes("boulder.json.corrupt-"), { what: "the toast" })
    const kept = await host.waitFor(async () => {
      const { readdirSync, readFileSync } = await import("node:fs")
      const name = readdirSync(`${host.project}/.boulder`).find((file) => file.includes("corrupt"))
      return name === undefined ? null : readFileSync(`${host.project}/.boulder/${name}`, "utf8")
    })
    expect(kept).toBe(broken)
    expect(workOn(host, "demo")?.continuation.count).toBe(before?.continuation.count ?? -1)
  } finally {
    await host.stop()
  }
})

test("state of the older format is taken over on start, and left as it was", async () => {
  const older = JSON.stringify({
    active_work_id: "w",
    works: {
      w: {
        active_plan: ".omo/plans/demo.md",
        plan_name: "demo",
        status: "active",
        session_ids: ["opencode:ses_e02a05cf0ffeiVkhL7Rr1p5C1e"],
        task_sessions: {
          "todo:1": {
            task_key: "todo:1",
            task_label: "1",
            task_title: "Write a.txt",
            session_id: "opencode:ses_e02a05cf0ffeiVkhL7Rr1p5CHI",
            agent: "general",
          },
        },
      },
    },
  })
  const host = await startHost({
    files: { ".omo/plans/demo.md": two, ".omo/boulder.json": older },
    pluginOptions: QUIET,
    script: over,
  })
  try {
    const text = await said(host, "start-work", "")
    expect(text).toContain("Resume the plan demo (.omo/plans/demo.md):")
    expect(text).toContain("Note: state imported from .omo/boulder.json, which stays as it is")
    expect(text).toContain("Preferred reuse session for todo:1: none, start fresh (it is gone).")
    expect(host.readFile(".omo/boulder.json")).toBe(older)
    expect(workOn(host, "demo")?.task_sessions["todo:1"]?.session_id).toBe(
      "ses_e02a05cf0ffeiVkhL7Rr1p5CHI",
    )
  } finally {
    await host.stop()
  }
})

test("where nothing can be stored the user is told what to do, and opencode goes on working", async () => {
  const host = await startHost({
    files: { "plans/demo.md": two, ".boulder": "a file in the place of our folder\n" },
    pluginOptions: QUIET,
    script: over,
  })
  try {
    const session = await host.createSession()
    const text = await said(host, "start-work", "plans/demo.md", session)
    expect(text).toContain("/start-work: ")
    expect(text).toContain(".boulder")
    expect((await host.prompt(session, "hello")).info).toMatchObject({ finish: "stop" })
    expect(host.readFile(".boulder")).toBe("a file in the place of our folder\n")
  } finally {
    await host.stop()
  }
})

test("oh-my-openagent is configured too: one warning, that the two would fight", async () => {
  const host = await startHost({
    plugin: [`file://${REPO}`, "./oh-my-openagent/index.js"],
    files: {
      ".boulder/plans/demo.md": two,
      "oh-my-openagent/index.js":
        'export default { id: "oh-my-openagent", server: async () => ({}) }',
    },
    script: over,
  })
  try {
    const text = await said(host, "start-work", "demo")
    expect(text.match(/^Note: .*oh-my-openagent.* the two would fight, keep one$/gm)).toHaveLength(
      1,
    )
    const toasts = () =>
      JSON.stringify(host.eventsOf("tui.toast.show")).match(/the two would fight/g) ?? []
    await host.waitFor(() => toasts().length > 0, { what: "the toast" })
    expect(toasts()).toHaveLength(1)
  } finally {
    await host.stop()
  }
})

test("wrong options are named, the defaults hold, and opencode starts", async () => {
  const host = await startHost({
    files: { ".boulder/plans/demo.md": two },
    pluginOptions: { reuse: "always", colour: "red" },
    script: over,
  })
  try {
    const text = await said(host, "work-status", "")
    expect(text).toContain("Option reuse: ")
    expect(text).toContain("colour")
  } finally {
    await host.stop()
  }
})
