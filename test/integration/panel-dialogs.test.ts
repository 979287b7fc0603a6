import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { putWork } from "../../src/boulder/change-work.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aWork } from "../support/builders.ts"
import { REPO, TESTED_VERSIONS } from "../support/host-version.ts"
import { waitUntil } from "../support/host-wait.ts"
import { type Keyboard, type PanelInHost, startPanel } from "../support/panel-in-host.ts"
import { delegate, planOf, roles } from "../support/plans.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

/** A terminal interface under a loaded machine. */
const LIMIT_MS = 400_000
const versions = TESTED_VERSIONS.map((version) => ({ version }))
const choose = async ({ screen, command }: Keyboard, name: string): Promise<void> => {
  await command("boulder-start")
  await screen.see("Start or resume which plan?")
  screen.type(name)
  await screen.miss(/auth +1\/5 settled/)
  await Bun.sleep(600)
  screen.type("\r")
}
/** Types a command and Enter; a bare one has first to be chosen from the list of commands. */
const enter = async ({ screen }: Keyboard, text: string): Promise<void> => {
  // Where a command and its argument come at once, 1.14.41 closes the list of commands with the prompt's text.
  const [name = "", argument] = text.split(/(?<= )/)
  screen.type(name)
  if (argument !== undefined) {
    await screen.see(name.trimEnd())
    await Bun.sleep(600)
    screen.type(argument)
  }
  const listed = new RegExp(`${text} +\\S`)
  if (!text.includes(" ")) {
    await screen.see(listed)
    screen.type("\r")
    await screen.miss(listed)
  }
  await screen.see(text)
  screen.type("\r")
}
const GREETINGS = [
  { name: "without the panel", hasPanel: false },
  { name: "with the panel", hasPanel: true },
]
/** Both parts say the version once, whichever starts first; a start behind it says nothing. */
const GREETED = /opencode-boulder \d+\.\d+\.\d+:/

/** Starts a version for the first time, and then once more. */
async function greet(version: string, { hasPanel }: (typeof GREETINGS)[number]) {
  const one = await startPanel(version, { columns: 120, hasPanel })
  try {
    await one.screen.see("ctrl+p commands")
    await one.screen.see(GREETED)
    expect(one.screen.text().replace(/[\s┃]+/g, " ")).toContain(
      "/start-work starts a plan; 2 plans found",
    )
    await one.screen.miss(GREETED)
    const two = one.another()
    await two.screen.see("ctrl+p commands")
    // Behind both moments at which it could be said: at once, and half a minute after the first event.
    for (const end = Date.now() + 35_000; Date.now() < end; await Bun.sleep(500))
      for (const { screen } of [one, two]) expect(screen.text()).not.toMatch(GREETED)
  } finally {
    await one.stop()
  }
}

/** They wait for minutes, and compute for seconds: begun beside the first test of their version, and looked at last. */
const begun = new Map<string, Promise<void>>()
function begunGreeting(version: string, name: string): Promise<void> {
  for (const greeting of GREETINGS) {
    const key = `${version} ${greeting.name}`
    if (begun.has(key)) continue
    const greeted = greet(version, greeting)
    // Who looks at it is told of its failure.
    greeted.catch(() => undefined)
    begun.set(key, greeted)
  }
  return begun.get(`${version} ${name}`) ?? Promise.reject(new Error(`Expected ${name}.`))
}

describe.each(versions)("two interfaces on one plan in $version", ({ version }) => {
  let one: PanelInHost
  let two: Keyboard
  let isBack: () => void = () => undefined
  const back = new Promise<void>((resolve) => {
    isBack = resolve
  })
  let first: string | undefined
  beforeAll(async () => {
    one = await startPanel(version, {
      columns: 160,
      script: roles({
        lead: ({ sessionId, stepOfTurn, lastUserText }) => {
          if (lastUserText.includes("Tell the user exactly this")) return { text: "told" }
          first ??= sessionId
          const key = (sessionId === first ? ["todo:2", "todo:3"] : ["todo:4"])[stepOfTurn]
          return key === undefined
            ? { text: "over" }
            : { toolCalls: [delegate(key, { prompt: `do ${key}` })] }
        },
        child: async ({ lastUserText }) => {
          if (!lastUserText.includes("do todo:2")) return { text: "on it", hang: true }
          await back
          return { text: "child done" }
        },
      }),
    })
    await one.screen.see("ctrl+p commands")
    await choose(one, "shop")
    await one.screen.see("▶ todo:2")
    two = one.another()
    await two.screen.see("ctrl+p commands")
    for (const { name } of GREETINGS) void begunGreeting(version, name)
  }, LIMIT_MS)
  afterAll(async () => {
    isBack()
    await one.stop()
  })

  test(
    "the second one is asked, and leaves the plan where it is",
    async () => {
      await two.screen.see(/Unfinished plan: shop 1\/5 working/)
      // Its subagent may be asked at any time from now on.
      const askedOfLeads = () =>
        one.model.mainRequests().filter(({ toolNames }) => toolNames.includes("task")).length
      const asked = askedOfLeads()
      await choose(two, "shop")
      await two.screen.see("Another session works on shop")
      await two.screen.see("Leave it there")
      await two.screen.see("Take it over")
      await two.screen.see(/session ses_\w+ stops delegating/)
      two.screen.type("\r")
      await two.screen.miss("Take it over")
      expect(askedOfLeads()).toBe(asked)
    },
    LIMIT_MS,
  )

  test(
    "typed, it is asked the same, and takes the plan over; the first one is told, and delegates no more",
    async () => {
      await enter(two, "/start-work .boulder/plans/shop.md")
      await two.screen.see("Another session works on shop")
      await two.screen.see("Take it over")
      two.screen.type("Take")
      await two.screen.miss("Leave it there")
      two.screen.type("\r")
      await one.screen.see(/taken over by session/)
      await two.screen.see("▶ todo:4 Ship it")
      isBack()
      const refusal = /not delegated\. Session ses_\w+ has taken over the plan shop/
      const requests = () => one.model.mainRequests(first)
      await waitUntil(
        () => requests().some((request) => refusal.test(request.allText())),
        () => `${requests().length} requests of the first lead`,
        { what: "the first lead is refused", timeoutMs: 60_000 },
      )
      const asked = one.model.requests.map(({ lastUserText }) => lastUserText)
      expect(asked.filter((text) => text.includes("do todo:3"))).toEqual([])
    },
    LIMIT_MS,
  )
})

