// Lists the plans for the panel.

/** The paths of the project's plans, including those of its works. What this needs is loaded with the first call. */
export async function plansHere(root: string): Promise<readonly string[]> {
  const [{ findPlans }, { stateThere }] = await Promise.all([
    import("./find-plans.ts"),
    import("../records/state-there.ts"),
  ])
  // Only looks: a state that needs restoring is restored, and reported, by the commands.
  return (await findPlans(root, await stateThere(root))).paths
}
