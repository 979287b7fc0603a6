export type HostEvent = {
  readonly type: string
  readonly properties: { readonly sessionID?: string; readonly [name: string]: unknown }
  readonly id?: string
}

export type EventFeed = {
  /** Ends the connection. No event is recorded after it. */
  close(): void
}

/** Opens the host's event stream of one project. Resolves once the host has answered on it. */
export async function openEventFeed(
  url: string,
  directory: string,
  onEvent: (event: HostEvent) => void,
): Promise<EventFeed> {
  const abort = new AbortController()
  const response = await fetch(`${url}/event?directory=${encodeURIComponent(directory)}`, {
    signal: abort.signal,
  })
  if (!response.ok || response.body === null) {
    throw new Error(`GET /event gave ${response.status}`)
  }
  void follow(response.body, onEvent)
  return { close: () => abort.abort() }
}

async function follow(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: HostEvent) => void,
): Promise<void> {
  const decoder = new TextDecoder()
  let pending = ""
  try {
    for await (const chunk of body) {
      pending += decoder.decode(chunk, { stream: true })
      const frames = pending.split("\n\n")
      pending = frames.pop() ?? ""
      for (const frame of frames) {
        if (frame.startsWith("data: ")) onEvent(JSON.parse(frame.slice(6)) as HostEvent)
      }
    }
  } catch {
    // The connection ends with the host or with `close`; the caller causes both.
  }
}
