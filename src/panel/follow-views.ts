// Follows the view files, once a second, and tells by them who works on a plan elsewhere.
import process from "node:process"
import { joinViews, type WorkView } from "../boulder/live-view.ts"
import { isSameProcess, newWriteId, ownIdentity } from "../store/disk/writer-identity.ts"
import { type LiveFiles, openLiveFiles } from "../store/records/live-files.ts"

const LOOK_MS = 1_000

/** What the view files say now. */
export interface Seen {
  readonly works: readonly WorkView[]
  /** What is wrong with the plugin's options. */
  readonly problems: readonly string[]
  /** ms since 1970 */
  readonly now: number
}

export const NOTHING_SEEN: Seen = { works: [], problems: [], now: 0 }

/**
 * Passes what the view files say to `show`, now and once a second while there is anything to show or it has changed. A failed look changes
 * nothing. Returns a function that ends it.
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

/** An interface attached to a server is another process than the server, and does not know which: the server says who works on a plan. */
const isAttached = (): boolean => process.argv.includes("attach")

/** The work of a plan that another opencode process leads now; null if none does. */
export async function occupantOf(root: string, path: string): Promise<WorkView | null> {
  if (isAttached()) return null
  const views = await openLiveFiles({ root }).readAll(Date.now())
  const own = newWriteId(await ownIdentity())
  const living = views.filter(({ isAlive }) => isAlive).map(({ view }) => view)
  const isLed = ({ plan, led, state }: WorkView) =>
    plan === path && led && state.kind !== "paused" && state.kind !== "complete"
  const others = living.filter(({ writer }) => !isSameProcess(writer, own))
  return others.flatMap(({ works }) => works).find(isLed) ?? null
}
