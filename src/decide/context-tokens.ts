// Tokens in the context after an answer, as a message of the host tells them.
/** Tokens in the context after an answer, as a message of the host tells them; 0 while it does not know them. */
export function contextTokensOf(tokens: unknown): number {
  const { total, input, output, cache } = fieldsOf(tokens)
  if (typeof total === "number" && total > 0) return total
  const { read, write } = fieldsOf(cache)
  return [input, output, read, write].reduce<number>(
    (sum, part) => sum + (typeof part === "number" ? part : 0),
    0,
  )
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {}
}
