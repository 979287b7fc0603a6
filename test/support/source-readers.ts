import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/**
 * Types are read as text, since the compiler has no programming interface: aliases are followed to their ends, an object type to the fields
 * that it declares itself. What stays unseen: a text two object types deep, behind `extends`, `Pick` and the like, in a type that a schema
 * infers or a package brings, in what a callback is given, and an export of another form (a table of functions, a list of names). Two types
 * with one name count as one here.
 */
const SOURCES = join(import.meta.dir, "../../src")

/** Parameters that carry no text from outside, by name, with what they are instead. */
const OWN_PARAMETERS: Readonly<Record<string, string>> = {
  sessionId: "an id, checked by SESSION_ID",
  leadId: "an id, checked by SESSION_ID",
  childId: "an id, checked by SESSION_ID",
  workId: "made by workIdOf, which is in the table",
  callId: "the host's id: kept as a key, never read",
  messageId: "the host's id: compared, never read",
  id: "an id, checked by HANDOFF_ID",
  now: "our clock",
  root: "the folder that the user stands in",
  fingerprint: "our own hash",
  temp: "a name that we have made",
  at: "a time that we have written",
}

/** Ways to look into a text. */
const LOOKS =
  /\.(?:exec|test|match|matchAll|replace|replaceAll|split|search|normalize|safeParse|parse)\(|RegExp\(|Segmenter\(/
/** `export function x(` and `export const x = (…) =>`, whether its type is written before or not. */
const EXPORTED = [
  /^export (?:async )?function\*? (\w+)(?:<[^(]*>)?\(/gm,
  /^export const (\w+)(?:: [^=\n]+)? = (?:async )?(?:function\*? ?\w*)?(?:<[^(]*>)?\((?=[^;]*?(?:=>|\{))/gm,
]
const TEXT = /\b(?:string|unknown|Uint8Array)\b/
/** Types that hold texts but bring none in, with what they are instead. */
const OWN_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    "a service of ours, and where it works":
      "FileBoulderStoreOptions FilePort HandoffFolder HostClient KeptStates MarkNeeds Project Records RevisionFolder Shell ToolNeeds",
    "read by a schema, or by the plan's reader, both in the table":
      "BlockedTask Boulder CapturedTask Handoff Plan PlanFileReading PlanReading PlanWarning ReadPlan Shard Task Work",
    "ids, times and hashes":
      "ArchiveRules Asker CallMade HandoffActor HandoffFile Known KnownTask Reservation SubjectOwner WriterIdentity",
    "words of our own": "Decision PauseReason WriteRefusal",
  }).flatMap(([what, names]) => names.split(" ").map((name) => [name, what])),
)

/** `type X = …` up to the next declaration, and `interface X {…}`. */
const DECLARED =
  /^(?:export )?(?:type (\w+)(?:<[^=]*>)? =|interface (\w+)[^{\n]*\{)([\s\S]*?)(?=^(?:export|type|interface|const|function|async|declare|\/\*\*|\/\/|\})|$(?![\s\S]))/gm

/** Pure folders: what no other folder imports is read through what is imported. In other folders bytes come in by many ways. */
const PURE = ["boulder", "decide", "plan", "prompts"]

/** What may read a text from outside. */
export interface SourceReaders {
  /** `file name` of each exported function with a parameter that can be a text from outside. */
  readonly functions: readonly string[]
  /** Files where bytes come in and that look into a text in any way. */
  readonly files: readonly string[]
}

interface SourceFile {
  /** Below `src`. */
  readonly file: string
  readonly text: string
}

/** Finds in the sources what may read a text from outside: by the types of parameters, and by what is done. */
export function sourceReaders(given: readonly SourceFile[] = sourcesOnDisk()): SourceReaders {
  const sources = given.map((one) => ({ ...one, folder: one.file.split("/")[0] ?? "" }))
  const named = namedTexts(sources)
  const isBorder = (file: string, folder: string, name: string): boolean =>
    !PURE.includes(folder) ||
    sources.some((other) => other.folder !== folder && imports(other.text, file, name))
  return {
    functions: sources.flatMap(({ file, folder, text }) =>
      readersIn(text, named)
        .filter((name) => isBorder(file, folder, name))
        .map((name) => `${file} ${name}`),
    ),
    files: sources
      .filter(({ folder, text }) => !PURE.includes(folder) && LOOKS.test(text))
      .map(({ file }) => file),
  }
}

function sourcesOnDisk(): readonly SourceFile[] {
  return readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(SOURCES, file), "utf8") }))
}

function imports(text: string, file: string, name: string): boolean {
  return [...text.matchAll(/import \{([^}]*)\} from "([^"]*)"/g)].some(
    ([, names = "", from = ""]) =>
      from.endsWith(`/${file}`) && names.split(/[\s,]+/).includes(name),
  )
}

function readersIn(text: string, named: ReadonlySet<string>): readonly string[] {
  return EXPORTED.flatMap((form) => [...text.matchAll(form)]).flatMap(
    ({ index, 0: head, 1: name = "" }) => {
      const parameters = withoutCallbacks(insideParentheses(text, index + head.length))
      return fieldsOf(parameters).some((field) => isForeign(field, named)) ? [name] : []
    },
  )
}

/** The names of types that are a text (aliases, followed to their ends) and of object types with a field that is one. */
function namedTexts(sources: readonly { readonly text: string }[]): ReadonlySet<string> {
  const declared = sources
    .flatMap(({ text }) => [...text.matchAll(DECLARED)])
    // A word of a comment may be a type's name.
    .map(([, alias, object, body = ""]) => ({
      name: alias ?? object ?? "",
      body: body.replace(/\/\*\*[\s\S]*?\*\//g, ""),
    }))
    .filter(({ name }) => !Object.hasOwn(OWN_TYPES, name))
  const texts = new Set<string>()
  for (let before = -1; before < texts.size; ) {
    before = texts.size
    for (const { name, body } of declared)
      if (!body.includes("{") && isForeign({ name: "", type: body }, texts)) texts.add(name)
  }
  const holders = declared.filter(({ body }) =>
    fieldsOf(withoutCallbacks(body)).some((field) => isForeign(field, texts)),
  )
  return new Set([...texts, ...holders.map(({ name }) => name)])
}

/** The text up to the parenthesis that closes the one before `from`. */
function insideParentheses(text: string, from: number): string {
  let depth = 1
  let at = from
  for (; depth > 0 && at < text.length; at++) {
    if (text[at] === "(") depth += 1
    if (text[at] === ")") depth -= 1
  }
  return text.slice(from, at - 1)
}

/** Removes callbacks: what one takes and gives is no parameter of the function itself. */
function withoutCallbacks(parameters: string): string {
  return parameters.replace(/\([^()]*\)\s*=>\s*[^,)]*/g, "callback")
}

/** `name: type`, also those inside object types. */
function fieldsOf(parameters: string): readonly { readonly name: string; readonly type: string }[] {
  return [...parameters.matchAll(/(\w+)\??:\s*([^,;{}\n]+)/g)].map(([, name = "", type = ""]) => ({
    name,
    type,
  }))
}

function isForeign(
  { name, type }: { readonly name: string; readonly type: string },
  named: ReadonlySet<string>,
): boolean {
  const isText = TEXT.test(type) || (type.match(/\b[A-Z]\w*/g) ?? []).some((one) => named.has(one))
  return isText && !Object.hasOwn(OWN_PARAMETERS, name)
}
