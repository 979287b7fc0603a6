const MAX_SEARCHED = 20_000
/** A result ends with the line; behind it there is room for what would unblock it. */
const LAST_LINES = 3
const STATED = /^[\s>*_-]*BLOCKED(?:\*\*|__)?\s*:\s*(?:\*\*|__)?\s*(.+)$/
const UNBLOCK = /^[\s>*_-]*unblock/i
const NOTHING = /^[\W_]*(?:none|no|nothing|n\/?a|false)?[\W_]*$/i
/** A line of the plan, as we have written it: it tells of a block that is known. */
const QUOTED = /\(hnd_[0-9A-Za-z]+\)$/
const FENCE = /^\s*(?:```|~~~)/

/**
 * Why a subagent could not go on, where one of the last lines of its result states it as `BLOCKED: why`. A line
 * about what unblocks it goes with the reason. Null for all other results: the word alone, in a text or in code,
 * blocks nothing.
 */
export function blockedReason(output: string): string | null {
  const lines = filledLines(resultIn(output))
  const last = lines.slice(-LAST_LINES)
  const at = last.findLastIndex((line) => STATED.test(line))
  const reason = STATED.exec(last[at] ?? "")?.[1]?.trim()
  if (reason === undefined || NOTHING.test(reason) || QUOTED.test(reason)) return null
  const next = last[at + 1]?.trim() ?? ""
  return UNBLOCK.test(next) ? `${reason} ${next.replace(/^[\s>*_-]+/, "")}` : reason
}

/** What stands in the host's frame around a subagent's words. */
export function resultIn(output: string): string {
  const start = output.indexOf("<task_result>")
  const end = output.lastIndexOf("</task_result>")
  return start < 0 || end < start ? output : output.slice(start + "<task_result>".length, end)
}

/** The lines with words in them, those of code blocks left out. */
function filledLines(text: string): readonly string[] {
  let isCode = false
  return text
    .slice(-MAX_SEARCHED)
    .split(/\r?\n/)
    .filter((line) => {
      const isFence = FENCE.test(line)
      if (isFence) isCode = !isCode
      return !isFence && !isCode && line.trim() !== ""
    })
}
