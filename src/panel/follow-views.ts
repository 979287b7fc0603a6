// Follows the view files, once a second.
import { joinViews, type WorkView } from "../boulder/live-view.ts"
import type { LiveFiles } from "../store/records/live-files.ts"

const LOOK_MS = 1_000

/** What the view files say now. */
export interface Seen {
  readonly works: readonly WorkView[]
  readonly problems: readonly string[]
  /** ms since 1970 */
  readonly now: number
}

export const NOTHING_SEEN: Seen = { works: [], problems: [], now: 0 }

/**
 * Gives what the view files say to `show`, now and once a second while there is anything to be shown or it has changed.
 * A look that fails changes nothing. Gives what ends it.
 */
export function followViews(
  live: Pick<LiveFiles, "readAll">,
  now: () => number,
  show: (seen: Seen) => void,
): () => void {
  let isOver = false
  let wasEmpty = true
  const look = async (): Promise<void> => {
    const at = now()
    const views = await live.readAll(at).catch(() => null)
    if (views === null || isOver) return
    const works = joinViews(views)
    const living = views.filter(({ isAlive }) => isAlive)
    const problems = [...new Set(living.flatMap(({ view }) => view.problems))]
    const isEmpty = works.length === 0 && problems.length === 0
    if (!(isEmpty && wasEmpty)) show({ works, problems, now: at })
    wasEmpty = isEmpty
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const again = (): void => {
    look()
      .catch(() => undefined)
      .finally(() => {
        if (isOver) return
        timer = setTimeout(again, LOOK_MS)
        timer.unref?.()
      })
  }
  again()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
