/** What a model does next: one tool call, or words that end its turn. */
export type Act =
  | { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly text: string }

/** A call of a tool whose name, and whose arguments as JSON, match. */
export function isCall(act: Act, tool: RegExp, args: RegExp = /./): boolean {
  return "tool" in act && tool.test(act.tool) && args.test(JSON.stringify(act.args))
}

export function ends(act: Act): boolean {
  return "text" in act
}
