// What the shell itself may fail at in a command, whatever the command does.
import type { Redirection, ShellCommand } from "./read-shell.ts"
import { unquoted } from "./shell-tokens.ts"

/** Writing to this folder or to the temporary one can hardly fail; any other folder may be missing. */
const HERE = /^(?:(?:\.|\/tmp|\$TMPDIR|\$\{TMPDIR\})\/)?[^/$`]+$/
const DEVICE = /^(?:\/dev\/\w+|\d|-)$/

/** Whether a command opens a file that may not exist, apart from what the check itself requires. */
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

/** Always has a value: the shell's own variables, and the output of a command. */
const VALUED = /\\.|\$(?:[?#@*$!0'"-]|\{PIPESTATUS\[[\d@*]\]\}|\((?!\())/g
const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g

/** Whether a word may have no value: one that counts or demands, and, under `set -u`, one with any variable but the `saved` one. */
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
