// The work tree around the delegations of a task: whether they have left it as it was.

/** What is known of the delegations of one task. */
export interface Delegated {
  readonly isSame: boolean
  readonly from: string | null
  readonly tree: string | null
}

/** One that begins while another is under way, or behind one that was lost, says nothing of the tree. */
export function keepBegun(
  delegated: Map<string, Delegated>,
  id: string,
  tree: string | null,
): void {
  const known = delegated.get(id)
  const isSame = known === undefined || (known.isSame && known.from === null)
  delegated.set(id, { isSame, from: tree, tree: known?.tree ?? tree })
}

/** It has brought a result: of a tree that nobody knows it says nothing either. */
export function keepBack(delegated: Map<string, Delegated>, id: string, tree: string | null): void {
  const known = delegated.get(id)
  const isSame = known?.isSame === true && known.from !== null && known.from === tree
  delegated.set(id, { isSame, from: null, tree: known?.tree ?? null })
}
