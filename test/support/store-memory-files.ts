import { basename, dirname } from "node:path"
import type { FilePort } from "../../src/store/disk/file-port.ts"
import type { Disk } from "./crash-states.ts"

interface Inode {
  text: string
  synced: string | null
}

type Names = Map<string, Inode>

export interface MemoryFiles extends FilePort {
  /**
   * What a power cut leaves: names as they were at some moment since the folder was last synced, and of each file all of it, what was
   * synced, or (if nothing was synced) a part or nothing. `pick(n)` chooses among n possibilities.
   */
  cutPower(pick: (choices: number) => number): void
  /** Writes a file in place, as a program would that knows nothing about our steps. */
  damage(path: string, text: string): void
  /** The names of all files, whatever their folder. */
  names(): readonly string[]
}

/**
 * A file system of one folder tree in memory, with hard links, that knows what is on disk and what is not. It starts with the files of
 * `disk`, each with one name.
 */
export function memoryFiles(root: string, disk?: Disk): MemoryFiles {
  let names: Names = new Map()
  const folders = new Set([root, ...(disk?.folders ?? [])])
  for (const [path, text] of disk?.files ?? []) names.set(path, { text, synced: text })
  /** The names at each moment since the last sync of the folder, oldest first. */
  let moments: Names[] = [names]

  const systemError = (code: string, path: string) =>
    Object.assign(new Error(`${code}: ${path}`), { code, syscall: "memory" })
  const changeNames = (change: (next: Names) => void) => {
    names = new Map(names)
    change(names)
    moments.push(names)
  }
  const create = (path: string, text: string): Inode => {
    if (names.has(path)) throw systemError("EEXIST", path)
    if (!folders.has(dirname(path))) throw systemError("ENOENT", path)
    const inode = { text, synced: null }
    changeNames((next) => next.set(path, inode))
    return inode
  }
  const sync = (inode: Inode) => {
    inode.synced = inode.text
  }

  return {
    readText: async (path) => names.get(path)?.text ?? null,
    readBytes: async (path) => {
      const inode = names.get(path)
      return inode === undefined ? null : Buffer.from(inode.text)
    },
    list: async (folder) =>
      [...names.keys()].filter((path) => dirname(path) === folder).map((path) => basename(path)),
    makeFolder: async (path) => {
      const isNew = !folders.has(path)
      folders.add(path)
      return isNew
    },
    createText: async (path, text) => {
      create(path, text)
    },
    createOpen: async (path, text) => {
      const inode = create(path, text)
      return { sync: async () => sync(inode), close: async () => undefined }
    },
    appendText: async (path, text) => {
      const inode = names.get(path) ?? create(path, "")
      inode.text += text
    },
    syncFile: async (path) => {
      const inode = names.get(path)
      if (inode !== undefined) sync(inode)
      return inode !== undefined
    },
    syncFolder: async () => {
      moments = [names]
      return true
    },
    link: async (from, to) => {
      const inode = names.get(from)
      if (inode === undefined) throw systemError("ENOENT", from)
      if (names.has(to)) return false
      changeNames((next) => next.set(to, inode))
      return true
    },
    rename: async (from, to) => {
      const inode = names.get(from)
      if (inode === undefined) return false
      changeNames((next) => next.set(to, inode).delete(from))
      return true
    },
    remove: async (path) => {
      if (!names.has(path)) return false
      changeNames((next) => next.delete(path))
      return true
    },
    removeFolder: async (path) => {
      changeNames((next) => {
        for (const name of names.keys()) if (name.startsWith(`${path}/`)) next.delete(name)
      })
    },
    inspect: async (path) => {
      const facts = { modifiedMs: 0, uid: 0, gid: 0 }
      if (folders.has(path)) return { ...facts, kind: "folder", size: 0, mode: 0o700 }
      const inode = names.get(path)
      return inode === undefined
        ? null
        : { ...facts, kind: "file", size: inode.text.length, mode: 0o600 }
    },
    realPath: async (path) => path,
    cutPower: (pick) => {
      names = moments[pick(moments.length)] ?? names
      for (const inode of new Set(names.values())) {
        const choices = [inode.text, inode.synced ?? "", inode.synced ?? inode.text.slice(0, 40)]
        inode.text = inode.synced === inode.text ? inode.text : (choices[pick(3)] ?? "")
        inode.synced = inode.text
      }
      moments = [names]
    },
    damage: (path, text) => {
      const inode = names.get(path)
      if (inode !== undefined) Object.assign(inode, { text, synced: text })
    },
    names: () => [...names.keys()].map((path) => basename(path)),
  }
}
