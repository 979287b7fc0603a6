import { describe, expect, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises"
import { delimiter, dirname, join } from "node:path"
import { putWork } from "../../src/boulder/change-work.ts"
import { runCli } from "../../src/cli/run-cli.ts"
import type { CommandSpec } from "../../src/cli/table/command-spec.ts"
import { COMMAND_NAMES, COMMANDS } from "../../src/cli/table/command-table.ts"
import { completionScript } from "../../src/cli/table/completion-script.ts"
import { helpText } from "../../src/cli/table/help-text.ts"
import { UsageError } from "../../src/cli/terminal/cli-error.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aWork } from "../support/builders.ts"
import { aTerminal, runInFolder } from "../support/cli-in-process.ts"
import { overlong } from "../support/overlong.ts"
import { withFolder } from "../support/store-folder.ts"
import { openTerminal } from "../support/terminal-screen.ts"

const SOURCES = join(import.meta.dir, "../../src")

describe("help", () => {
  test("of stop, with each command that resumes what it has stopped", async () => {
    const terminal = aTerminal({ columns: () => 80 })
    expect(await runCli(["stop", "--help"], terminal)).toBe(0)
    expect(await runCli(["stop", "-hh"], terminal)).toBe(0)
    expect(terminal.said.out.replaceAll(/\s+/g, " ")).toContain(
      "Only resume, run, or /start-work in opencode resumes it.",
    )
  })

  test.each([40, 80, 120])("no line is longer than %d columns", async (columns) => {
    for (const args of [["--help"], ...COMMAND_NAMES.map((name) => [name, "--help"])]) {
      const terminal = aTerminal({ columns: () => columns })
      expect(await runCli(args, terminal)).toBe(0)
      expect(overlong(terminal.said.out, columns)).toEqual([])
    }
  })

  test("names this installation as it is called", () => {
    const text = helpText("approve", COMMANDS.approve, {
      call: "npx opencode-boulder",
      columns: 80,
    })
    expect(text).toContain("Usage: npx opencode-boulder approve [task] [plan]\n")
    expect(text).toContain("  npx opencode-boulder approve auth-rewrite\n")
    expect(text).not.toMatch(/(?<!npx )opencode-boulder/)
  })

  test("every example of every command fits what that command takes", async () => {
    for (const name of COMMAND_NAMES) {
      const spec: CommandSpec = COMMANDS[name]
      for (const example of spec.examples) {
        if (example.startsWith("{")) continue
        expect(example.split(" ")[0]).toBe(name)
        const options = [...example.matchAll(/ --([\w-]+)/g)].map(([, option]) => option ?? "")
        expect(Object.keys(spec.options)).toEqual(expect.arrayContaining(options))
      }
    }
  })
})

describe("a name that was not understood", () => {
  test.each([
    { args: ["staus"], says: "Did you mean status?" },
    { args: ["aprove"], says: "Did you mean approve?" },
    { args: ["start"], says: "Did you mean run?" },
    { args: ["start-work"], says: "Did you mean run?" },
    { args: ["/stop-work", "auth"], says: "Did you mean stop?" },
    { args: ["/boulder-unblock"], says: "Did you mean unblock?" },
    { args: ["help", "hand"], says: "Did you mean handoffs?" },
    { args: ["status", "--wach"], says: "found --wach. Did you mean --watch?" },
    { args: ["status", "-x"], says: "found -x." },
    { args: ["completion", "bsh"], says: "Did you mean bash?" },
  ])("$args", async ({ args, says }) => {
    await expect(runCli(args, aTerminal())).rejects.toThrow(says)
  })

  test.each([{ args: ["xyzzy"] }, { args: ["status", "--nothing-like-it"] }])(
    "$args: nothing is near, nothing is guessed",
    async ({ args }) => {
      await expect(runCli(args, aTerminal())).rejects.not.toThrow("Did you mean")
    },
  )

  test("the name of a plan", () =>
    withTwoPlans(async (root) => {
      await expect(runInFolder(root, "stop auht")).rejects.toThrow("Did you mean auth?")
    }))
})

const BLOCKED = "- [!] 1. One\n  BLOCKED: no key\n- [ ] 2. Two\n"
const FREE = "- [ ] 1. One\n- [ ] 2. Two\n"

async function withTwoPlans(
  run: (root: string) => Promise<void>,
  { auth = FREE, audit = FREE }: { auth?: string; audit?: string } = {},
): Promise<void> {
  await withFolder(async (root) => {
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    for (const [name, rows] of Object.entries({ auth, audit })) {
      const path = `.boulder/plans/${name}.md`
      await writeFile(join(root, path), `## TODOs\n\n${rows}`)
      const work = aWork({ work_id: name, plan_name: name, active_plan: path })
      await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, work))
    }
    await run(root)
  })
}

