import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { withFormatsTable } from "./formats-table.ts"
import { withOptionsTable } from "./options-table.ts"

/** `npm run docs`: the options table of the README, the formats of PLAN-FORMATS.md, and the tree of ARCHITECTURE.md. */
const ROOT = new URL("../../", import.meta.url)
const FOLDERS: Readonly<Record<string, string>> = {
  plan: "· what a plan says: the only grammar",
  boulder: "· what we remember: schema and changes",
  decide: "· what to do next",
  prompts: "· what we say",
  store: "files: durable state, plans, journal",
  opencode: "the host: hooks, events, commands",
  handoffs: "the handoff tools, as every host answers them",
  headless: "`opencode-boulder run`",
  mcp: "the handoff tools for other hosts",
  cli: "`opencode-boulder …`",
}
const LONGEST = 88

const read = (name: string) => readFileSync(new URL(name, ROOT), "utf8")

/** A line that stands in the tree is kept as it was written; a new file gets the first sentence of its first comment. */
function treeOf(before: string): string {
  const known = new Map(
    [...before.matchAll(/^ *([\w-]+\.ts) +(.+)$/gm)].map(([, name, about]) => [
      name ?? "",
      about ?? "",
    ]),
  )
  const line = (indent: string, path: string) => {
    const name = path.split("/").at(-1) ?? path
    return `${indent}${name.padEnd(26)} ${known.get(name) ?? firstSentence(read(`src/${path}`))}`
  }
  const folders = Object.entries(FOLDERS).flatMap(([folder, about]) => {
    const files = sourcesIn(folder)
    return files.length === 0
      ? []
      : [`${folder}/ ${about}`, ...files.map((file) => line("  ", `${folder}/${file}`))]
  })
  return [line("", "index.ts"), ...folders].join("\n")
}

function sourcesIn(folder: string): readonly string[] {
  try {
    return readdirSync(new URL(`src/${folder}`, ROOT))
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .sort()
  } catch {
    return []
  }
}

function firstSentence(source: string): string {
  const exported = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport (?:async )?function/.exec(source)
  const comment = (exported ?? /\/\*\*((?:(?!\*\/)[\s\S])*)\*\//.exec(source))?.[1] ?? ""
  const words = comment.replace(/\n \*/g, "\n").replace(/\s+/g, " ").trim()
  const sentence = /^(.*?[.:;])(?: |$)/.exec(words)?.[1]?.slice(0, -1) ?? words
  return sentence.length > LONGEST
    ? `${sentence.slice(0, sentence.lastIndexOf(" ", LONGEST))} …`
    : sentence
}

writeFileSync(new URL("README.md", ROOT), withOptionsTable(read("README.md")))
const FORMATS = "docs/PLAN-FORMATS.md"
writeFileSync(new URL(FORMATS, ROOT), withFormatsTable(read(FORMATS)))
const map = read("docs/ARCHITECTURE.md")
const [, tree = ""] = /```tree\n([\s\S]*?)```/.exec(map) ?? []
writeFileSync(
  new URL("docs/ARCHITECTURE.md", ROOT),
  map.replace(/```tree\n[\s\S]*?```/, () => `\`\`\`tree\n${treeOf(tree)}\n\`\`\``),
)
