// Finds the token limits of a session.
import type { TokenLimits } from "../../decide/situation.ts"
import { tokenLimits } from "../../decide/token-limits.ts"
import type { Shell } from "./shell.ts"

/** The token limits of a session: those of the options, for the model that the session last used. */
export function limitsInForce(
  { options, sessions }: Pick<Shell, "options" | "sessions">,
  sessionId: string,
): TokenLimits {
  const { token_soft_limit: soft, token_hard_limit: hard } = options.long_run
  const { model, base } = sessions.of(sessionId)
  const { contextLimit = null, compactsAt = null } = model ?? {}
  return tokenLimits({ soft, hard }, contextLimit, compactsAt, base)
}
