import type { OpencodeHost } from "./opencode-host.ts"

/** What a session and its subagents have spent, by the host's own figures of their answers. */
export async function tokensSpent(host: OpencodeHost, sessionId: string): Promise<number> {
  const family = [sessionId, ...(await host.children(sessionId)).map(({ id }) => id)]
  const messages = (await Promise.all(family.map((id) => host.messages(id)))).flat()
  const totals = messages.map(({ info }): unknown =>
    Reflect.get(Object(Reflect.get(info, "tokens")), "total"),
  )
  return totals.reduce<number>((sum, total) => sum + (typeof total === "number" ? total : 0), 0)
}
