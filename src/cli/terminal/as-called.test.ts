import { expect, test } from "bun:test"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { COMMAND_NAMES } from "../table/command-table.ts"
import { asCalled } from "./as-called.ts"
import { installedCall } from "./own-call.ts"

const CALL = "npx opencode-boulder"
const SOURCES = join(import.meta.dir, "../..")

test.each([
  { text: "or run opencode-boulder approve.", gives: `or run ${CALL} approve.` },
  { text: "(3 more: opencode-boulder status)", gives: `(3 more: ${CALL} status)` },
  { text: "opencode-boulder 0.2.0: 2 plans", gives: "opencode-boulder 0.2.0: 2 plans" },
  { text: `run ${CALL} why`, gives: `run ${CALL} why` },
  { text: "/bin/opencode-boulder why", gives: "/bin/opencode-boulder why" },
  { text: "opencode-boulder runs on", gives: "opencode-boulder runs on" },
])("$text", ({ text, gives }) => expect(asCalled(asCalled(text, CALL), CALL)).toBe(gives))

test("every command that a text of the plugin advises is named as it is called", async () => {
  for (const folder of ["prompts", "store", "opencode", "decide", "boulder", "plan"])
    for (const file of await readdir(join(SOURCES, folder), { recursive: true })) {
      if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue
      const text = await readFile(join(SOURCES, folder, file), "utf8")
      const advised = [...text.matchAll(/(?<!\/\/.*)opencode-boulder ([a-z]+)/g)]
        .map(([whole, name = ""]) => ({ whole, name }))
        .filter(({ name }) => COMMAND_NAMES.some((known) => known === name))
      for (const { whole } of advised)
        expect(`${file}: ${asCalled(whole, CALL)}`).toBe(`${file}: npx ${whole}`)
    }
})

test("the command line beside the plugin is what is called", () => {
  expect(installedCall(join(SOURCES, ".."))).toMatch(/main\.(ts|js)$/)
})
