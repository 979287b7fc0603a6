// The host's interface that the panel needs; what differs between versions may be absent.
import type { HostElement } from "@opentui/solid"

type Render = () => HostElement

/** A row of a list in a dialog. */
export interface DialogRow {
  readonly title: string
  readonly value: string
  readonly description?: string
  readonly footer?: string
  readonly category?: string
}

interface DialogSelectProps {
  readonly title: string
  readonly options: readonly DialogRow[]
  readonly current?: string
  readonly onSelect?: (row: DialogRow) => void
}

/** A command for the palette, in the form of 1.15 and later. */
interface KeymapCommand {
  readonly name: string
  readonly title: string
  readonly desc: string
  readonly category: string
  readonly namespace: "palette"
  readonly slashName: string
  readonly run: () => void
}

/** The same in the form of 1.14. */
interface LegacyCommand {
  readonly title: string
  readonly value: string
  readonly description: string
  readonly category: string
  readonly slash: { readonly name: string }
  readonly onSelect: () => void
}

/** The host's `api`, as seen in 1.14.41, 1.15.13 and 1.18.33. */
export interface PanelHost {
  readonly keymap?: {
    registerLayer(layer: {
      readonly commands: readonly KeymapCommand[]
      readonly bindings: readonly { readonly key: string; readonly cmd: string }[]
    }): unknown
  }
  readonly command?: { register(commands: () => readonly LegacyCommand[]): unknown }
  readonly slots: {
    register(given: {
      readonly order: number
      readonly slots: Readonly<
        Record<string, (context: unknown, props: { readonly session_id?: string }) => HostElement>
      >
    }): unknown
  }
  readonly route: {
    navigate(name: string, params: Readonly<Record<string, unknown>>): void
    readonly current: { readonly name: string; readonly params?: Readonly<Record<string, unknown>> }
  }
  readonly state: {
    readonly path: { readonly worktree: string; readonly directory: string }
  }
  readonly theme: { readonly current: Readonly<Record<string, unknown>> }
  readonly renderer: { readonly width: number }
  readonly ui: {
    DialogSelect(props: DialogSelectProps): HostElement
    readonly dialog: {
      replace(render: Render): void
      clear(): void
      setSize(size: "xlarge"): void
    }
    toast(toast: {
      readonly title: string
      readonly message: string
      readonly variant: "info" | "success" | "warning" | "error"
      readonly duration: number
    }): void
  }
  readonly client: {
    /** The commands that the server knows, including those of its plugins. */
    readonly command?: {
      list(): Promise<{ readonly data?: readonly { readonly name: string }[] | undefined }>
    }
    readonly session: {
      create(given: object): Promise<{ readonly data?: { readonly id: string } | undefined }>
      command(given: {
        readonly sessionID: string
        readonly command: string
        readonly arguments: string
      }): Promise<unknown>
    }
  }
  /** Does nothing unless the user has enabled it in tui.json. */
  readonly attention?: {
    notify?(call: {
      readonly title: string
      readonly message: string
      readonly notification: { readonly when: "blurred" }
    }): unknown
  }
  /** The server's events as the interface gets them. */
  readonly event?: { on(type: "tui.toast.show", hear: (event: unknown) => void): unknown }
  readonly lifecycle: { onDispose(end: () => void): unknown }
}
