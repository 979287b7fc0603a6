// Options and arguments of a command.
import { type ParseArgsConfig, parseArgs } from "node:util"
import { UsageError } from "./cli-error.ts"

type Options = NonNullable<ParseArgsConfig["options"]>

/** The options and the positional arguments of a command, at most `maxArguments`. Throws a `UsageError`. */
export function parseCommand<Given extends Options>(
  args: readonly string[],
  options: Given,
  maxArguments: number,
) {
  const parsed = inWords(() =>
    parseArgs({ args: [...args], options, allowPositionals: true, strict: true }),
  )
  const { values, positionals } = parsed
  const tooMany = positionals[maxArguments]
  if (tooMany !== undefined)
    throw new UsageError(
      `Expected at most ${maxArguments} argument${maxArguments === 1 ? "" : "s"}; found another: ${tooMany}. Quote a name that has spaces.`,
    )
  return { values, positionals }
}

/** A whole number from 1 on. */
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

function inWords<Result>(parse: () => Result): Result {
  try {
    return parse()
  } catch (error) {
    if (
      error instanceof Error &&
      "code" in error &&
      String(error.code).startsWith("ERR_PARSE_ARGS")
    )
      throw new UsageError(error.message)
    throw error
  }
}
