// The work tree before and after the delegations of a task: whether they have changed it.

/** What is known about the delegations of one task. */
export interface Delegated {
  readonly isSame: boolean
  readonly from: string | null
  readonly tree: string | null
}

/** A delegation starts. If another one is running, or one was lost before, it says nothing about the tree. */
export function keepBegun(
  delegated: Map<string, Delegated>,
  id: string,
  tree: string | null,
): void {
  const known = delegated.get(id)
  const isSame = known === undefined || (known.isSame && known.from === null)
  delegated.set(id, { isSame, from: tree, tree: known?.tree ?? tree })
}

/** A delegation has returned. If the tree is unknown, it says nothing either. */
export function keepBack(delegated: Map<string, Delegated>, id: string, tree: string | null): void {
  const known = delegated.get(id)
  const isSame = known?.isSame === true && known.from !== null && known.from === tree
  delegated.set(id, { isSame, from: null, tree: known?.tree ?? null })
}
