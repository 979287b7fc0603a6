import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

const FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
const LICENCE = /^licen[cs]e(?:[.-].*)?$/i
/** Packages without a text of their own: where the text of their repository is. */
const ELSEWHERE: Readonly<Record<string, string>> = { "@opencode-ai/sdk": "../../opencode-ai" }

/** The licences of the packages that these files belong to; paths are relative to `root`. Throws where one has none. */
export async function noticeOf(root: string, files: readonly string[]): Promise<string> {
  const folders = new Set(files.flatMap((file) => FOLDER.exec(file)?.[0] ?? []))
  const parts = await Promise.all([...folders].sort().map((folder) => partOf(join(root, folder))))
  const head =
    "opencode-boulder holds code of these packages, each under the licence below its name.\n"
  return [head, ...parts].join(`\n${"-".repeat(80)}\n\n`)
}

async function partOf(folder: string): Promise<string> {
  const about: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"))
  const field = (name: string) =>
    String(typeof about === "object" && about !== null ? Reflect.get(about, name) : "")
  const place = join(folder, ELSEWHERE[field("name")] ?? ".")
  const file = (await readdir(place)).find((name) => LICENCE.test(name))
  if (file === undefined)
    throw new Error(`Expected a licence in ${place}; found none. Name its place in ELSEWHERE.`)
  const text = await readFile(join(place, file), "utf8")
  return `${field("name")} ${field("version")} (${field("license")})\n\n${text.trim()}\n`
}
