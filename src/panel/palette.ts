// Adds commands to the palette, in every version of the host.
import type { PanelHost } from "./panel-host.ts"

/** A command of ours: `boulder-<name>` in the prompt, `Boulder: <title>` in the palette. */
export interface PaletteCommand {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The key after the host's leader key, `ctrl+x`; one that the host itself does not use. */
  readonly key?: string
  readonly run: () => Promise<void>
}

const CATEGORY = "Boulder"

/** Registers the commands; an error in one becomes a toast. */
export function registerCommands(host: PanelHost, commands: readonly PaletteCommand[]): void {
  const run = ({ name, run: start }: PaletteCommand): void => {
    start().catch((error: unknown) => tell(host, "error", `/boulder-${name}: ${String(error)}`))
  }
  if (host.keymap !== undefined)
    host.keymap.registerLayer({
      commands: commands.map((command) => ({
        name: `boulder.${command.name}`,
        title: `Boulder: ${command.title}`,
        desc: command.description,
        category: CATEGORY,
        namespace: "palette",
        slashName: `boulder-${command.name}`,
        run: () => run(command),
      })),
      bindings: commands.flatMap(({ name, key }) =>
        key === undefined ? [] : [{ key: `<leader>${key}`, cmd: `boulder.${name}` }],
      ),
    })
  else
    host.command?.register(() =>
      commands.map((command) => ({
        title: `Boulder: ${command.title}`,
        value: `boulder.${command.name}`,
        description: command.description,
        category: CATEGORY,
        slash: { name: `boulder-${command.name}` },
        onSelect: () => run(command),
      })),
    )
}

const TOAST_MS = 8_000

/** Shows one line to the user. */
export function tell(
  { ui }: Pick<PanelHost, "ui">,
  variant: "info" | "success" | "warning" | "error",
  message: string,
): void {
  ui.toast({ title: "boulder", message, variant, duration: TOAST_MS })
}
