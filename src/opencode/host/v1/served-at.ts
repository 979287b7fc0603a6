// Finds where the host serves, so that our calls reach the instance whose sessions run.
import process from "node:process"

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
  return { baseUrl: address.origin, fetch: directly }
}

/**
 * Bun gives up a request after five minutes, but a compaction may take longer. It also sends a request to a proxy that the environment
 * names, which would get the server's password and cannot reach this machine: so the server is named as its own proxy. No Bun before 1.4
 * takes `proxy: false`.
 */
function directly(request: Request): Promise<Response> {
  const { HTTP_PROXY, http_proxy: proxy = HTTP_PROXY } = process.env
  const way = proxy ? { proxy: new URL(request.url).origin } : {}
  return fetch(Object.assign(request, { timeout: false }), way)
}
