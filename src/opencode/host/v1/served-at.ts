// Where the host serves, so that a call of ours reaches the instance whose sessions run.

/** How a call of the host's client is sent, where it is to go another way than the client's own. */
export interface SentTo {
  readonly baseUrl?: string
  readonly fetch?: (request: Request) => Promise<Response>
}

/** What the host names as its address where it serves at none. */
const NOWHERE = "http://localhost:4096/"

/**
 * Sends a call to the address at which the host serves, as newer hosts do by themselves: the client that 1.15.13 gives to
 * a plugin reaches a second instance of the folder (docs/HOST.md, loading). Empty where the host serves at none: there the
 * client is right.
 */
export function servedAt(address: URL | undefined): SentTo {
  if (address === undefined || address.href === NOWHERE) return {}
  return { baseUrl: address.origin, fetch: withoutLimit }
}

/** Bun gives a request up behind five minutes: a compaction may take longer. */
function withoutLimit(request: Request): Promise<Response> {
  return fetch(Object.assign(request, { timeout: false }))
}
