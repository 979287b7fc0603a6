// Commands that our texts advise: a name and arguments, which each reader's place puts as they are typed there.
import { shellWord } from "./shell-word.ts"

/** An argument as it is meant; or words that stand as they are: an option, or what the reader fills in. */
type Argument = string | { readonly as: string }

/** An advised command as it is typed where its reader is. */
export type Typed = (name: string, ...args: readonly Argument[]) => string

/** How commands are typed in a shell in which the command line is called so: one that can be pasted. */
export function inShell(call: string): Typed {
  return (name, ...args) => {
    const words = args.map((arg) => (typeof arg === "string" ? shellWord(arg) : arg.as))
    return [call, name, ...words].join(" ")
  }
}

/** Commands of one work: what names it is their last argument; null where nothing has to. */
export function ofWork(typed: Typed, name: string | null): Typed {
  return name === null ? typed : (command, ...args) => typed(command, ...args, name)
}

/** A text of ours in which the advised `plan <file>` names the file that the text is about. */
export function aboutFile(text: string, file: string): string {
  return text.replaceAll(/(?<=boulder plan )<file>/g, () => shellWord(file))
}
