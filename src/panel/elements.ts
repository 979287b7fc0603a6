// Elements of the terminal interface that cannot crash it.
import { createElement, effect, type HostElement, insert, setProp } from "@opentui/solid"
import { createComponent, ErrorBoundary } from "solid-js"

type Props = Readonly<Record<string, unknown>>

/**
 * An element. A prop or child that is a function is read again whenever a signal that it reads changes. If it throws, which would end the
 * whole interface, its last value is used.
 */
export function element(type: string, props: Props, ...children: readonly unknown[]): HostElement {
  const node = createElement(type)
  for (const [name, value] of Object.entries(props))
    if (typeof value === "function" && !name.startsWith("on")) {
      const read = kept(() => value())
      effect((before) => setProp(node, name, read(), before))
    } else setProp(node, name, value)
  for (const child of children)
    insert(node, typeof child === "function" ? kept(() => child()) : child, null)
  return node
}

/**
 * Puts what `make` gives into a box that stays, as a last safety net. If the error boundary itself were the root of a slot, the interface
 * would take no more keys after an error.
 */
export function guarded(visible: () => boolean, make: () => HostElement): HostElement {
  const inner = createComponent(ErrorBoundary, {
    fallback: () => element("text", {}, "boulder: cannot be shown"),
    get children() {
      return make()
    },
  })
  return element("box", { visible, flexDirection: "column" }, inner)
}

function kept(read: () => unknown): () => unknown {
  let last: unknown
  return () => {
    try {
      last = read()
    } catch {
      // There is nobody to tell; what was shown before stays.
    }
    return last
  }
}
