import { expect, test } from "bun:test"
import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { countOf, sumOf } from "../support/store-boulders.ts"
import { noteFigure } from "../support/store-figures.ts"
import { withFolder } from "../support/store-folder.ts"
import { acknowledged, type Runtime, startPrograms } from "../support/store-processes.ts"

const UPDATES = 200
const RUNTIMES: readonly Runtime[] = ["bun", "node"]

test.each([2, 4, 8])(
  "%i processes of Bun and Node, 200 updates each, lose none",
  async (writers) => {
    const start = await startPrograms()
    await withFolder(async (root) => {
      const stop = join(root, "stop")
      const readers = RUNTIMES.map((runtime) => start(runtime, { kind: "read", root, stop }))
      const startedMs = performance.now()
      const running = Array.from({ length: writers }, (_, index) => {
        const acks = join(root, `acks-${index}`)
        const task = { kind: "write", root, name: `w${index}`, updates: UPDATES, acks } as const
        return { acks, name: task.name, ...start(RUNTIMES[index % 2] ?? "bun", task) }
      })
      for (const { ended } of running) expect(await ended).toMatchObject({ code: 0, err: "" })
      const tookMs = performance.now() - startedMs
      await writeFile(stop, "")
      const seen = await Promise.all(
        readers.map(async ({ ended }) => JSON.parse((await ended).out)),
      )

      const { boulder } = await openFileBoulderStore({ root }).read()
      const revisions = running.flatMap(({ acks }) => acknowledged(acks))
      expect(boulder?.revision).toBe(writers * UPDATES)
      expect(sumOf(boulder)).toBe(writers * UPDATES)
      expect(new Set(revisions).size).toBe(writers * UPDATES)
      for (const { name } of running) expect(countOf(boulder, name)).toBe(UPDATES)
      for (const { reads, ...bad } of seen) {
        expect(reads).toBeGreaterThan(0)
        expect(bad).toEqual({ invalid: 0, backwards: 0, notices: 0 })
      }
      const reads = seen.reduce((sum, { reads }) => sum + reads, 0)
      expect(await leftBehind(root)).toEqual([])
      noteFigure(
        `${writers} processes (Bun and Node 20) × ${UPDATES} updates, 2 readers`,
        `0 of ${revisions.length} lost, revision ${boulder?.revision}, ${reads} reads, 0 invalid, ${(tookMs / 1_000).toFixed(1)} s`,
      )
    })
  },
  400_000,
)

async function leftBehind(root: string): Promise<string[]> {
  const names = await readdir(join(root, ".boulder"))
  return names.filter((name) => /\.(tmp|copy)$|lock|corrupt/.test(name))
}
