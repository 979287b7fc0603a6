import { describe, expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readOptions } from "../../src/opencode/host/options.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { ticked } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

/*
 * Sequences of a lead that works on several tasks before it ticks them. A step is a word: `a` writes a file, `c1` runs the
 * check of the first task, `c1!` with another code than 0, `t1` and `t12` tick; `s2(a,c2)` is done by a subagent of the second
 * task, `p(1:a,2:b,1:c1)` by two that work at once; `look` is a command that only looks; `restart` begins another process.
 */
const PLAN = "plans/demo.md"
const OWN = ["npm test -- one", "npm test -- two", "npm test -- three"]

interface Played {
  /** Tasks that were held at any time, and that are held at the end. */
  readonly ever: readonly string[]
  readonly held: readonly string[]
}

async function played(
  steps: string,
  checks: readonly (readonly string[])[] = OWN.map((one) => [one]),
): Promise<Played> {
  const found = { ever: new Set<string>(), held: [] as string[] }
  await withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const rows = checks.map((own, at) => {
      const lines = own.map((check) => `  Verify: \`${check}\`\n`)
      return `- [ ] ${at + 1}. Do ${at + 1}\n${lines.join("")}`
    })
    const path = join(root, PLAN)
    await writeFile(path, `# Plan\n\n## TODOs\n\n${rows.join("")}`)
    const given = {
      ticks: "require",
      orchestrator_writes: "allow",
      continuation: { cooldown_seconds: 0 },
    }
    let moves = 0
    const open = () =>
      openPlugin(root, { ...readOptions(given), tree: async () => `tree ${moves}` })
    let plugin: PluginInProcess = open()
    const look = async () => {
      const { boulder } = await openFileBoulderStore({ root }).read()
      const [work] = Object.values(boulder?.works ?? {})
      found.held = Object.keys(work?.held ?? {}).toSorted()
      for (const key of found.held) found.ever.add(key)
    }
    const edit = async (change: (text: string) => string): Promise<unknown> => {
      await writeFile(path, change(await readFile(path, "utf8")))
      return plugin.use(LEAD, "edit", { filePath: path })
    }
    const acts: Readonly<Record<string, (rest: string, by: string) => Promise<unknown>>> = {
      c: (rest, by) => {
        const [label = "", which = "0"] = rest.replace("!", "").split(".")
        const check = checks[Number(label) - 1]?.[Number(which)] ?? ""
        return plugin.bash(by, check, rest.endsWith("!") ? 1 : 0)
      },
      t: (labels) => edit((text) => [...labels].reduce(ticked, text)),
      s: (rest) => {
        const [, label = "", inner = ""] = /^(\d)\((.*)\)$/.exec(rest) ?? []
        const child = `ses_child${label}`
        const during = async () => {
          for (const one of inner.split(",")) await step(one, child)
        }
        return plugin.delegate({ lead: LEAD, key: `todo:${label}`, child, during })
      },
      p: (rest) => {
        const parts = rest
          .slice(1, -1)
          .split(",")
          .map((one) => one.split(":"))
        const begun = [...new Set(parts.map(([label = ""]) => label))]
        const all = async () => {
          for (const [label, word = ""] of parts) await step(word, `ses_child${label}`)
        }
        return begun.reduceRight<() => Promise<unknown>>((during, label) => {
          const call = { lead: LEAD, key: `todo:${label}`, child: `ses_child${label}`, during }
          return () => plugin.delegate(call)
        }, all)()
      },
      // The first row gets another check, or is deleted.
      other: () =>
        edit((text) => text.replace("  Verify: `npm test`\n", "  Verify: `npm test -- one`\n")),
      gone: () => edit((text) => text.replace(/- \[[x ]\] 1\..*\n(?: {2}.*\n)*/, "")),
      look: () => plugin.bash(LEAD, "git status"),
      idle: () => plugin.fallIdle(LEAD),
      restart: async () => {
        await plugin.fallIdle(LEAD)
        await plugin.hooks.dispose?.()
        plugin = open()
        await plugin.say(LEAD, "go on")
      },
      "": (name, by) => {
        moves += 1
        const filePath = name === "notes" ? "NOTES.md" : `src/${name}.ts`
        return plugin.use(by, "write", { filePath })
      },
    }
    const step = async (word: string, by: string): Promise<void> => {
      const [, kind = "", rest = ""] =
        /^(look|restart|idle|other|gone|[ct](?=\d)|s(?=\d)|p(?=\()|)(.*)$/.exec(word) ?? []
      await acts[kind]?.(rest, by)
      await look()
    }
    await plugin.startWork(LEAD, PLAN)
    for (const word of steps.split(" ")) await step(word, LEAD)
    await plugin.fallIdle(LEAD)
    await look()
    await plugin.hooks.dispose?.()
  })
  return { ever: [...found.ever].toSorted(), held: found.held }
}

