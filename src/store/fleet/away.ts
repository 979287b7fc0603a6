// What is said of a database that cannot be used.
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { StoreError } from "../disk/store-error.ts"

/** A database that cannot be used now: what was to be saved is kept on this machine. */
export function away(expected: string, found: string, todo: string): StoreError {
  return new StoreError({ code: "away", expected, found, todo })
}

/** Whether the database is what failed: then a save is kept on this machine. */
export function isAway(error: unknown): error is StoreError {
  return error instanceof StoreError && (error.code === "away" || error.code === "newer-schema")
}

const TRY = "It is retried automatically."

const NO_RIGHT = [
  "no right to create or use its tables",
  "Have a user who may create tables list the handoffs once with this version of opencode-boulder. Then have an owner run once, for the url's user: grant usage on schema public to the_user; grant select, insert, update, delete on boulder_schema, boulder_handoffs, boulder_settled, boulder_kept_saves to the_user",
] as const

const BY_TRANSACTION = [
  "a pooler that loses prepared statements",
  "Have the pooler support prepared statements (PgBouncer: max_prepared_statements), or pool by session.",
] as const

/** By SQLSTATE or errno: what was found, and what to do. */
const FAILURES: Readonly<Record<string, readonly [found: string, todo: string]>> = {
  "26000": BY_TRANSACTION,
  "42P05": BY_TRANSACTION,
  "28P01": ["it refuses the password", "Fix the url that handoffs.url names."],
  "28000": ["it refuses the user", "Fix the url that handoffs.url names, or the server's rules."],
  "3D000": ["no database of that name", "Create it, or fix the url that handoffs.url names."],
  "42501": NO_RIGHT,
  "3F000": NO_RIGHT,
  "42P01": [
    "one of our tables missing",
    "Restore it from a backup, or drop all tables boulder_* to start over.",
  ],
  "53300": ["too many connections", "Raise max_connections, or put a pooler in front of it."],
  "57014": ["no answer within its time", TRY],
  "57P01": ["it shuts down", TRY],
  "57P03": ["it starts up", TRY],
  ECONNREFUSED: ["nothing listening there", "Start it, or fix the url that handoffs.url names."],
  ENOTFOUND: ["no such host", "Fix the url that handoffs.url names."],
  EAI_AGAIN: ["no such host for now", TRY],
  ECONNRESET: ["the connection reset", TRY],
  EPIPE: ["the connection broken", TRY],
  ETIMEDOUT: ["no answer within its time", TRY],
}

/** Words that the driver gives without a code. */
const TOLD: readonly (readonly [RegExp, readonly [found: string, todo: string]])[] = [
  [
    /unsupported startup parameter/i,
    [
      "a pooler that refuses a startup parameter",
      "Add statement_timeout to its ignore_startup_parameters (PgBouncer), and what the url sets beside it.",
    ],
  ],
  // A word of its own: `statement_timeout` in a message is a setting's name.
  [/\btimeout\b/i, ["no answer within its time", TRY]],
  [/terminated|closed|ended/i, ["the connection broken", TRY]],
  [/does not support SSL/i, ["no TLS", "Turn TLS on there, or take sslmode out of the url."]],
  [
    /certificate|self.signed|SSL|TLS/i,
    ["its TLS certificate refused", "Fix the certificate, or sslmode in the url."],
  ],
  [
    /invalid url|protocol|cannot be parsed/i,
    ["a url that cannot be read", "Write it as postgres://user:password@host:5432/database."],
  ],
  [
    /password must be a string/i,
    ["a url without a password", "Fix the url that handoffs.url names."],
  ],
]

/** By SQLSTATE: what was to be written is what failed, a value, a rule or a size; the database is well. */
const OF_RECORD = /^(?:22|23|54)[0-9A-Z]{3}$/

/** A failure of the driver in words; `secret` is the url, of which nothing is said. */
export function failureOf(error: unknown, secret: string): StoreError {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  const [found, todo] = (Object.hasOwn(FAILURES, code) ? FAILURES[code] : undefined) ??
    TOLD.find(([words]) => words.test(message))?.[1] ?? [withoutSecret(message, secret), TRY]
  if (OF_RECORD.test(code))
    return new StoreError({
      code: "invalid-change",
      expected: "a record that the database can hold",
      found,
      todo: "Nothing was written. Say it in other words.",
    })
  return away("the database of the handoffs to answer", found, todo)
}

/** Whatever of the url stands in a message is taken out of it. */
function withoutSecret(message: string, secret: string): string {
  const raw = secret.split(/[/:@?&=\s]+/)
  const parts = [secret, ...raw, ...raw.map(decoded)].sort((a, b) => b.length - a.length)
  const clean = parts
    .filter((part) => part.length > 2)
    .reduce((text, part) => text.replaceAll(part, "…"), message)
  // Short ones would take letters out of other words.
  const words = clean.split(/\b/).map((word) => (parts.includes(word) ? "…" : word))
  return cleanLine(words.join("")).slice(0, 200)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