test.each([
  { line: "", says: "found an empty name." },
  { line: "run --timeout", says: "Expected TIME after --timeout; found none." },
  { line: "why -n", says: "Expected N after --number; found none." },
  {
    line: "plan demo.md --add-boxes",
    says: "Without this option, the lines to choose from are shown.",
  },
  { line: "why -n -3", says: "Expected N after --number; found none." },
  { line: "status --watch=yes", says: "Expected --watch without a value; found one." },
  { line: "run --attach foo", says: "4096; found another text, which is not shown: it may hold" },
  {
    line: "answer --attach foo",
    says: "4096; found another text, which is not shown: it may hold",
  },
  {
    line: "plan a --add-boxes 7 --add-boxes 9",
    says: "Expected --add-boxes once; found it 2 times.",
  },
  { line: "why -n 3 --number=4 -n 5", says: "Expected --number once; found it 3 times." },
  { line: "doctor now", says: "Expected no argument; found now." },
  { line: "status a b", says: "found another: b. Quote what has spaces." },
  { line: "completion", says: "Expected <shell>; found nothing. A shell: bash, zsh or fish." },
])("$line: what was expected, and what was found", async ({ line, says }) => {
  const said = await runCli(line.split(" "), aTerminal()).catch((error: unknown) => error)
  expect(said).toBeInstanceOf(UsageError)
  expect(String(said)).toContain(says)
  // Each thing once: how names are written, where there are some; and what only the script passes, to nobody.
  if (line === "doctor now") expect(String(said)).not.toContain("Quote")
  if (line === "completion") expect(String(said)).not.toContain("script itself")
})

test("approve where nothing waits asks for no name", () =>
  withTwoPlans(async (root) => {
    await expect(runInFolder(root, "approve")).rejects.toThrow(
      "Expected a final wave that is waiting for approval; found none. See: opencode-boulder status",
    )
  }))

test("an idle work that has to be named is named for both who start it in opencode and in a shell", () =>
  withTwoPlans(async (root) => {
    const { out } = await runInFolder(root, "status", { columns: 200 })
    expect(out).toContain("type /start-work auth in opencode, or run: opencode-boulder run auth\n")
  }))

test("status has the details of a work that is named, and of several the state alone", () =>
  withTwoPlans(async (root) => {
    expect((await runInFolder(root, "status")).out).not.toContain("session:")
    expect((await runInFolder(root, "status auth")).out).toContain(
      "\n\n  plan: .boulder/plans/auth.md\n",
    )
  }))

test("a plan that is not there, outside the project, is named by its whole path", () =>
  withTwoPlans(async (root) => {
    await expect(runInFolder(root, "plan /none/x.md")).rejects.toThrow(
      "a plan at /none/x.md; no file",
    )
    await expect(runInFolder(root, "plan none/x.md")).rejects.toThrow(
      "a plan at none/x.md; no file",
    )
  }))

test("plan shows where the plan of a name is as one would type it", () =>
  withTwoPlans(async (root) => {
    expect((await runInFolder(root, "plan auth")).out).toStartWith(".boulder/plans/auth.md: omo")
  }))

