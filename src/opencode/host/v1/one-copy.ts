// Lets only one copy of the plugin work in a folder.
import type { Hooks } from "@opencode-ai/plugin"

/** Where the copies of the plugin in a process find each other: each has its own modules. */
const COPIES = Symbol.for("opencode-boulder.copies")

/** A copy's hold on a folder. */
interface Hold {
  /** The URL of another copy that already works in the folder; null if this one does. */
  readonly other: string | null
  release(): void
}

/**
 * Takes a folder for the copy of the plugin at the URL `own`. A host that finds the plugin under two names, such as a package and a checkout,
 * loads both: everything would be said, and all spending counted, twice. A copy that is loaded again takes its own place.
 */
export function holdFolder(folder: string, own: string): Hold {
  const copies = copiesByFolder()
  const holder = copies.get(folder) ?? own
  if (holder !== own) return { other: holder, release: () => undefined }
  copies.set(folder, own)
  return {
    other: null,
    release: () => {
      copies.delete(folder)
    },
  }
}

function copiesByFolder(): Map<string, string> {
  const found: unknown = Reflect.get(globalThis, COPIES)
  if (found instanceof Map) return found
  const made = new Map<string, string>()
  Reflect.set(globalThis, COPIES, made)
  return made
}

/** The hooks of a copy that does not work: with the first event it tells the user which one does. */
export function hooksOfSpare(other: string, own: string, tell: (message: string) => void): Hooks {
  let isTold = false
  return {
    event: async () => {
      if (isTold) return
      isTold = true
      tell(
        `opencode-boulder is loaded twice: ${folderOf(other)} works, ${folderOf(own)} does not. Name it once in your configuration: opencode-boulder doctor shows where it is named.`,
      )
    },
  }
}

/** The package's folder, for a module in its sources or its build. */
function folderOf(url: string): string {
  return decodeURIComponent(url.replace(/^file:\/\//, "").replace(/\/(?:dist|src)\/.*$/, ""))
}
