import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DEMO_PLAN_PATH } from "../demo/demo-plan.ts"
import { REPO } from "../support/host-version.ts"

test("the demo carries its twelve tasks to their end and leaves the project", async () => {
  const program = join(REPO, "test/demo/demo.ts")
  const demo = Bun.spawn([process.execPath, program], { cwd: REPO, env: process.env })
  const out = await new Response(demo.stdout).text()
  const project = /^Project: (.*)$/m.exec(out)?.[1] ?? ""
  expect(await demo.exited, out).toBe(0)
  expect(readFileSync(join(project, DEMO_PLAN_PATH), "utf8").match(/^- \[x\] /gm)?.length).toBe(12)
  expect(existsSync(join(project, "src/main.js"))).toBe(true)
  expect(out).toMatch(/│ tasks done +│ 12 of 12 /)
  expect(out).toMatch(/│ sessions reused +│ [1-9]/)
  expect(out).toMatch(/│ continuations +│ [1-9]/)
  expect(out).toContain("   | Preferred reuse session for todo:3: ses_")
  expect(out).toContain("The demo now plays the user")
}, 240_000)
