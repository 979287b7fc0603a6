import { describe, expect, test } from "bun:test"
import { NOW } from "../../test/support/builders.ts"
import { classifyFailure } from "./classify-failure.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SECONDS = Math.round((NOW + HOUR) / 1_000)

interface Told {
  readonly status?: number
  readonly headers?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly message?: string
}

/** An error as opencode 1.18.33 tells it of a provider's answer. */
function apiError({ status, headers = {}, body, message = "no" }: Told): unknown {
  const responseBody = typeof body === "string" ? body : JSON.stringify(body ?? {})
  const data = { message, statusCode: status, isRetryable: true, responseHeaders: headers }
  return { name: "APIError", data: { ...data, responseBody } }
}
/** `Sunday, 06-Nov-94 08:49:37 GMT` */
const oldHttpDate = (ms: number): string =>
  new Date(ms).toUTCString().replace(/ (\d\d) (\w{3}) (\d{4})/, " $1-$2-$3")
const usage = (fields: object) => ({
  status: 429,
  body: { error: { type: "usage_limit_reached", ...fields } },
})

describe("limited until a time", () => {
  const cases: readonly (Told & { name: string; until: number })[] = [
    {
      name: "retry-after in seconds",
      status: 429,
      headers: { "retry-after": "3600" },
      until: HOUR,
    },
    { name: "any case", status: 429, headers: { "Retry-After": "3600" }, until: HOUR },
    { name: "a number", status: 429, headers: { "retry-after": 3_600 }, until: HOUR },
    {
      name: "retry-after as a date",
      status: 429,
      headers: { "retry-after": new Date(NOW + HOUR).toUTCString() },
      until: HOUR,
    },
    { name: "in ms", status: 529, headers: { "retry-after-ms": "3600000" }, until: HOUR },
    {
      name: "retry-after 10 years ahead",
      status: 429,
      headers: { "retry-after": "315360000" },
      until: 3_650 * DAY,
    },
    { name: "503", status: 503, headers: { "retry-after": "900" }, until: HOUR / 4 },
    { name: "resets_at in seconds", ...usage({ resets_at: SECONDS }), until: HOUR },
    { name: "resets_at in ms", ...usage({ resets_at: NOW + HOUR }), until: HOUR },
    { name: "resets_at, seconds as text", ...usage({ resets_at: `${SECONDS}` }), until: HOUR },
    {
      name: "resets_at as a date",
      ...usage({ resets_at: new Date(NOW + HOUR).toISOString() }),
      until: HOUR,
    },
    { name: "resets_in_seconds", ...usage({ resets_in_seconds: 3_600 }), until: HOUR },
    {
      name: "retry-after as an old date of HTTP's",
      status: 429,
      headers: { "retry-after": oldHttpDate(NOW + HOUR) },
      until: HOUR,
    },
    {
      name: "resets_at in the past, resets_in_seconds ahead",
      ...usage({ resets_at: 12, resets_in_seconds: 3_600 }),
      until: HOUR,
    },
    {
      name: "a usage limit that is over in a minute",
      ...usage({ resets_in_seconds: 60 }),
      until: 60_000,
    },
    {
      name: "the body is not JSON, the header tells",
      status: 429,
      headers: { "retry-after": "3600" },
      body: "<html>",
      until: HOUR,
    },
    {
      name: "the body is 5 MB, the header tells",
      status: 429,
      headers: { "retry-after": "3600" },
      body: JSON.stringify({ error: { code: "insufficient_quota", x: "x".repeat(5_000_000) } }),
      until: HOUR,
    },
  ]
  test.each(cases)("$name", ({ until, ...told }) => {
    const failure = classifyFailure(apiError(told), NOW)
    expect(failure).toEqual({ kind: "limited", until: NOW + until, words: "no" })
  })
})

describe("limited, and nobody says until when", () => {
  test.each([
    { name: "opencode's own free models", error: { type: "FreeUsageLimitError" } },
    { name: "OpenCode Go", error: { type: "GoUsageLimitError" } },
    { name: "the five hours of a coding plan of z.ai", error: { code: "1308" } },
  ])("$name", ({ error }) => {
    const failure = classifyFailure(apiError({ status: 429, body: { error } }), NOW)
    expect(failure).toEqual({ kind: "limited", until: null, words: "no" })
  })
  test.each([
    { name: "no time", fields: {} },
    { name: "a time in the past", fields: { resets_at: SECONDS - 7_200 } },
    { name: "a negative time", fields: { resets_in_seconds: -5 } },
    { name: "words", fields: { resets_at: "soon" } },
    { name: "words with a year", fields: { resets_at: "soon 2099" } },
    { name: "a date with a sign", fields: { resets_at: "-2099-12-01" } },
    { name: "a day without a date", fields: { resets_at: "Sunday 2099" } },
    { name: "an object", fields: { resets_at: { in: 5 } } },
    { name: "no number", fields: { resets_in_seconds: null, resets_at: Number.NaN } },
    { name: "a million years ahead", fields: { resets_in_seconds: 31_536_000_000_000 } },
  ])("$name", ({ fields }) => {
    const failure = classifyFailure(apiError(usage(fields)), NOW)
    expect(failure).toEqual({ kind: "limited", until: null, words: "no" })
  })
})

