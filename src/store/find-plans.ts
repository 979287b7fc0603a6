import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { FORMATS } from "../plan/formats.ts"
import { planInRoot } from "./plan-path.ts"

const MAX_FOUND = 500
const MAX_ENTRIES = 20_000

/** Where plans are looked for (design.md 5.1); `*` is one folder, `**` any number of them. */
const PLACES: readonly string[] = [
  ".boulder/plans/*.md",
  ...FORMATS.flatMap(({ places }) => places),
]

/**
 * Paths of the plans of a project, relative to its root, in the order of the places; at most 500. Each by its one name,
 * links followed; none that lies outside.
 */
export async function findPlans(root: string): Promise<readonly string[]> {
  const found = await Promise.all(PLACES.map((place) => matchesOf(root, place.split("/"), "")))
  const named = found.flatMap((paths) => [...paths].sort()).slice(0, MAX_FOUND)
  const places = await Promise.all(named.map((path) => planInRoot(root, path)))
  return [...new Set(places.flatMap((place) => place?.path ?? []))]
}

async function matchesOf(
  root: string,
  pattern: readonly string[],
  below: string,
): Promise<readonly string[]> {
  const [head, ...rest] = pattern
  if (head === undefined) return []
  if (head !== "**" && !head.includes("*") && rest.length > 0)
    return matchesOf(root, rest, `${below}${head}/`)
  const entries = await entriesOf(join(root, below))
  const name = head === "**" ? (rest[0] ?? "*") : head
  const files = entries.filter((entry) => entry.isFile() && isMatch(entry.name, name))
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
  if (head === "**") {
    const deeper = folders.map((entry) => matchesOf(root, pattern, `${below}${entry.name}/`))
    return [...files.map((entry) => below + entry.name), ...(await Promise.all(deeper)).flat()]
  }
  if (rest.length === 0) return files.map((entry) => below + entry.name)
  const inside = folders
    .filter((entry) => isMatch(entry.name, head))
    .map((entry) => matchesOf(root, rest, `${below}${entry.name}/`))
  return (await Promise.all(inside)).flat()
}

async function entriesOf(folder: string) {
  try {
    return (await readdir(folder, { withFileTypes: true })).slice(0, MAX_ENTRIES)
  } catch (error) {
    if (error instanceof Error && "code" in error) return []
    throw error
  }
}

function isMatch(name: string, pattern: string): boolean {
  const [start = "", end] = pattern.split("*")
  return end === undefined ? name === pattern : name.startsWith(start) && name.endsWith(end)
}
