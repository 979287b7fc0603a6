// The view files: what each running opencode shows of its works.
import { join } from "node:path"
import { isWithin, msOf } from "../../boulder/iso-time.ts"
import { jsonOf } from "../../boulder/json-of.ts"
import { isFresh, type LiveView, liveViewOf } from "../../boulder/live-view.ts"
import { isFolderInside, readInside } from "../disk/boulder-folder.ts"
import { type FilePort, nodeFilePort } from "../disk/file-port.ts"
import { lifeOf, newWriteId, ownIdentity, writerOf } from "../disk/writer-identity.ts"
import { openReadyFolder, type ReadyFolder } from "../revisions/ready-folder.ts"

const FOLDER = "live"
const MAX_VIEW_BYTES = 512 * 1_024
const MAX_VIEWS = 64

/**
 * One small file for each process in `.boulder/live`. It is replaced as a whole and never synced: what it shows is true now or useless.
 * Methods throw what the file system throws.
 */
export type LiveFiles = ReturnType<typeof openLiveFiles>

/** Opens the view files of a project; touches nothing until the first call. */
export function openLiveFiles({
  root,
  files = nodeFilePort(),
  ready = openReadyFolder({ files, root }),
}: {
  readonly root: string
  readonly files?: FilePort
  readonly ready?: ReadyFolder
}) {
  const folder = join(root, ".boulder", FOLDER)
  const fileOf = (writer: string) => join(folder, `${writer}.json`)
  /** A file that cannot be read is no view. */
  const viewIn = async (path: string): Promise<LiveView | null> => {
    const text = await readInside(files, root, path, MAX_VIEW_BYTES).catch(() => null)
    return liveViewOf(text === null ? null : jsonOf(text))
  }
  /** Removes what dead processes have left, and very old views of others, once our own exists, at `now`. */
  const sweep = async (now: string): Promise<void> => {
    for (const name of await files.list(folder)) {
      const id = /^([0-9a-z-]+)\.(?:[0-9a-z-]+\.tmp|json)$/.exec(name)?.[1]
      if (id === undefined || writerOf(id) === null) continue
      if (!(await mayLive(id)) || isForgotten(await viewIn(join(folder, name)), now))
        await files.remove(join(folder, name))
    }
  }
  let isSwept = false
  return {
    /** Writes the view of the process `writer`; does nothing if there is no `.boulder`. */
    async write(view: LiveView) {
      if (writerOf(view.writer) === null || !(await ready.makeReady("there"))) return
      await files.makeFolder(folder, true)
      if (!(await isFolderInside(files, root, folder))) return
      const temp = join(folder, `${view.writer}.${newWriteId(await ownIdentity())}.tmp`)
      try {
        await files.createText(temp, `${JSON.stringify(view)}\n`)
        await files.rename(temp, fileOf(view.writer))
      } finally {
        await files.remove(temp)
      }
      if (!isSwept) await sweep(view.at)
      isSwept = true
    },
    /** All views that can be read, and whether their processes are alive and were heard of. `now` in ms. */
    async readAll(now: number) {
      if (!(await isFolderInside(files, root, folder))) return []
      const names = (await files.list(folder)).filter((name) => name.endsWith(".json"))
      const found = names.slice(0, MAX_VIEWS).map(async (name) => {
        const view = await viewIn(join(folder, name))
        return view === null
          ? []
          : [{ view, isAlive: isFresh(view, now) && (await mayLive(view.writer)) }]
      })
      return (await Promise.all(found)).flat()
    },
    /** Whether the process `writer` has shown a view recently. `now` in ms. */
    async isHeard(writer: string, now: number) {
      if (writerOf(writer) === null || !(await isFolderInside(files, root, folder))) return false
      const view = await viewIn(fileOf(writer))
      return view?.writer === writer && isFresh(view, now)
    },
    /** Removes the view of a process that ends; a missing one is no error. */
    async remove(writer: string) {
      if (writerOf(writer) === null || !(await isFolderInside(files, root, folder))) return
      await files.remove(fileOf(writer))
    },
  }
}

/** A view that was not rewritten for this long belongs to a process that has ended: in a container, or before a reboot. */
const FORGOTTEN_MS = 24 * 3_600_000

function isForgotten(view: LiveView | null, now: string): boolean {
  return view !== null && !isWithin(view.at, FORGOTTEN_MS, msOf(now))
}

/** False for a process that is known to have ended; nobody knows about another machine's. */
async function mayLive(id: string): Promise<boolean> {
  return writerOf(id) !== null && (await lifeOf(id, await ownIdentity())) !== "dead"
}
