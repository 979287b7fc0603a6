// Follows the server's events, and reconnects after a break.
import { setTimeout as sleep } from "node:timers/promises"
import type { HostClient } from "../opencode/host/http/host-client.ts"

const RETRY_MS = 500
const MAX_RETRIES = 20

type Take = (event: unknown) => Promise<void>

/**
 * Passes every event to `take`, in order, until the signal. Resolves once the server has begun to send, so that nothing is missed from then
 * on. After each break it asks again what waits for the user. `lost` resolves once the server has not answered for about ten seconds; never
 * after the signal.
 */
export async function followEvents(client: HostClient, take: Take, signal: AbortSignal) {
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
 * Follows one connection until it ends for whatever reason; false if the server sent nothing at all. After a break it asks what waits for
 * the user, and repeats that while the server refuses, before it takes the next event.
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

/** Takes what waits for the user; false if the server does not say. */
async function isTaken(client: HostClient, take: Take): Promise<boolean> {
  const waiting = await client.waiting().catch(() => null)
  for (const event of waiting ?? []) await take(event)
  return waiting !== null
}
