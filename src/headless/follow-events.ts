import { setTimeout as sleep } from "node:timers/promises"
import type { HostClient } from "./host-client.ts"

const RETRY_MS = 500
const MAX_RETRIES = 20

type Take = (event: unknown) => Promise<void>

/** The event stream of a server, opened again when it breaks. */
export interface EventFeed {
  /** Resolves when the server has not answered for about ten seconds; never after the signal. */
  readonly lost: Promise<void>
}

/**
 * Hands every event to `take`, in order, until the signal. Resolves once the server has begun to send, so that
 * nothing is missed that happens afterwards; what waits for the user is asked for again after each break.
 */
export async function followEvents(
  client: HostClient,
  take: Take,
  signal: AbortSignal,
): Promise<EventFeed> {
  let begin = (): void => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const over = followAll(client, take, begin, signal)
  const never = new Promise<never>(() => undefined)
  const lost = over.then(() => (signal.aborted ? never : undefined))
  await Promise.race([begun, over])
  return { lost }
}

async function followAll(
  client: HostClient,
  take: Take,
  begin: () => void,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  let isFirst = true
  while (failures < MAX_RETRIES && !signal.aborted) {
    const onOpen = isFirst ? async () => begin() : () => catchUp(client, take)
    const isOpened = await followOnce(client, take, onOpen, signal)
    failures = isOpened ? 0 : failures + 1
    isFirst &&= !isOpened
    await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** Follows one connection to its end, whatever ends it; false if the server sent nothing at all. */
async function followOnce(
  client: HostClient,
  take: Take,
  onOpen: () => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  let isOpened = false
  const events = client.events(signal).catch(() => null)
  const iterator = (await events)?.[Symbol.asyncIterator]()
  for (;;) {
    const next = await iterator?.next().catch(() => undefined)
    if (next === undefined || next.done === true) return isOpened
    if (!isOpened) await onOpen()
    isOpened = true
    await take(next.value)
  }
}

async function catchUp(client: HostClient, take: Take): Promise<void> {
  for (const waiting of await client.waiting()) await take(waiting)
}