describe("transient", () => {
  test.each<Told & { name: string }>([
    { name: "429 without a word", status: 429 },
    { name: "retry-after within minutes", status: 429, headers: { "retry-after": "7" } },
    {
      name: "retry-after in the past",
      status: 429,
      headers: { "retry-after": "Mon, 01 Jan 2024" },
    },
    { name: "retry-after negative", status: 429, headers: { "retry-after": "-5" } },
    { name: "retry-after without sense", status: 429, headers: { "retry-after": "later" } },
    { name: "retry-after as a list", status: 429, headers: { "retry-after": ["3600"] } },
    {
      name: "a header that pictures a quota",
      status: 429,
      headers: { "x-ratelimit-reset-tokens": "6h0m0s", "x-ratelimit-remaining-requests": "0" },
    },
    { name: "500", status: 500, body: "<html>bad</html>" },
    { name: "500 with a wait", status: 500, headers: { "retry-after": "3600" } },
    { name: "400", status: 400 },
    { name: "no status", message: "socket hang up" },
    { name: "words alone", status: 400, message: "usage_limit_reached, insufficient_quota" },
    { name: "a body that is a list", status: 500, body: ["insufficient_quota"] },
  ])("$name", ({ name: _, ...told }) => {
    expect(classifyFailure(apiError(told), NOW)?.kind).toBe("transient")
  })
})

describe("refused until a person acts", () => {
  test.each<Told & { name: string }>([
    ...[401, 402, 403, 404].map((status) => ({ name: `${status}`, status })),
    { name: "401 with a body of 5 MB", status: 401, body: "x".repeat(5_000_000) },
    {
      name: "429 of a spent credit",
      status: 429,
      headers: { "retry-after": "3600" },
      body: { error: { type: "insufficient_quota" } },
    },
    ...["model_not_found", "invalid_api_key", "permission_error", "billing_not_active"].map(
      (code) => ({ name: `the code ${code}`, status: 400, body: { error: { code } } }),
    ),
    { name: "a type", status: 400, body: { type: "error", error: { type: "billing_error" } } },
  ])("$name", ({ name: _, ...told }) => {
    expect(classifyFailure(apiError(told), NOW)).toEqual({ kind: "refused", words: "no" })
  })
  test.each([
    "Model not found: lab/nope.",
    "ProviderModelNotFoundError: Model not found: lab/nope.\n    at <anonymous>",
    'Agent not found: "nope". Available agents: build',
  ])("by the host's own word: %s", (message) => {
    const failure = classifyFailure({ name: "UnknownError", data: { message } }, NOW)
    expect(failure).toEqual({ kind: "refused", words: message.split("\n")[0] ?? "" })
  })
})

test("the words are one line of at most 200 characters", () => {
  const message = `a\nb\u001b[31mc${"d".repeat(5_000_000)}`
  const failure = classifyFailure(apiError({ status: 401, message }), NOW)
  expect(failure?.words).toBe(`a bc${"d".repeat(196)}`)
})

test.each([
  { name: "a stop", error: { name: "MessageAbortedError", data: { message: "Aborted" } } },
  { name: "a full context", error: { name: "ContextOverflowError" } },
  { name: "nothing", error: undefined },
  { name: "null", error: null },
  { name: "a text", error: "429" },
  { name: "no name", error: { data: { statusCode: 401 } } },
])("no failure of a provider: $name", ({ error }) => {
  expect(classifyFailure(error, NOW)).toBeNull()
})

test.each([{ data: null }, { data: 5 }, { data: [] }, {}])(
  "an error without data: %p",
  (fields) => {
    const failure = classifyFailure({ name: "APIError", ...fields }, NOW)
    expect(failure).toEqual({ kind: "transient", words: "APIError" })
  },
)

test("a provider that the host has no key for is refused, by the error's name", () => {
  const data = { providerID: "openai", message: "API key is missing." }
  expect(classifyFailure({ name: "ProviderAuthError", data }, NOW)).toEqual({
    kind: "refused",
    words: "API key is missing.",
  })
})
