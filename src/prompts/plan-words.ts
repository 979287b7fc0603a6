// Names a plan by its name and path.
import { estimateTokens, quote, quoteWhole } from "./quote.ts"

const NAME_TOKENS = 16
const PATH_TOKENS = 90

/** A plan by its name and path, after `act`, within `tokens` by estimate. A cut path leads nowhere: it is shown whole or left out. */
export function planWords(
  act: string,
  { planName, planPath }: { readonly planName: string; readonly planPath: string },
  tokens = Number.POSITIVE_INFINITY,
): string {
  const named = `${act} ${quote(planName, NAME_TOKENS)}`
  const path = quoteWhole(planPath, PATH_TOKENS)
  const whole = `${named} (${path})`
  return path !== planPath || estimateTokens(whole) > tokens ? named : whole
}
