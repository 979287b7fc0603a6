import { expect, test } from "bun:test"
import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as wait } from "node:timers/promises"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { countOf, countUp, sumOf } from "../support/store-boulders.ts"
import { noteFigure } from "../support/store-figures.ts"
import { withFolder } from "../support/store-folder.ts"
import { acknowledged, type Runtime, startPrograms } from "../support/store-processes.ts"

const KILLS = Number(process.env["STORE_KILLS"] ?? 320)
const LANES = 4
const RUNTIMES: readonly Runtime[] = ["bun", "node"]

test("writers killed at random moments leave every acknowledged update and a store that works", async () => {
  const start = await startPrograms()
  await withFolder(async (root) => {
    const stop = join(root, "stop")
    const reader = start("bun", { kind: "read", root, stop })
    const lanes = Array.from({ length: LANES }, (_, lane) => lane)
    const kills = await Promise.all(
      lanes.map(async (lane) => {
        const acks = join(root, `acks-${lane}`)
        for (let kill = 0; kill < KILLS / LANES; kill++) {
          const runtime = RUNTIMES[(lane + kill) % 2] ?? "bun"
          const name = `lane-${lane}`
          const { child, ended } = start(runtime, {
            kind: "write",
            root,
            name,
            updates: null,
            acks,
          })
          await firstOf(acks, acknowledged(acks).length)
          await wait(Math.random() * 25)
          child.kill("SIGKILL")
          const { signal, err } = await ended
          expect({ signal, err }).toEqual({ signal: "SIGKILL", err: "" })
        }
        return KILLS / LANES
      }),
    )
    await writeFile(stop, "")
    const { reads, ...bad } = JSON.parse((await reader.ended).out)
    expect(bad).toEqual({ invalid: 0, backwards: 0, notices: 0 })

    const store = openFileBoulderStore({ root })
    const startedMs = performance.now()
    const { boulder } = await store.update(countUp("after"))
    const nextMs = performance.now() - startedMs
    const all = lanes.flatMap((lane) => acknowledged(join(root, `acks-${lane}`)))
    expect(new Set(all).size).toBe(all.length)
    expect(sumOf(boulder)).toBe(boulder.revision)
    for (const lane of lanes) {
      const noted = acknowledged(join(root, `acks-${lane}`)).length
      const lost = noted - countOf(boulder, `lane-${lane}`)
      expect(lost).toBeLessThanOrEqual(0)
      expect(-lost).toBeLessThanOrEqual(KILLS / LANES)
    }
    const names = await readdir(join(root, ".boulder"))
    expect(names.filter((name) => /\.(tmp|copy)$|corrupt/.test(name))).toEqual([])
    const total = kills.reduce((sum, count) => sum + count, 0)
    expect(total).toBe(KILLS)
    noteFigure(
      `${total} SIGKILLs at random moments, ${LANES} writers at a time, 1 reader`,
      `0 of ${all.length} acknowledged updates lost, ${reads} reads, 0 invalid, no temp file left; next write ${nextMs.toFixed(0)} ms`,
    )
  })
}, 600_000)

/** Waits until the process has written something, so that the kill meets it at work. */
async function firstOf(acks: string, before: number): Promise<void> {
  for (let looks = 0; looks < 5_000 && acknowledged(acks).length === before; looks++) await wait(2)
}