const SHARED_LINT = [
  ["npm test -- one", "npm run lint"],
  ["npm test -- two", "npm run lint"],
]
const ALL_SHARED = [["npm test"], ["npm test"]]
const THREE_SHARED = [...ALL_SHARED, ["npm test"]]

describe("an honest lead that works on several tasks before it ticks them is never held", () => {
  test.each([
    { steps: "a c1 b c2 t12" },
    { steps: "a c1 b c2 t1 t2" },
    { steps: "a c1 b c2 t2 t1" },
    { steps: "a c1 b c2 t2 look t1" },
    { steps: "a c1 b c2 t1 look t2" },
    { steps: "a c1 c2! b c2 t12" },
    { steps: "a c1! a c1 b c2! b c2 t1 t2" },
    { steps: "a c1 b c2 d c3 t123" },
    { steps: "a c1 b c2 d c3 t3 t1 t2" },
    { steps: "a c1 b c2 restart t1 t2" },
    { steps: "a c1 restart b c2 t12" },
    { steps: "a b c1 c2 t12" },
    { steps: "a b c1! a c1 c2 t1 t2" },
    { steps: "b c2 a c1 t12" },
    { steps: "a c1 t1 b c2 t2 d c3 t3" },
    { steps: "s1(a,c1) s2(b,c2) t12" },
    { steps: "s1(a,c1) b c2 t12" },
    { steps: "b c2 s1(a,c1) t12" },
    { steps: "s1(a) s2(b) c1 c2 t1 notes t2" },
    { steps: "notes s1(a) s2(b) c1 c2 t1 notes t2" },
    { steps: "a c1.0 c1.1 b c2.0 c2.1 t12", checks: SHARED_LINT },
    { steps: "a c1.0 b c2.0 c2.1 t12", checks: SHARED_LINT },
    { steps: "a c1.0 c1.1 b c2.0 c2.1 t1 look t2", checks: SHARED_LINT },
    { steps: "a b c1.0 c2.0 c2.1 t1 t2", checks: SHARED_LINT },
    { steps: "a b c2.1 c1.0 c2.0 t1 look t2", checks: SHARED_LINT },
    { steps: "a b c2.1 c1.0 c2.0 restart t1 look t2", checks: SHARED_LINT },
    { steps: "a c1 b c2 t12", checks: ALL_SHARED },
    { steps: "a b c1 t12", checks: ALL_SHARED },
    { steps: "p(1:a,2:b,1:c1,2:c2) t12" },
    { steps: "p(1:a,2:b,2:c2,1:a,1:c1) restart t2 t1" },
    { steps: "p(1:a,2:b) restart c1 c2 t1 look t2" },
    { steps: "p(1:a,2:b,1:c1,2:c2) notes t1 notes t2" },
    { steps: "p(1:a,2:b,1:c1.0,1:c1.1,2:c2.0,2:c2.1) t1 t2", checks: SHARED_LINT },
    { steps: "p(1:a,2:b,1:c1,2:c2) t1 restart t2", checks: ALL_SHARED },
    { steps: "a c1 p(2:b,3:d,2:c2,3:c3) t123" },
    { steps: "s1(a) s2(b) c2! b c1 c2! b c2 t12" },
    { steps: "s1(a) s2(b) c2! b c1 c2! b c2 t2 t1" },
    { steps: "s1(a) s2(b) s3(d) c3! d c1 c2 c3! d c3 t123" },
    { steps: "a c1 b c2 t1 d c3 t3 t2" },
    { steps: "a c1 b c2 t1 b c2 d c3 t3 t2" },
    { steps: "a c1 b c2 t1 a d c3 t3 t2" },
    { steps: "a c1 b c2 d c1 b c2 t12" },
    { steps: "a c1 s2(b) c2 a c1 s2(b) c2 t12" },
    { steps: "a c1 s2(b,c2) d c1 s2(b,c2) t12" },
    { steps: "a b c1 c2! b c2 t12" },
    { steps: "a b c1 c2 a c1 t12" },
    { steps: "b c1 c2 a c1 t12" },
    { steps: "a s2(b) b c1 c2 b c2 t12" },
    { steps: "a c1 notes t1 b notes c2 notes t2" },
    { steps: "notes a c1 b c2 notes t12" },
  ])("$steps", async ({ steps, checks }) => {
    expect(await played(steps, checks)).toEqual({ ever: [], held: [] })
  })
})

