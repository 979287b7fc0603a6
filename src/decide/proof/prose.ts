// Recognises texts that no check reads: notes, a progress log, a changelog.

const PROSE =
  /\.(?:md|markdown|rst|adoc|org|log)$|(?:^|[/_-])(?:notes?|progress|todos?|journal|log)(?:[_-]\w+)?\.txt$/i

/** Whether a file is a text for people, by its name: not code, and nothing that a program reads as a rule. */
export function isProse(path: string): boolean {
  return PROSE.test(path)
}

/** Whether a check mentions that it reads a text: by its name, a folder above it, or its extension. */
export function isReadBy(checks: readonly string[]): (path: string) => boolean {
  const words = new Set(checks.flatMap((check) => check.split(/[^\p{L}\d_.-]+/u)))
  const all = checks.join(" ")
  return (path) => {
    const ending = /\.\w+$/.exec(path)?.[0] ?? path
    return all.includes(`*${ending}`) || path.split("/").some((part) => words.has(part))
  }
}
