// Finds where the host serves, so that our calls reach the instance whose sessions run.

/** How a call of the host's client is sent, if not in the client's own way. */
export interface SentTo {
  readonly baseUrl?: string
  readonly fetch?: (request: Request) => Promise<Response>
}

/** The address that the host names while it serves at none. */
const NOWHERE = "http://localhost:4096/"

/**
 * Sends a call to the address at which the host serves, as newer hosts do by themselves: the client that 1.15.13 gives to a plugin reaches
 * a second instance of the folder (docs/HOST.md, loading). Empty if the host serves at no address: then the client is right.
 */
export function servedAt(address: URL | undefined): SentTo {
  if (address === undefined || address.href === NOWHERE) return {}
  return { baseUrl: address.origin, fetch: withoutLimit }
}

/** Bun gives up a request after five minutes, but a compaction may take longer. */
function withoutLimit(request: Request): Promise<Response> {
  return fetch(Object.assign(request, { timeout: false }))
}
