import { expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { nodeFilePort } from "../../src/store/disk/file-port.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { countUp } from "../support/store-boulders.ts"
import { noteFigure } from "../support/store-figures.ts"
import { withFolder } from "../support/store-folder.ts"

const ROUNDS = 150

test(
  "an update costs at most three bare durable writes of the same bytes",
  () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
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
      expect(update / bare).toBeLessThan(3)
    }),
  60_000,
)

/** Temp file, fsync, rename, fsync of the folder. */
async function writeBare(root: string, text: string): Promise<void> {
  const files = nodeFilePort()
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
