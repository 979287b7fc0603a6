// Runs a command of the command line inside the terminal interface.
import process from "node:process"
import { asCalled } from "../cli/terminal/as-called.ts"
import { installedCall } from "../cli/terminal/installed-call.ts"
import { cleanText } from "../plan/model/foreign-text.ts"

/** What a command has said; `isDone` is false where it has refused. */
export interface Said {
  readonly isDone: boolean
  readonly text: string
}

/** Runs one command line in `cwd`, as a shell would, with its output as a text. Never throws. */
export async function runCommandLine(
  args: readonly string[],
  { cwd, columns }: { readonly cwd: string; readonly columns: number },
): Promise<Said> {
  let text = ""
  const take = (more: string): void => {
    text += more
  }
  try {
    // What a command needs is loaded with the first one: the interface starts without it.
    const { runCli } = await import("../cli/run-cli.ts")
    const code = await runCli(args, {
      out: take,
      err: take,
      isInteractive: false,
      paint: { good: plain, warn: plain, bad: plain, dim: plain, strong: plain },
      columns: () => columns,
      rows: () => 1_000,
      cwd,
      call: CALL,
      env: { ...process.env, NO_COLOR: "1" },
      now: Date.now,
      signal: new AbortController().signal,
    })
    return { isDone: code === 0, text: asTyped(text.trimEnd(), cwd) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { isDone: false, text: asTyped(asCalled(cleanText(message), CALL), cwd) }
  }
}

const plain = (text: string): string => text

/** What stands for the command line in the texts of its commands, until they are put as they are typed here. */
const CALL = "/boulder"
/** What is typed here for a command of the command line. */
const TYPED: Readonly<Record<string, string>> = {
  run: "/boulder-start",
  ...Object.fromEntries(
    ["status", "why", "works", "cost", "stop", "resume", "approve", "unblock", "answer"].map(
      (name) => [name, `/boulder-${name}`],
    ),
  ),
}

/** A text in which every advised command is one that its reader can run: here, or else in a shell. */
function asTyped(text: string, cwd: string): string {
  return text.replaceAll(/(?<![\w/])\/boulder ([a-z]+)/g, (_, name: string) =>
    Object.hasOwn(TYPED, name) ? (TYPED[name] ?? "") : `${installedCall(cwd)} ${name}`,
  )
}
