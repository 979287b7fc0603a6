// The plans that the panel lists and counts.

/** The plans of the project by their paths, those of its works too. What it needs is loaded with the first call. */
export async function plansHere(root: string): Promise<readonly string[]> {
  const [{ findPlans }, { openFileBoulderStore }] = await Promise.all([
    import("../store/plans/find-plans.ts"),
    import("../store/revisions/file-boulder-store.ts"),
  ])
  // A state that cannot be read is told by the commands; the other plans are listed all the same.
  const state = await openFileBoulderStore({ root })
    .read()
    .catch(() => null)
  return (await findPlans(root, state?.boulder ?? null)).paths
}
