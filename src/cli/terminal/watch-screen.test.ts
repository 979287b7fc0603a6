import { expect, test } from "bun:test"
import { aTerminal } from "../../../test/support/cli-in-process.ts"
import { watchScreen } from "./watch-screen.ts"

/** What is written to a terminal of so many rows while one text is watched. */
async function watched(text: string, rows: number, isInteractive = true): Promise<string> {
  const end = new AbortController()
  const terminal = aTerminal({ isInteractive, rows: () => rows, signal: end.signal })
  await watchScreen(terminal, false, async () => {
    end.abort()
    return { text, json: "1" }
  })
  return terminal.said.out
}

test("a terminal is drawn on its other screen, and keeps what was seen last", async () => {
  const said = await watched("one\ntwo\n", 24)
  expect(said).toStartWith("\u001b[?1049h\u001b[Hone\u001b[K\ntwo\u001b[K\n")
  expect(said).toEndWith("\u001b[?1049lone\ntwo\n")
})

test("what has no row is counted", async () => {
  const [shown = ""] = (await watched("1\n2\n3\n4\n5\n", 4)).split("\u001b[?1049l")
  expect(Bun.stripANSI(shown)).toBe("1\n2\n… 3 more lines do not fit here\n")
  expect(Bun.stripANSI((await watched("1\n2\n3\n", 4)).split("\u001b[?1049l")[0] ?? "")).toBe(
    "1\n2\n3\n",
  )
})

test("anything but a terminal gets the text alone", async () => {
  expect(await watched("one\n", 24, false)).toBe("one\n")
})
