import { runCli } from "../../src/cli/run-cli.ts"
import { paintOf, type Terminal } from "../../src/cli/terminal/terminal.ts"
import { inShell } from "../../src/prompts/typed-command.ts"
import { NOW } from "./builders.ts"
import { BY_NAME } from "./by-name.ts"

/** A terminal at `NOW` that nobody watches, and what was written to it. */
export function aTerminal(
  given: Partial<Terminal> = {},
): Terminal & { readonly said: { out: string; err: string } } {
  const said = { out: "", err: "" }
  return {
    said,
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
    isInteractive: false,
    paint: paintOf(false),
    columns: () => 80,
    rows: () => 24,
    cwd: "/nowhere",
    call: "opencode-boulder",
    typed: inShell(given.call ?? "opencode-boulder"),
    env: {},
    now: () => NOW,
    signal: new AbortController().signal,
    ...given,
  }
}

/** Where a view is shown: without colours, at `NOW`, this many columns wide. */
export function shownOn(columns = 80) {
  return { now: NOW, columns, call: "opencode-boulder", typed: BY_NAME, paint: paintOf(false) }
}

/** Runs a command line, its words separated by one space, in a folder at `NOW`. Gives what it printed. */
export async function runInFolder(
  cwd: string,
  line: string,
  { columns = 80, ...given }: Partial<Omit<Terminal, "columns">> & { columns?: number } = {},
): Promise<{ out: string; err: string }> {
  const terminal = aTerminal({ cwd, columns: () => columns, ...given })
  await runCli(line.split(" "), terminal)
  return terminal.said
}
