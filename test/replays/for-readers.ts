/**
 * `bun test/replays/for-readers.ts write FOLDER`: a file NN.md a request, for readers who get nothing else;
 * `… take FOLDER BY`: their answers, NN.json or NN-2.json, into the recordings.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { z } from "zod"
import { type Recording, recordedPath, recordedTools, recordings, textsIn } from "./recording.ts"
import { SCENES } from "./scenes.ts"

const [what = "", folder = "", by = ""] = process.argv.slice(2)
const answered = z.object({
  acts: z.array(
    z.union([
      z.object({ tool: z.string(), args: z.record(z.string(), z.unknown()) }),
      z.object({ text: z.string() }),
    ]),
  ),
  unclear: z.string(),
})

if (what === "write") write()
else if (what === "take") take()
else throw new Error("Expected write FOLDER, or take FOLDER BY")

/** The number of a recording's file: the scenes in their order. */
function numberOf({ scene }: Recording): string {
  return String(SCENES.findIndex(({ name }) => name === scene) + 1).padStart(2, "0")
}

function write(): void {
  mkdirSync(folder, { recursive: true })
  for (const recording of recordings())
    if (recording.readings.length === 0)
      writeFileSync(join(folder, `${numberOf(recording)}.md`), requestText(recording))
}

function take(): void {
  const on = new Date().toISOString().slice(0, 10)
  for (const recording of recordings()) {
    const mine = readdirSync(folder).filter(
      (file) => file.startsWith(numberOf(recording)) && file.endsWith(".json"),
    )
    const readings = mine.sort().map((file) => {
      const { acts, unclear } = answered.parse(JSON.parse(readFileSync(join(folder, file), "utf8")))
      return { by, on, acts, unclear }
    })
    const path = recordedPath(recording.scene)
    if (readings.length > 0 && existsSync(path))
      writeFileSync(path, `${JSON.stringify({ ...recording, readings }, null, 1)}\n`)
  }
}

function requestText(recording: Recording): string {
  const tools = recordedTools().filter((tool) => recording.tools.includes(tool.function.name))
  const number = numberOf(recording)
  return `You are the model that receives this request. Answer with the tool calls and words you would send; then, apart, say what in the text was unclear or contradictory.

Write your answer as JSON into ${number}.json in the folder that you were given for answers:
{"acts": [{"tool": "…", "args": {…}}, …] or [{"text": "…"}], "unclear": "…"}
\`acts\` is your very next message alone, tool calls and words in their order; a message without a tool call ends your turn. Run nothing yourself. \`unclear\` may be "".

# The request

## Tools

${tools.length === 0 ? "none" : tools.map(toolText).join("\n\n")}

## Messages
${recording.messages.map(messageText).join("")}`
}

function toolText({
  function: { name, description, parameters },
}: ReturnType<typeof recordedTools>[number]): string {
  return `### ${name}\n\n${description}\n\nParameters: ${JSON.stringify(parameters)}`
}

function messageText({
  role,
  content,
  tool_calls: calls = [],
}: Recording["messages"][number]): string {
  const words = textsIn(content).join("\n")
  const called = calls.map(
    (call) => `(calls ${call.function.name} with ${call.function.arguments})`,
  )
  return `\n--- ${role} ---\n${[words, ...called].filter((part) => part !== "").join("\n")}\n`
}
