export type WaitOptions = {
  readonly timeoutMs?: number
  /** What is waited for, in words, for the error. */
  readonly what?: string
}

const POLL_MS = 40
const DEFAULT_LIMIT_MS = 60_000

/**
 * Asks until the answer is truthy, and gives that. A predicate that throws is not true yet, so it may hold `expect`s. The error at the
 * limit shows the last answer and what `describe` says.
 */
export async function waitUntil<T>(
  predicate: () => T | Promise<T>,
  describe: () => string | Promise<string>,
  { timeoutMs = DEFAULT_LIMIT_MS, what = String(predicate) }: WaitOptions = {},
): Promise<NonNullable<T>> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const last = await ask(predicate)
    if ("value" in last && last.value) return last.value
    if (performance.now() > end) {
      const found = "error" in last ? `it threw ${String(last.error)}` : show(last.value)
      throw new Error(
        `Not so after ${timeoutMs} ms: ${what}\nlast answer: ${found}\n${await describe()}`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

async function ask<T>(predicate: () => T | Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await predicate() }
  } catch (error) {
    return { error }
  }
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 2_000)
}
