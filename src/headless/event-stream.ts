const MAX_FRAME_CHARS = 16_000_000

/**
 * The events of a server-sent stream, each parsed; a frame that is no JSON is passed over. Ends with the connection,
 * also when it breaks off: whoever reads opens it again.
 */
export async function* eventStream(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<unknown, void, undefined> {
  const decoder = new TextDecoder()
  let pending = ""
  for await (const chunk of body) {
    pending = (pending + decoder.decode(chunk, { stream: true })).replaceAll("\r\n", "\n")
    const frames = pending.split("\n\n")
    pending = (frames.pop() ?? "").slice(-MAX_FRAME_CHARS)
    for (const frame of frames) {
      const event = parsed(dataOf(frame))
      if (event !== undefined) yield event
    }
  }
}

function dataOf(frame: string): string {
  const lines = frame.split("\n").filter((line) => line.startsWith("data:"))
  return lines.map((line) => line.slice("data:".length)).join("\n")
}

function parsed(text: string): unknown {
  if (text === "") return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
