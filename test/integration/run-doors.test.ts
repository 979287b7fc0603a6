import { afterEach, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { openRunProject } from "../support/run-project.ts"

const LIMIT_MS = 120_000

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

test(
  "a plan whose path holds a command is run as a plan, and the host runs nothing of its name",
  async () => {
    const path = "specs/auth!`touch PWNED`/tasks.md"
    const text = "# Auth\n\n## TODOs\n\n- [ ] 1. Write the greeting\n"
    const place = await openRunProject({ path, text }, ends)
    const { code, err } = await place.cli("run", "auth")
    expect(existsSync(join(place.project, "PWNED"))).toBe(false)
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(await Bun.file(join(place.project, path)).text()).toContain("- [x] 1.")
  },
  LIMIT_MS,
)
