/**
 * `bun test/replays/for-readers.ts write FOLDER`: a file NN.md a request, for readers who get nothing else but INDEX.md;
 * `… take FOLDER BY`: a reader's answers, NN.json, into the recordings, beside those of other readers.
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
  const unread = recordings().filter(({ readings }) => readings.length === 0)
  const files = unread.map((recording) => `${numberOf(recording)}.md`).sort()
  for (const recording of unread)
    writeFileSync(join(folder, `${numberOf(recording)}.md`), requestText(recording))
  writeFileSync(join(folder, "INDEX.md"), indexText(files))
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
    const others = recording.readings.filter((reading) => reading.by !== by)
    const all = { ...recording, readings: [...others, ...readings] }
    if (readings.length > 0 && existsSync(path))
      writeFileSync(path, `${JSON.stringify(all, null, 1)}\n`)
  }
}

function indexText(files: readonly string[]): string {
  return `# ${files.length} requests to a model

Each file holds one request, as the host has sent it: the tools that it offers, and the messages. They have nothing to do with each other.
You are the model that receives it. Read one file, answer it, then take the next; look at nothing else.

Write the answer to NN.md as JSON into NN.json in your own folder for answers:

    {"acts": [{"tool": "…", "args": {…}}, {"text": "…"}], "unclear": "…"}

- \`acts\` is your very next message alone: its words and its tool calls, in their order, with the arguments that you would send. A message
  without a tool call ends your turn. Run nothing yourself.
- \`unclear\` is what was unclear or contradictory in the request, in your own words; "" for nothing.

Files: ${files.join(", ")}
`
}

function requestText(recording: Recording): string {
  const tools = recordedTools().filter((tool) => recording.tools.includes(tool.function.name))
  return `# Tools

${tools.length === 0 ? "none" : tools.map(toolText).join("\n\n")}

# Messages
${recording.messages.map(messageText).join("")}`
}

function toolText({
  function: { name, description, parameters },
}: ReturnType<typeof recordedTools>[number]): string {
  return `## ${name}\n\n${description}\n\nParameters: ${JSON.stringify(parameters)}`
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
