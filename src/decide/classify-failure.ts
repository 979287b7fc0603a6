// Classifies a provider's refusal by its status, headers and codes, never by what a model writes.
import { type Fields, fieldsOf } from "../boulder/fields-of.ts"
import { msOf } from "../boulder/iso-time.ts"
import { jsonOf } from "../boulder/json-of.ts"
import { cleanLine } from "../plan/model/foreign-text.ts"

/** Why a turn failed. `words` are the provider's or the host's own, one bounded line. Times in ms. */
export type Failure =
  /** No request before `until`; null if the provider names no time. */
  | { readonly kind: "limited"; readonly until: number | null; readonly words: string }
  /** It will fail again until a person acts: the key, the money or the model is missing. */
  | { readonly kind: "refused"; readonly words: string }
  | { readonly kind: "transient"; readonly words: string }

const WORDS_CHARS = 200
/** A longer body is not read: no provider sends such an error. */
const BODY_CHARS = 65_536
/** A shorter wait is no usage limit: the host waits that long by itself, and so does our back-off. */
const SHORT_WAIT_MS = 300_000
/** No time lies further ahead: it must stay a date with a four-digit year. */
const MAX_AHEAD_MS = 100 * 366 * 86_400_000

const LIMITING: ReadonlySet<unknown> = new Set([429, 503, 529])
const REFUSING: ReadonlySet<unknown> = new Set([401, 402, 403, 404])
/** Codes and types in an error's body, in lower case. */
const LIMIT_CODES: ReadonlySet<string> = new Set([
  "usage_limit_reached",
  "usage_limit_exceeded",
  "quota_exceeded",
  "freeusagelimiterror",
  "gousagelimiterror",
  // z.ai
  "1308",
])
const REFUSAL_CODES: ReadonlySet<string> = new Set([
  "insufficient_quota",
  "insufficient_credits",
  "billing_error",
  "billing_not_active",
  "billing_hard_limit_reached",
  "invalid_api_key",
  "authentication_error",
  "permission_error",
  "model_not_found",
  "usage_not_included",
])
/** The host has no key for the provider, or one that the provider rejects. */
const NO_KEY = "ProviderAuthError"
/** What the host says itself if it has sent no request at all; these errors have no name of their own. */
const HOST_REFUSALS = /^(?:ProviderModelNotFoundError|Model not found|Agent not found)\b/

/**
 * Why a turn failed, from the host's error; `at` is when it failed, in ms. Null if it is not a provider's failure: the user's stop, a full
 * context, or no error at all. Never throws.
 */
export function classifyFailure(error: unknown, at: number): Failure | null {
  const { name, data } = fieldsOf(error)
  if (typeof name !== "string" || NO_FAILURE.has(name)) return null
  const { message, statusCode, responseHeaders, responseBody } = fieldsOf(data)
  const said = typeof message === "string" ? message : name
  const words = wordsOf(said)
  const body = bodyOf(responseBody)
  const codes = codesOf(body)
  const isRefused =
    name === NO_KEY ||
    HOST_REFUSALS.test(said) ||
    REFUSING.has(statusCode) ||
    codes.some((code) => REFUSAL_CODES.has(code))
  if (isRefused) return { kind: "refused", words }
  const isUsage = codes.some((code) => LIMIT_CODES.has(code))
  if (!isUsage && !LIMITING.has(statusCode)) return { kind: "transient", words }
  const until = resetIn(body, at) ?? resetAfter(fieldsOf(responseHeaders), at)
  const isLong = until !== null && until - at >= SHORT_WAIT_MS
  return isUsage || isLong ? { kind: "limited", until, words } : { kind: "transient", words }
}

/** Errors that end a turn but are no failure: the user's stop, and a full context, which the host mends itself. */
export const NO_FAILURE: ReadonlySet<string> = new Set([
  "MessageAbortedError",
  "ContextOverflowError",
])

/** The provider's words for a request that is too long for its model; null for any other error. Never throws. */
export function tooLongWords(error: unknown): string | null {
  const { name, data } = fieldsOf(error)
  if (name !== "ContextOverflowError") return null
  const { message } = fieldsOf(data)
  return wordsOf(typeof message === "string" ? message : name)
}

/** One bounded line: after the first line the host puts where the error was raised. */
function wordsOf(said: string): string {
  const [line = ""] = said.slice(0, 4 * WORDS_CHARS).split("\n    at ")
  return cleanLine(line).slice(0, WORDS_CHARS)
}

/** When the limit ends according to the body: a moment, or a number of seconds. */
function resetIn(body: Fields, at: number): number | null {
  for (const { resets_at: moment, resets_in_seconds: wait } of [body, fieldsOf(body["error"])]) {
    const found = ahead(momentOf(moment), at) ?? ahead(afterSeconds(wait, at), at)
    if (found !== null) return found
  }
  return null
}

/** What `retry-after` says: seconds or a date. Headers that only describe a quota tell of no refusal. */
function resetAfter(headers: Fields, at: number): number | null {
  const named = (wanted: string): unknown =>
    Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1]
  const ms = numberOf(named("retry-after-ms"))
  const after = named("retry-after")
  return (
    ahead(ms === null ? null : at + ms, at) ??
    ahead(afterSeconds(after, at), at) ??
    ahead(dateOf(after), at)
  )
}

/** The moment, if it lies ahead and can be written as a date. */
function ahead(moment: number | null, at: number): number | null {
  return moment !== null && moment > at && moment - at <= MAX_AHEAD_MS ? Math.round(moment) : null
}

function afterSeconds(value: unknown, at: number): number | null {
  const seconds = numberOf(value)
  return seconds === null ? null : at + seconds * 1_000
}

/** Seconds since 1970, milliseconds since 1970, or a date. */
function momentOf(value: unknown): number | null {
  const count = numberOf(value)
  if (count === null) return dateOf(value)
  return count < 100_000_000_000 ? count * 1_000 : count
}

/** How a date begins: `2026-11-24`, `Tue, 24 Nov`, `Tuesday, 24-Nov`, `Tue Nov 24`. The engine would make dates of other words, too. */
const DATE = /^\s*(?:\d{4}-\d\d-\d\d|[a-z]{3,9},? (?:\d{1,2}[ -][a-z]{3}|[a-z]{3} {1,2}\d))/i

/** A date in words or digits; a bare number is none. */
function dateOf(value: unknown): number | null {
  if (typeof value !== "string" || value.length > 64 || !DATE.test(value)) return null
  const moment = msOf(value)
  return Number.isFinite(moment) ? moment : null
}

function numberOf(value: unknown): number | null {
  const isText = typeof value === "string" && /^\s*-?\d{1,16}(?:\.\d{1,9})?\s*$/.test(value)
  const found = isText ? Number(value) : value
  return typeof found === "number" && Number.isFinite(found) ? found : null
}

function bodyOf(text: unknown): Fields {
  return typeof text === "string" && text.length <= BODY_CHARS ? fieldsOf(jsonOf(text)) : {}
}

/** The codes that a body names, in whichever of the usual fields. */
function codesOf(body: Fields): readonly string[] {
  const inner = fieldsOf(body["error"])
  return [inner["type"], inner["code"], body["type"], body["code"]].flatMap((code) =>
    typeof code === "string" && code.length <= 64 ? [code.toLowerCase()] : [],
  )
}
