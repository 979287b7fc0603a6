import { expect, spyOn, test } from "bun:test"
import { NOW } from "../../../test/support/builders.ts"
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
    await guarded("idle", fails("no such work"))
  } finally {
    stderr.mockRestore()
  }
  expect(said).toEqual([
    "opencode-boulder: idle: Error: no such work; Error: the disk is full\n",
    "opencode-boulder: idle: Error: no such work; Error: nobody listens\n",
  ])
})
