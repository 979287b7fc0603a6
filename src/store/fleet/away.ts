// Says what is wrong with a database that cannot be used, and whose fault a failure is.
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { orLate } from "../disk/answering.ts"
import { StoreError } from "../disk/store-error.ts"
import { AlreadySaved } from "../handoffs/handoff-store.ts"

/** How long a call may take, in ms, including everything that it asks. */
export const CALL_MS = 2_500

/** The error for a database that cannot be used now: saves are kept on this machine meanwhile. */
export function away(expected: string, found: string, todo: string): StoreError {
  return new StoreError({ code: "away", expected, found, todo })
}

/** Whether the database failed: then a save is kept on this machine. */
export function isAway(error: unknown): error is StoreError {
  return error instanceof StoreError && (error.code === "away" || error.code === "newer-schema")
}

/** The answer or, after this many ms, an error that the database is away. */
export async function inTime<Value>(ms: number, run: () => Promise<Value>): Promise<Value> {
  const late = (): never => {
    throw failureOf(new Error("timeout"), { secret: "", isOpen: true })
  }
  return ms <= 0 ? late() : orLate(ms, run(), late)
}

const TRY = "It is retried automatically."
const URL = "Fix the url that handoffs.url names."
const BROKEN = "the connection broken"
const LATE = "no answer within its time"
const GRANT =
  "Have a user who may create tables list the handoffs once with this version of opencode-boulder. Then have an owner run once, for the url's user: grant usage on schema public to the_user; grant select, insert, update, delete on boulder_schema, boulder_handoffs, boulder_settled, boulder_kept_saves to the_user"
const POOL =
  "Have the pooler support prepared statements (PgBouncer: max_prepared_statements), or pool by session."
const IGNORE =
  "Add statement_timeout to its ignore_startup_parameters (PgBouncer), and what the url sets beside it."

/** By SQLSTATE or errno, followed by the driver's words: what was found, and what to do. The first match counts. */
const FAILURES: readonly (readonly [sign: RegExp, found: string, todo: string])[] = [
  [/^(?:26000|42P05) /, "a pooler that loses prepared statements", POOL],
  [/^28P01 /, "it refuses the password", URL],
  [/^28000 /, "it refuses the user", "Fix the url that handoffs.url names, or the server's rules."],
  [/^3D000 /, "no database of that name", "Create it, or fix the url that handoffs.url names."],
  [/^(?:42501|3F000) /, "no right to create or use its tables", GRANT],
  [
    /^42P01 /,
    "one of our tables missing",
    "Restore it from a backup, or drop all tables boulder_* to start over.",
  ],
  [/^25006 /, "a server that only reads", "Let handoffs.url name the one that writes."],
  [/^53300 /, "too many connections", "Raise max_connections, or put a pooler in front of it."],
  [/^57014 /, LATE, TRY],
  [/^57P01 /, "it shuts down", TRY],
  [/^57P03 /, "it starts up", TRY],
  [
    /^ECONNREFUSED /,
    "nothing listening there",
    "Start it, or fix the url that handoffs.url names.",
  ],
  [/^ENOTFOUND /, "no such host", URL],
  [/^EAI_AGAIN /, "no such host for now", TRY],
  [/^ECONNRESET /, "the connection reset", TRY],
  [/^EPIPE /, BROKEN, TRY],
  [/^ETIMEDOUT /, LATE, TRY],
  [/unsupported startup parameter/i, "a pooler that refuses a startup parameter", IGNORE],
  // As a word of its own: `statement_timeout` in a message is the name of a setting.
  [/\btimeout\b/i, LATE, TRY],
  [/terminated|closed|ended/i, BROKEN, TRY],
  [/does not support SSL/i, "no TLS", "Turn TLS on there, or take sslmode out of the url."],
  [
    /certificate|self.signed|SSL|TLS/i,
    "its TLS certificate refused",
    "Fix the certificate, or sslmode in the url.",
  ],
  [
    /invalid url|protocol|cannot be parsed/i,
    "a url that cannot be read",
    "Write it as postgres://user:password@host:5432/database.",
  ],
  [/password must be a string/i, "a url without a password", URL],
]

/** SQLSTATE of a value, a rule or a size. */
const OF_RECORD = /^(?:22|23|54)[0-9A-Z]{3} /

/**
 * Decides whose fault a failure is. Errors of our own stay as they are. On an open database it may be a record that is refused: then only
 * that save fails. Everything else means that the database is away, including any failure to open it, be it an outage, which ends by
 * itself, or a setting that a person has to fix. Nothing of `secret`, the URL, is shown.
 */
export function failureOf(
  thrown: unknown,
  { secret, isOpen }: { readonly secret: string; readonly isOpen: boolean },
): StoreError | AlreadySaved {
  if (
    isAway(thrown) ||
    (isOpen && (thrown instanceof StoreError || thrown instanceof AlreadySaved))
  )
    return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : ""
  const said = `${code} ${message}`
  const [, found, todo] = FAILURES.find(([sign]) => sign.test(said)) ?? [
    "",
    withoutSecret(message, secret),
    isOpen ? TRY : `Fix the url that handoffs.url names, or the server's settings. ${TRY}`,
  ]
  if (!(isOpen && OF_RECORD.test(said)))
    return away("the database of the handoffs to answer", found, todo)
  return new StoreError({
    code: "invalid-change",
    expected: "a record that the database can hold",
    found,
    todo: "Nothing was written. Say it in other words.",
  })
}

/** Removes every part of the URL from a message. */
function withoutSecret(message: string, secret: string): string {
  const raw = secret.split(/[/:@?&=\s]+/)
  const parts = [secret, ...raw, ...raw.map(decoded)].sort((a, b) => b.length - a.length)
  const clean = parts
    .filter((part) => part.length > 2)
    .reduce((text, part) => text.replaceAll(part, "…"), message)
  // Short ones would remove letters from other words.
  const words = clean.split(/\b/).map((word) => (parts.includes(word) ? "…" : word))
  return cleanLine(words.join("")).slice(0, 200)
}

/** A part of a url as it reads, or as it stands there. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
