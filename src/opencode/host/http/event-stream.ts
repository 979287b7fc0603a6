// Reads the events of a server-sent stream.
import { jsonOf } from "../../../boulder/json-of.ts"

const MAX_FRAME_CHARS = 16_000_000
const DATA = "data:"

/**
 * The events of a server-sent stream, each parsed. A frame that is not JSON, or too long, is skipped. Ends with the connection, even if
 * that breaks off; the reader then opens it again. However small the pieces are, each is looked through once.
 */
export async function* eventStream(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<unknown, void, undefined> {
  const decoder = new TextDecoder()
  const frame = openFrame()
  /** A carriage return whose line feed may be in the next piece. */
  let held = ""
  for await (const chunk of body) {
    const text = held + decoder.decode(chunk, { stream: true })
    held = text.endsWith("\r") ? "\r" : ""
    const whole = text.slice(0, text.length - held.length).replaceAll("\r\n", "\n")
    const [first = "", ...others] = whole.split("\n")
    frame.grow(first)
    for (const next of others) {
      const data = frame.endLine()
      const event = data === null ? undefined : jsonOf(data)
      if (event !== undefined) yield event
      frame.grow(next)
    }
  }
}

/** The unfinished frame: the data of its complete lines, and the line that is not complete yet. */
function openFrame() {
  let data: string[] = []
  let line = ""
  let chars = 0
  return {
    /** Adds to the line. If the frame is too long, only a sign that the line goes on is kept. */
    grow(piece: string): void {
      chars += piece.length
      line = chars <= MAX_FRAME_CHARS ? line + piece : line || piece.slice(0, 1)
    },
    /** Ends the line. An empty line ends the frame and gives its data; null if that was too long. */
    endLine(): string | null {
      const ended = line
      line = ""
      if (ended.startsWith(DATA)) data.push(ended.slice(DATA.length))
      if (ended !== "") return null
      const found = chars <= MAX_FRAME_CHARS ? data.join("\n") : null
      data = []
      chars = 0
      return found
    },
  }
}