describe.each(versions)(
  "a command of the server part with the provider down in $version",
  ({ version }) => {
    let panel: PanelInHost
    beforeAll(async () => {
      panel = await startPanel(version, { columns: 120 })
      await panel.screen.see("ctrl+p commands")
      // The greeting is a toast, and would lie over ours.
      await panel.screen.see(GREETED)
      await panel.screen.miss(GREETED)
      await panel.model.stop()
    }, LIMIT_MS)
    afterAll(() => panel.stop())

    test(
      "it was not said which plan is meant: the list of plans opens",
      async () => {
        await enter(panel, "/start-work")
        await panel.screen.see("Start or resume which plan?")
        await panel.screen.see(/auth +1\/5 settled, 1 blocked/)
        await panel.close()
      },
      LIMIT_MS,
    )

    test(
      "a name that is none: the list too, with the reason beside it",
      async () => {
        await enter(panel, "/start-work nosuch")
        await panel.screen.see("Start or resume which plan?")
        expect(panel.screen.text().replace(/[\s┃│]+/g, " ")).toMatch(/Expected a plan called/)
        await panel.close()
      },
      LIMIT_MS,
    )

    test(
      "anything else that keeps it from being done is a text",
      async () => {
        panel.write(".boulder/plans/empty.md", "# Nothing\n")
        await enter(panel, "/start-work .boulder/plans/empty.md")
        await panel.screen.see("Nothing was done")
        await panel.screen.see(/Expected tasks as list rows with a box/)
        await panel.close()
      },
      LIMIT_MS,
    )
  },
)

describe.each(versions)("the package as npm packs it in $version", ({ version }) => {
  let panel: PanelInHost
  let packed = ""
  beforeAll(async () => {
    packed = temporaryFolder("packed")
    execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", packed], {
      cwd: REPO,
      stdio: "pipe",
    })
    const [archive = ""] = readdirSync(packed)
    writeFileSync(join(packed, "package.json"), "{}")
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${archive}`], {
      cwd: packed,
      stdio: "pipe",
    })
    const installed = `file://${packed}/node_modules/opencode-boulder`
    panel = await startPanel(version, { columns: 160, tuiPlugin: () => installed })
    await panel.screen.see("ctrl+p commands")
  }, LIMIT_MS)
  afterAll(() => panel.stop())

  test(
    "its panel is there: a command of the palette is run",
    async () => {
      const { screen } = panel
      screen.type("\u0010")
      await screen.see("Commands")
      screen.type("all works")
      await screen.see(/Boulder: all works, finished ones too/)
      await Bun.sleep(600)
      screen.type("\r")
      await screen.see("No work was started here yet.")
      await panel.close()
    },
    LIMIT_MS,
  )

  test(
    "and it begins a plan",
    async () => {
      await choose(panel, "shop")
      await panel.screen.see("▶ todo:2")
    },
    LIMIT_MS,
  )
})

describe.each(versions)("the greeting in $version", ({ version }) => {
  test.each(GREETINGS)(
    "$name it is said at the first start of a version, and not at the second",
    ({ name }) => begunGreeting(version, name),
    LIMIT_MS,
  )
})

const asking = (question: string) => ({
  name: "question",
  args: {
    questions: [
      {
        question,
        header: "Database",
        options: [
          { label: "Postgres", description: "as now" },
          { label: "SQLite", description: "a file" },
        ],
      },
    ],
  },
})
const touching = { name: "bash", args: { command: "touch made", description: "make it" } }
/** What the lead does first, by what its start names. */
const FIRST = {
  "plans/ask.md": asking("Which one?"),
  "plans/touch.md": touching,
  "final-wave:f1": delegate("final-wave:f1"),
}
const WAVE = `${planOf("Write a").replace("[ ]", "[x]")}
## Final Verification Wave

- [ ] F1. Review it
`
const MANY = ".boulder/plans/many.md"
const TICKED = `## TODOs\n\n${Array.from({ length: 40 }, (_, index) => `- [x] ${index + 1}. Write it\n`).join("")}`

