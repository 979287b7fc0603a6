import type { OpencodeHost } from "./opencode-host.ts"

/** In `.git`, so that it is no change of the project. */
const AHEAD = ".git/ahead"

/**
 * Options for `startHost`: the clock of the host's process is as far ahead as `setAhead` says, as after the machine has slept. Its
 * environment keeps such a process from being left to another test, which it would give the wrong time.
 */
export const MOVED_CLOCK = {
  files: {
    ".opencode/plugin/clock.js": `import { readFileSync } from "node:fs"
export const Clock = async ({ directory }) => {
  globalThis.realNow ??= Date.now
  const real = globalThis.realNow
  let ahead = 0
  Date.now = () => real() + ahead
  setInterval(() => {
    try { ahead = Number(readFileSync(directory + "/${AHEAD}", "utf8")) } catch { ahead = 0 }
  }, 50).unref()
  return {}
}
`,
  },
  env: { BOULDER_TEST_CLOCK: "moved" },
} as const

/** Sets how far the clock is ahead. The host's process reads this every 50 ms. */
export function setAhead(host: OpencodeHost, ms: number): void {
  host.writeFile(AHEAD, String(ms))
}
