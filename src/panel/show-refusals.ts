// Shows in a dialog why a command of the server part did nothing, so that no model is needed to say it.
import { z } from "../boulder/z.ts"
import { wrapLine } from "../cli/views/columns.ts"
import { cleanLine } from "../plan/model/foreign-text.ts"
import { TOLD } from "../prompts/notice-text.ts"
import { occupiedIn } from "../prompts/occupied-text.ts"
import { dialogColumns, showText } from "./dialogs.ts"
import { tell } from "./palette.ts"
import type { PanelHost } from "./panel-host.ts"
import { askTakeOver, startPlan } from "./start-plan.ts"

const told = z.object({
  properties: z.object({ title: z.string(), message: z.string().max(10_000) }),
})

/**
 * From now on shows, for a start without a clear plan, the list of plans; for a plan that somebody else works on, whether to take it over;
 * otherwise the reason as text.
 */
export function showRefusals(host: PanelHost, root: string): void {
  host.event?.on("tui.toast.show", (event) => {
    const parsed = told.safeParse(event)
    if (!parsed.success) return
    const { title, message } = parsed.data.properties
    const occupied = title === TOLD.takeOver ? occupiedIn(message) : null
    if (occupied !== null) askTakeOver(host, occupied)
    else if (title === TOLD.whichPlan)
      startPlan({ host, root }).catch((error: unknown) => tell(host, "error", String(error)))
    else if (title === TOLD.refused || title === TOLD.takeOver)
      showText(
        host,
        "Nothing was done",
        wrapLine(cleanLine(message), dialogColumns(host)).join("\n"),
      )
  })
}
