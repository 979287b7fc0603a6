// Follows the events, again after a break.
import { setTimeout as sleep } from "node:timers/promises"
import type { HostClient } from "../opencode/host/http/host-client.ts"

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
    const isOpened = await followOnce(client, take, { begin, isFirst, signal })
    failures = isOpened ? 0 : failures + 1
    isFirst &&= !isOpened
    await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/**
 * Follows one connection to its end, whatever ends it; false if the server sent nothing at all. Behind a break what
 * waits for the user is asked for, and asked for again while the server refuses it, before the next event is taken.
 */
async function followOnce(
  client: HostClient,
  take: Take,
  { begin, isFirst, signal }: { begin: () => void; isFirst: boolean; signal: AbortSignal },
): Promise<boolean> {
  const events = await client.events(signal).catch(() => null)
  if (events === null) return false
  const iterator = events[Symbol.asyncIterator]()
  const ended = { done: true, value: undefined } as const
  const following = () => iterator.next().catch(() => ended)
  let isOpened = false
  let isCaughtUp = isFirst
  let next = following()
  for (;;) {
    const found = isCaughtUp || !isOpened ? await next : await Promise.race([next, pause(signal)])
    if (found?.done === true) return isOpened
    if (!isOpened) begin()
    isOpened = true
    isCaughtUp ||= await isTaken(client, take)
    if (found === null) continue
    await take(found.value)
    next = following()
  }
}

async function pause(signal: AbortSignal): Promise<null> {
  return sleep(RETRY_MS, null, { signal, ref: false }).catch(() => null)
}

/** Takes what waits for the user; false where the server does not say it. */
async function isTaken(client: HostClient, take: Take): Promise<boolean> {
  const waiting = await client.waiting().catch(() => null)
  for (const event of waiting ?? []) await take(event)
  return waiting !== null
}
