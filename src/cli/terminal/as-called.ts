// Our own words that advise a command, with the name that this installation is called by.

/** Every command that our texts advise; `opencode-boulder 0.2.0` and `opencode-boulder does` are none. */
const ADVISED =
  /(?<![\w/-]|npx )opencode-boulder (?=(?:answer|approve|doctor|plan|prune|resume|run|state|status|stop|unblock|why|works)\b)/g

/** A text of ours in which each advised command is as it is typed here. */
export function asCalled(text: string, call: string): string {
  return text.replaceAll(ADVISED, () => `${call} `)
}
