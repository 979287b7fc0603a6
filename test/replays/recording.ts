import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { REPO } from "../support/host-version.ts"
import type { Act } from "./act.ts"

/** A message as the host has sent it, in OpenAI's form. */
export interface RecordedMessage {
  readonly role: "system" | "user" | "assistant" | "tool"
  readonly content?: unknown
  readonly tool_calls?: readonly {
    readonly id: string
    readonly type: "function"
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

/** What a reader did who had nothing but the request. */
interface Reading {
  readonly by: string
  /** The day. */
  readonly on: string
  readonly acts: readonly Act[]
  /** What was unclear or contradictory, in the reader's own words; "" for nothing. */
  readonly unclear: string
}

/** A request as a real host has sent it at a point, and what its readers did. */
export interface Recording {
  readonly scene: string
  /** The names of the tools that the request offers; what they are is in tools.json. */
  readonly tools: readonly string[]
  readonly messages: readonly RecordedMessage[]
  readonly readings: readonly Reading[]
}

export interface RecordedTool {
  readonly type: "function"
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: object
  }
}

const FOLDER = new URL("./recorded/", import.meta.url)

/** Where the recordings lie. */
export function recordedPath(name: string): string {
  return fileURLToPath(new URL(`${name}.json`, FOLDER))
}

/** All recordings, by the names of their scenes. */
export function recordings(): readonly Recording[] {
  return readdirSync(fileURLToPath(FOLDER))
    .filter((file) => file !== "tools.json")
    .sort()
    .map((file) => JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")))
}

/** The tools of all requests, the host's descriptions cut. */
export function recordedTools(): readonly RecordedTool[] {
  return JSON.parse(readFileSync(new URL("tools.json", FOLDER), "utf8"))
}

/** Our own words in a request, as they stand there: frames, refusals and the lines of our tools, with ids and paths made alike. */
export function ourTexts(messages: readonly RecordedMessage[]): readonly string[] {
  return messages.flatMap(({ content }) =>
    textsIn(content).flatMap((text) => [
      ...(text.match(/<boulder>[\s\S]*?<\/boulder>/g) ?? []),
      ...(text.match(/^boulder: .*$/gm) ?? []),
    ]),
  )
}

export function textsIn(content: unknown): readonly string[] {
  if (typeof content === "string") return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part: { readonly text?: unknown }) =>
    typeof part.text === "string" ? [part.text] : [],
  )
}

/** The same in every run: ids numbered as they come, one path of the project, one time. */
export function alike(json: string, project: string): string {
  const seen = new Map<string, string>()
  const numbered = (id: string): string => {
    const kind = id.slice(0, 3)
    const count = [...seen.values()].filter((one) => one.startsWith(kind)).length + 1
    const name = seen.get(id) ?? `${kind}_${String(count).padStart(kind === "hnd" ? 16 : 26, "0")}`
    seen.set(id, name)
    return name
  }
  return json
    .replaceAll(project, "/home/ann/shop")
    .replaceAll(join(REPO, "dist/cli/main.js"), "npx opencode-boulder")
    .replace(/\/tmp\/boulder-\w+\/host-\w+/g, "/tmp/host")
    .replace(/\b(?:ses|hnd)_[0-9A-Za-z]{12,40}\b/g, numbered)
    .replace(/auth-rewrite-[0-9a-f]{8}/g, "auth-rewrite-5f21c0de")
    .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "2026-11-22T12:00:00.000Z")
    .replace(/20\d\d-\d\d-\d\d \d\d:\d\d UTC/g, "2026-11-22 13:00 UTC")
    .replace(/\((\d+(?:\.\d+)?)ms\)|duration_ms \d+\.\d+/g, "(9ms)")
}
