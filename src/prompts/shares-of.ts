// Divides the tokens of a text among several parts.

/** What each part may take of `tokens`: a part that needs less than an equal share leaves the rest to the others. */
export function sharesOf(needs: readonly number[], tokens: number): readonly number[] {
  const shares = new Array<number>(needs.length).fill(0)
  const smallestFirst = [...needs.keys()].sort((a, b) => (needs[a] ?? 0) - (needs[b] ?? 0))
  let left = tokens
  for (const [taken, index] of smallestFirst.entries()) {
    const share = Math.min(needs[index] ?? 0, Math.floor(left / (needs.length - taken)))
    shares[index] = share
    left -= share
  }
  return shares
}
