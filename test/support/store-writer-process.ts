import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as wait } from "node:timers/promises"
import { nodeFilePort } from "../../src/store/disk/file-port.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { countUp } from "./store-boulders.ts"
import { hookedPort, type PortStep } from "./store-port-hooks.ts"
import type { WriterTask } from "./store-processes.ts"

/** A process of its own for the crash tests, in Bun or bundled for Node. Its task is its only argument, as JSON. */
const task: WriterTask = JSON.parse(process.argv[2] ?? "null")
/** A test that was killed cannot tell anybody to stop. */
const parent = process.ppid
const isWanted = (): boolean => process.ppid === parent

if (task.kind === "write") await write(task)
if (task.kind === "read") await read(task)
if (task.kind === "die") await updateAndDie(task)

/** Counts up and writes every acknowledged revision to a file at once. */
async function write({ root, name, updates, acks }: Extract<WriterTask, { kind: "write" }>) {
  // With the limit that hooks have: none of many may wait longer than that.
  const store = openFileBoulderStore({ root })
  for (let count = 0; isWanted() && count < (updates ?? Number.POSITIVE_INFINITY); count++) {
    const { boulder } = await store.update(countUp(name))
    appendFileSync(acks, `${boulder.revision}\n`)
  }
}

/** Reads the file itself and the store, again and again, until told to stop. Prints what it has seen. */
async function read({ root, stop }: Extract<WriterTask, { kind: "read" }>) {
  const store = openFileBoulderStore({ root })
  const file = join(root, ".boulder", "boulder.json")
  const seen = { reads: 0, invalid: 0, backwards: 0, notices: 0 }
  let last = 0
  while (isWanted() && !existsSync(stop)) {
    const revision = revisionIn(file)
    const reading = await store.read()
    const next = reading.boulder?.revision ?? 0
    seen.reads += 2
    seen.notices += reading.notices.length
    if (revision === null) seen.invalid += 1
    else if (revision < last || next < revision) seen.backwards += 1
    last = next
    // Readers must meet the writers at work without keeping them from it.
    await wait(1)
  }
  process.stdout.write(JSON.stringify(seen))
}

function revisionIn(file: string): number | null {
  if (!existsSync(file)) return 0
  try {
    return JSON.parse(readFileSync(file, "utf8")).revision
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** One update, killed by SIGKILL at one operation of the store. Ends with 0 if there is no such operation. */
async function updateAndDie({ root, name, at, when }: Extract<WriterTask, { kind: "die" }>) {
  const die = async ({ index }: PortStep) => {
    if (index !== at) return
    process.kill(process.pid, "SIGKILL")
    await new Promise(() => undefined)
  }
  const files = hookedPort(nodeFilePort(), { [when]: die })
  const { boulder } = await openFileBoulderStore({ root, files }).update(countUp(name))
  process.stdout.write(String(boulder.revision))
}
