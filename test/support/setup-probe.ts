import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { REPO } from "./host-version.ts"
import type { OpencodeHost } from "./opencode-host.ts"

/** What a host has passed to `setup`: names with their values, functions as "function". */
type SetupShape = { readonly [name: string]: SetupShape | string }

/** A run of our `setup` in a host. */
export type SetupCall = {
  readonly ctx: SetupShape
  /** The functions of `ctx` that ours has called. */
  readonly called: readonly string[]
}

const LOG = "setup.jsonl"

/**
 * Options for `startHost`: this checkout's plugin as built, with its `setup` watched. The host loads the same default export, and the notes
 * are written beside the project.
 */
export const WATCHED = {
  plugin: "./.probe/watched.js",
  files: {
    ".probe/watched.js": `
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import plugin from ${JSON.stringify(`file://${REPO}/dist/index.js`)}

const log = (line) => appendFileSync(join(import.meta.dirname, "..", "..", "${LOG}"), JSON.stringify(line) + "\\n")
const shapeOf = (value, depth = 0) => {
  if (typeof value === "function") return "function"
  if (typeof value !== "object" || value === null) return typeof value
  if (depth > 3) return "object"
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, shapeOf(value[name], depth + 1)]))
}
const watched = (value, called, path = "ctx") => {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return value
  return new Proxy(value, {
    get: (target, name) => {
      const found = Reflect.get(target, name)
      return typeof name === "symbol" ? found : watched(found, called, path + "." + name)
    },
    apply: (target, self, args) => {
      called.push(path)
      return Reflect.apply(target, undefined, args)
    },
  })
}

export default {
  ...plugin,
  server: (...given) => {
    log({ server: true })
    return plugin.server(...given)
  },
  setup: async (ctx) => {
    const called = []
    try {
      await plugin.setup(watched(ctx, called))
    } finally {
      log({ ctx: shapeOf(ctx), called })
    }
  },
}
`,
  },
} as const

/** How often the host has run `server`, and each run of `setup`. */
export function callsOfEntry(host: OpencodeHost): {
  servers: number
  setups: readonly SetupCall[]
} {
  const log = join(host.root, LOG)
  const lines = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []
  const calls = lines.map((line) => JSON.parse(line) as SetupCall | { server: true })
  const setups = calls.filter((call) => "ctx" in call)
  return { servers: calls.length - setups.length, setups }
}
