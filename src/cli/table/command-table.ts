// Every command of the command line: the one table from which help, completion and reference are made.
import type { Terminal } from "../terminal/terminal.ts"
import { CARRYING } from "./carrying-commands.ts"
import type { CommandSpec, OptionSpec } from "./command-spec.ts"
import { LOOKING } from "./looking-commands.ts"
import { RECORDS } from "./record-commands.ts"

/** The commands by purpose, in the order of the help. */
export const GROUPS: Readonly<Record<string, Readonly<Record<string, CommandSpec>>>> = {
  "Run a plan": CARRYING,
  "Look at it": LOOKING,
  "Records, and other programs": RECORDS,
}

/** Every command by its name. */
export const COMMANDS = { ...CARRYING, ...LOOKING, ...RECORDS } as const

export type CommandName = keyof typeof COMMANDS

/** The names of all commands, in the order of the help. */
export const COMMAND_NAMES = Object.keys(COMMANDS).filter(isCommandName)

/** Whether there is a command of this name. */
export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name)
}

/** The options that were given, by name. */
export type Values<Options extends Readonly<Record<string, OptionSpec>>> = {
  readonly [Name in keyof Options]:
    | (Options[Name] extends { readonly value: string } ? string : boolean)
    | (Options[Name] extends { readonly default: string } ? never : undefined)
}

interface Given<Name extends CommandName> {
  readonly values: Values<(typeof COMMANDS)[Name]["options"]>
  /** The arguments, by position. */
  readonly names: readonly string[]
}

/** A command: returns its exit code, unless that is 0; `main` puts into words what it throws. */
export type Run<Name extends CommandName> = (
  given: Given<Name>,
  terminal: Terminal,
) => Promise<number | undefined>
