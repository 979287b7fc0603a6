// The composition root of the panel, in the host's terminal interface.
import { createSignal } from "solid-js"
import { versionToGreet } from "./cli/first-start.ts"
import { installedCall } from "./cli/terminal/own-call.ts"
import { callsBetween } from "./panel/call-person.ts"
import { followViews, NOTHING_SEEN, type Seen } from "./panel/follow-views.ts"
import { registerCommands, tell } from "./panel/palette.ts"
import { panelCommands } from "./panel/panel-commands.ts"
import type { PanelHost } from "./panel/panel-host.ts"
import { BROKEN_PANEL, type Panel, panelOf } from "./panel/panel-view.ts"
import { inPanel } from "./panel/run-command-line.ts"
import { showPanel } from "./panel/show-panel.ts"
import { showRefusals } from "./panel/show-refusals.ts"
import { greetingNotice } from "./prompts/notice-text.ts"
import { hostRoot } from "./store/disk/project-root.ts"
import { plansHere } from "./store/plans/plans-here.ts"
import { openLiveFiles } from "./store/records/live-files.ts"

/** A time of today or of another day, by the user's clock; to the second if it is soon. */
function timeOf(iso: string, isSoon: boolean): string {
  const at = new Date(iso)
  const isToday = at.toDateString() === new Date().toDateString()
  const clock = at.toTimeString().slice(0, isSoon ? 8 : 5)
  return isToday ? clock : `${at.toDateString().slice(4, 10)} ${clock}`
}

/** After the start. Failures are ignored. */
async function sayHello(host: PanelHost, root: string): Promise<void> {
  try {
    const version = await versionToGreet()
    if (version === null) return
    const paths = await plansHere(root)
    tell(host, "info", greetingNotice(version, paths.length))
  } catch {
    // A greeting is not worth an error message.
  }
}

/** Uses the host's own notification, if the user has enabled it and is looking elsewhere. Failures are ignored. */
async function callPerson(host: PanelHost, message: string): Promise<void> {
  try {
    await host.attention?.notify?.({ title: "boulder", message, notification: { when: "blurred" } })
  } catch {
    // The panel itself says the same.
  }
}

/** The composition root of the panel. If one part fails, that is reported and the others still work. */
const panelModule = {
  id: "opencode-boulder",
  tui: async (host: PanelHost): Promise<void> => {
    const root = await hostRoot(host.state.path)
    const typed = inPanel(installedCall(root))
    const [seen, see] = createSignal(NOTHING_SEEN)
    const look = (next: Seen): void => {
      for (const message of callsBetween(seen().works, next.works)) void callPerson(host, message)
      see(next)
    }
    const panel = (session: string | null): Panel => {
      const { works, problems, now } = seen()
      try {
        const { width: columns } = host.renderer
        return panelOf({ works, problems, session, columns, now, timeOf, typed })
      } catch {
        return BROKEN_PANEL
      }
    }
    const parts = [
      () => showPanel(host, panel),
      () => registerCommands(host, panelCommands({ host, root, works: () => seen().works })),
      () => showRefusals(host, root),
      () => host.lifecycle.onDispose(followViews(openLiveFiles({ root }), Date.now, look)),
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
