// The plans that the panel lists and counts.

/** The plans of the project by their paths, those of its works too. What it needs is loaded with the first call. */
export async function plansHere(root: string): Promise<readonly string[]> {
  const [{ findPlans }, { stateThere }] = await Promise.all([
    import("./find-plans.ts"),
    import("../records/state-there.ts"),
  ])
  // Left as it is: a state that has to be restored is restored, and told, by the commands.
  return (await findPlans(root, await stateThere(root))).paths
}
