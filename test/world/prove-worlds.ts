// `npm run world:proof`: puts each fixed defect back, and shows that the worlds find it. A defect in two halves has two patches, `n` and `n2`.
import { spawn } from "node:child_process"
import { cp, readdir, rm, symlink, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import { z } from "zod"
import { temporaryFolder } from "../support/temporary-folder.ts"

const ROOT = join(import.meta.dir, "../..")
const DEFECTS = join(import.meta.dir, "defects")
const ALL = "abcdefghijklmnopqrstuvwxyz"

const { values } = parseArgs({
  options: {
    /** The minutes for each defect. */
    minutes: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: ALL },
    at_once: { type: "string", default: "2" },
  },
})

const found = z.object({
  worlds: z.number(),
  steps: z.number(),
  rule: z.string().nullable(),
  story: z.number(),
  words: z.string(),
  /** The world that was broken, at its shortest. */
  world: z.unknown(),
})
type Found = z.infer<typeof found>
type Row = { readonly letter: string } & (Found | { readonly problem: string })

const patches = (await readdir(DEFECTS).catch(() => [])).map((file) => basename(file, ".patch"))
/** Each letter with all its patches. A letter without any is reported. */
const names = [...ALL]
  .filter((letter) => values.only.includes(letter))
  .flatMap((letter) => {
    const own = patches.filter((name) => name.startsWith(letter)).toSorted()
    return own.length === 0 ? [letter] : own
  })
const rows: Row[] = []
const todo = [...names]
const workers = Array.from({ length: Number(values.at_once) }, async () => {
  for (let name = todo.shift(); name !== undefined; name = todo.shift()) {
    const row = await prove(name)
    rows.push(row)
    console.log(lineOf(row))
  }
})
await Promise.all(workers)

console.log("\n| row | found by | worlds | steps | story |\n| --- | --- | --- | --- | --- |")
for (const row of rows.toSorted((one, other) => one.letter.localeCompare(other.letter)))
  console.log(lineOf(row))
const count = rows.filter((row) => "rule" in row && row.rule !== null).length
console.log(`\n${count} of ${rows.length} found, ${values.minutes} minutes each at most.`)
if (count < rows.length) process.exitCode = 1

/** Runs worlds on a copy of the source with the defect in it. */
async function prove(letter: string): Promise<Row> {
  if (!patches.includes(letter)) return { letter, problem: "no patch" }
  const copy = temporaryFolder(`defect-${letter}`)
  try {
    for (const name of ["src", "test", "package.json", "tsconfig.json"])
      await cp(join(ROOT, name), join(copy, name), {
        recursive: true,
        filter: (path) => basename(path) !== "fixtures",
      })
    await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"))
    const applied = await run("git", ["apply", "-C1", join(DEFECTS, `${letter}.patch`)], copy)
    if (applied.code !== 0) return { letter, problem: `does not apply: ${applied.said.trim()}` }
    const program = join(copy, "test/world/play-worlds.ts")
    const args = [program, "--brief", "--minutes", values.minutes, "--seed", values.seed]
    const { said } = await run(process.execPath, args, copy)
    const last = said.trim().split("\n").at(-1) ?? ""
    const parsed = last.startsWith("{") ? found.safeParse(JSON.parse(last)) : null
    if (!parsed?.success) return { letter, problem: said.slice(-200) }
    const { rule, world } = parsed.data
    const isOfDefect = rule === null || (await holds(copy, world))
    return isOfDefect
      ? { letter, ...parsed.data }
      : { letter, problem: `broken without the defect too: ${rule}` }
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/** Whether a world that the defect breaks is as it should be without it. */
async function holds(folder: string, world: unknown): Promise<boolean> {
  const file = join(folder, "world.json")
  await writeFile(file, JSON.stringify(world))
  const program = join(import.meta.dir, "play-worlds.ts")
  const { said } = await run(process.execPath, [program, "--brief", "--world", file], ROOT)
  return said.trim().split("\n").at(-1) === "null"
}

function run(program: string, args: readonly string[], cwd: string) {
  return new Promise<{ code: number | null; said: string }>((resolve) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] })
    let said = ""
    const add = (chunk: Buffer) => {
      said += String(chunk)
    }
    child.stdout.on("data", add)
    child.stderr.on("data", add)
    child.on("close", (code) => resolve({ code, said }))
  })
}

function lineOf(row: Row): string {
  if ("problem" in row) return `| ${row.letter} | — ${row.problem.replaceAll("\n", " ")} | | | |`
  const { letter, rule, worlds, steps, story, words } = row
  return rule === null
    ? `| ${letter} | not found | ${worlds} | ${steps} | |`
    : `| ${letter} | ${rule}: ${words} | ${worlds} | ${steps} | ${story} |`
}
