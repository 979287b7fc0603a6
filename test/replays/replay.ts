/** `npm run replay -- --model provider/model [--times 3]`: plays every point against a real model; without a key it prints what it would ask. */
import process from "node:process"
import { type Act, POINTS, wordsOf } from "./points.ts"
import { type Message, messagesOf, TOOLS } from "./request.ts"

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
const first = POINTS[0]
const start = first === undefined ? "" : wordsOf(first)

if (url === null || key === null || model === "") {
  for (const point of POINTS) {
    console.log(`## ${point.name}\n\n${JSON.stringify(messagesOf(point, start), null, 1)}\n`)
    console.log(`recorded (${point.recorded.by}): ${JSON.stringify(point.recorded.act)}\n`)
  }
  console.log(
    `${POINTS.length} points. To play them: --model provider/model, with ${known?.key ?? "the provider's key"} in the environment.`,
  )
} else {
  const times = Number(option("times") ?? 3)
  let right = 0
  for (const point of POINTS) {
    const acts: Act[] = []
    for (let time = 0; time < times; time++) acts.push(await play(messagesOf(point, start)))
    const good = acts.filter(point.isRight).length
    right += good
    console.log(`${good}/${times}  ${point.text}: ${point.name}`)
    for (const act of acts)
      if (!point.isRight(act)) console.log(`       ${JSON.stringify(act).slice(0, 200)}`)
  }
  console.log(`${right} of ${times * POINTS.length} right`)
}

async function play(messages: readonly Message[]): Promise<Act> {
  return provider === "anthropic" ? playAnthropic(messages) : playOpenAi(messages)
}

async function playOpenAi(messages: readonly Message[]): Promise<Act> {
  const answer = await post(
    "chat/completions",
    { authorization: `Bearer ${key}` },
    { model, messages, tools: TOOLS },
  )
  const message = at(answer, "choices", 0, "message")
  const call = at(message, "tool_calls", 0, "function")
  if (call === undefined) return { text: String(at(message, "content") ?? "") }
  return { tool: String(at(call, "name")), args: JSON.parse(String(at(call, "arguments") ?? "{}")) }
}

async function playAnthropic(messages: readonly Message[]): Promise<Act> {
  const [system, ...others] = messages
  const body = {
    model,
    max_tokens: 2_000,
    system: system?.content,
    tools: TOOLS.map(({ function: { name, description, parameters } }) => ({
      name,
      description,
      input_schema: parameters,
    })),
    messages: others.map(asAnthropic),
  }
  const headers = { "x-api-key": key ?? "", "anthropic-version": "2023-06-01" }
  const content = at(await post("messages", headers, body), "content")
  const blocks: readonly unknown[] = Array.isArray(content) ? content : []
  const use = blocks.find((block) => at(block, "type") === "tool_use")
  if (use === undefined) return { text: blocks.map((block) => at(block, "text") ?? "").join("\n") }
  return { tool: String(at(use, "name")), args: Object(at(use, "input")) }
}

function asAnthropic({ role, content, tool_calls: calls, tool_call_id: id }: Message): object {
  if (role === "tool")
    return { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] }
  const call = at(calls, 0)
  if (call === undefined) return { role, content }
  const input: unknown = JSON.parse(String(at(call, "function", "arguments")))
  return {
    role,
    content: [{ type: "tool_use", id: "call_1", name: at(call, "function", "name"), input }],
  }
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

/** What stands at a path in a value of unknown form; undefined where it ends before. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (here, key_) =>
      here === null || typeof here !== "object" ? undefined : Reflect.get(here, key_),
    value,
  )
}
