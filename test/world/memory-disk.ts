// A file system in memory that several simulated processes share, each under its own root.
import { Buffer } from "node:buffer"
import { constants } from "node:fs"
import { basename, dirname, posix } from "node:path"

/** Below it each process has a folder with its own name. All of them hold the same project. */
export const DISKS = "/world/"

interface Inode {
  readonly id: number
  bytes: Buffer
  /** What a power cut leaves: the bytes as last synced. */
  durable: Buffer
  modifiedMs: number
  mode: number
}

type Node =
  | { readonly kind: "folder" }
  | { readonly kind: "file"; readonly inode: Inode }
  | { readonly kind: "link"; readonly target: string }

/** What a disk asks of the world around it. */
export interface DiskWorld {
  readonly now: () => number
  /** Awaited before every operation. For a dead process it never resolves. */
  readonly before: (process: string, what: string) => Promise<void>
  /** The code of an error that the system gives instead of an answer; null for none. */
  readonly faultOf: (process: string, operation: string, path: string) => string | null
  /** A process has changed a file. */
  readonly onWrite: (process: string, path: string) => void
}

/** A cache, since each path is asked for many times. */
const places = new Map<string, { process: string; path: string }>()

/** The files of one project. Paths are relative to its root. */
export class MemoryDisk {
  readonly #world: DiskWorld
  readonly #nodes = new Map<string, Node>([["", { kind: "folder" }]])
  #inodes = 0
  /** The names that a power cut leaves. */
  readonly #durable = new Map<string, Node>()

  constructor(world: DiskWorld) {
    this.#world = world
  }

  /** The text of a file; null if there is none. For the world itself: nothing waits, nothing fails. */
  textOf(path: string): string | null {
    const node = this.#nodes.get(this.realOf(path) ?? path)
    return node?.kind === "file" ? node.inode.bytes.toString("utf8") : null
  }

  /** Writes a file in place, with its folders. */
  write(path: string, text: string): void {
    const real = this.realOf(path) ?? this.#behindLinks(path)
    this.#makeFoldersOf(real)
    const node = this.#nodes.get(real)
    if (node?.kind === "file") this.#change(node.inode, Buffer.from(text))
    else this.#nodes.set(real, { kind: "file", inode: this.#inode(Buffer.from(text)) })
    this.#keep(real)
  }