describe("unblock without a name", () => {
  test("takes the only blocked task, of whichever open work it is", () =>
    withTwoPlans(
      async (root) => {
        expect((await runInFolder(root, "unblock")).out).toContain('Unblocked: todo:1 "One"')
        const text = await readFile(join(root, ".boulder/plans/audit.md"), "utf8")
        expect(text).toContain("- [ ] 1. One")
      },
      { audit: BLOCKED },
    ))

  test("takes the only one of that name", () =>
    withTwoPlans(
      async (root) => {
        expect((await runInFolder(root, "unblock 1")).out).toContain("Unblocked: todo:1")
      },
      { auth: BLOCKED },
    ))

  test("guesses nothing where two are blocked", () =>
    withTwoPlans(
      async (root) => {
        await expect(runInFolder(root, "unblock")).rejects.toThrow(
          "Expected one blocked task of auth, audit; found 2. Blocked tasks: todo:1 auth, todo:1 audit.",
        )
        expect((await runInFolder(root, "unblock 1 audit")).out).toContain("Unblocked: todo:1")
      },
      { auth: BLOCKED, audit: BLOCKED },
    ))

  test("says where none is blocked", () =>
    withTwoPlans(async (root) => {
      await expect(runInFolder(root, "unblock")).rejects.toThrow("found none. Blocked tasks: none.")
    }))
})

describe("--json", () => {
  test.each(["status", "why", "works", "handoffs", "state", "plan auth", "works auth"])(
    "%s: a version, and the fields that the help tells of",
    (line) =>
      withTwoPlans(async (root) => {
        const shape = JSON.parse((await runInFolder(root, `${line} --json`)).out)
        const [name = ""] = line.split(" ")
        const specs: Readonly<Record<string, CommandSpec>> = COMMANDS
        const { version, ...fields } = shape
        expect(version).toBe(1)
        expect(Object.keys(specs[name]?.json ?? {})).toEqual(
          expect.arrayContaining(Object.keys(fields)),
        )
      }),
  )
})

