// The composition root of the panel, in the host's terminal interface.
import { createSignal } from "solid-js"
import { ownVersion } from "./cli/own-version.ts"
import { followViews, NOTHING_SEEN } from "./panel/follow-views.ts"
import { greet } from "./panel/greet.ts"
import { registerCommands, tell } from "./panel/palette.ts"
import { panelCommands } from "./panel/panel-commands.ts"
import type { PanelHost } from "./panel/panel-host.ts"
import { BROKEN_PANEL, type Panel, panelOf } from "./panel/panel-view.ts"
import { showPanel } from "./panel/places.ts"
import { hostRoot } from "./store/disk/project-root.ts"
import { openLiveFiles } from "./store/records/live-files.ts"

/** A time of today or of any other day, as the user's clock shows it. */
function timeOf(iso: string): string {
  const at = new Date(iso)
  const isToday = at.toDateString() === new Date().toDateString()
  const clock = at.toTimeString().slice(0, 5)
  return isToday ? clock : `${at.toDateString().slice(4, 10)} ${clock}`
}

const READY_MS = 500
const READY_TRIES = 20

/** Behind the start, once the host knows what it has kept. What fails is left unsaid. */
async function sayHello(host: PanelHost, root: string): Promise<void> {
  try {
    for (let tries = 0; host.kv.ready === false && tries < READY_TRIES; tries++)
      await new Promise((resolve) => setTimeout(resolve, READY_MS))
    const { findPlans } = await import("./store/plans/find-plans.ts")
    const say = (message: string) => tell(host, "info", message)
    await greet(
      { kv: host.kv, say },
      await ownVersion(),
      async () => (await findPlans(root)).paths.length,
    )
  } catch {
    // A greeting is no reason for a message.
  }
}

/** The composition root of the panel. What fails in one part of it is told, and the others are there all the same. */
const panelModule = {
  id: "opencode-boulder",
  tui: async (host: PanelHost): Promise<void> => {
    const root = await hostRoot(host.state.path)
    const [seen, see] = createSignal(NOTHING_SEEN)
    const panel = (session: string | null): Panel => {
      const { works, problems, now } = seen()
      try {
        const { width: columns } = host.renderer
        return panelOf({ works, problems, session, columns, now, timeOf })
      } catch {
        return BROKEN_PANEL
      }
    }
    const parts = [
      () => showPanel(host, panel),
      () => registerCommands(host, panelCommands({ host, root, works: () => seen().works })),
      () => host.lifecycle.onDispose(followViews(openLiveFiles({ root }), Date.now, see)),
    ]
    void sayHello(host, root)
    for (const part of parts)
      try {
        part()
      } catch (error) {
        tell(host, "error", `a part of the panel is missing: ${String(error)}`)
      }
  },
}

export default panelModule
