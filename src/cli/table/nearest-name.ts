// Finds the name that a person may have meant.
import { closestMatch } from "leven"

/** ` Did you mean status?` if one of the names, or of `others`, is close to what was typed; else "". */
export function didYouMean(
  typed: string,
  names: readonly string[],
  others: ReadonlyMap<string, string> = new Map(),
): string {
  const word = typed.toLowerCase().slice(0, 80)
  const near = closestMatch(word, names, { maxDistance: word.length < 4 ? 1 : 2 })
  const begun = names.filter((name) => word.length > 1 && name.startsWith(word))
  const meant = others.get(word) ?? near ?? (begun.length === 1 ? begun[0] : undefined)
  return meant === undefined ? "" : ` Did you mean ${meant}?`
}
