import type { ModelRequest } from "./host-model-request.ts"

/** What the requests of a run amount to, in tokens. */
export interface RequestFigures {
  readonly requests: number
  readonly largest: number
  /** All requests together. */
  readonly sum: number
  /** A prefix shared with one of the last requests costs 0.1 a token, every other token 1.25. */
  readonly price: number
  readonly compactions: number
}

/** Roughly the characters of a token of English and code. The scripted models count with it. */
export const CHARS_A_TOKEN = 4
const CACHED = 0.1
const WRITTEN = 1.25
/** A provider keeps the prefixes of about this many of the last requests. */
const REMEMBERED = 8

/** The figures of all requests except those for a title, which do not depend on the work. */
export function figuresOf(all: readonly ModelRequest[]): RequestFigures {
  const requests = all.filter(({ kind }) => kind !== "title")
  const sizes = requests.map(tokensOf)
  return {
    requests: requests.length,
    largest: Math.max(...sizes),
    sum: sizes.reduce((sum, size) => sum + size, 0),
    price: priceOf(requests.map(textOf)),
    compactions: requests.filter(({ kind }) => kind === "compaction").length,
  }
}

/** The tokens of a request, as a scripted model counts them. */
export function tokensOf(request: ModelRequest): number {
  return Math.ceil(textOf(request).length / CHARS_A_TOKEN)
}

/** The number of characters that both texts begin with. */
function sharedPrefix(one: string, other: string): number {
  let [low, high] = [0, Math.min(one.length, other.length)]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (one.startsWith(other.slice(0, middle))) low = middle
    else high = middle - 1
  }
  return low
}

/** What is sent, in the order in which a provider's prompt cache sees it. */
function textOf({ body }: ModelRequest): string {
  return JSON.stringify(body.tools ?? []) + JSON.stringify(body.messages ?? [])
}

function priceOf(texts: readonly string[]): number {
  const prices = texts.map((text, at) => {
    const last = texts.slice(Math.max(0, at - REMEMBERED), at)
    const shared = Math.max(0, ...last.map((other) => sharedPrefix(text, other)))
    return (shared * CACHED + (text.length - shared) * WRITTEN) / CHARS_A_TOKEN
  })
  return Math.round(prices.reduce((sum, price) => sum + price, 0))
}
