// Writes a plan's name or path as a command's argument that no host interprets.
const PREFIX = "plan:"
/** A host interprets nothing in this. Otherwise it runs `` !`…` ``, attaches `@…`, fills in `$1` and drops quotes. */
const PLAIN = /^(?! )[\p{L}\p{M}\p{N} ._/-]*(?<! )$/u

declare const made: unique symbol

/** An argument made by `planArgument`: the compiler accepts no other text for one. */
export type PlanArgument = string & { readonly [made]: true }

/**
 * A plan's name or path as the argument of a command, to be sent to a host or typed by a person. Foreign text must not be interpreted by
 * the host, so anything that is not plain is written as `plan:` and the percent-encoded text.
 */
export function planArgument(text: string): PlanArgument {
  return (PLAIN.test(text) ? text : encoded(text)) as PlanArgument
}

/** What `planArgument` was given; any other text unchanged. */
export function fromPlanArgument(text: string): string {
  if (!text.startsWith(PREFIX)) return text
  try {
    return decodeURIComponent(text.slice(PREFIX.length))
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

function encoded(text: string): string {
  const percent = encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return PREFIX + percent.replaceAll("%2F", "/")
}
