// The dialogs of the panel: lists to choose from, and texts.
import { createComponent } from "solid-js"
import type { DialogRow, PanelHost } from "./panel-host.ts"

/** How much of the terminal's width a dialog's frame takes, and where the host cuts a row however wide the terminal is. */
const FRAME_COLUMNS = 20
const MAX_COLUMNS = 60
const MIN_COLUMNS = 30

/** How many columns a text in a dialog has. */
export function dialogColumns({ renderer }: Pick<PanelHost, "renderer">): number {
  return Math.max(MIN_COLUMNS, Math.min(MAX_COLUMNS, renderer.width - FRAME_COLUMNS))
}

/** Shows a list; typing filters it. The dialog is closed before `choose` is called. */
export function chooseFrom(
  { ui }: Pick<PanelHost, "ui">,
  given: {
    readonly title: string
    readonly rows: readonly DialogRow[]
    /** The row that is shown first, by its value. Default: the first. */
    readonly current?: string
    readonly choose: (value: string) => void
  },
): void {
  const { title, rows: options, choose, ...from } = given
  const onSelect = ({ value }: DialogRow): void => {
    ui.dialog.clear()
    choose(value)
  }
  ui.dialog.replace(() => createComponent(ui.DialogSelect, { title, options, onSelect, ...from }))
  ui.dialog.setSize("xlarge")
}

/** Shows a text, one row for each line; typing searches it, Enter closes it. `at`: which end a small terminal shows. */
export function showText(
  host: Pick<PanelHost, "ui">,
  title: string,
  text: string,
  at: "begin" | "end" = "begin",
): void {
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const rows = lines.map((line, index) => ({ title: line, value: String(index) }))
  const from = at === "end" ? { current: String(rows.length - 1) } : {}
  chooseFrom(host, { title, rows, ...from, choose: () => undefined })
}
