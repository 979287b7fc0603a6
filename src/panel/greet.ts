// What is said at the first start with a version.
import type { PanelHost } from "./panel-host.ts"

/** Where the host keeps which version has been said. */
const KEY = "opencode-boulder.greeted"

/** Says once a version that it is loaded, what to type, and how many plans are there. */
export async function greet(
  { kv, say }: Pick<PanelHost, "kv"> & { readonly say: (message: string) => void },
  version: string,
  plans: () => Promise<number>,
): Promise<void> {
  if (kv.get(KEY, "") === version) return
  const count = await plans()
  kv.set(KEY, version)
  const found =
    count === 0 ? "no plan found yet" : count === 1 ? "1 plan found" : `${count} plans found`
  say(`opencode-boulder ${version}: /boulder-start starts a plan; ${found}`)
}
