// Counts the tokens (o200k) of letters.
import { onceAReading } from "../plan/model/once-a-reading.ts"
import { SCRIPT_PIECES } from "./script-pieces.ts"

/** Each piece with its place in the order in which letters are joined; made on demand. */
const ranksIn = onceAReading(
  (pieces: typeof SCRIPT_PIECES): ReadonlyMap<string, number> =>
    ranksOf(Object.values(pieces).join(" ")),
)

/** Whether a text is one token: a letter, a usual part of a word with or without the blank before it, or a sign. */
export function isPiece(text: string): boolean {
  return ranksIn(SCRIPT_PIECES).has(text)
}

/** The parts that the tokenizer makes of a short run of letters after its first joins. Later joins make them fewer, never more. */
export function piecesOf(run: string): readonly string[] {
  const known = ranksIn(SCRIPT_PIECES)
  if (known.has(run)) return [run]
  const parts = [...run]
  /** When a part is joined with the next one. */
  const joinRank = (index: number): number =>
    known.get(`${parts[index]}${parts[index + 1] ?? "."}`) ?? NEVER
  const ranks = parts.map((_, index) => joinRank(index))
  for (;;) {
    const at = firstLeast(ranks)
    if (ranks[at] === undefined || ranks[at] === NEVER) return parts
    parts.splice(at, 2, `${parts[at]}${parts[at + 1]}`)
    ranks.splice(at, 2, joinRank(at))
    if (at > 0) ranks[at - 1] = joinRank(at - 1)
  }
}

function firstLeast(ranks: readonly number[]): number {
  let at = 0
  for (let index = 1; index < ranks.length; index += 1)
    if ((ranks[index] ?? NEVER) < (ranks[at] ?? NEVER)) at = index
  return at
}

const NEVER = Number.POSITIVE_INFINITY

function ranksOf(pieces: string): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>()
  for (const piece of pieces.trim().split(/\s+/))
    ranks.set(piece.startsWith("_") ? ` ${piece.slice(1)}` : piece, ranks.size)
  return ranks
}
