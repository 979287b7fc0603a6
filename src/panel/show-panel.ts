// Shows the panel in the host's slots.
import type { HostElement } from "@opentui/solid"
import { element, guarded } from "./elements.ts"
import type { PanelHost } from "./panel-host.ts"
import type { Panel, PanelLine, Tone } from "./panel-view.ts"

/** Puts us before the host's own parts of the sidebar. */
const ORDER = 50
/** The most lines that a sidebar has room for, whatever the plan. */
const MAX_LINES = 40

/**
 * Puts the panel into every slot that this version of the host has, and ignores the others. `panel` is a signal, so it is read again; it
 * gets the session on the screen, or null on any other page.
 */
export function showPanel(host: PanelHost, panel: (session: string | null) => Panel): void {
  const line = (read: () => PanelLine | null, props: Readonly<Record<string, unknown>> = {}) =>
    guarded(
      () => read() !== null,
      () => lineElement(host, read, props),
    )
  host.slots.register({
    order: ORDER,
    slots: {
      sidebar_content: (_, { session_id: id }) => sidebar(host, () => panel(id ?? null)),
      session_prompt_right: (_, { session_id: id }) => line(() => panel(id ?? null).mini),
      app_bottom: () => line(() => panel(sessionOnScreen(host)).bottom),
      home_bottom: () => line(() => panel(null).home, { paddingTop: 1 }),
    },
  })
}

function sidebar(host: PanelHost, read: () => Panel): HostElement {
  const lines = Array.from({ length: MAX_LINES }, (_, index) => () => read().sidebar[index] ?? null)
  return guarded(
    () => read().sidebar.length > 0,
    () =>
      element(
        "box",
        { flexDirection: "column" },
        ...lines.map((line) => lineElement(host, line, { visible: () => line() !== null })),
      ),
  )
}

function lineElement(
  host: PanelHost,
  read: () => PanelLine | null,
  props: Readonly<Record<string, unknown>>,
): HostElement {
  const fg = () => host.theme.current[COLOURS[read()?.tone ?? "text"]]
  return element("text", { fg, wrapMode: "none", ...props }, () => read()?.text ?? "")
}

const COLOURS: Readonly<Record<Tone, string>> = {
  text: "text",
  muted: "textMuted",
  good: "success",
  warning: "warning",
  error: "error",
  accent: "accent",
}

/** The session on the screen; null on any other page. */
export function sessionOnScreen({ route }: Pick<PanelHost, "route">): string | null {
  const { name, params } = route.current
  const id = params?.["sessionID"]
  return name === "session" && typeof id === "string" ? id : null
}
