// What a question or a permission of the host asks, and what an answer in words means for it.

type Fields = Readonly<Record<string, unknown>>

/** One question: its text, and the choices that it names. */
export interface AskedQuestion {
  readonly text: string
  readonly choices: readonly string[]
  readonly isMultiple: boolean
}

/** What waits for a person in a session. */
export type OpenRequest = { readonly id: string; readonly sessionId: string } & (
  | { readonly kind: "question"; readonly questions: readonly AskedQuestion[] }
  | {
      readonly kind: "permission"
      readonly permission: string
      readonly patterns: readonly string[]
    }
)

/** What an answer means for a question: a list of labels for each of its questions; or what was expected instead. */
export type QuestionAnswer =
  | { readonly kind: "answers"; readonly answers: readonly (readonly string[])[] }
  | { readonly kind: "unclear"; readonly expected: string; readonly found: string }

const MAX_TEXT = 2_000
const MAX_LABEL = 200
const MAX_LIST = 20

/** What the host tells of an open request; null for what is none. Texts are as they came, cut. Never throws. */
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

/**
 * The labels that `choice` names: a number from 1, or a label as it is written; with `;` between where several
 * questions are asked, and with commas where a question takes several. Nothing is guessed.
 */
export function answerTo(
  questions: readonly AskedQuestion[],
  choice: string | undefined,
): QuestionAnswer {
  const words = wordsOf(choice, questions.length)
  if (words.length !== questions.length)
    return {
      kind: "unclear",
      expected:
        questions.length === 1 ? "one choice" : `${questions.length} choices with ; between`,
      found: words.length === 0 ? "none" : `${words.length}`,
    }
  const answers: (readonly string[])[] = []
  for (const [index, question] of questions.entries()) {
    const word = words[index] ?? ""
    const labels = labelsOf(question, word)
    if (labels === null) return { kind: "unclear", expected: choiceWords(question), found: word }
    answers.push(labels)
  }
  return { kind: "answers", answers }
}

/** The choices of a question as one line: `1 Yes, 2 No`. */
export function choiceWords({ choices, isMultiple }: AskedQuestion): string {
  const listed = choices.map((choice, index) => `${index + 1} ${choice}`).join(", ")
  return isMultiple ? `some of ${listed} (such as 1,2)` : `one of ${listed}`
}

function wordsOf(choice: string | undefined, count: number): readonly string[] {
  if (choice === undefined) return []
  return count === 1 ? [choice] : choice.split(";").map((word) => word.trim())
}

function labelsOf(question: AskedQuestion, word: string): readonly string[] | null {
  const whole = labelOf(question, word)
  if (whole !== null) return [whole]
  if (!question.isMultiple) return null
  const labels = word.split(",").map((part) => labelOf(question, part.trim()))
  return labels.every((label) => label !== null) ? [...new Set(labels)] : null
}

function labelOf({ choices }: AskedQuestion, word: string): string | null {
  const written = choices.filter((choice) => choice.toLowerCase() === word.toLowerCase())
  const [only] = written
  if (only !== undefined && written.length === 1) return only
  return /^[1-9]\d?$/.test(word) ? (choices[Number(word) - 1] ?? null) : null
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

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {}
}
