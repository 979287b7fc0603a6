import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { z } from "zod"
import { failedText, unknownToolText } from "../prompts/handoff-refusal.ts"
import { HANDOFF_TOOLS, type HandoffToolName } from "../prompts/handoff-tools.ts"
import { type AnswerGround, answerCall, lineAtStart } from "./handoff-answer.ts"

/**
 * Serves the handoff tools over stdin and stdout until the other side hangs up or `signal` is aborted. Nothing else may
 * write to stdout meanwhile.
 */
export async function serveMcp(
  ground: AnswerGround,
  { version, signal }: { version: string; signal: AbortSignal },
): Promise<void> {
  const line = await lineAtStart(ground)
  const server = new Server(
    { name: "opencode-boulder", version },
    // Hosts show the instructions to the model once; without a waiting task there are none.
    { capabilities: { tools: {} }, ...(line !== null && { instructions: line }) },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools() }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { name, arguments: given } = params
    if (!isTool(name)) return refused(unknownToolText(name))
    try {
      const { text, refused: isError } = await answerCall(ground, name, given ?? {})
      return { content: [{ type: "text", text }], isError }
    } catch (error) {
      return refused(failedText(name, error))
    }
  })
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
  })
  const close = () => void server.close()
  process.stdin.once("end", close)
  signal.addEventListener("abort", close, { once: true })
  await server.connect(new StdioServerTransport())
  await closed
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
