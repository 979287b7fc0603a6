// Reads and writes the text of a `boulder.json`.
import { hash } from "node:crypto"
import { type Boulder, boulderSchema, SCHEMA_VERSION } from "../../boulder/boulder.ts"
import { fieldsOf } from "../../boulder/fields-of.ts"
import { z } from "../../boulder/z.ts"

/** Who wrote a revision, and on top of which text: this makes a write a compare and swap. */
const stamp = z.object({
  id: z.string().regex(/^[0-9A-Za-z-]{1,120}$/),
  after: z.string().max(64),
  at: z.string().max(64),
  by: z.string().max(256),
})

const versioned = z.object({ schema_version: z.int() })

export type WriteStamp = z.infer<typeof stamp>

export type BoulderFile =
  | { readonly kind: "valid"; readonly boulder: Boulder; readonly write: WriteStamp | null }
  | { readonly kind: "invalid"; readonly problem: string }
  | { readonly kind: "newer"; readonly version: number }

/** Reads the text of a `boulder.json`; what is wrong with it is a value, not an exception. */
export function parseBoulderFile(text: string): BoulderFile {
  const json = parseJson(text)
  if (json.kind === "invalid") return json
  const version = versioned.safeParse(json.value)
  if (version.success && version.data.schema_version > SCHEMA_VERSION) {
    return { kind: "newer", version: version.data.schema_version }
  }
  return validated(json.value)
}

/** The text of a `boulder.json`. */
export function printBoulderFile(boulder: Boulder, write: WriteStamp): string {
  const { schema_version, revision, ...rest } = boulder
  return `${JSON.stringify({ schema_version, revision, write, ...rest }, null, 1)}\n`
}

/** A boulder checked against the schema, or what is wrong with it. */
export function checkBoulder(value: unknown): CheckedBoulder {
  const checked = boulderSchema.safeParse(value)
  if (checked.success) return validBoulder(checked.data)
  return { kind: "invalid", problem: firstProblem(checked.error) }
}

export type CheckedBoulder = Exclude<BoulderFile, { kind: "newer" }>

/** A boulder that has passed the schema. */
export function validBoulder(boulder: Boulder): CheckedBoulder {
  return { kind: "valid", boulder, write: null }
}

/** Stands for one exact text; `none` for no file. */
export function fingerprintOf(text: string | null): string {
  return text === null ? "none" : hash("sha256", text).slice(0, 32)
}

/** The stamp belongs to the file, not to the state. */
function validated(value: unknown): BoulderFile {
  const { write, ...state } = fieldsOf(value)
  const checked = checkBoulder(state)
  if (checked.kind === "invalid") return checked
  return { ...checked, write: stamp.safeParse(write).data ?? null }
}

type Json = { kind: "json"; value: unknown } | { kind: "invalid"; problem: string }

/** The JSON of a text, or what is wrong with it. */
function parseJson(text: string): Json {
  try {
    return { kind: "json", value: JSON.parse(text) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // The parser's own message quotes the text, which may hold anything.
    const what = text.trim() === "" ? "the file is empty" : "it is no JSON"
    return { kind: "invalid", problem: what }
  }
}

function firstProblem(error: z.ZodError): string {
  const [first] = error.issues
  if (first === undefined) return "it does not have the expected form"
  return `${first.path.join(".") || "the whole"}: ${first.message}`.slice(0, 300)
}
