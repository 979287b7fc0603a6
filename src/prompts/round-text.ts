import type { RoundEnd } from "../boulder/boulder.ts"
import { frame } from "./frame.ts"

const WHY: Readonly<Record<RoundEnd, string>> = {
  "checkpoint-due": "The round is over",
  "soft-limit": "Your context has reached its soft limit",
  "hard-limit": "Your context has reached its hard limit: tools are refused until the next round",
}

/** What ends a round, in the result of the tool that ended it. Budget: 60 tokens (o200k). */
export function roundNotice(
  reason: RoundEnd,
  { seq, settled, total }: { seq: number; settled: number; total: number },
): string {
  return frame([
    `End this turn. ${WHY[reason]}; checkpoint ${seq} is written (${settled}/${total} settled). The next round starts by itself.`,
  ])
}
