// Opens the desk of the handoffs, with this project's options.
import { isWaveApproved } from "../../decide/final-wave.ts"
import { openBridgedDesk } from "../../store/fleet/bridged-desk.ts"
import type { HandoffDesk } from "../../store/handoffs/handoff-desk.ts"
import type { Shell } from "../host/shell.ts"

const MINUTE_MS = 60_000

/** The handoffs of this project, as all hooks and tools use them. */
export function openDesk(shell: Shell): HandoffDesk {
  const { handoffs, store, plans, now, options, records } = shell
  return openBridgedDesk({
    records,
    tell: (line) => void shell.log(line),
    handoffs,
    store,
    plans,
    now,
    leaseMs: options.handoff.lease_minutes * MINUTE_MS,
    marksPlans: options.long_run.partial_plan_updates,
    isWaveApproved,
    byAgent: options.handoff.scope === "agent",
  })
}
