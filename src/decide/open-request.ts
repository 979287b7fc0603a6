// What a question or permission request of the host asks, and what an answer in words means for it.

/** One question: its text and its choices. */
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

/** What an answer means for a question: a list of labels for each of its questions, or what was expected instead. */
export type QuestionAnswer =
  | { readonly kind: "answers"; readonly answers: readonly (readonly string[])[] }
  | { readonly kind: "unclear"; readonly expected: string; readonly found: string }

/**
 * The labels that `choice` names: numbers from 1, or labels as written; separated by `;` if several questions are asked, and by commas if a
 * question takes several. Nothing is guessed.
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

/** The choices of a question in one line: `1 Yes, 2 No`. */
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
