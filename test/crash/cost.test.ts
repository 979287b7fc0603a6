import { expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { type FilePort, nodeFilePort } from "../../src/store/disk/file-port.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { countUp } from "../support/store-boulders.ts"
import { noteFigure } from "../support/store-figures.ts"
import { withFolder } from "../support/store-folder.ts"

const ROUNDS = 150

test(
  "an update waits for the disk as often as a bare durable write; what it costs is a figure",
  () =>
    withFolder(async (root) => {
      const { files, waits } = countingPort()
      const store = openFileBoulderStore({ root, files })
      for (let work = 0; work < 8; work++) await store.update(countUp(`w${work}`))
      const text = await readFile(join(root, ".boulder", "boulder.json"), "utf8")
      const times = { bare: [0], update: [0], read: [0] }
      for (let round = 0; round < ROUNDS; round++) {
        times.bare.push(await timeOf(() => writeBare(root, text)))
        times.update.push(await timeOf(() => store.update(countUp("w0"))))
        times.read.push(await timeOf(() => store.read()))
      }
      const [bare, update, read] = [median(times.bare), median(times.update), median(times.read)]
      noteFigure(
        `one update of ${text.length} bytes, no other writer (median of ${ROUNDS})`,
        `${update.toFixed(2)} ms, a bare durable write ${bare.toFixed(2)} ms (${(update / bare).toFixed(1)} ×); a read ${read.toFixed(2)} ms`,
      )
      const before = waits()
      await store.update(countUp("w0"))
      const ofUpdate = waits() - before
      await writeBare(root, text, files)
      expect(ofUpdate).toBe(waits() - before - ofUpdate)
    }),
  240_000,
)

/** The real port, and how often it was waited for until something is on the disk. */
function countingPort() {
  const real = nodeFilePort()
  let count = 0
  const files: FilePort = {
    ...real,
    createOpen: async (path, text, rights) => {
      const file = await real.createOpen(path, text, rights)
      return {
        close: () => file.close(),
        sync: () => {
          count += 1
          return file.sync()
        },
      }
    },
    syncFile: (path) => {
      count += 1
      return real.syncFile(path)
    },
    syncFolder: (path) => {
      count += 1
      return real.syncFolder(path)
    },
  }
  return { files, waits: () => count }
}

/** Temp file, fsync, rename, fsync of the folder. */
async function writeBare(root: string, text: string, files = nodeFilePort()): Promise<void> {
  const temp = join(root, "bare.tmp")
  const file = await files.createOpen(temp, text)
  await file.sync()
  await file.close()
  await files.rename(temp, join(root, "bare.json"))
  await files.syncFolder(root)
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await run()
  return performance.now() - startedMs
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}
