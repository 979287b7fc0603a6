// The command `answer`.

import { openWorks } from "../../boulder/find-work.ts"
import { answerTo, choiceWords, type OpenRequest } from "../../decide/open-request.ts"
import { expectAnswer, type HostClient, hostClient } from "../../opencode/host/http/host-client.ts"
import type { ServerAccess } from "../../opencode/host/http/server-access.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import type { Typed } from "../../prompts/typed-command.ts"
import { openProject, type Project, readBoulder } from "../project/project.ts"
import type { Run } from "../table/command-table.ts"
import { attachable, USUAL_SERVER } from "../terminal/attachable.ts"
import { Refusal, UsageError } from "../terminal/cli-error.ts"
import { tell } from "../terminal/terminal.ts"

const NO_SERVER =
  "A question can be answered while its opencode runs: name its server with --attach URL (opencode serve, opencode --port and opencode-boulder run --stay have one), or answer in opencode itself."

export const answerCommand: Run<"answer"> = async ({ values, names }, terminal) => {
  const [id, choice] = names
  const said = saidOf(values)
  const access = attachable(values.attach ?? USUAL_SERVER, terminal.env)
  if (id === undefined && said !== null)
    throw new UsageError(`Expected the id of a permission with --${said}; found none.`)
  const project = await openProject(terminal)
  await expectAnswer(access, terminal.signal, NO_SERVER)
  const waiting = await waitingIn(project, access, terminal.signal)
  const requests = waiting.map(({ request }) => request)
  if (id === undefined) {
    const at = values.attach === undefined ? [] : [{ as: `--attach ${access.url}` }]
    const typed: Typed = (name, ...args) => terminal.typed(name, ...args, ...at)
    const texts = requests.map((one) => requestText(one, typed))
    const none = `Nothing of this project waits for an answer at ${access.url}.`
    tell(terminal, `${texts.length === 0 ? none : texts.join("\n\n")}\n`)
    return
  }
  const found = waiting.find(({ request }) => request.id === id)
  if (found === undefined)
    throw new Refusal(
      `Expected ${id} to wait for an answer; found ${requests.map((one) => one.id).join(", ") || "nothing that waits"} at ${access.url}.`,
    )
  const { client, request } = found
  await give(client, request, { choice, said })
  const done = said === null ? "Answered" : DONE[said]
  tell(terminal, `${cleanLine(`${done}: ${askedWords(request)}`).slice(0, MAX_SHOWN)}\n`)
}

const MAX_SHOWN = 400

type Said = "yes" | "always" | "no"

const DONE = { yes: "Allowed", always: "Allowed", no: "Rejected" } as const

function saidOf(values: Readonly<Partial<Record<Said, boolean | undefined>>>): Said | null {
  const given = (["yes", "always", "no"] as const).filter((one) => values[one] === true)
  const [said = null, other] = given
  if (other !== undefined)
    throw new UsageError(`Expected one of --yes, --always, --no; found --${said} and --${other}.`)
  return said
}

/**
 * What waits for a person in the project. A host keeps that separately for each folder, and opencode may have been opened in a folder below
 * the root: so each folder is asked in which an open work is led.
 */
async function waitingIn(project: Project, access: ServerAccess, signal: AbortSignal) {
  const clientOf = (directory: string) => hostClient(access, { directory, signal })
  const atRoot = clientOf(project.root)
  const leads = openWorks(await readBoulder(project)).map((work) => work.lead_session_id)
  const folders = await Promise.all([...new Set(leads)].map((id) => atRoot.folderOf(id)))
  const others = new Set(folders.filter((folder) => folder !== null && folder !== project.root))
  const clients = [
    atRoot,
    ...[...others].flatMap((folder) => (folder === null ? [] : clientOf(folder))),
  ]
  const waiting = await Promise.all(clients.map(requestsOf))
  // A host that keeps requests for all folders together reports each of them again.
  const known = new Map(
    waiting
      .flat()
      .toReversed()
      .map((one) => [one.request.id, one]),
  )
  return [...known.values()].toReversed()
}

async function requestsOf(client: HostClient) {
  const told = await client.waiting()
  return told.flatMap((event) => {
    const asked = client.told(event)
    const isRequest = asked?.kind === "question-asked" || asked?.kind === "permission-asked"
    return isRequest && asked.request ? [{ client, request: asked.request }] : []
  })
}

const REPLIES = { yes: "once", always: "always", no: "reject" } as const

async function give(
  client: HostClient,
  request: OpenRequest,
  { choice, said }: { readonly choice: string | undefined; readonly said: Said | null },
): Promise<void> {
  if (request.kind === "permission") {
    if (said === null || choice !== undefined)
      throw new UsageError(
        `Expected --yes, --always or --no for a permission; found ${choice ?? "nothing"}.`,
      )
    return client.answerPermission(request.id, REPLIES[said])
  }
  if (said === "no" && choice === undefined) return client.answerQuestion(request.id, null)
  if (said !== null)
    throw new UsageError(`Expected a choice for a question, or --no alone; found --${said}.`)
  const answer = answerTo(request.questions, choice)
  if (answer.kind === "unclear")
    throw new UsageError(`Expected ${answer.expected}; found ${answer.found}.`)
  return client.answerQuestion(request.id, answer.answers)
}

function askedWords(request: OpenRequest): string {
  return request.kind === "question"
    ? request.questions.map(({ text }) => text).join(" / ")
    : [request.permission, request.patterns.join(", ")].filter((part) => part !== "").join(" ")
}

/** An open request, with the command that answers it here. */
function requestText(request: OpenRequest, typed: Typed): string {
  const { id, kind, sessionId } = request
  const lines = [
    `${kind} ${id} in session ${sessionId}`,
    ...(request.kind === "question"
      ? request.questions.map((one) => `  ${one.text} (${choiceWords(one)})`)
      : [`  ${askedWords(request)}`]),
    `  ${typed("answer", id, { as: request.kind === "question" ? "<choice>" : "--yes" })}`,
  ]
  return lines.map((line) => `${line.startsWith("  ") ? "  " : ""}${cleanLine(line)}`).join("\n")
}
