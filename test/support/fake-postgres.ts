// As much of a PostgreSQL server as the driver needs to hear answers that a real one seldom gives.
import { createServer, type Socket } from "node:net"

type Rows = readonly Readonly<Record<string, string>>[]

/** What a statement gives: rows of text, an error, or a connection that breaks. */
export type FakeAnswer = Rows | { readonly code: string; readonly message: string } | "breaks"

const READY = message("Z", Buffer.from("I"))
const TEXT = 25
const OIDS: Readonly<Record<string, number>> = { made: 16, record: 3_802 }

/** Listens on a port of its own. Each answer comes after `ms()`. */
export async function startFakePostgres(answer: (sql: string) => FakeAnswer, ms = () => 0) {
  const server = createServer((socket) => serve(socket, answer, ms))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  const url = `postgres://boulder:secretsecret@127.0.0.1:${port}/boulder`
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  return { url, connections, end: () => void server.close() }
}

function serve(socket: Socket, answer: (sql: string) => FakeAnswer, ms: () => number): void {
  let rest = Buffer.alloc(0)
  let isStarted = false
  let bound = ""
  const known = new Map<string, string>()
  const reply = (text: string, before: readonly Buffer[]): void => {
    const result = answer(text)
    if (result === "breaks") socket.destroy()
    else setTimeout(() => socket.write(Buffer.concat([...before, resultOf(result), READY])), ms())
  }
  const hear = (kind: string, body: Buffer): void => {
    const [first = "", second = ""] = body.toString("utf8").split("\0")
    if (kind === "X") socket.end()
    if (kind === "P") known.set(first, second)
    if (kind === "B") bound = known.get(second) ?? ""
    if (kind === "Q") reply(first, [])
    if (kind === "S") reply(bound, [message("1"), message("2")])
  }
  socket.on("error", () => undefined)
  socket.on("data", (chunk) => {
    rest = Buffer.concat([rest, typeof chunk === "string" ? Buffer.from(chunk) : chunk])
    for (let next = packetOf(rest, isStarted); next !== null; next = packetOf(rest, isStarted)) {
      rest = rest.subarray(next.end)
      if (isStarted) hear(next.kind, next.body)
      else socket.write(Buffer.concat([message("R", int32(0)), READY]))
      isStarted = true
    }
  })
}

/** The next packet, if it is complete. The first packet has no kind. */
function packetOf(bytes: Buffer, isStarted: boolean) {
  const head = isStarted ? 1 : 0
  const end = bytes.length < head + 4 ? Number.POSITIVE_INFINITY : head + bytes.readInt32BE(head)
  if (bytes.length < end) return null
  return { kind: bytes.toString("utf8", 0, head), body: bytes.subarray(head + 4, end), end }
}

function resultOf(result: Exclude<FakeAnswer, "breaks">): Buffer {
  if ("code" in result)
    return message("E", Buffer.from(`SERROR\0VERROR\0C${result.code}\0M${result.message}\0\0`))
  const columns = Object.keys(result[0] ?? {})
  const described = columns.map((name) =>
    Buffer.concat([
      Buffer.from(`${name}\0`),
      ...[int32(0), int16(0), int32(OIDS[name] ?? TEXT)],
      ...[int16(-1), int32(-1), int16(0)],
    ]),
  )
  const rows = result.map((row) =>
    message("D", int16(columns.length), ...columns.map((name) => fieldOf(row[name] ?? ""))),
  )
  const head = columns.length > 0 ? [message("T", int16(columns.length), ...described)] : []
  return Buffer.concat([...head, ...rows, message("C", Buffer.from(`SELECT ${rows.length}\0`))])
}

function fieldOf(text: string): Buffer {
  return Buffer.concat([int32(Buffer.byteLength(text)), Buffer.from(text)])
}

function message(kind: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body])
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
