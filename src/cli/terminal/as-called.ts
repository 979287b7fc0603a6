// Our own words that advise a command, with the name that this installation is called by.

/** A text of ours in which a command stands behind `run opencode-boulder`, as it is typed here. */
export function asCalled(text: string, call: string): string {
  return text.replaceAll("run opencode-boulder ", () => `run ${call} `)
}
