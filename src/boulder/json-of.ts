// Parses JSON without throwing.
/** The value of a JSON text; undefined if it is not JSON, or nested too deeply to be read. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}
