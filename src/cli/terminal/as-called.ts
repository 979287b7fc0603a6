// Writes the commands that our texts advise with the name by which this installation is called.

/** Every command that our texts advise; `opencode-boulder 0.2.0` and `opencode-boulder does` are none. */
const ADVISED =
  /(?<![\w/-]|npx )opencode-boulder (?=(?:answer|approve|doctor|plan|prune|resume|run|state|status|stop|unblock|why|works)\b)/g

/** A text of ours with each advised command as typed here. */
export function asCalled(text: string, call: string): string {
  return text.replaceAll(ADVISED, () => `${call} `)
}
