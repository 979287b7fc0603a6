// A JSON text as a value, without a throw.
/** The value of a JSON text; undefined for what is no JSON, and for what is nested so deeply that reading it fails. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}
