// Opens the handoff store that the options ask for.
import { resolve } from "node:path"
import process from "node:process"
import { readForeignText } from "../disk/read-foreign-text.ts"
import type { HandoffStore } from "../handoffs/handoff-store.ts"
import { away } from "./away.ts"
import { openDatabase } from "./database.ts"
import type { FleetOption } from "./fleet-option.ts"
import { fleetScope } from "./fleet-scope.ts"
import { openPostgresHandoffStore } from "./postgres-handoff-store.ts"

/** Opens the shared store; nothing is connected before the first call. */
export async function openFleetHandoffs(
  { url, scope }: Pick<FleetOption, "url" | "scope">,
  { root, now }: { readonly root: string; readonly now: () => number },
): Promise<HandoffStore> {
  return openPostgresHandoffStore({
    database: openDatabase({ url: () => urlAt(url, root), root }),
    ...(await fleetScope(root, scope)),
    now,
  })
}

/** The URL that a reference leads to; messages never show it. */
async function urlAt(reference: string, root: string): Promise<string> {
  const [, kind, name = ""] = /^(env|file):(.+)$/s.exec(reference) ?? []
  const found =
    kind === "env"
      ? (process.env[name] ?? "")
      : ((await readForeignText(resolve(root, name))) ?? "")
  if (found.trim() !== "") return found.trim()
  throw away(
    `the url of the handoffs' database in ${reference}`,
    "nothing",
    kind === "env"
      ? `Set ${name} where opencode is started.`
      : `Write it to ${name}: postgres://user:password@host:5432/database.`,
  )
}
