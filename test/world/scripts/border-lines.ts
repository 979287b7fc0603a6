// Writes what a plugin has seen of its host as lines by which two runs can be compared.
import type { Seen } from "./recording-plugin.ts"

type Fields = Readonly<Record<string, unknown>>

/** Lines without times and ids. Sessions are s1, s2, ...; messages m1, calls c1, requests q1 of their session, as first seen. */
export class BorderLines {
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  readonly #said = new Map<string, string>()
  readonly lines: string[] = []

  /** Adds the line for it, if it has one. What only repeats the last line about a message, part or session is left out. */
  add(seen: Seen): void {
    const row = seen.kind === "hook" ? HOOKS[seen.name] : EVENTS[seen.name]
    const session = sessionOf(seen)
    if (row === undefined || session === undefined) return
    const name = this.#name("s", session)
    const words = row(fieldsOf(seen.input), fieldsOf(seen.output))
    if (words === null) return
    const kind = seen.kind === "hook" ? "hook " : ""
    const line = [name, `${kind}${seen.name}`, ...words.filter((word) => word !== "")].join(" ")
    const subject = subjectOf(seen)
    if (subject !== undefined && this.#said.get(subject) === line) return
    if (subject !== undefined) this.#said.set(subject, line)
    this.lines.push(this.#withoutIds(line, name))
  }

  /** Adds something about a session that is neither hook nor event. */
  note(session: string, text: string): void {
    this.lines.push(`${this.#name("s", session)} ${text}`)
  }

  /** The id that a name such as `s2` stands for. */
  idOf(name: string): string | undefined {
    return [...this.#names].find(([, known]) => known === name)?.[0].trim()
  }

  hasSession(id: string): boolean {
    return this.#names.has(` ${id}`)
  }

  /** Its name within `scope`, a session or the whole scenario. */
  #name(kind: string, id: string, scope = ""): string {
    const key = `${scope} ${id}`
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const count = (this.#counts.get(`${scope} ${kind}`) ?? 0) + 1
    this.#counts.set(`${scope} ${kind}`, count)
    this.#names.set(key, `${kind}${count}`)
    return `${kind}${count}`
  }

  #withoutIds(line: string, session: string): string {
    return line
      .replace(/\bses_[0-9a-f]{12}[0-9A-Za-z]{14}\b/g, (id) => this.#name("s", id))
      .replace(/\bmsg_[0-9a-f]{12}[0-9A-Za-z]{14}\b/g, (id) => this.#name("m", id, session))
      .replace(/\b(?:per|que)_[0-9a-f]{12}[0-9A-Za-z]{14}\b/g, (id) => this.#name("q", id, session))
      .replace(/\bcall_[0-9A-Za-z]+\b/g, (id) => this.#name("c", id, session))
  }
}

type Row = (input: Fields, output: Fields) => readonly string[] | null

const HOOKS: Readonly<Record<string, Row>> = {
  "chat.message": ({ agent }, { message, parts }) => [
    `agent=${text(fieldsOf(message)["agent"])}`,
    agent === undefined ? "" : `given=${text(agent)}`,
    ...listOf(parts).map(partWords),
  ],
  "command.execute.before": ({ command, arguments: given }, { parts }) => [
    `${text(command)} ${JSON.stringify(given)}`,
    ...listOf(parts).map(partWords),
  ],
  "chat.params": ({ agent }) => [`agent=${text(agent)}`],
  "experimental.chat.messages.transform": (_, { messages }) => listOf(messages).map(messageWords),
  "experimental.chat.system.transform": () => [],
  "experimental.session.compacting": () => [],
  "experimental.compaction.autocontinue": ({ overflow }) => [`overflow=${String(overflow)}`],
  "experimental.text.complete": (_, output) => [JSON.stringify(output["text"])],
  "tool.execute.before": ({ tool, callID }, { args }) => [
    text(tool),
    text(callID),
    JSON.stringify(sorted(args)),
  ],
  "tool.execute.after": ({ tool, callID }, { output, metadata }) => [
    text(tool),
    text(callID),
    JSON.stringify(output),
    tool === "task" ? `child=${text(fieldsOf(metadata)["sessionId"])}` : "",
  ],
}

const EVENTS: Readonly<Record<string, Row>> = {
  "session.created": ({ info }) => {
    const { parentID, agent } = fieldsOf(info)
    return parentID === undefined ? [] : [`parent=${text(parentID)}`, `agent=${text(agent)}`]
  },
  "session.deleted": () => [],
  "session.status": ({ status }) => {
    const { type, attempt } = fieldsOf(status)
    return [text(type), attempt === undefined ? "" : `attempt=${text(attempt)}`]
  },
  "session.idle": () => [],
  "session.error": ({ error }) => [text(fieldsOf(error)["name"])],
  "session.compacted": () => [],
  "message.updated": ({ info }) => {
    const { id, role, agent, mode, summary, finish, error, tokens, time } = fieldsOf(info)
    const total = text(fieldsOf(tokens)["total"])
    return [
      `${text(id)} ${text(role)} agent=${text(agent)}`,
      mode === undefined || mode === agent ? "" : `mode=${text(mode)}`,
      summary === true ? "summary" : "",
      finish === undefined ? "" : `finish=${text(finish)}`,
      error === undefined ? "" : `error=${text(fieldsOf(error)["name"])}`,
      total === "" || total === "0" ? "" : `tokens=${total}`,
      fieldsOf(time)["completed"] === undefined ? "" : "completed",
    ]
  },
  "message.removed": ({ messageID }) => [text(messageID)],
  "message.part.updated": ({ part }) => {
    const { type, messageID, tool, state } = fieldsOf(part)
    const { status } = fieldsOf(state)
    // Whether a running tool is reported before or after what it asks for is chance. For `task` this report names the child.
    const isRunning = status === "running" && (tool !== "task" || !hasChild(state))
    if (IGNORED_PARTS.has(text(type)) || isRunning) return null
    return [text(messageID), partWords(part)]
  },
  "permission.asked": ({ id, permission, tool }) => [
    `${text(id)} ${text(permission)} ${text(fieldsOf(tool)["callID"])}`,
  ],
  "permission.replied": ({ requestID, permissionID, reply, response }) => [
    text(requestID ?? permissionID),
    text(reply ?? response),
  ],
  "question.asked": ({ id, tool }) => [`${text(id)} ${text(fieldsOf(tool)["callID"])}`],
  "question.replied": ({ requestID, answers }) => [text(requestID), JSON.stringify(answers)],
  "question.rejected": ({ requestID }) => [text(requestID)],
  "command.executed": ({ name, arguments: given }) => [text(name), JSON.stringify(given)],
}

/** Marks of a turn's steps and files, which neither the plugin nor a person looks at. */
const IGNORED_PARTS: ReadonlySet<string> = new Set([
  "step-start",
  "step-finish",
  "snapshot",
  "patch",
])

function hasChild(state: unknown): boolean {
  return fieldsOf(fieldsOf(state)["metadata"])["sessionId"] !== undefined
}

function partWords(part: unknown): string {
  const { type, synthetic, text: words, tool, callID, state, auto, overflow } = fieldsOf(part)
  if (type === "compaction") return `compaction auto=${text(auto)} overflow=${text(overflow)}`
  if (type !== "tool")
    return `${text(type)}${synthetic === true ? " synthetic" : ""} ${shown(words)}`
  const { status, error, metadata } = fieldsOf(state)
  const child = text(fieldsOf(metadata)["sessionId"])
  return [
    `${text(tool)} ${text(callID)} ${text(status)}`,
    ...(child === "" ? [] : [`child=${child}`]),
    ...(typeof error === "string" ? [shown(error)] : []),
  ].join(" ")
}

/** `user(text)`: whose message, and what parts it has. Texts that the host adds for an agent count with the user's. */
function messageWords(message: unknown): string {
  const { info, parts } = fieldsOf(message)
  const { role, summary, error } = fieldsOf(info)
  const types = listOf(parts)
    .map((part) => text(fieldsOf(part)["type"]))
    .filter((type, at, all) => !IGNORED_PARTS.has(type) && type !== all[at - 1])
  const marks = `${summary === true ? "!summary" : ""}${error === undefined ? "" : "!error"}`
  return `${text(role)}${marks}(${types.join(",")})`
}

function sessionOf({ input, output }: Seen): string | undefined {
  const { sessionID, info, part } = fieldsOf(input)
  const [first] = listOf(fieldsOf(output)["messages"])
  const places = [sessionID, fieldsOf(info)["sessionID"], fieldsOf(part)["sessionID"]]
  const found = [...places, fieldsOf(fieldsOf(first)["info"])["sessionID"], fieldsOf(info)["id"]]
  return found.find((id): id is string => typeof id === "string")
}

/** What an event is about, for events that the host repeats. */
function subjectOf({ kind, name, input }: Seen): string | undefined {
  if (kind === "hook") return undefined
  const { sessionID, info, part } = fieldsOf(input)
  if (name === "session.status") return text(sessionID)
  if (name === "message.updated") return text(fieldsOf(info)["id"])
  if (name === "message.part.updated") return text(fieldsOf(part)["id"])
  return undefined
}

/** At most 80 characters of the first line, in quotes. */
function shown(words: unknown): string {
  const [first = ""] = text(words).split("\n")
  return JSON.stringify(first.slice(0, 80))
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {}
}

function text(value: unknown): string {
  return value === undefined || value === null ? "" : String(value)
}
