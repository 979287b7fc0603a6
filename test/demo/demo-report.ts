import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { padLine } from "../../src/cli/views/columns.ts"
import type { RunEvent } from "../../src/headless/run-event.ts"

/** What the demo counts while it follows the run. */
export interface Tally {
  take(event: RunEvent): void
  /** The closing table. */
  table(wallMs: number): string
}

export function openTally(): Tally {
  const counts = { settled: 0, total: 0, delegations: 0, reused: 0, continuations: 0 }
  const tokens = { all: 0, results: 0 }
  const takeHint = ({ from, text }: RunEvent & { kind: "hint" }): void => {
    const injected = countTokens(text)
    tokens.all += injected
    if (from === "task") tokens.results += injected
    if (from === "continuation") counts.continuations += 1
  }
  return {
    take(event) {
      if (event.kind === "progress") {
        counts.settled = event.settled
        counts.total = event.total
      }
      if (event.kind === "task" && event.state === "returned") {
        counts.delegations += 1
        counts.reused += event.resumed ? 1 : 0
      }
      if (event.kind === "hint") takeHint(event)
    },
    table(wallMs) {
      const { settled, total, delegations, reused, continuations } = counts
      const each = delegations === 0 ? 0 : Math.round(tokens.results / delegations)
      return rows([
        ["tasks done", `${settled} of ${total}`],
        ["delegations", String(delegations)],
        ["sessions reused", String(reused)],
        ["continuations", String(continuations)],
        ["tokens injected", `${tokens.all} (o200k), ${each} for each delegated task`],
        ["wall time", `${(wallMs / 1_000).toFixed(1)} s`],
      ])
    },
  }
}

function rows(cells: readonly (readonly [string, string])[]): string {
  const width = Math.max(...cells.map(([, value]) => value.length))
  const line = (left: string, middle: string, right: string) =>
    `${left}${"─".repeat(19)}${middle}${"─".repeat(width + 2)}${right}`
  const body = cells.map(([name, value]) => `│ ${padLine(name, 17)} │ ${padLine(value, width)} │`)
  return [line("┌", "┬", "┐"), ...body, line("└", "┴", "┘")].join("\n")
}
