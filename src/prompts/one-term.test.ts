import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../../", import.meta.url))
const read = (path: string) => readFileSync(`${ROOT}${path}`, "utf8")

/** Other words for what the dictionary of ARCHITECTURE.md calls to resume, and to continue. */
const OTHER_WORDS: readonly { readonly said: RegExp; readonly word: string }[] = [
  { said: /\b(?:go(?:es|ing|ne)?|went|carr(?:y|ies|ied|ying)) on\b/i, word: "continue" },
  { said: /\bsets? (?:\w+ ){1,3}going\b/i, word: "resume" },
  { said: /\b(?:begins?|starts?)\b[^.\n]{0,24}\b(?:or|and) continues?\b/i, word: "resume" },
  { said: /\b(?:let (?:it|them|the work|the plan)|paused \w+) continue\b/i, word: "resume" },
  { said: /\bresumes? (?:(?:today|tomorrow|later)\b|[.;]|where)/i, word: "resume something" },
  { said: /\bmend(?:s|ed|ing)?\b/i, word: "fix" },
]

const otherWordsIn = (text: string) =>
  OTHER_WORDS.flatMap(({ said, word }) => {
    const found = said.exec(text)?.[0]
    return found === undefined ? [] : [`${found}: say ${word}`]
  })

/** Texts between quotes that have a blank: what may be shown. No comments, imports or patterns. */
function textsIn(source: string): readonly string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "")
  return (code.match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []).filter((text) =>
    /\w \w/.test(text),
  )
}

test.each([
  { text: "Plan auth goes on by itself" },
  { text: "a plan carries itself on, so carry on" },
  { text: "an edit sets the work going" },
  { text: "start a plan, or continue it" },
  { text: "Let it continue, whatever paused it" },
  { text: "`/start-work` resumes tomorrow" },
  { text: "Mend the path." },
])("$text: another word for one of the dictionary's", ({ text }) => {
  expect(otherWordsIn(text)).not.toEqual([])
})

test.each([
  { text: "Continue the plan auth: 1 of 3 settled." },
  { text: "/start-work resumes the plan tomorrow" },
  { text: "silent for 20 min and was ended. The others continue." },
  { text: "the amendment was recommended" },
])("$text: the dictionary's words", ({ text }) => {
  expect(otherWordsIn(text)).toEqual([])
})

test("what a model or a person reads has one term a thing", () => {
  const sources = readdirSync(`${ROOT}src`, { recursive: true, encoding: "utf8" }).filter(
    (path) => /\.tsx?$/.test(path) && !path.endsWith(".test.ts"),
  )
  expect(sources.length).toBeGreaterThan(200)
  const bad = sources.flatMap((path) =>
    textsIn(read(`src/${path}`)).flatMap((text) =>
      otherWordsIn(text).map((one) => `src/${path}: ${one}`),
    ),
  )
  expect(bad).toEqual([])
})

test("the golden texts and the documents have it too", () => {
  const inFolder = (folder: string, end: string) =>
    readdirSync(`${ROOT}${folder}`)
      .filter((name) => name.endsWith(end))
      .map((name) => `${folder}/${name}`)
  const paths = [
    ...["README.md", "CHANGELOG.md", "SECURITY.md", "AGENTS.md"],
    ...inFolder("docs", ".md"),
    ...inFolder("test/fixtures/prompts", ".txt"),
  ]
  expect(paths.length).toBeGreaterThan(50)
  const bad = paths.flatMap((path) => otherWordsIn(read(path)).map((one) => `${path}: ${one}`))
  expect(bad).toEqual([])
})
