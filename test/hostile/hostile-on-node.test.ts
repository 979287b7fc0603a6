import { expect, test } from "bun:test"
import { mkdtempSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"

const SUPPORT = join(import.meta.dir, "../support")
const PROGRAM = `
import { PLAN_READERS } from "${SUPPORT}/hostile-plan-readers.ts"
import { READERS } from "${SUPPORT}/hostile-readers.ts"
import { HOSTILE_SHAPES } from "${SUPPORT}/hostile-shapes.ts"
import { parsePlan } from "${SUPPORT}/../../src/plan/parse-plan.ts"

const threw = []
const deep = HOSTILE_SHAPES.filter(({ shape }) => /(?:lists|objects|edits|quotes|numbers) in|reserved/.test(shape))
for (const { reader, as, read } of [...PLAN_READERS, ...READERS]) {
  for (const { shape, of } of deep) {
    try { await read(of(100_000)) } catch (error) { threw.push([reader, as, shape, String(error)].join(": ")) }
  }
}
const dependencies = Array.from({ length: 200_000 }, (_, at) => at)
const tasks = [{ id: 1, title: "A", status: "pending", dependencies }]
const plan = parsePlan(JSON.stringify({ tasks }), { path: "tasks.json" })
console.log(JSON.stringify({ threw, runtime: process.release.name, tasks: plan.counts.total }))
`

test("no depth and no count of an input ends the stack of Node", async () => {
  const folder = mkdtempSync(join(import.meta.dir, "../../node_modules/.boulder-"))
  try {
    const entry = join(folder, "program.ts")
    await Bun.write(entry, PROGRAM)
    const built = await Bun.build({
      entrypoints: [entry],
      outdir: folder,
      target: "node",
      packages: "external",
    })
    expect(built.success).toBe(true)
    const { stdout, stderr } = Bun.spawnSync(["node", join(folder, "program.js")])
    expect(stderr.toString()).toBe("")
    expect(JSON.parse(stdout.toString())).toEqual({ threw: [], runtime: "node", tasks: 1 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
