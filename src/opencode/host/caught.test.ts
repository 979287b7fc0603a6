import { expect, spyOn, test } from "bun:test"
import { NOW } from "../../../test/support/builders.ts"
import type { JournalEntry } from "../../store/records/journal.ts"
import { openCaught } from "./caught.ts"

const fails = (words: string) => async () => {
  throw new Error(words)
}

test("what fails where neither journal nor log can be told is said on stderr, with why they cannot", async () => {
  const said: string[] = []
  const stderr = spyOn(process.stderr, "write").mockImplementation((text) => {
    said.push(String(text))
    return true
  })
  try {
    const journal = { append: fails("the disk is full"), readLast: fails("unread") }
    const shell = { journal, log: fails("nobody listens"), now: () => NOW }
    const { guarded } = openCaught(shell as never, { isWaiting: () => false, say: fails("unsaid") })
    await guarded("idle", null, fails("no such work"))
  } finally {
    stderr.mockRestore()
  }
  expect(said).toEqual([
    "opencode-boulder: idle: Error: no such work; Error: the disk is full\n",
    "opencode-boulder: idle: Error: no such work; Error: nobody listens\n",
  ])
})

test("what fails again and again is told once an hour, and anew where it fails otherwise", async () => {
  let at = NOW
  const told: string[] = []
  const append = async ({ session, facts }: JournalEntry) =>
    void told.push(`${session} ${facts["message"]}`)
  const shell = { journal: { append }, log: async () => undefined, now: () => at }
  const { report } = openCaught(shell as never, { isWaiting: () => false, say: fails("unsaid") })
  for (let minute = 0; minute < 121; minute++, at += 60_000)
    for (const session of ["ses_a", "ses_b"]) await report("works", session, new Error("500"))
  expect(told).toEqual(Array(3).fill(["ses_a Error: 500", "ses_b Error: 500"]).flat())
  await report("works", "ses_a", new Error("404"))
  await report("timer", "ses_a", new Error("404"))
  await report("timer", null, new Error("404"))
  expect(told.slice(6)).toEqual(["ses_a Error: 404", "ses_a Error: 404", "null Error: 404"])
})

test("what could not be told is told at the next time", async () => {
  let isFull = true
  const told: string[] = []
  const append = async ({ facts }: JournalEntry) => {
    if (isFull) throw new Error("the disk is full")
    told.push(String(facts["message"]))
  }
  const shell = { journal: { append }, log: async () => undefined, now: () => NOW }
  const stderr = spyOn(process.stderr, "write").mockImplementation(() => true)
  try {
    const { report } = openCaught(shell as never, { isWaiting: () => false, say: fails("unsaid") })
    await report("works", null, new Error("500"))
    isFull = false
    await report("works", null, new Error("500"))
    await report("works", null, new Error("500"))
  } finally {
    stderr.mockRestore()
  }
  expect(told).toEqual(["Error: 500"])
})
