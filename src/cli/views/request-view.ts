// What waits for a person's answer, and how to give it.
import { choiceWords, type OpenRequest } from "../../decide/open-request.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { shellWord } from "../../prompts/shell-word.ts"

/** Open requests for a person, each with the line that answers it by the program's name here; a line for none. */
export function requestsText(requests: readonly OpenRequest[], call: string): string {
  if (requests.length === 0) return "Nothing waits for an answer there.\n"
  return `${requests.map((one) => requestText(one, call)).join("\n\n")}\n`
}

/** What a request asks, in one line. */
export function askedWords(request: OpenRequest): string {
  return request.kind === "question"
    ? request.questions.map(({ text }) => text).join(" / ")
    : [request.permission, request.patterns.join(", ")].filter((part) => part !== "").join(" ")
}

function requestText(request: OpenRequest, call: string): string {
  const { id, kind, sessionId } = request
  const lines = [
    `${kind} ${id} in session ${sessionId}`,
    ...(request.kind === "question"
      ? request.questions.map((one) => `  ${one.text} (${choiceWords(one)})`)
      : [`  ${askedWords(request)}`]),
    `  ${call} answer ${shellWord(id)} ${request.kind === "question" ? "<choice>" : "--yes"}`,
  ]
  return lines.map((line) => `${line.startsWith("  ") ? "  " : ""}${cleanLine(line)}`).join("\n")
}
