// Writes the help from the table of commands.
import { SLASH } from "../../prompts/typed-command.ts"
import { hangingLines, wrapLine } from "../views/columns.ts"
import type { ArgumentSpec, CommandSpec, OptionSpec } from "./command-spec.ts"
import { GROUPS } from "./command-table.ts"

const HELP: OptionSpec = { short: "h", about: "Show this help." }
/** With fewer columns than this an explanation goes below its name instead of beside it. */
const NARROW = 60
const MAX_NAME = 26

interface HelpFor {
  readonly call: string
  readonly columns: number
}

/** The overview of the command line. */
export function overviewText({ call, columns }: HelpFor): string {
  const groups = Object.entries(GROUPS).flatMap(([title, commands]) =>
    part(
      title,
      Object.entries(commands).map(([name, { summary }]) => [name, summary]),
      columns,
    ),
  )
  const lines = [
    ...wrapLine(`Usage: ${call} <command> [options]`, columns),
    "",
    ...wrapLine(
      `Carries a long markdown plan to its end in opencode. The plugin does it inside opencode (/${SLASH.start}, /${SLASH.stop}, /${SLASH.status}); this command line looks at the same files, or runs a plan without the interface. A plan that was started is called a work.`,
      columns,
    ),
    ...groups,
    ...part(
      "Options",
      [
        ["--help, -h", "Show this help, or that of a command."],
        ["--version, -v", "Show the version."],
      ],
      columns,
    ),
    ...part(
      "Exit codes",
      [
        ["0", "done"],
        ["1", "refused, invalid or failed"],
        ["2", "usage"],
        ["3", "run: you are needed"],
      ],
      columns,
    ),
    "",
    "Examples:",
    ...hangingLines("  ", `${call} run auth-rewrite`, columns),
    ...hangingLines("  ", `${call} run --help`, columns),
  ]
  return `${lines.join("\n")}\n`
}

/** What `--help` prints about one command. */
export function helpText(name: string, spec: CommandSpec, { call, columns }: HelpFor): string {
  const lines = [
    ...hangingLines(`Usage: ${call} ${name} `, usageWords(spec), columns),
    ...spec.about.flatMap((paragraph) => ["", ...wrapLine(paragraph, columns)]),
    ...part(
      "Arguments",
      spec.arguments.map((one) => [argumentWord(one), one.about]),
      columns,
    ),
    ...part("Options", optionRows(spec), columns),
    ...part("Environment", Object.entries(spec.environment ?? {}), columns),
    ...part("Exit codes", exitRows(spec), columns),
    "",
    spec.examples.length === 1 ? "Example:" : "Examples:",
    ...spec.examples.flatMap((example) => hangingLines("  ", asTyped(example, call), columns)),
  ]
  return `${lines.join("\n")}\n`
}

/** The options of a command and what they are for, `--help` last. */
export function optionRows({ options }: CommandSpec): readonly (readonly [string, string])[] {
  return Object.entries({ ...options, help: HELP }).map(([name, option]) => [
    optionWord(name, option),
    option.about,
  ])
}

/** The exit codes of a command, ascending. */
export function exitRows({ exits }: CommandSpec): readonly (readonly [string, string])[] {
  return Object.entries({ ...exits, 2: "usage" })
}

/** What follows a command's name in its usage. */
export function usageWords({ arguments: args, options }: CommandSpec): string {
  const words = [
    ...args.map(argumentWord),
    ...Object.entries(options).map(([name, { value }]) =>
      value === undefined ? `[--${name}]` : `[--${name} ${value}]`,
    ),
  ]
  return words.join(" ")
}

/** An argument as the help names it: `<file>`, or `[plan]` if it may be left out. */
export function argumentWord({ name, isRequired }: ArgumentSpec): string {
  return isRequired === true ? `<${name}>` : `[${name}]`
}

/** An example as typed here; one that is no command line stays as it is. */
export function asTyped(example: string, call: string): string {
  return example.startsWith("{") ? example : `${call} ${example}`
}

function optionWord(name: string, { short, value }: OptionSpec): string {
  const long = short === undefined ? `--${name}` : `--${name}, -${short}`
  return value === undefined ? long : `${long} ${value}`
}

function part(
  title: string,
  rows: readonly (readonly [name: string, about: string])[],
  columns: number,
): readonly string[] {
  if (rows.length === 0) return []
  const widest = Math.max(...rows.map(([name]) => (name.length > MAX_NAME ? 0 : name.length)))
  const lines = rows.flatMap(([name, about]) =>
    columns < NARROW || name.length > MAX_NAME
      ? [...hangingLines("  ", name, columns), ...hangingLines(" ".repeat(6), about, columns)]
      : hangingLines(`  ${name.padEnd(widest)}  `, about, columns),
  )
  return ["", `${title}:`, ...lines]
}