describe("a tick behind another one stands on nothing that was run before that, however often it is looked at", () => {
  test.each([
    { steps: "a c1 t1 t2", checks: ALL_SHARED, held: ["todo:2"] },
    { steps: "s1(a) c1 t1 t2", checks: ALL_SHARED, held: ["todo:2"] },
    { steps: "a c1 t1 idle t2 idle", checks: ALL_SHARED, held: ["todo:2"] },
    { steps: "a c1 t1 t2 restart look", checks: ALL_SHARED, held: ["todo:2"] },
    { steps: "a c1 t1 t2 t3 idle", checks: THREE_SHARED, held: ["todo:2", "todo:3"] },
    { steps: "a c1 t1 t23 idle", checks: THREE_SHARED, held: ["todo:2", "todo:3"] },
    { steps: "a c1 t1 other t2", checks: ALL_SHARED, held: ["todo:2"] },
    { steps: "s1(a,c1) t1 other s2(look) t2", checks: ALL_SHARED, held: ["todo:2"] },
    { steps: "s1(a) c1 t1 gone t2 idle", checks: ALL_SHARED, held: ["todo:2"] },
    { steps: "s1(a) c1 t1 gone t2 c2", checks: ALL_SHARED, held: [] },
    { steps: "a c1 t1 t2 t3 c2", checks: THREE_SHARED, held: [] },
  ])("$steps: $held", async ({ steps, checks, held }) => {
    expect((await played(steps, checks)).held).toEqual(held)
  })
})

