// Serves the handoff tools over MCP, on stdin and stdout.
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { z } from "../boulder/z.ts"
import { cleanLine } from "../plan/model/foreign-text.ts"
import { failedText, unknownToolText } from "../prompts/handoff-refusal.ts"
import { HANDOFF_TOOLS, type HandoffToolName } from "../prompts/tool-definitions.ts"
import { type AnswerNeeds, answerCall, lineAtStart } from "./handoff-answer.ts"

/** Longer messages are no calls of these tools, and are not kept in memory until their end comes. */
const MAX_MESSAGE_MB = 10

/**
 * Serves the handoff tools over stdin and stdout until the other side has closed its end and been answered, or `signal` is aborted. Nothing
 * else may write to stdout meanwhile. `tell` gets what is wrong with the other side's messages. Throws if a message is too long.
 */
export async function serveMcp(
  needs: AnswerNeeds,
  { version, signal, tell }: { version: string; signal: AbortSignal; tell: (line: string) => void },
): Promise<void> {
  const line = await lineAtStart(needs)
  const server = new Server(
    { name: "opencode-boulder", version },
    // Hosts show the instructions to the model once; without a waiting task there are none.
    { capabilities: { tools: {} }, ...(line !== null && { instructions: line }) },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools() }))
  const underWay = new Set<Promise<unknown>>()
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given } }) => {
    const answer = answerTo(needs, name, given)
    underWay.add(answer)
    return answer.finally(() => underWay.delete(answer))
  })
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
  })
  const close = () => void server.close()
  // A side that sends nothing more may still read, so pending calls are answered once the SDK has received them.
  process.stdin.once("end", () => void Promise.all(underWay).then(() => setImmediate(close)))
  signal.addEventListener("abort", close, { once: true })
  let isTooLong = false
  server.onerror = ({ name, message }) => {
    // The transport reports this in no other way, and closes itself.
    isTooLong ||= message.includes("exceeded maximum size")
    const isOther = name === "ZodError"
    const found = isOther
      ? "JSON of another form."
      : `something else: ${cleanLine(message).slice(0, 200)}`
    if (!isTooLong) tell(`Expected an MCP message; found ${found}`)
  }
  const { stdin, stdout } = process
  const maxBufferSize = MAX_MESSAGE_MB * 1_024 * 1_024
  await server.connect(new StdioServerTransport(stdin, stdout, { maxBufferSize }))
  await closed
  // The other side may go on writing forever.
  stdin.destroy()
  if (isTooLong)
    throw new Error(
      `Expected an MCP message of at most ${MAX_MESSAGE_MB} MB; found a longer one. The connection is closed: start the server again, and send less at once.`,
    )
}

/** The result of a call; never rejects. */
async function answerTo(needs: AnswerNeeds, name: string, given: unknown) {
  if (!isTool(name)) return refused(unknownToolText(name))
  try {
    const { text, refused: isError } = await answerCall(needs, name, given ?? {})
    return { content: [{ type: "text" as const, text }], isError }
  } catch (error) {
    return refused(failedText(name, error))
  }
}

function listedTools() {
  return Object.entries(HANDOFF_TOOLS).map(([name, { description, args }]) => {
    const { properties, required } = z.toJSONSchema(z.object(args), { io: "input" })
    return {
      name,
      description,
      inputSchema: { type: "object" as const, properties, ...(required && { required }) },
    }
  })
}

function isTool(name: string): name is HandoffToolName {
  return Object.hasOwn(HANDOFF_TOOLS, name)
}

function refused(text: string) {
  return { content: [{ type: "text" as const, text }], isError: true }
}
