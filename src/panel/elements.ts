// Elements of the terminal interface that cannot bring it down.
import { createElement, effect, type HostElement, insert, setProp } from "@opentui/solid"
import { createComponent, ErrorBoundary } from "solid-js"

type Props = Readonly<Record<string, unknown>>

/**
 * An element. A prop or a child that is a function is read again whenever a signal that it reads changes. What one
 * throws would end the whole interface: it gives what it gave last.
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
 * What `make` gives inside a box that stays: the last net. As the root of a slot, a boundary that has caught leaves an
 * interface that takes no keys.
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
      // Nobody is there to be told; what was shown before stays.
    }
    return last
  }
}
