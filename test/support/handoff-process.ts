import { once } from "node:events"
import { appendFileSync } from "node:fs"
import process from "node:process"
import { setTimeout as wait } from "node:timers/promises"
import { Client } from "pg"
import type { HandoffActor } from "../../src/boulder/handoff-changes.ts"
import { claimHandoff, renewHandoff, saveHandoff } from "../../src/boulder/handoff-changes.ts"
import { offersOf } from "../../src/decide/handoff-offers.ts"
import { nodeFilePort } from "../../src/store/disk/file-port.ts"
import { openDatabase } from "../../src/store/fleet/database.ts"
import { openPostgresHandoffStore } from "../../src/store/fleet/postgres-handoff-store.ts"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { projectScope } from "../../src/store/handoffs/handoff-scope.ts"
import type { HandoffStore } from "../../src/store/handoffs/handoff-store.ts"
import { writeHandoff } from "../../src/store/handoffs/write-handoff.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { recordHistory } from "./claim-history.ts"
import { idOf } from "./handoff-builders.ts"
import { hookedPort, type PortStep } from "./store-port-hooks.ts"

interface Common {
  readonly root: string
  readonly session: string
  readonly leaseMs: number
  /** Where the handoffs are, if not in files: the URL of a PostgreSQL, in which the scope is `team`. */
  readonly url?: string
}

/** What a process does with the handoffs of a project. */
export type HandoffTask = Common &
  (
    | { readonly kind: "claim-all" | "complete-all"; readonly acks: string }
    | { readonly kind: "save-all"; readonly acks: string; readonly subjects: number }
    | { readonly kind: "hold"; readonly id: string }
    | { readonly kind: "claim-each" | "claim-bare"; readonly count: number; readonly from: number }
    | {
        readonly kind: "history"
        readonly history: string
        readonly seed: number
        readonly count: number
        readonly records: number
        readonly diesAt: number | null
      }
    | {
        readonly kind: "die"
        readonly id: string
        readonly doing: "claim" | "complete"
        readonly at: number
        readonly when: "before" | "after"
      }
  )

/** A process of its own for the crash tests, in Bun or bundled for Node. Its task is its only argument, as JSON. */
const task: HandoffTask = JSON.parse(process.argv[2] ?? "null")
const store =
  task.url === undefined ? openFileHandoffStore({ root: task.root }) : openShared(task.url)
const { kind } = task

if (kind === "claim-all") await claimAll(task.acks)
if (kind === "complete-all") await completeAll(task.acks)
if (kind === "save-all") await saveAll(task.acks, task.subjects)
if (kind === "hold") await hold(task.id)
if (kind === "die") await changeAndDie(task)
if (kind === "claim-each") await claimEach(task, await claimOf(store))
if (kind === "claim-bare") await claimEach(task, await bareClaimOf(task.url ?? ""))
if (kind === "history") {
  const dies = () => process.kill(process.pid, "SIGKILL")
  await recordHistory(store, { ...task, actor: actor(), dies })
}

function openShared(url: string): HandoffStore {
  const database = openDatabase({ url: async () => url, root: process.cwd() })
  return openPostgresHandoffStore({ database, scope: "team", now: Date.now })
}

function actor(): HandoffActor {
  const { session: sessionId, leaseMs } = task
  return { sessionId, agent: null, place: null, family: [], leaseMs }
}

async function offered(): Promise<readonly string[]> {
  const { handoffs } = await store.open()
  const asker = { sessionId: task.session, now: Date.now() }
  const { offers } = offersOf(handoffs, asker, Number.POSITIVE_INFINITY)
  return offers.filter((offer) => offer.kind !== "held").map(({ handoff }) => handoff.id)
}

/** Claims whatever is offered, in the same order as everybody else, and notes each claim it got. */
async function claimAll(acks: string): Promise<void> {
  for (let ids = await offered(); ids.length > 0; ids = await offered())
    for (const id of ids) {
      const claim = await store.update(id, claimHandoff(actor()))
      if (claim.kind === "changed") appendFileSync(acks, `${id}\n`)
    }
}

/**
 * Once a line comes in, tries to claim each of `count` records, starting at its own place and going around. Prints what it got, and when it
 * began and ended.
 */
async function claimEach(
  { count, from }: { readonly count: number; readonly from: number },
  claim: (id: string) => Promise<boolean>,
): Promise<void> {
  const given: string[] = []
  process.stdout.write("ready\n")
  await once(process.stdin, "data")
  const begun = Date.now()
  for (let at = 0; at < count; at++) {
    const id = idOf(((from + at) % count) + 1)
    if (await claim(id)) given.push(id)
  }
  process.stdout.write(JSON.stringify({ begun, ended: Date.now(), given }))
  process.exit(0)
}

/** Connects before it begins: on a busy machine, one of eight connections may need longer than it has. */
async function claimOf({ open, update }: HandoffStore) {
  for (let old: string | undefined = "yet"; old !== undefined; ) old = (await open()).old
  return async (id: string) => (await update(id, claimHandoff(actor()))).kind === "changed"
}

/** The least that a claim costs: one statement, with neither rules nor a lease. */
async function bareClaimOf(url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  const sql = "update bare set owner = $1 where id = $2 and owner is null returning record"
  return async (id: string) => ((await client.query(sql, [task.session, id])).rowCount ?? 0) > 0
}

/** Tries to complete every open record, and notes those that were its own. */
async function completeAll(acks: string): Promise<void> {
  const done = { status: "complete", summary: "done", reason: null, unblock: null } as const
  for (const { id } of (await store.open()).handoffs) {
    const save = await store.update(id, saveHandoff(actor(), done))
    if (save.kind === "changed") appendFileSync(acks, `${id}\n`)
  }
}

/** Saves a word about each subject twice, in the same order as everybody else, and notes the records that the saves went into. */
async function saveAll(acks: string, subjects: number): Promise<void> {
  const records = { handoffs: store, project: projectScope(task.root), byAgent: false }
  const progress = { status: "blocked", summary: "half", reason: "no key", unblock: null } as const
  for (let time = 0; time < 2 * subjects; time++) {
    const target = { kind: "text", text: `subject ${time % subjects}` } as const
    const { handoffs: open } = await store.open()
    const written = await writeHandoff(records, { actor: actor(), target, open }, progress)
    if (written.kind === "written") appendFileSync(acks, `${written.handoff.id}\n`)
  }
}

/** Claims one, says so, and works on it until it is killed. */
async function hold(id: string): Promise<void> {
  const claim = await store.update(id, claimHandoff(actor()))
  process.stdout.write(`${claim.kind}\n`)
  for (;;) {
    await wait(task.leaseMs / 5)
    await store.update(id, renewHandoff(actor()))
  }
}

/** Makes one change and is killed by SIGKILL at one operation of the store. Ends by itself if there is no such operation. */
async function changeAndDie({ at, when, id, doing }: Extract<HandoffTask, { kind: "die" }>) {
  const die = async ({ index }: PortStep) => {
    if (index !== at) return
    process.kill(process.pid, "SIGKILL")
    await new Promise(() => undefined)
  }
  const { root } = task
  const files = hookedPort(nodeFilePort(), { [when]: die })
  const dying = openFileHandoffStore({ root, records: openRecordFiles({ root, files }) })
  const done = { status: "complete", summary: "done", reason: null, unblock: null } as const
  const change = doing === "claim" ? claimHandoff(actor()) : saveHandoff(actor(), done)
  process.stdout.write((await dying.update(id, change)).kind)
}
