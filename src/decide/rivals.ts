// Recognises other plugins that continue sessions by themselves.
const RIVALS = /oh-my-open(?:code|agent)|opencode-auto-resume/i

/** The first of these plugins that continues sessions, too; null if none does. */
export function rivalIn(plugins: readonly string[]): string | null {
  return plugins.flatMap((name) => RIVALS.exec(name)?.[0] ?? [])[0] ?? null
}
