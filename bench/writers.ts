import { spawn } from "node:child_process"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { emptyBoulder } from "../src/boulder/boulder.ts"
import { newWork } from "../src/boulder/new-work.ts"
import type { BoulderStore } from "../src/store/revisions/boulder-store.ts"
import { temporaryFolder } from "../test/support/temporary-folder.ts"

/**
 * Several processes that write one state back to back: how long each update waits, and how many give up. Run alone it is
 * one of them: `bun bench/writers.ts <project> <name> <updates> <module of the store>`, and prints JSON.
 */
export interface Written {
  /** In ms, of all processes. */
  readonly times: readonly number[]
  readonly gaveUp: number
  readonly tookMs: number
}

const OURS = join(import.meta.dir, "../src/store/revisions/file-boulder-store.ts")
const PLANNED = { sessionId: "ses_root", now: "2026-11-23T10:00:00.000Z" }

/** Lets so many processes of Bun write at once. Throws where an acknowledged update is lost. */
export async function measureWriters(
  processes: number,
  updates: number,
  entry = OURS,
): Promise<Written> {
  const project = temporaryFolder("writers")
  const start = performance.now()
  const written = await Promise.all(
    Array.from({ length: processes }, async (_, at) => {
      const args = [import.meta.path, project, `w${at}`, String(updates), entry]
      const { stdout } = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
      return JSON.parse(await text(stdout)) as Omit<Written, "tookMs">
    }),
  )
  const tookMs = performance.now() - start
  const times = written.flatMap((one) => one.times)
  const gaveUp = written.reduce((sum, one) => sum + one.gaveUp, 0)
  const store = await openStore(project, entry)
  const revision = (await store.read()).boulder?.revision ?? 0
  if (revision !== times.length)
    throw new Error(`Expected revision ${times.length}; found ${revision}.`)
  return { times, gaveUp, tookMs }
}

async function openStore(root: string, entry: string): Promise<BoulderStore> {
  return (await import(entry)).openFileBoulderStore({ root })
}

async function write(root: string, name: string, updates: number, entry: string) {
  const store = await openStore(root, entry)
  const times: number[] = []
  let gaveUp = 0
  const work = {
    ...newWork({ planPath: `.boulder/plans/${name}.md`, planName: name, ...PLANNED }),
    work_id: name,
  }
  for (let seq = 1; seq <= updates; seq++) {
    const start = performance.now()
    const update = store.update((boulder = emptyBoulder()) => ({
      ...boulder,
      works: { ...boulder.works, [name]: { ...work, checkpoint_seq: seq } },
    }))
    const isWritten = await update.then(
      () => true,
      () => false,
    )
    if (isWritten) times.push(performance.now() - start)
    else gaveUp += 1
  }
  return { times, gaveUp }
}

if (import.meta.main) {
  const [, , root = "", name = "", updates = "", entry = OURS] = process.argv
  process.stdout.write(JSON.stringify(await write(root, name, Number(updates), entry)))
}
