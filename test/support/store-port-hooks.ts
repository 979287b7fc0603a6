import type { FilePort, FileRights, OpenFile } from "../../src/store/disk/file-port.ts"

/** One operation of a port, as a test sees it: its number from 0, its name, and the path that it is done to. */
export interface PortStep {
  readonly index: number
  readonly operation: string
  readonly path: string
}

/** What happens around an operation. A throw replaces it (`before`) or hides its success (`after`). */
export interface PortHooks {
  before?(step: PortStep): Promise<void> | void
  after?(step: PortStep): Promise<void> | void
}

/** A port that calls hooks around every operation, including those of open files. */
export function hookedPort(files: FilePort, hooks: PortHooks): FilePort {
  let index = 0
  const around = async <Value>(operation: string, path: string, run: () => Promise<Value>) => {
    const step = { index: index++, operation, path }
    await hooks.before?.(step)
    const value = await run()
    await hooks.after?.(step)
    return value
  }
  const hookedFile = (file: OpenFile, path: string): OpenFile => ({
    sync: () => around("sync", path, () => file.sync()),
    // Closed for good even if a test puts a fault before it.
    close: async () => {
      await file.close()
      await around("close", path, async () => undefined)
    },
  })
  const createOpen = async (path: string, text: string, rights?: FileRights) => {
    const made: OpenFile[] = []
    try {
      const file = await around("createOpen", path, async () => {
        made.push(await files.createOpen(path, text, rights))
        return made[0]
      })
      return hookedFile(file as OpenFile, path)
    } catch (error) {
      for (const file of made) await file.close()
      throw error
    }
  }
  return {
    readText: (path, maxBytes) => around("readText", path, () => files.readText(path, maxBytes)),
    readBytes: (path, maxBytes) => around("readBytes", path, () => files.readBytes(path, maxBytes)),
    list: (path) => around("list", path, () => files.list(path)),
    makeFolder: (path, isPrivate) =>
      around("makeFolder", path, () => files.makeFolder(path, isPrivate)),
    createText: (path, text) => around("createText", path, () => files.createText(path, text)),
    createOpen,
    appendText: (path, text) => around("appendText", path, () => files.appendText(path, text)),
    syncFile: (path) => around("syncFile", path, () => files.syncFile(path)),
    syncFolder: (path) => around("syncFolder", path, () => files.syncFolder(path)),
    link: (from, to) => around("link", to, () => files.link(from, to)),
    rename: (from, to) => around("rename", to, () => files.rename(from, to)),
    remove: (path) => around("remove", path, () => files.remove(path)),
    removeFolder: (path) => around("removeFolder", path, () => files.removeFolder(path)),
    inspect: (path) => around("inspect", path, () => files.inspect(path)),
    realPath: (path) => around("realPath", path, () => files.realPath(path)),
  }
}

/** A system error as the file system would throw it. */
export function systemError(code: string, { operation, path }: PortStep): Error {
  return Object.assign(new Error(`${code}: put there by a test, ${operation} '${path}'`), {
    code,
    syscall: operation,
  })
}
