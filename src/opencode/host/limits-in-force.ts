// The token limits for a session.
import type { TokenLimits } from "../../decide/situation.ts"
import { tokenLimits } from "../../decide/token-limits.ts"
import type { Shell } from "./shell.ts"

/** The token limits for a session: as the options give them, for the model that it was last seen to use. */
export function limitsInForce(
  { options, sessions }: Pick<Shell, "options" | "sessions">,
  sessionId: string,
): TokenLimits {
  const { token_soft_limit: soft, token_hard_limit: hard } = options.long_run
  const { model } = sessions.of(sessionId)
  return tokenLimits({ soft, hard }, model?.contextLimit ?? null, model?.compactsAt ?? null)
}
