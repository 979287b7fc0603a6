// What the terminal interface provides to plugins, as far as we use it; none of it is installed here.
declare module "@opentui/solid" {
  export type HostElement = { readonly hostElement: unique symbol }
  export function createElement(type: string): HostElement
  export function insert(parent: HostElement, child: unknown, marker: null): void
  export function setProp(node: HostElement, name: string, value: unknown, before?: unknown): void
  export function effect<Value>(run: (before: Value | undefined) => Value): void
}

declare module "solid-js" {
  import type { HostElement } from "@opentui/solid"
  export function createSignal<Value>(
    value: Value,
  ): readonly [get: () => Value, set: (value: Value) => void]
  export function createComponent<Props>(
    component: (props: Props) => HostElement,
    props: Props,
  ): HostElement
  export function ErrorBoundary(props: {
    readonly fallback: () => HostElement
    readonly children: HostElement
  }): HostElement
}
