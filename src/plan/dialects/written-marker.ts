// The marker that we write for a state, by the plan's legend or its dialect.

import type { MarkerTable } from "../model/markers.ts"
import type { TaskState } from "../model/plan.ts"
import type { Dialect } from "./dialects.ts"

/** The marker that we write for a state: one that the plan's legend gives, else the dialect's; undefined if there is none. */
export function writtenMarker(
  { written }: Dialect,
  legend: MarkerTable,
  state: TaskState,
): string | undefined {
  const usual = written[state]
  const named = Object.keys(legend).filter((marker) => legend[marker]?.state === state)
  return usual !== undefined && named.includes(usual) ? usual : (named[0] ?? usual)
}
