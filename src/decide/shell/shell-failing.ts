// What of a command the shell itself may fail at, whatever the command does.
import type { Redirection, ShellCommand } from "./read-shell.ts"
import { unquoted } from "./shell-tokens.ts"

/** What is written in this folder or in that of the moment can hardly fail; any other folder may be missing. */
const HERE = /^(?:(?:\.|\/tmp|\$TMPDIR|\$\{TMPDIR\})\/)?[^/$`]+$/
const DEVICE = /^(?:\/dev\/\w+|\d|-)$/

/** Whether a command opens a file that may not be there to be opened; not what the check itself asks for. */
export function mayMissFile(
  { words, redirections }: ShellCommand,
  asked: readonly Redirection[],
): boolean {
  const isAsked = (own: Redirection): boolean =>
    asked.some(({ sign, target }) => sign === own.sign && target === own.target)
  const own = redirections.filter((one) => !one.sign.includes("<<") && !isAsked(one))
  const written = words[0] === "tee" ? words.slice(1) : []
  return [...own, ...written.map((target) => ({ sign: ">", target }))].some(
    ({ sign, target }) =>
      !DEVICE.test(target) && !(sign.includes(">") && HERE.test(unquoted(target))),
  )
}

/** What always has a value: of the shell's own, and of a command to be run. */
const VALUED = /\\.|\$(?:[?#@*$!0'"-]|\{PIPESTATUS\[[\d@*]\]\}|\((?!\())/g
const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g

/** Whether a word may have no value: one that counts or demands, and under `set -u` one with a variable but the one that is `saved`. */
export function mayMissValue(
  { words }: ShellCommand,
  { nounset, saved }: { readonly nounset: boolean; readonly saved: string | undefined },
): boolean {
  return words.some((word) => {
    if (word.startsWith("'")) return false
    const left = word
      .replace(VALUED, "")
      .replace(VARIABLE, (text, plain, braced) =>
        !nounset || saved === (plain ?? braced) ? "" : text,
      )
    return left.includes("$")
  })
}