/** Each ticked task of a plan, as one that waits for its check. */
function heldIn(plan: string) {
  const rows = parsePlan(plan, { path: MANY, siblings: [] }).tasks
  const hold = { why: "`check` has not been run", times: 1, approved: false }
  return Object.fromEntries(
    rows.map(({ key, titleHash }) => [key, { ...hold, title_hash: titleHash }]),
  )
}

describe.each(versions)("what waits for its user in $version", ({ version }) => {
  const hasKeys = !version.startsWith("1.14.")
  let panel: PanelInHost
  beforeAll(async () => {
    panel = await startPanel(version, {
      columns: 160,
      files: {
        ".boulder/plans/ask.md": planOf("Write a"),
        ".boulder/plans/touch.md": planOf("Write a"),
        ".boulder/plans/wave.md": WAVE,
      },
      permission: { bash: "ask" },
      pluginOptions: { continuation: { cooldown_seconds: 0, no_progress_turns: 1 } },
      script: roles({
        lead: ({ stepOfTurn, lastUserText: text }) => {
          const isStart = stepOfTurn === 0 && !text.includes("Continue the plan")
          const call = Object.entries(FIRST).find(([words]) => text.includes(words))?.[1]
          return isStart && call !== undefined ? { toolCalls: [call] } : { text: "over" }
        },
        child: () => ({ text: "VERDICT: APPROVE" }),
      }),
    })
    await panel.screen.see("ctrl+p commands")
  }, LIMIT_MS)
  afterAll(() => panel.stop())
  const home = async () => {
    panel.screen.type("\u0018n")
    await panel.screen.see(/unfinished plan/i)
  }

  test(
    "a question: the home screen says it, /boulder-answer goes there, and it is answered",
    async () => {
      const { screen, command } = panel
      await choose(panel, "ask")
      await screen.see(/waiting for your\s+answer/)
      await home()
      await screen.see(/Unfinished plan: ask 0\/1 waiting for you · \/boulder-answer/)
      expect(screen.text()).not.toContain("SQLite")
      // By its key, where this version has keys.
      if (hasKeys) screen.type("\u0018i")
      else await command("boulder-answer")
      await screen.see("SQLite")
      screen.type("\r")
      await screen.miss("SQLite")
      await screen.miss(/waiting for your\s+answer/)
    },
    LIMIT_MS,
  )

  test(
    "a permission: /boulder-answer goes there, and it is allowed",
    async () => {
      const { screen, command, project } = panel
      await home()
      await choose(panel, "touch")
      await screen.see(/waiting for your\s+permission/)
      await home()
      await command("boulder-answer")
      await screen.see("Allow once")
      expect(existsSync(join(project, "made"))).toBe(false)
      screen.type("\r")
      await screen.miss(/waiting for your\s+permission/)
      // It is answered before what it allows has run.
      await waitUntil(
        () => existsSync(join(project, "made")),
        () => screen.text(),
        { timeoutMs: 60_000 },
      )
    },
    LIMIT_MS,
  )

  test(
    "an approval is given with the provider down",
    async () => {
      const { screen, command, model } = panel
      await home()
      await choose(panel, "wave")
      await screen.see(/waiting for your\s+approval/)
      await model.stop()
      const asked = model.requests.length
      await command("boulder-approve")
      await screen.see(/Approved/)
      await screen.miss(/waiting for your\s+approval/)
      expect(model.requests.length).toBe(asked)
    },
    LIMIT_MS,
  )

  test(
    "of forty held tasks the last is found by typing, and approved",
    async () => {
      const { screen, command, project, write } = panel
      write(MANY, TICKED)
      await openFileBoulderStore({ root: project }).update((boulder) =>
        putWork(boulder, aWork({ plan_name: "many", active_plan: MANY, held: heldIn(TICKED) })),
      )
      await command("boulder-approve")
      await screen.see("Approve which final wave or held task?")
      screen.type("todo:40")
      await screen.miss("todo:1 ")
      await Bun.sleep(600)
      screen.type("\r")
      await screen.see("todo:40 of many counts as done")
    },
    LIMIT_MS,
  )

  test(
    "of forty decisions a small terminal shows the last",
    async () => {
      const { screen, command, close, write } = panel
      const decided = (task: number) =>
        JSON.stringify({
          ...{ at: new Date().toISOString(), session: "ses_lead", work: "many-12345678" },
          ...{ decision: "delegate", reason: "task-named", facts: { task: `todo:${task}` } },
        })
      const all = Array.from({ length: 40 }, (_, index) => `${decided(index + 1)}\n`)
      write(".boulder/journal.jsonl", all.join(""))
      await screen.resize(120, 24)
      await command("boulder-why")
      await screen.see("Delegated todo:40")
      expect(screen.text()).not.toContain("Delegated todo:20")
      await close()
    },
    LIMIT_MS,
  )
})
