// The composition root of the panel, in the host's terminal interface.
import { createSignal } from "solid-js"
import { followViews, NOTHING_SEEN } from "./panel/follow-views.ts"
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
    for (const part of parts)
      try {
        part()
      } catch (error) {
        tell(host, "error", `a part of the panel is missing: ${String(error)}`)
      }
  },
}

export default panelModule
