// A plan by its name and its path.
import { estimateTokens, quote, quoteWhole } from "./quote.ts"

const NAME_TOKENS = 16
const PATH_TOKENS = 90

/**
 * A plan by its name and its path, behind `act`, in `tokens` by estimate. A path that is cut leads nowhere: it stands as
 * it is, or is left out.
 */
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
