import { afterEach, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { emptyBoulder } from "../../src/boulder/boulder.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aWork } from "../support/builders.ts"
import { REPO } from "../support/host-version.ts"
import { waitUntil } from "../support/host-wait.ts"
import { planOf } from "../support/plans.ts"
import { withFolder } from "../support/store-folder.ts"
import { openTerminal, type TerminalScreen } from "../support/terminal-screen.ts"

const MAIN = join(REPO, "src/cli/main.ts")
const PLAN = "plans/demo.md"
const TITLES = [
  "Write the parser of the configuration, with every word of its errors",
  "Zeige 漢字 at any width",
]
const screens: TerminalScreen[] = []
afterEach(async () => {
  for (const screen of screens.splice(0)) await screen.stop()
})

/** The command line in a terminal of its own. */
function runIn(root: string, columns: number, ...args: readonly string[]): TerminalScreen {
  const env = { PATH: process.env["PATH"] ?? "", TZ: "UTC" }
  const command = [process.execPath, MAIN, ...args]
  const screen = openTerminal(command, { cwd: root, env, columns, rows: 30 })
  screens.push(screen)
  return screen
}

const withWork = (run: (root: string) => Promise<void>): Promise<void> =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), planOf(...TITLES))
    const works = { "demo-1": aWork({ work_id: "demo-1", active_plan: PLAN }) }
    await openFileBoulderStore({ root }).update(() => ({ ...emptyBoulder(), works }))
    await run(root)
  })

const wordsOf = (screen: TerminalScreen): string =>
  screen
    .rows()
    .filter((row) => row !== "")
    .map((row) => row.trim())
    .join(" ")

test.each([{ columns: 30 }, { columns: 40 }, { columns: 80 }, { columns: 120 }])(
  "at $columns columns an error breaks between its words",
  ({ columns }) =>
    withWork(async (root) => {
      const screen = runIn(root, columns, "stop", "nothing-of-that-name")
      await screen.see(/demo\.md\)\./)
      expect(wordsOf(screen)).toBe(
        `opencode-boulder: Expected a plan called nothing-of-that-name; found none of that name. Name one of: demo (${PLAN}).`,
      )
    }),
)

test.each([
  {
    args: ["stop", "demo"],
    said: "Stopped: demo. A running turn finishes, then nothing more is sent.",
  },
  {
    args: ["resume", "demo"],
    said: "demo is not paused: idle: no opencode is working on it (one that starts here and has its session resumes it after half a minute).",
  },
  {
    args: ["unblock", "todo:2"],
    said: 'Unblocked: todo:2 "Zeige 漢字 at any width". A running opencode',
  },
  { args: ["handoffs"], said: "No task is waiting, and no session holds one." },
  { args: ["state"], said: "No session has a task state yet: the first compaction creates it." },
  { args: ["prune"], said: "No finished work to remove." },
])("at 22 columns what $args.0 says breaks between its words", ({ args, said }) =>
  withWork(async (root) => {
    await writeFile(join(root, PLAN), planOf(...TITLES).replace("[ ] 2.", "[!] 2."))
    const screen = runIn(root, 22, ...args)
    await waitUntil(
      () => wordsOf(screen).includes(said),
      () => wordsOf(screen),
    )
  }),
)

test.each([
  { args: ["status", "--now"], see: "status --help" },
  { args: ["release"], see: "release --help" },
  { args: ["completion", "bsh"], see: "completion --help" },
  { args: ["statsu"], see: "--help" },
])("$args.0: what is wrong with a command is said with its own help", ({ args, see }) =>
  withWork(async (root) => {
    const screen = runIn(root, 120, ...args)
    await screen.see(/^See: /m)
    expect(wordsOf(screen)).toMatch(new RegExp(`main\\.ts ${see}$`))
  }),
)

test("a word longer than the terminal is wide stays whole", () =>
  withWork(async (root) => {
    const screen = runIn(root, 24, "stop", "nothing-of-that-name-is-to-be-found-here")
    await screen.see(/demo\.md\)\./)
    expect(screen.rows().join("")).toContain("nothing-of-that-name-is-to-be-found-here")
  }))

test("status --watch is drawn anew at the width that the terminal has now", () =>
  withWork(async (root) => {
    const screen = runIn(root, 40, "status", "--watch")
    for (const columns of [40, 80, 120, 40]) {
      await screen.resize(columns, 30)
      // The next drawing.
      await Bun.sleep(1_600)
      await screen.see("last change")
      const text = wordsOf(screen)
      expect(text).toContain("0/2 settled")
      expect(text).toContain(
        "No opencode is working on it (one that starts here and has its session resumes it after half a minute). To resume: type /start-work in opencode, or run: ",
      )
      expect(text).toContain(`next: todo:1 ${TITLES[0]}`)
      expect(text.match(/0\/2 settled/g)).toHaveLength(1)
    }
    expect(screen.isRunning()).toBe(true)
    screen.type("\u0003")
    await waitUntil(
      () => !screen.isRunning(),
      () => "Ctrl-C did not end it",
    )
    expect(wordsOf(screen)).toContain("last change")
  }))
