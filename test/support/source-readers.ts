import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const SOURCES = join(import.meta.dir, "../../src")

/** What carries no text from outside, by the name of the parameter: what it is instead. */
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
const EXPORTED = /^export (?:async )?function\*? (\w+)(?:<[^(]*>)?\(/gm
const TEXT = /\b(?:string|unknown|Uint8Array)\b/

/** Pure folders: what no other folder imports is read through what is imported. Elsewhere bytes come in by many ways. */
const PURE = ["boulder", "decide", "plan", "prompts"]

/** What may read a text from outside. */
export interface SourceReaders {
  /** `file name` of each exported function with a parameter that can be a text from outside. */
  readonly functions: readonly string[]
  /** Files where bytes come in that look into a text in whatever way. */
  readonly files: readonly string[]
}

/** Finds in the sources what may read a text from outside: by the types of parameters, and by what is done. */
export function sourceReaders(): SourceReaders {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .sort()
    .map((file) => ({ file, folder: file.split("/")[0] ?? "", text: textOf(file) }))
  const isBorder = (file: string, folder: string, name: string): boolean =>
    !PURE.includes(folder) ||
    sources.some((other) => other.folder !== folder && imports(other.text, file, name))
  return {
    functions: sources.flatMap(({ file, folder, text }) =>
      readersIn(text)
        .filter((name) => isBorder(file, folder, name))
        .map((name) => `${file} ${name}`),
    ),
    files: sources
      .filter(({ folder, text }) => !PURE.includes(folder) && LOOKS.test(text))
      .map(({ file }) => file),
  }
}

function textOf(file: string): string {
  return readFileSync(join(SOURCES, file), "utf8")
}

function imports(text: string, file: string, name: string): boolean {
  return [...text.matchAll(/import \{([^}]*)\} from "([^"]*)"/g)].some(
    ([, names = "", from = ""]) =>
      from.endsWith(`/${file}`) && names.split(/[\s,]+/).includes(name),
  )
}

function readersIn(text: string): readonly string[] {
  return [...text.matchAll(EXPORTED)].flatMap(({ index, 0: head, 1: name = "" }) => {
    const parameters = withoutCallbacks(insideParentheses(text, index + head.length))
    return fieldsOf(parameters).some(isForeign) ? [name] : []
  })
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

/** What a callback takes and gives is no parameter of the function itself. */
function withoutCallbacks(parameters: string): string {
  return parameters.replace(/\([^()]*\)\s*=>\s*[^,)]*/g, "callback")
}

/** `name: type`, those inside of object types too. */
function fieldsOf(parameters: string): readonly { readonly name: string; readonly type: string }[] {
  return [...parameters.matchAll(/(\w+)\??:\s*([^,;{}\n]+)/g)].map(([, name = "", type = ""]) => ({
    name,
    type,
  }))
}

function isForeign({ name, type }: { readonly name: string; readonly type: string }): boolean {
  return TEXT.test(type) && !Object.hasOwn(OWN_PARAMETERS, name)
}
