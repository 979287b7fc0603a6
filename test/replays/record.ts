/** `npm run replay:record [-- name…]`: plays the scenes in a real opencode and keeps their requests; a request that has not changed keeps its readings. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import process from "node:process"
import { playScene } from "./play-scene.ts"
import { ourTexts, type RecordedTool, type Recording, recordedPath, textsIn } from "./recording.ts"
import { SCENES } from "./scenes.ts"

const SYSTEM_CHARS = 1_500
const TOOL_CHARS = 700
const named = process.argv.slice(2)
const tools = new Map<string, RecordedTool>()

for (const scene of SCENES) {
  if (named.length > 0 && !named.includes(scene.name)) continue
  const played = await playScene(scene).catch((error: unknown) => {
    console.log(`${scene.name}: ${String(error).slice(0, 3_000)}`)
    return null
  })
  if (played === null) continue
  for (const tool of played.tools) tools.set(tool.function.name, bounded(tool))
  const messages = played.messages.map((message) =>
    message.role === "system"
      ? { ...message, content: boundedSystem(textsIn(message.content).join("\n")) }
      : message,
  )
  const path = recordedPath(scene.name)
  const before: Recording | null = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null
  const isSame =
    before !== null &&
    JSON.stringify(ourTexts(before.messages)) === JSON.stringify(ourTexts(messages))
  const recording: Recording = {
    scene: scene.name,
    tools: played.tools.map((tool) => tool.function.name),
    messages,
    readings: isSame ? before.readings : [],
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(recording, null, 1)}\n`)
  console.log(
    `${scene.name}: ${messages.length} messages, ${ourTexts(messages).length} texts of ours, ${recording.readings.length} readings kept`,
  )
}
if (named.length === 0)
  writeFileSync(recordedPath("tools"), `${JSON.stringify([...tools.values()], null, 1)}\n`)
process.exit(0)

/** What the host says of itself, cut; our own frames whole. */
function boundedSystem(text: string): string {
  const [hosts = "", ...ours] = text.split(/(?=<boulder>)/)
  return [cut(hosts, SYSTEM_CHARS), ...ours].join("")
}

function bounded(tool: RecordedTool): RecordedTool {
  const { name, description, parameters } = tool.function
  return {
    type: "function",
    function: { name, description: cut(description, TOOL_CHARS), parameters },
  }
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars)}\n[… cut in this recording]`
}
