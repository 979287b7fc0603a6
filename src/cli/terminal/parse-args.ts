// Parses the options and arguments of a command.
import { parseArgs } from "node:util"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import type { CommandSpec } from "../table/command-spec.ts"
import type { Values } from "../table/command-table.ts"
import { didYouMean } from "../table/nearest-name.ts"
import { UsageError } from "./cli-error.ts"

/** What was given to a command, parsed by its row of the table. Throws a `UsageError`. */
export function parseCommand<Options extends CommandSpec["options"]>(
  args: readonly string[],
  spec: Pick<CommandSpec, "arguments"> & { readonly options: Options },
): { values: Values<Options>; names: readonly string[] } {
  const { options } = spec
  const parsed = inWords(options, () =>
    parseArgs({ args: [...args], options: typed(options), allowPositionals: true, tokens: true }),
  )
  const valued = parsed.tokens.flatMap((each) =>
    each.kind === "option" && each.value !== undefined ? [each.name] : [],
  )
  const twice = valued.find((name, index) => valued.indexOf(name) < index)
  if (twice !== undefined) {
    const times = valued.filter((name) => name === twice).length
    throw new UsageError(`Expected --${twice} once; found it ${times} times.`)
  }
  const names = parsed.positionals
  const places = spec.arguments
  const tooMany = names[places.length]
  if (tooMany !== undefined) throw new UsageError(tooManyText(places.length, tooMany))
  const missing = places[names.length]
  if (missing?.isRequired === true)
    throw new UsageError(`Expected <${missing.name}>; found nothing. ${missing.about}`)
  return { values: parsed.values as Values<Options>, names }
}

/** The options as Node takes them: with a `type`. */
function typed(options: CommandSpec["options"]) {
  const all = Object.entries(options).map(([name, option]) => {
    const type = option.value === undefined ? "boolean" : "string"
    return [name, { ...option, type }] as const
  })
  return Object.fromEntries(all)
}

function tooManyText(most: number, found: string): string {
  const expected =
    most === 0
      ? "no argument; found"
      : `at most ${most} argument${most === 1 ? "" : "s"}; found another:`
  const todo = most === 0 ? "" : " Quote what has spaces."
  return `Expected ${expected} ${cleanLine(found).slice(0, 80)}.${todo}`
}

/** A whole number of at least 1. */
export function positiveNumber(text: string, option: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0 && number <= 100_000) return number
  throw new UsageError(`Expected ${option} to be a whole number from 1 to 100000; found ${text}.`)
}

const HOUR_MS = 3_600_000
const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: HOUR_MS }

/** A span of time such as `90s`, `30m` or `2h`, in ms; a bare number is minutes. */
export function duration(text: string, option: string): number {
  const [, amount = "", unit = ""] = /^(\d{1,6}(?:\.\d{1,3})?)([smh]?)$/.exec(text) ?? []
  const ms = Number(amount) * (UNITS_MS[unit || "m"] ?? 0)
  if (amount !== "" && ms > 0) return ms
  throw new UsageError(`Expected ${option} to be a time such as 90s, 30m or 2h; found ${text}.`)
}

/** An age such as `30d` or `12h`, in ms; a bare number is days. */
export function age(text: string, option: string): number {
  const [, amount, unit = ""] = /^(\d{1,6})([hd]?)$/.exec(text) ?? []
  if (amount !== undefined) return Number(amount) * (unit === "h" ? HOUR_MS : 24 * HOUR_MS)
  throw new UsageError(`Expected ${option} to be an age such as 30d or 12h; found ${text}.`)
}

function inWords<Result>(options: CommandSpec["options"], parse: () => Result): Result {
  try {
    return parse()
  } catch (error) {
    const isOfArgs =
      error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")
    if (!isOfArgs) throw error
    throw new UsageError(
      error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION"
        ? unknownText(error.message, Object.keys(options))
        : valueText(error.message, options),
    )
  }
}

function unknownText(message: string, names: readonly string[]): string {
  const [, typed = "", name = ""] = /'(--?([\w-]+))/.exec(message) ?? []
  const known = ["help", ...names].map((name) => `--${name}`).join(", ")
  const meant = didYouMean(name, names).replace("mean ", "mean --")
  return `Expected one of its options (${known}); found ${typed}.${meant}`
}

/** An option without its value, or with one that it does not take: `'-n, --number <value>' argument missing`. */
function valueText(message: string, options: CommandSpec["options"]): string {
  const [, short, long] = /'(?:-(\w))?(?:, )?(?:--([\w-]+))?/.exec(message) ?? []
  const [name, spec] =
    Object.entries(options).find(([name, one]) =>
      long === undefined ? one.short === short : name === long,
    ) ?? []
  if (name === undefined) return cleanLine(message)
  return spec?.value === undefined
    ? `Expected --${name} without a value; found one.`
    : `Expected ${spec.value} after --${name}; found none. ${spec.about}`
}
