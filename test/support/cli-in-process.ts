import { runCli } from "../../src/cli/run-cli.ts"
import { NOW } from "./builders.ts"

/** Runs a command line, its words apart by one space, in a folder at `NOW`; gives what it has printed. */
export async function runInFolder(
  cwd: string,
  line: string,
  { columns = 80 }: { readonly columns?: number } = {},
): Promise<{ out: string; err: string }> {
  const said = { out: "", err: "" }
  await runCli(line.split(" "), {
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
    isInteractive: false,
    columns: () => columns,
    cwd,
    env: {},
    now: () => NOW,
    signal: new AbortController().signal,
  })
  return said
}
