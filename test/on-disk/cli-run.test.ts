import { describe, expect, test } from "bun:test"
import { planArgument } from "../../src/boulder/plan-argument.ts"
import { runCli } from "../../src/cli/run-cli.ts"
import { COMMAND_NAMES, COMMANDS } from "../../src/cli/table/command-table.ts"
import { overviewText } from "../../src/cli/table/help-text.ts"
import { UsageError } from "../../src/cli/terminal/cli-error.ts"
import { duration, parseCommand, positiveNumber } from "../../src/cli/terminal/parse-args.ts"
import { outcomeText } from "../../src/cli/views/outcome-text.ts"
import { progressBar, progressLine } from "../../src/cli/views/progress-bar.ts"
import { openRunView } from "../../src/cli/views/run-view.ts"
import type { RunEvent } from "../../src/headless/run-event.ts"
import { occupiedText } from "../../src/prompts/occupied-text.ts"
import { inShell } from "../../src/prompts/typed-command.ts"
import { BY_NAME } from "../support/by-name.ts"
import { aTerminal } from "../support/cli-in-process.ts"

const SESSION = "ses_e02a05cf0ffeiVkhL7Rr1p5C1e"

const OCCUPIED = { planName: "demo", session: SESSION, argument: planArgument("demo.md") }

describe("how a run ends", () => {
  const facts = {
    plan: "demo",
    sessionId: SESSION,
    serverStopped: true,
    typed: BY_NAME,
    name: null,
  }
  const need = (reason: string, detail = "") =>
    ({ kind: "needs-user", need: { reason, detail } }) as const

  test.each([
    [
      { kind: "complete", settled: 12, total: 12 } as const,
      0,
      "Complete: 12/12 tasks settled.\nTo see what came of it: opencode-boulder report demo --html report.html",
    ],
    [{ kind: "failed", message: "no\nplan" } as const, 1, "Failed: no plan"],
    [
      { kind: "failed", message: occupiedText(OCCUPIED, true) } as const,
      1,
      `Failed: Expected demo to be free; found session ${SESSION} working on it right now. Pause it there with opencode-boulder stop and then: opencode-boulder run demo`,
    ],
    [
      { kind: "interrupted" } as const,
      130,
      "Interrupted. The server is stopped. To resume: opencode-boulder run demo",
    ],
    [
      { kind: "out-of-time", seconds: 90 } as const,
      1,
      "Failed: the time limit of 90 s is over. The server is stopped. To resume: opencode-boulder run",
    ],
    [need("awaiting-approval"), 3, "then opencode-boulder approve and opencode-boulder run demo"],
    [
      need("question", "Which?\u001b[2J"),
      3,
      `(question-pending): Which? Answer in opencode --session ${SESSION}`,
    ],
    [
      need("permission", "bash rm *"),
      3,
      "(permission-pending): bash rm * Allow it in opencode.json",
    ],
    [
      need("aborted"),
      3,
      "paused (aborted): you interrupted it. opencode-boulder why says more. To resume: opencode-boulder run demo",
    ],
    [
      need("backing-off", "Your credit balance is\ntoo low"),
      3,
      "paused (backing-off): the last turns failed (Your credit balance is too low). opencode-boulder why says more.",
    ],
    [need("only-blocked-left"), 3, "then opencode-boulder unblock and opencode-boulder run demo"],
    [
      need("budget-spent", "1,204,300 of 1,000,000 tokens"),
      3,
      "(1,204,300 of 1,000,000 tokens). With a fresh budget: opencode-boulder run demo",
    ],
    [need("taken-over", "session x leads it now"), 3, "(taken-over): session x leads it now."],
  ])("%j", (outcome, code, expected) => {
    const said = outcomeText(outcome, facts)
    expect(said.code).toBe(code)
    expect(said.text).toContain(expected)
  })

  test("a server that goes on is not said to be stopped: what it continues can be paused", () => {
    const attached = { ...facts, serverStopped: false }
    const goesOn = "The server continues the work. To pause it: opencode-boulder stop"
    for (const outcome of [{ kind: "interrupted" }, { kind: "out-of-time", seconds: 90 }] as const)
      expect(outcomeText(outcome, attached).text).toEndWith(goesOn)
    const before = { ...attached, sessionId: null }
    expect(outcomeText({ kind: "interrupted" }, before).text).toBe(
      "Interrupted. To resume: opencode-boulder run demo",
    )
    expect(outcomeText(need("question"), attached).text).toContain(`Answer in session ${SESSION}`)
  })
})

