/** `npm run replay -- --model provider/model [--times 3]`: plays every recorded request against a real model; without a key it prints them with what their readers did. */
import process from "node:process"
import type { Act } from "./act.ts"
import { type Recording, recordings } from "./recording.ts"
import { type Message, messagesOf, toolsOf } from "./request.ts"
import { SCENES, type Scene } from "./scenes.ts"

const PROVIDERS: Readonly<Record<string, { readonly url: string; readonly key: string }>> = {
  openai: { url: "https://api.openai.com/v1", key: "OPENAI_API_KEY" },
  openrouter: { url: "https://openrouter.ai/api/v1", key: "OPENROUTER_API_KEY" },
  anthropic: { url: "https://api.anthropic.com/v1", key: "ANTHROPIC_API_KEY" },
}
const LIMIT_MS = 120_000

const option = (name: string): string | null => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? null : (process.argv[at + 1] ?? null)
}
const [provider = "", ...rest] = (option("model") ?? "").split("/")
const model = rest.join("/")
const known = PROVIDERS[provider]
const url = process.env["REPLAY_BASE_URL"] ?? known?.url ?? null
const key = process.env[known?.key ?? "REPLAY_API_KEY"] ?? null
const all = SCENES.flatMap((scene) => {
  const recording = recordings().find((one) => one.scene === scene.name)
  return recording === undefined ? [] : [{ scene, recording }]
})

if (url === null || key === null || model === "") printReadings()
else await playAll(Number(option("times") ?? 3))

function printReadings(): void {
  let right = 0
  let read = 0
  for (const { scene, recording } of all) {
    const { readings } = recording
    const good = readings.filter(({ acts }) => scene.isRight(acts)).length
    right += good
    read += readings.length
    console.log(`## ${scene.name}: ${scene.text}\n\n${lastMessages(recording)}\n`)
    console.log(`right: ${scene.right}`)
    for (const { by, on, acts, unclear } of readings)
      console.log(
        `${by}, ${on}: ${JSON.stringify(acts).slice(0, 400)}${unclear === "" ? "" : `\n  unclear: ${unclear}`}`,
      )
    console.log("")
  }
  for (const { scene, recording } of all) console.log(scoreLine(scene, recording.readings))
  console.log(
    `${all.length} requests, ${right} of ${read} readings right. To play them: --model provider/model, with ${known?.key ?? "the provider's key"} in the environment.`,
  )
}

async function playAll(times: number): Promise<void> {
  let right = 0
  for (const { scene, recording } of all) {
    const plays: { acts: readonly Act[] }[] = []
    for (let time = 0; time < times; time++) plays.push({ acts: await play(recording) })
    right += plays.filter(({ acts }) => scene.isRight(acts)).length
    console.log(scoreLine(scene, plays))
    for (const { acts } of plays)
      if (!scene.isRight(acts)) console.log(`       ${JSON.stringify(acts).slice(0, 300)}`)
  }
  console.log(`${right} of ${times * all.length} right`)
}

function scoreLine(scene: Scene, readings: readonly { readonly acts: readonly Act[] }[]): string {
  const good = readings.filter(({ acts }) => scene.isRight(acts)).length
  return `${good}/${readings.length}  ${scene.text} (${scene.name})`
}

/** What the model has to react to: everything behind its own last message. */
function lastMessages(recording: Recording): string {
  const messages = messagesOf(recording)
  const from = messages.findLastIndex(({ role }) => role === "assistant")
  return messages
    .slice(from + 1)
    .filter(({ role }) => role !== "system")
    .map(({ role, content }) => `${role}: ${content}`)
    .join("\n")
}

async function play(recording: Recording): Promise<readonly Act[]> {
  return provider === "anthropic" ? playAnthropic(recording) : playOpenAi(recording)
}

async function playOpenAi(recording: Recording): Promise<readonly Act[]> {
  const tools = toolsOf(recording)
  const answer = await post(
    "chat/completions",
    { authorization: `Bearer ${key}` },
    { model, messages: messagesOf(recording), ...(tools.length === 0 ? {} : { tools }) },
  )
  const message = at(answer, "choices", 0, "message")
  const calls = listOf(at(message, "tool_calls")).map((call) => ({
    tool: String(at(call, "function", "name")),
    args: JSON.parse(String(at(call, "function", "arguments") ?? "{}")),
  }))
  return calls.length > 0 ? calls : [{ text: String(at(message, "content") ?? "") }]
}

async function playAnthropic(recording: Recording): Promise<readonly Act[]> {
  const messages = messagesOf(recording)
  const tools = toolsOf(recording).map(({ function: { name, description, parameters } }) => ({
    name,
    description,
    input_schema: parameters,
  }))
  const body = {
    model,
    max_tokens: 2_000,
    system: messages
      .filter(({ role }) => role === "system")
      .map(({ content }) => content)
      .join("\n"),
    ...(tools.length === 0 ? {} : { tools }),
    messages: messages.filter(({ role }) => role !== "system").map(asAnthropic),
  }
  const headers = { "x-api-key": key ?? "", "anthropic-version": "2023-06-01" }
  const blocks = listOf(at(await post("messages", headers, body), "content"))
  const calls = blocks
    .filter((block) => at(block, "type") === "tool_use")
    .map((use) => ({ tool: String(at(use, "name")), args: Object(at(use, "input")) }))
  return calls.length > 0
    ? calls
    : [{ text: blocks.map((block) => at(block, "text") ?? "").join("\n") }]
}

function asAnthropic({ role, content, tool_calls: calls = [], tool_call_id: id }: Message): object {
  if (role === "tool")
    return { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] }
  if (calls.length === 0) return { role, content }
  const uses = calls.map((call) => ({
    type: "tool_use",
    id: call.id,
    name: call.function.name,
    input: JSON.parse(call.function.arguments),
  }))
  return { role, content: [...(content === "" ? [] : [{ type: "text", text: content }]), ...uses] }
}

async function post(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<unknown> {
  const response = await fetch(`${url}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  if (!response.ok)
    throw new Error(
      `Expected an answer of ${provider}, found ${response.status}: ${(await response.text()).slice(0, 300)}`,
    )
  return response.json()
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** What stands at a path in a value of unknown form; undefined where it ends before. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (here, key_) =>
      here === null || typeof here !== "object" ? undefined : Reflect.get(here, key_),
    value,
  )
}