  /** Makes a person's own files durable at once. */
  #keep(path: string): void {
    const node = this.#nodes.get(path)
    if (node === undefined) this.#durable.delete(path)
    else this.#durable.set(path, node)
    if (node?.kind === "file") node.inode.durable = node.inode.bytes
    if (path !== "") this.#keepFolder(dirname(path))
  }

  #keepFolder(path: string): void {
    const node = this.#nodes.get(path)
    if (node === undefined) return
    this.#durable.set(path, node)
    if (path.includes("/")) this.#keepFolder(dirname(path))
  }

  /** The machine stops. Of what was not synced, nothing is left, or the names of empty files, or everything. */
  cutPower(survives: "nothing" | "names" | "all"): void {
    if (survives === "nothing")
      for (const path of [...this.#nodes.keys(), ...this.#durable.keys()]) this.#asDurable(path)
    if (survives !== "all")
      for (const node of this.#nodes.values())
        if (node.kind === "file") node.inode.bytes = node.inode.durable
    for (const path of this.#nodes.keys()) this.#keep(path)
  }

  #asDurable(path: string): void {
    const node = this.#durable.get(path)
    const isIn = path === "" || this.#nodes.get(dirname(path) === "." ? "" : dirname(path))
    if (path === "") return
    if (node === undefined || !isIn) this.#nodes.delete(path)
    else this.#nodes.set(path, node)
  }

  remove(path: string): void {
    const real = this.realOf(path) ?? path
    this.#nodes.delete(real)
    this.#durable.delete(real)
  }

  /** Where a new file would be created, as far as its folders exist. */
  #behindLinks(path: string): string {
    const folder = this.realOf(dirname(path))
    return folder === null || folder === "" ? path : `${folder}/${basename(path)}`
  }

  #makeFoldersOf(path: string): void {
    for (let at = dirname(path); at !== "."; at = dirname(at))
      if (!this.#nodes.has(at)) this.#nodes.set(at, { kind: "folder" })
  }

  link(path: string, target: string): void {
    this.#makeFoldersOf(path)
    this.#nodes.set(path, { kind: "link", target })
    this.#keep(path)
  }

  readonly paths = (): readonly string[] => [...this.#nodes.keys()]

  /** An operation of a process: it waits, fails if it must, and is done in one go. */
  async run<Value>(
    operation: string,
    whole: string,
    done: (path: string, at: { process: string; change: () => void }) => Value,
  ): Promise<Value> {
    const { process, path } = placeOf(whole)
    await this.#world.before(process, `${operation} ${path}`)
    const code = this.#world.faultOf(process, operation, path)
    if (code !== null) throw errorOf(code, operation, whole)
    let hasChanged = false
    const value = done(path, {
      process,
      change: () => {
        hasChanged = true
      },
    })
    if (hasChanged) this.#world.onWrite(process, path)
    return value
  }

  /** The path without links; null if nothing is there. */
  realOf(path: string, follow = true): string | null {
    let real = ""
    const names = path.split("/").filter((name) => name !== "" && name !== ".")
    for (const [at, name] of names.entries()) {
      const here = real === "" ? name : `${real}/${name}`
      const node = this.#nodes.get(here)
      const isLast = at === names.length - 1
      if (node === undefined) return null
      real = node.kind === "link" && (!isLast || follow) ? (this.realOf(node.target) ?? "\0") : here
      if (real === "\0") return null
    }
    return real
  }

  #inode(bytes: Buffer, mode = 0o600): Inode {
    this.#inodes += 1
    return { id: this.#inodes, bytes, durable: NO_BYTES, modifiedMs: this.#world.now(), mode }
  }

  #change(inode: Inode, bytes: Buffer): void {
    inode.bytes = bytes
    inode.modifiedMs = this.#world.now()
  }

  /** The node at a path, and its real path. Throws as the system does if there is none. */
  #at(path: string, operation: string, follow = true): { real: string; node: Node } {
    const real = this.realOf(path, follow)
    const node = real === null ? undefined : this.#nodes.get(real)
    if (real === null || node === undefined) throw errorOf("ENOENT", operation, path)
    return { real, node }
  }

  /** A new name, in a folder that exists. */
  #newName(path: string, operation: string): string {
    const folder = this.realOf(dirname(path) === "." ? "" : dirname(path))
    if (folder === null) throw errorOf("ENOENT", operation, path)
    return folder === "" ? basename(path) : `${folder}/${basename(path)}`
  }

  stat = (whole: string, follow = true) =>
    this.run(follow ? "stat" : "lstat", whole, (path) =>
      this.#stats(this.#at(path, "stat", follow).node),
    )

  #stats(node: Node) {
    const inode = node.kind === "file" ? node.inode : null
    const names = [...this.#nodes.values()].filter(
      (one) => one.kind === "file" && one.inode === inode,
    )
    return {
      isFile: () => node.kind === "file",
      isDirectory: () => node.kind === "folder",
      isSymbolicLink: () => node.kind === "link",
      isFIFO: () => false,
      size: inode?.bytes.length ?? 0,
      mtimeMs: inode?.modifiedMs ?? 0,
      mode: inode?.mode ?? 0o700,
      nlink: names.length,
      dev: 1,
      ino: inode?.id ?? 0,
      uid: -1,
    }
  }

  realpath = (whole: string) =>
    this.run("realpath", whole, (path, { process }) => {
      const { real } = this.#at(path, "realpath")
      return `${DISKS}${process}${real === "" ? "" : `/${real}`}`
    })

  readlink = (whole: string) =>
    this.run("readlink", whole, (path) => {
      const { node } = this.#at(path, "readlink", false)
      if (node.kind !== "link") throw errorOf("EINVAL", "readlink", path)
      return node.target
    })

  readdir = (whole: string) => this.run("readdir", whole, (path) => this.#names(path))

  #names(path: string): string[] {
    const { real } = this.#at(path, "readdir")
    return [...this.#nodes.keys()]
      .filter((one) => one !== "" && (dirname(one) === "." ? "" : dirname(one)) === real)
      .map((one) => basename(one))
  }

  opendir = (whole: string) =>
    this.run("opendir", whole, (path) => {
      const entries = this.#names(path).map((name) => {
        const node = this.#nodes.get(path === "" ? name : `${this.realOf(path)}/${name}`)
        return {
          name,
          isFile: () => node?.kind === "file",
          isDirectory: () => node?.kind === "folder",
          isSymbolicLink: () => node?.kind === "link",
        }
      })
      return {
        async *[Symbol.asyncIterator]() {
          yield* entries
        },
        close: async () => undefined,
      }
    })

  mkdir = (whole: string) =>
    this.run("mkdir", whole, (path, { change }) => {
      if (this.realOf(path) !== null) throw errorOf("EEXIST", "mkdir", path)
      this.#nodes.set(this.#newName(path, "mkdir"), { kind: "folder" })
      change()
    })

  rename = (whole: string, to: string) =>
    this.run("rename", whole, (path, { change, process }) => {
      const { real, node } = this.#at(path, "rename", false)
      const name = this.#newName(placeOf(to).path, "rename")
      this.#nodes.delete(real)
      this.#nodes.set(name, node)
      change()
      this.#world.onWrite(process, name)
    })

  hardLink = (whole: string, to: string) =>
    this.run("link", whole, (path, { change }) => {
      const { node } = this.#at(path, "link")
      const name = this.#newName(placeOf(to).path, "link")
      if (this.#nodes.has(name)) throw errorOf("EEXIST", "link", name)
      this.#nodes.set(name, node)
      change()
    })

  unlink = (whole: string) =>
    this.run("unlink", whole, (path, { change }) => {
      this.#nodes.delete(this.#at(path, "unlink", false).real)
      change()
    })

  rm = (whole: string) =>
    this.run("rm", whole, (path, { change }) => {
      for (const one of [...this.#nodes.keys()])
        if (one === path || one.startsWith(`${path}/`)) this.#nodes.delete(one)
      change()
    })

  chmod = (whole: string, mode: number) =>
    this.run("chmod", whole, (path) => {
      const { node } = this.#at(path, "chmod")
      if (node.kind === "file") node.inode.mode = mode
    })

  readFile = (whole: string) =>
    this.run("readFile", whole, (path) => {
      const { node } = this.#at(path, "readFile")
      if (node.kind !== "file") throw errorOf("EISDIR", "readFile", path)
      return node.inode.bytes.toString("utf8")
    })

  open = async (whole: string, flags: number, mode = 0o600) => {
    const inode = await this.run("open", whole, (path, { change }) => {
      const real = this.realOf(path)
      const node = real === null ? undefined : this.#nodes.get(real)
      if (node === undefined) {
        if ((flags & constants.O_CREAT) === 0) throw errorOf("ENOENT", "open", path)
        const made = this.#inode(Buffer.alloc(0), mode)
        this.#nodes.set(this.#newName(path, "open"), { kind: "file", inode: made })
        change()
        return made
      }
      if ((flags & constants.O_EXCL) !== 0) throw errorOf("EEXIST", "open", path)
      return node.kind === "file" ? node.inode : null
    })
    return this.#handle(whole, inode)
  }

  /** Makes the names in a folder durable as they are. */
  #syncNames(folder: string): void {
    const isIn = (path: string) =>
      path !== "" && (dirname(path) === "." ? "" : dirname(path)) === folder
    for (const path of [...this.#durable.keys()])
      if (isIn(path) && !this.#nodes.has(path)) this.#durable.delete(path)
    for (const [path, node] of this.#nodes) if (isIn(path)) this.#durable.set(path, node)
  }

  #handle(whole: string, inode: Inode | null) {
    let at = 0
    return {
      stat: async () => this.#stats(inode === null ? { kind: "folder" } : { kind: "file", inode }),
      sync: () =>
        this.run("sync", whole, (path) => {
          if (inode === null) this.#syncNames(this.realOf(path) ?? path)
          else inode.durable = inode.bytes
        }),
      close: async () => undefined,
      chmod: async (mode: number) => void Object.assign(inode ?? {}, { mode }),
      read: async (into: Buffer, offset: number, length: number) =>
        this.run("read", whole, () => {
          const bytesRead = inode?.bytes.copy(into, offset, at, at + length) ?? 0
          at += bytesRead
          return { bytesRead, buffer: into }
        }),
      write: (bytes: Buffer, from: number, length: number) =>
        this.run("write", whole, (_, { change }) => {
          const added = bytes.subarray(from, from + length)
          if (inode !== null) this.#change(inode, Buffer.concat([inode.bytes, added]))
          change()
          return { bytesWritten: length, buffer: bytes }
        }),
    }
  }
}

function placeOf(whole: string): { process: string; path: string } {
  const known = places.get(whole)
  if (known !== undefined) return known
  const [process = "", ...names] = whole.slice(DISKS.length).split("/")
  const path = posix.normalize(names.join("/")).replace(/^\.$/, "").replace(/\/$/, "")
  if (places.size > MOST_PLACES) places.clear()
  places.set(whole, { process, path })
  return { process, path }
}

const MOST_PLACES = 10_000
const NO_BYTES = Buffer.alloc(0)

function errorOf(code: string, syscall: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, syscall, path })
}