describe("the bar", () => {
  test.each([
    [0, 12, "░░░░░░░░░░░░░░░░░░░░"],
    [5, 12, "████████░░░░░░░░░░░░"],
    [11, 12, "██████████████████░░"],
    [12, 12, "████████████████████"],
    [0, 0, "░░░░░░░░░░░░░░░░░░░░"],
  ])("%d of %d", (settled, total, expected) => {
    expect(progressBar(settled, total)).toBe(expected)
  })

  test("its line ends at the edge of the terminal", () => {
    const task = { key: "todo:6", title: "Add the \u001b[31mroute for the login of users" }
    expect(progressLine({ settled: 5, total: 12, task }, 46)).toBe(
      "████████░░░░░░░░░░░░ 5/12 todo:6 Add the rout…",
    )
  })
})

describe("a run, shown", () => {
  const events: readonly RunEvent[] = [
    { kind: "starting", program: "/usr/bin/opencode.exe" },
    { kind: "server", url: "http://127.0.0.1:4096", started: true },
    { kind: "progress", settled: 1, total: 2, next: { key: "todo:2", title: "Two" } },
    { kind: "task", key: "todo:2", title: "Two", state: "delegated", resumed: true },
    { kind: "hint", from: "task", text: "<boulder>\nPreferred \u001b[31mreuse\n</boulder>" },
    { kind: "task", key: "todo:2", title: "Two", state: "returned", resumed: true },
    {
      kind: "decision",
      decision: "notice",
      reason: "subagent-limited",
      at: "2026-11-21T11:00:00Z",
      limited: { task: "todo:1", until: "2026-11-21T14:05:00Z" },
    },
    {
      kind: "decision",
      decision: "pause",
      reason: "aborted",
      why: "the time limit of its run is over",
      at: "2026-11-21T11:30:00Z",
    },
    { kind: "decision", decision: "finish", reason: "plan-complete", at: "2026-11-21T12:00:00Z" },
  ]
  const shown = (isInteractive: boolean, showHints: boolean): string => {
    let out = ""
    const write = (text: string): void => {
      out += text
    }
    const view = openRunView(
      { out: write, isInteractive, columns: () => 80, typed: inShell("boulder") },
      { showHints },
    )
    for (const event of events) view.show(event)
    view.end()
    return out
  }

  test("plain lines where nobody looks, with the hints word for word when asked for", () => {
    expect(shown(false, true)).toBe(`starting opencode
server started at http://127.0.0.1:4096
██████████░░░░░░░░░░ 1/2 settled
-> todo:2 Two (resumed)
   | <boulder>
   | Preferred reuse
   | </boulder>
<- todo:2 Two
Notice: a subagent reached its provider's limit (todo:1, until 2026-11-21 14:05 UTC)
Paused: you interrupted it (the time limit of its run is over)
Finished: every required task is settled
`)
    expect(shown(false, false)).not.toContain("boulder>")
  })

  test("where nobody looks, counts that stay are no line", () => {
    let out = ""
    const view = openRunView(
      {
        out: (text) => {
          out += text
        },
        isInteractive: false,
        columns: () => 80,
        typed: inShell("boulder"),
      },
      { showHints: false },
    )
    for (const settled of [0, 1, 1, 2])
      view.show({
        kind: "progress",
        settled,
        total: 2,
        next: { key: `todo:${settled}`, title: "" },
      })
    expect(out.match(/\d\/2 settled/g)).toEqual(["0/2 settled", "1/2 settled", "2/2 settled"])
  })

  test("on a terminal one bar is redrawn below the lines, and taken away at the end", () => {
    const redraw = "\r\u001b[2K"
    const out = shown(true, false)
    expect(out).toContain(`${redraw}██████████░░░░░░░░░░ 1/2 todo:2 Two`)
    expect(out).toContain(`${redraw}<- todo:2 Two\n`)
    expect(out.endsWith(redraw)).toBe(true)
  })
})