describe("what is written behind a check is no less written for another task's tick", () => {
  test.each([
    { steps: "a c1 b c2 b t12", held: ["todo:2"] },
    { steps: "s2(b) c1.0 a c2.0 t1 c1.1 t2", checks: SHARED_LINT, held: ["todo:1"] },
    { steps: "a c1 b c2 b t1 t2", held: ["todo:2"] },
    { steps: "a c1 b c2 b t1 look t2", held: ["todo:2"] },
    { steps: "a c1 b c2 b t1 c1 t2", held: ["todo:2"] },
    { steps: "a c1 b c2 b restart t1 c1 t2", held: ["todo:2"] },
    { steps: "a c1 b c2 b t2 t1", held: ["todo:2"] },
    { steps: "a c1 b c2 a t12", held: ["todo:1"] },
    { steps: "a c1 b c2 a t1 t2", held: ["todo:1"] },
    { steps: "a b c1 c2 b t1 t2", held: ["todo:1", "todo:2"] },
    { steps: "a b c1 c2 b t1 c1 t2", held: ["todo:2"] },
    { steps: "a b c1 c2 b t2 c2 t1", held: ["todo:1"] },
    { steps: "a b c1! a c1 c2 b t1 c1 t2", held: ["todo:2"] },
    { steps: "a b c1 a c2 b c1 t12", held: ["todo:2"] },
    { steps: "c1 c2 a b t12", held: ["todo:1", "todo:2"] },
    { steps: "c1 c2 a b t1 t2", held: ["todo:1", "todo:2"] },
    { steps: "c1 c2 a b t1 c1 t2", held: ["todo:2"] },
    { steps: "c1 c2 a b c1 t1 t2", held: ["todo:2"] },
    { steps: "a c1 b t1 t2 c2", held: ["todo:1"] },
    { steps: "a c1 b t1 c2 t2", held: ["todo:1"] },
    { steps: "a c1 t1 b c2 d c1 t2", held: ["todo:2"] },
    { steps: "s2(x) b c2 b t1 c1 t2", held: ["todo:2"] },
    { steps: "s1(a,c1,a) s2(b,c2) t12", held: ["todo:1"] },
    { steps: "s1(a,c1) s2(b,c2,a) t12", held: ["todo:1", "todo:2"] },
    { steps: "s1(a,c1) s2(b,c2,a) t2 t1", held: ["todo:1", "todo:2"] },
    { steps: "s1(a,c1) s2(b,c2,a) restart t2 t1", held: ["todo:1", "todo:2"] },
    { steps: "a c1.0 c1.1 b c2.0 c2.1 b t12", checks: SHARED_LINT, held: ["todo:2"] },
    { steps: "a c1.0 c1.1 b c2.0 t1 look t2", checks: SHARED_LINT, held: ["todo:2"] },
    { steps: "a b c2.1 c1.0 b c2.0 t1 look t2", checks: SHARED_LINT, held: ["todo:1", "todo:2"] },
    { steps: "a b c1.0 c2.0 t1 look t2", checks: SHARED_LINT, held: ["todo:1", "todo:2"] },
    { steps: "a b c1.0 c2.0 c2.1 b t1 c1.0 c1.1 t2", checks: SHARED_LINT, held: ["todo:2"] },
    { steps: "a c1 b t1 look t2", checks: ALL_SHARED, held: ["todo:1", "todo:2"] },
    { steps: "s1(a) s2(b) x c1 x t1 y t2", checks: ALL_SHARED, held: ["todo:1", "todo:2"] },
    { steps: "p(1:a,2:b,1:c1,2:c2,2:b) t12", held: ["todo:2"] },
    { steps: "p(1:a,2:b,1:c1,2:c2,1:a) restart t2 t1", held: ["todo:1"] },
    { steps: "p(1:a,2:b,1:c1,2:c2,2:a) t1 t2", held: ["todo:1", "todo:2"] },
    { steps: "p(1:a,2:b,1:c1,2:c2) b t1 c1 t2", held: ["todo:2"] },
    { steps: "p(1:a,2:b,1:c1,2:c2!) t1 t2", held: ["todo:2"] },
    { steps: "p(1:a,2:b,1:c1) t12", checks: ALL_SHARED, held: ["todo:2"] },
    { steps: "t12", held: ["todo:1", "todo:2"] },
    { steps: "a b t1 restart t2", held: ["todo:1", "todo:2"] },
    { steps: "a c1 b c2 restart b restart t1 c1 restart t2", held: ["todo:2"] },
    { steps: "s1(a) s2(b) c2! b c1 c2 b t12", held: ["todo:2"] },
    { steps: "s1(a) s2(b) c1! a c2 c1 a t2 t1", held: ["todo:1"] },
    { steps: "s2(b,c2) t2 s1(a) b c1 b t1", held: ["todo:1"] },
    { steps: "a c1 b c2 t1 b d c3 t2", held: ["todo:2"] },
    { steps: "a c1 b c2 t1 b d c3 t3 t2", held: ["todo:2"] },
    { steps: "a c1 b c2 t1 idle b idle d c3 t3 idle t2", held: ["todo:2"] },
    { steps: "s1(a,c1) b c2 t1 b s3(d,c3) t3 t2", held: ["todo:2"] },
    { steps: "b c2 s1(a,c1) t1 b s3(d,c3) t3 restart t2", held: ["todo:2"] },
  ])("$steps: $held", async ({ steps, checks, held }) => {
    expect(await played(steps, checks)).toMatchObject({ held })
  })
})