/** The command line as a program on the path. */
async function withProgram(root: string): Promise<Record<string, string>> {
  const bin = join(root, "bin")
  await mkdir(bin)
  const main = join(SOURCES, "cli", "main.ts")
  const program = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`
  await writeFile(join(bin, "opencode-boulder"), program)
  await chmod(join(bin, "opencode-boulder"), 0o755)
  return { HOME: root, TZ: "UTC", PATH: `${bin}${delimiter}${process.env["PATH"]}` }
}

/** How each shell is started bare, and what it is told before it completes. */
const BARE = {
  bash: { args: ["--norc", "-i"], first: "" },
  zsh: { args: ["-f", "-i"], first: "autoload -U compinit; compinit -u -D; " },
} as const

/** The screen of a shell that completes, once this was typed behind the command's name. */
async function withTyped(
  root: string,
  shell: keyof typeof BARE,
  words: string,
  look: (screen: Awaited<ReturnType<typeof openTerminal>>) => Promise<unknown>,
): Promise<void> {
  const env = await withProgram(root)
  const { args, first } = BARE[shell]
  await writeFile(join(root, "complete"), completionScript(shell, "opencode-boulder"))
  const screen = openTerminal([shell, ...args], { cwd: root, env, columns: 100, rows: 40 })
  try {
    screen.type(`${first}. ./complete; PS1='ready>'\r`)
    await screen.see(/^ready>/m)
    screen.type(`opencode-boulder ${words}`)
    await look(screen)
  } finally {
    await screen.stop()
  }
}

/** Debian's packages of the same names. */
const isThere = (shell: string) => Bun.which(shell) !== null
const named = (shell: string) => (isThere(shell) ? shell : `${shell} (SKIPPED: not installed)`)

describe("completion", () => {
  test.skipIf(!isThere("zsh")).each([
    { words: "stat\t", shows: /status +-- / },
    { words: "sta\t\t", shows: /status +-- / },
    { words: "status --w\t", shows: /opencode-boulder status --watch/ },
    { words: "stop aut\t", shows: /opencode-boulder stop auth/ },
    { words: "help ru\t", shows: /opencode-boulder help run/ },
    { words: "why -n 5 aut\t", shows: /opencode-boulder why -n 5 auth/ },
  ])(`in ${named("zsh")}: $words`, ({ words, shows }) =>
    withTwoPlans(async (root) => {
      await withTyped(root, "zsh", words, (screen) => screen.see(shows))
    }),
  )

  test.skipIf(!isThere("fish")).each([
    { words: "sta", gives: ["state", "status"] },
    { words: "status --w", gives: ["--watch"] },
    { words: "stop a", gives: ["audit", "auth"] },
    { words: "completion b", gives: ["bash"] },
    { words: "help ru", gives: ["run"] },
  ])(`in ${named("fish")}: $words`, ({ words, gives }) =>
    withTwoPlans(async (root) => {
      const env = await withProgram(root)
      await writeFile(join(root, "complete.fish"), completionScript("fish", "opencode-boulder"))
      const script = `source complete.fish; complete -C 'opencode-boulder ${words}'`
      const out = execFileSync("fish", ["--no-config", "-c", script], {
        cwd: root,
        env,
        encoding: "utf8",
      })
      const found = out.split("\n").filter(Boolean)
      expect(found.map((line) => line.split("\t")[0] ?? "").sort()).toEqual([...gives])
    }),
  )

  test.each([
    { words: "sta", gives: ["status", "state"] },
    { words: "status --w", gives: ["--watch"] },
    { words: "stop a", gives: ["auth", "audit"] },
    { words: "stop au ", gives: [] },
    { words: "unblock --h", gives: ["--help"] },
    { words: "help ru", gives: ["run"] },
    { words: "completion b", gives: ["bash"] },
    { words: "why -n 5 a", gives: ["auth", "audit"] },
    { words: "why --number 5 a", gives: ["auth", "audit"] },
    { words: "why --number=5 a", gives: ["auth", "audit"] },
    { words: "why -n a", gives: [] },
    { words: "cost --json a", gives: ["auth", "audit"] },
  ])("in bash: $words", ({ words, gives }) =>
    withTwoPlans(async (root) => {
      const env = await withProgram(root)
      const typed = ["opencode-boulder", ...words.split(" ")]
      const script = `${completionScript("bash", "opencode-boulder")}
COMP_WORDS=(${typed.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${typed.length - 1}
_opencode_boulder; printf '%s\\n' "\${COMPREPLY[@]}"`
      const out = execFileSync("bash", ["-c", script], { cwd: root, env, encoding: "utf8" })
      expect(out.split("\n").filter(Boolean).sort()).toEqual([...gives].sort())
    }),
  )

  test.each([
    { words: "unblock todo:\t\t", shows: /todo:1.*todo:2|^1 +2/m },
    { words: "unblock todo:1\taut\t", shows: /unblock todo:1 auth/ },
  ])("a key in bash, where a colon parts words: $words", ({ words, shows }) =>
    withTwoPlans(
      async (root) => {
        await withTyped(root, "bash", words, (screen) => screen.see(shows))
      },
      { auth: BLOCKED.replace("- [ ] 2. Two", "- [!] 2. Two\n  BLOCKED: no key") },
    ),
  )

  test("a script says which name it completes, and how another call gets it", () => {
    for (const shell of ["bash", "zsh", "fish"] as const) {
      expect(completionScript(shell, "opencode-boulder")).toContain(
        "# It completes the name opencode-boulder.\n",
      )
      const called = completionScript(shell, "npx opencode-boulder")
      expect(called).toContain("# It completes the name opencode-boulder. Give your installation")
      expect(called).toMatch(/^# {3}.*npx opencode-boulder/m)
      expect(called).toStartWith(
        shell === "zsh" ? "#compdef opencode-boulder\n" : "# opencode-boulder",
      )
    }
  })

  test("every script knows every command and option", () => {
    for (const shell of ["bash", "zsh", "fish"] as const)
      for (const name of COMMAND_NAMES) {
        const script = completionScript(shell, "opencode-boulder")
        expect(script).toContain(name)
        for (const option of Object.keys(COMMANDS[name].options)) expect(script).toContain(option)
      }
  })
})

test("a help loads the table and no command: nothing of ours that reads files, and no zod", async () => {
  const loaded = await loadedBy(join(SOURCES, "cli/main.ts"))
  expect(
    [...loaded].filter((name) =>
      /zod|\/store\/|\/headless\/|\/commands\/.*-commands?\.ts/.test(name),
    ),
  ).toEqual([])
})

/** What is loaded with a file: all that it and its imports import at once, types aside. */
async function loadedBy(file: string, known = new Set<string>()): Promise<ReadonlySet<string>> {
  if (known.has(file)) return known
  known.add(file)
  if (!file.startsWith("/")) return known
  const text = await readFile(file, "utf8")
  for (const [, from = ""] of text.matchAll(/^(?:import|export) (?!type )[^"]*?from "([^"]+)"/gm))
    await loadedBy(from.startsWith(".") ? join(dirname(file), from) : from, known)
  return known
}
