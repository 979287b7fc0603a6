// Puts an open question or permission of the host into our words.
import { fieldsOf } from "../../../boulder/fields-of.ts"
import type { AskedQuestion, OpenRequest } from "../../../decide/open-request.ts"

const MAX_TEXT = 2_000
const MAX_LABEL = 200
const MAX_LIST = 20

/** What the host says about an open request; null if it is none. Texts are as they came, but cut. Never throws. */
export function openRequestIn(properties: unknown): OpenRequest | null {
  const { id, sessionID, questions, permission, patterns, title } = fieldsOf(properties)
  if (typeof id !== "string" || typeof sessionID !== "string") return null
  const ids = { id: id.slice(0, MAX_LABEL), sessionId: sessionID.slice(0, MAX_LABEL) }
  if (Array.isArray(questions))
    return { ...ids, kind: "question", questions: questions.slice(0, MAX_LIST).map(questionIn) }
  return {
    ...ids,
    kind: "permission",
    permission: textIn(permission ?? title, MAX_LABEL),
    patterns: textsIn(patterns),
  }
}

function questionIn(asked: unknown): AskedQuestion {
  const { question, options, multiple } = fieldsOf(asked)
  const labels = Array.isArray(options) ? options.map((option) => fieldsOf(option)["label"]) : []
  return {
    text: textIn(question, MAX_TEXT),
    choices: textsIn(labels),
    isMultiple: multiple === true,
  }
}

function textsIn(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return []
  return list.slice(0, MAX_LIST).map((one) => textIn(one, MAX_LABEL))
}

function textIn(value: unknown, length: number): string {
  return typeof value === "string" ? value.slice(0, length) : ""
}