describe("a run that waits, shown", () => {
  const waits = (leftMs: number, until = "2026-11-21T12:00:12.000Z"): RunEvent => ({
    kind: "waits",
    state: { kind: "waiting", for: "provider", until },
    leftMs,
  })
  const over: RunEvent = { kind: "waits", state: null, leftMs: 0 }
  const progress: RunEvent = { kind: "progress", settled: 1, total: 2, next: null }
  /** The host's own retries: 2 s, then 4, then 8. */
  const retries = [2_000, 4_000, 8_000].flatMap((ms, index) => [
    waits(ms, `2026-11-21T12:00:1${index}.000Z`),
    waits(1_000, `2026-11-21T12:00:1${index}.000Z`),
    over,
  ])
  const shown = (isInteractive: boolean, events: readonly RunEvent[], columns = 80): string => {
    let out = ""
    const view = openRunView(
      {
        out: (text) => {
          out += text
        },
        isInteractive,
        columns: () => columns,
        typed: inShell("boulder"),
      },
      { showHints: false },
    )
    for (const event of events) view.show(event)
    return out
  }
  const linesOf = (out: string) => out.split("\n").filter((line) => line.includes("waiting"))

  test("where nobody looks, short waits in a row are one line, with the second of the first", () => {
    expect(linesOf(shown(false, [progress, ...retries]))).toEqual([
      "waiting for the provider until 2026-11-21 12:00:10 UTC (in 2 s)",
    ])
  })

  test("the next one is a line again once something has happened", () => {
    expect(linesOf(shown(false, [...retries, progress, ...retries]))).toHaveLength(2)
  })

  test("a wait of minutes behind a short one is a line of its own, once", () => {
    const long = "2026-11-21T12:10:00.000Z"
    const events = [...retries, waits(600_000, long), waits(540_000, long), waits(59_000, long)]
    expect(linesOf(shown(false, events))[1]).toBe(
      "waiting for the provider until 2026-11-21 12:10 UTC (in 10 min)",
    )
    expect(linesOf(shown(false, events))).toHaveLength(2)
  })

  test("on a terminal the bar counts the seconds down beside the progress, and is as before behind them", () => {
    const out = shown(true, [progress, waits(12_000), waits(11_000), over])
    const bar = "██████████░░░░░░░░░░ 1/2"
    const bars = out.split("\r\u001b[2K").filter((part) => part.startsWith("█"))
    expect(bars.map((part) => part.replace(/until .*/, ""))).toEqual([
      bar,
      `${bar} · 12 s left · waiting for the provider `,
      `${bar} · 11 s left · waiting for the provider `,
      bar,
    ])
    for (const part of shown(true, [progress, waits(12_000)], 40).split("\r\u001b[2K"))
      expect(part.split("\n")[0]?.length).toBeLessThan(66)
  })
})

describe("arguments", () => {
  test.each([
    ["90s", 90_000],
    ["30m", 1_800_000],
    ["2h", 7_200_000],
    ["1.5h", 5_400_000],
    ["5", 300_000],
  ])("%s is a time", (text, ms) => {
    expect(duration(text, "--timeout")).toBe(ms)
  })

  test.each(["", "0", "-1", "soon", "1d", "1e9h", "99999999m"])("%j is no time", (text) => {
    expect(() => duration(text, "--timeout")).toThrow(UsageError)
  })

  test.each(["0", "-3", "1.5", "x", "1000000"])("-n %s is refused", (text) => {
    expect(() => positiveNumber(text, "-n")).toThrow(UsageError)
  })

  test("an unknown option and one argument too many are usage", () => {
    expect(() => parseCommand(["--nope"], COMMANDS.stop)).toThrow(UsageError)
    expect(() => parseCommand(["a", "b"], COMMANDS.stop)).toThrow("found another: b")
  })
})

describe("help", () => {
  test.each(COMMAND_NAMES)(
    "%s --help teaches: usage, options, exit codes, an example",
    async (name) => {
      const place = aTerminal()
      expect(await runCli([name, "--help"], place)).toBe(0)
      for (const part of [`Usage: opencode-boulder ${name}`, "Options:", "Exit codes:", "Example"])
        expect(place.said.out).toContain(part)
    },
  )

  test("the overview lists every command; no command at all is usage", async () => {
    for (const name of COMMAND_NAMES)
      expect(overviewText({ call: "opencode-boulder", columns: 80 })).toContain(`  ${name}`)
    const place = aTerminal()
    expect(await runCli([], place)).toBe(2)
    expect(place.said.err).toContain("Usage: opencode-boulder <command>")
  })

  test("an unknown command is usage, and names those there are", () => {
    expect(runCli(["toString"], aTerminal())).rejects.toThrow("Expected a command (run, stop,")
  })

  test("--version is that of the package", async () => {
    const place = aTerminal()
    expect(await runCli(["--version"], place)).toBe(0)
    expect(place.said.out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
