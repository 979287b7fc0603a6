import { expect, test } from "bun:test"
import { eventStream } from "./event-stream.ts"

test("a stream of events is read whatever its chunks are, and nonsense is skipped", async () => {
  const text =
    'data: {"type":"a"}\n\n: comment\n\ndata: {broken\n\ndata: {"type":\ndata: "ü"}\r\n\r\ndata: {"cut'
  const bytes = new TextEncoder().encode(text)
  for (const size of [1, 2, 7, bytes.length]) {
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
    }
    const events: unknown[] = []
    for await (const event of eventStream(chunks())) events.push(event)
    expect(events).toEqual([{ type: "a" }, { type: "ü" }])
  }
})

test("a frame over 16 million characters is skipped, and what follows it is read", async () => {
  async function* chunks() {
    const encoder = new TextEncoder()
    for (const text of ['data: {"type":\ndata: "', "a".repeat(16_000_000), '"}\n'])
      yield encoder.encode(text)
    yield encoder.encode('data: {"type":"b"}\n\ndata: {"type":"c"}\n\n')
  }
  const events: unknown[] = []
  for await (const event of eventStream(chunks())) events.push(event)
  expect(events).toEqual([{ type: "c" }])
})
