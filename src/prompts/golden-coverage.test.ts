import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const SOURCES = fileURLToPath(new URL("./", import.meta.url))
const GOLDEN = fileURLToPath(new URL("../../test/fixtures/prompts/", import.meta.url))
/** Written from `reasons.ts` by `npm run docs`, and held to it. */
const REASONS = fileURLToPath(new URL("../../docs/REASONS.md", import.meta.url))

/** The constant parts of a source's texts; comments and patterns go, and the code within a template is read as code. */
function partsIn(source: string): readonly string[] {
  const parts: string[] = []
  const inTemplate: boolean[] = []
  const token =
    /\/\*[\s\S]*?\*\/|\/\/.*|(?<=[(,=:[!&|?\n] *)\/(?:\[(?:[^\]\\]|\\.)*\]|[^/\\\n[]|\\.)+\/|"(?:[^"\\\n]|\\.)*"|[`{}]/g
  const constant = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/g
  for (let found = token.exec(source); found !== null; found = token.exec(source)) {
    const [text] = found
    const resumes = text === "`" || (text === "}" && inTemplate.pop() === true)
    if (text.startsWith('"')) parts.push(text.slice(1, -1))
    if (text === "{") inTemplate.push(false)
    if (!resumes) continue
    constant.lastIndex = token.lastIndex
    const part = constant.exec(source)?.[0] ?? ""
    parts.push(part)
    token.lastIndex += part.length + 1
    if (source[token.lastIndex - 1] !== "$") continue
    token.lastIndex += 1
    inTemplate.push(true)
  }
  return parts.map((part) => part.replace(/\\n/g, "\n").replace(/\\(.)/g, "$1").trim())
}

test("the parts of a source", () => {
  const nested = `b: \`one \${c ? \`two \${{ d }} three\` : "four"} five \\\`six\\\`\``
  const source = `const a = /"\`/ // "no"\nf({ ${nested} }) / 2`
  expect(partsIn(source)).toEqual(["one", "two", "three", "four", "five `six`"])
})

test("every sentence for a model or a person stands in a golden text, or in the table of reasons", () => {
  const golden = [...readdirSync(GOLDEN).map((file) => `${GOLDEN}${file}`), REASONS]
    .map((path) => readFileSync(path, "utf8").replaceAll('\\"', '"').toLowerCase())
    .join("\n")
  const missing = readdirSync(SOURCES)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !NO_TEXTS.has(file))
    .flatMap((file) =>
      partsIn(readFileSync(`${SOURCES}${file}`, "utf8"))
        .filter((part) => part.split(" ").length > 2 && !golden.includes(part.toLowerCase()))
        .map((part) => `${file}: ${part}`),
    )
  // It is no word of a text: a task without a session has no line for one.
  expect(missing).toEqual(["reuse-hint.ts: no session yet"])
})

/** Tables of words that are no texts of ours. */
const NO_TEXTS = new Set(["common-words.ts", "script-pieces.ts"])
