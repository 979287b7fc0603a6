import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { IN_OPENCODE } from "../../test/support/by-name.ts"
import { doneWords, REASONS, reasonSays, reasonWords, resumeWords } from "./reasons.ts"

const SRC = fileURLToPath(new URL("../", import.meta.url))

test("a reason says why in one plain clause, and what to do in another", () => {
  for (const [name, { says, todo }] of Object.entries(REASONS)) {
    expect(`${name}: ${says}`).toMatch(/^[a-z-]+: [a-z][^.]{8,90}$/)
    if (todo !== undefined)
      expect(`${name}: ${todo(IN_OPENCODE, true)}`).toMatch(
        /^[a-z-]+: [a-z][^.]{4,120}(?:\. If [^.]{4,80})?$/,
      )
  }
})

test("each reason that the plugin writes into the journal is in the table", () => {
  const written = readdirSync(`${SRC}opencode`, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .flatMap((path) => entriesOf(readFileSync(`${SRC}opencode/${path}`, "utf8")))
  expect(written.length).toBeGreaterThan(8)
  expect(written.filter((reason) => reasonWords(reason) === null)).toEqual([])
})

test("each decision that the plugin writes into the journal is said in words", () => {
  const written = readdirSync(`${SRC}opencode`, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .flatMap((path) => [
      ...readFileSync(`${SRC}opencode/${path}`, "utf8").matchAll(/\bdecision: "([a-z-]+)"/g),
    ])
    .map(([, decision = ""]) => decision)
  expect(written.length).toBeGreaterThan(8)
  expect(written.filter((decision) => doneWords(decision) === decision)).toEqual([])
})

test("a reason of a newer version, or an error's place, stands alone", () => {
  expect(reasonSays("of-tomorrow")).toBe("of-tomorrow")
  expect(reasonSays("constructor")).toBe("constructor")
  expect(reasonSays("continue")).toBe("tasks remain")
  expect(resumeWords({ decision: "rest", reason: "of-tomorrow" }, IN_OPENCODE, false)).toBeNull()
})

test("what resumes by itself asks nobody", () => {
  expect(resumeWords({ decision: "retry", reason: "backing-off" }, IN_OPENCODE, false)).toBeNull()
  expect(resumeWords({ decision: "pause", reason: "backing-off" }, IN_OPENCODE, false)).toBe(
    "To resume: send its session a message, edit the plan or type /start-work",
  )
})

test("a final wave is approved, not resumed", () => {
  expect(resumeWords({ decision: "rest", reason: "awaiting-approval" }, IN_OPENCODE, false)).toBe(
    "To approve: type /start-work, or run opencode-boulder approve",
  )
})

/** The reasons of entries with a decision beside them, each a word between quotes; those of a session's offer have blanks. */
function entriesOf(source: string): readonly string[] {
  return [...source.matchAll(/\breason: (?:[^"\n]*\? )?"([a-z-]+)"(?: : "([a-z-]+)")?/g)].flatMap(
    ([, one = "", other]) => (other === undefined ? [one] : [one, other]),
  )
}
