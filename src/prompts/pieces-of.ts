// The tokens (o200k) of letters beside plain Latin.
import { SCRIPT_PIECES } from "./script-pieces.ts"

/** Each piece with its place in the order in which letters are joined. */
const RANKS: ReadonlyMap<string, number> = ranksOf(Object.values(SCRIPT_PIECES).join(" "))

/** Whether a text is one token: a letter, a usual part of a word with or without the blank before it, or a sign. */
export function isPiece(text: string): boolean {
  return RANKS.has(text)
}

/**
 * The parts that the tokenizer makes of a short run of letters, as far as its first joins go: what it joins later
 * makes them fewer, never more.
 */
export function piecesOf(run: string): readonly string[] {
  let parts: readonly string[] = [...run]
  for (;;) {
    const at = firstJoin(parts)
    if (at < 0) return parts
    parts = [...parts.slice(0, at), parts.slice(at, at + 2).join(""), ...parts.slice(at + 2)]
  }
}

/** Where the join that comes first joins two parts; -1 where none does. */
function firstJoin(parts: readonly string[]): number {
  let first = Number.POSITIVE_INFINITY
  let at = -1
  for (let index = 0; index + 1 < parts.length; index += 1) {
    const rank = RANKS.get(`${parts[index]}${parts[index + 1]}`) ?? Number.POSITIVE_INFINITY
    if (rank < first) {
      first = rank
      at = index
    }
  }
  return at
}

function ranksOf(pieces: string): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>()
  for (const piece of pieces.trim().split(/\s+/))
    ranks.set(piece.startsWith("_") ? ` ${piece.slice(1)}` : piece, ranks.size)
  return ranks
}
