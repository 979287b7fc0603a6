/** Pairs of sentences in our texts that contradict each other: no text may hold both of a pair. */
export const CONTRADICTIONS: readonly (readonly [one: RegExp, other: RegExp])[] = [
  [/next round starts/i, /\bask with `question`|user approves the wave|waits until/],
  [/next round starts/i, /every task is settled/],
  [/leave its box as it is/i, /\bsave it as `complete`|\btick(?!ed)/],
  [/end this turn/i, /send it back|delegate|pass it as task_id|begin each description/i],
  [/counted for no task/i, /save it as|ticks its box/],
  [/ is (?:recorded as )?blocked \(/, /\bverify\b|save it as `complete`/i],
  [/it is settled already/, /\bverify\b|save it as `complete`/i],
  [
    /do not run its rows again/,
    /: redo it|first delegate the fix|run it again|: leave it|Leave it;|(?:Delegate|Settle) \S+ now/,
  ],
  [/Leave the boxes as they are/, /settle it|save it as `complete`|\btick(?!ed)/],
  [/do not run its rows again/, /has lapsed/],
  [/do not run its rows again/, /delegate (?:each|this|it|the next)|`task`/i],
  [/: redo it/, /A result is back: settle it/],
  [/the work may have changed since/, /user approves the wave|continue with the next task/i],
  [/was not finished, and/, /\bverify\b|continue with/i],
  [/Leave the boxes as they are/, /Settle \S+ now|save it as `blocked` with the reason/],
  [/save each as `complete`/, /counts once its check exits with 0/],
  [/You were about to:/, /settled no task/],
  [/changed no file/, /Work as before/],
  [/has only blocked tasks left/, /^Next\b/m],
  [/has only blocked tasks left|Nothing is left to do/, /(?:was|were) left (?:unfinished|blocked)/],
  [/Nothing is left to do/, /^Next\b/m],
  [/`BLOCKED: why` below (?:its|the task's)/i, /save (?:it|the task) as `blocked`/i],
]

/** The pairs of which a text holds both, each as its two patterns. */
export function contradictionsIn(text: string): readonly string[] {
  return CONTRADICTIONS.filter(([one, other]) => one.test(text) && other.test(text)).map(
    ([one, other]) => `${one} against ${other}`,
  )
}
