// Identifies this process, and tells whether a writer is still alive.
import { createHash, randomBytes } from "node:crypto"
import { readFile, readlink } from "node:fs/promises"
import { hostname } from "node:os"
import process from "node:process"
import { errnoOf } from "./store-error.ts"

/** A process that writes: `machine` stands for the machine, its boot and its pid namespace. */
export interface WriterIdentity {
  readonly pid: number
  /** The kernel's start time of the process, to recognise a reused pid; "0" if unknown. */
  readonly started: string
  readonly machine: string
}

/** The identity of this process. */
export async function ownIdentity(): Promise<WriterIdentity> {
  const [boot, namespace, seen] = await Promise.all([
    orEmpty(readFile("/proc/sys/kernel/random/boot_id", "utf8")),
    orEmpty(readlink("/proc/self/ns/pid")),
    seenOf(process.pid),
  ])
  const machine = machineOf({ host: hostname(), boot, namespace })
  return { pid: process.pid, started: seen?.started ?? "0", machine }
}

/**
 * A name for a machine: from its boot and pid namespace if the system reports them, else from its host name, which a network may change.
 */
export function machineOf({ host, boot, namespace }: Machine): string {
  const isTold = boot !== "" && namespace !== ""
  const name = isTold ? `${boot} ${namespace}` : `${host} ${boot}`
  return createHash("sha256").update(name).digest("hex").slice(0, 8)
}

interface Machine {
  readonly host: string
  /** "" if the system does not report it. */
  readonly boot: string
  readonly namespace: string
}

/** A name for one write that is never made twice. */
export function newWriteId({ pid, started, machine }: WriterIdentity): string {
  return `${pid}-${started}-${machine}-${randomBytes(8).toString("hex")}`
}

/** The writer in a write id; null for an id of another form. */
export function writerOf(writeId: string): WriterIdentity | null {
  const [, pid, started, machine] = /^(\d+)-(\d+)-([0-9a-f]{8})-[0-9a-f]{16}$/.exec(writeId) ?? []
  if (pid === undefined || started === undefined || machine === undefined) return null
  return { pid: Number(pid), started, machine }
}

/** Whether two write ids belong to one process, which makes a new id each time it opens a project. */
export function isSameProcess(one: string, other: string): boolean {
  return JSON.stringify(writerOf(one)) === JSON.stringify(writerOf(other))
}

/**
 * Whether the process of a write id lives. `unknown` for an id of another form, and for a process of another machine, boot or container;
 * and, if the system does not report when processes started, for a pid that is in use: it may be another program's by now.
 */
export async function lifeOf(
  writeId: string,
  own: WriterIdentity,
): Promise<"alive" | "dead" | "unknown"> {
  const writer = writerOf(writeId)
  if (writer?.machine !== own.machine) return "unknown"
  if (!isThere(writer.pid)) return "dead"
  const seen = await seenOf(writer.pid)
  if (seen?.hasEnded) return "dead"
  if (seen === null || writer.started === "0") return "unknown"
  return seen.started === writer.started ? "alive" : "dead"
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errnoOf(error) !== "ESRCH"
  }
}

/**
 * From fields 3, 20 and 22 of /proc/<pid>/stat; the name in field 2 may hold anything, so count from its end. A process that has ended with
 * all its threads stays listed until its parent asks for its exit code, which the first process of a container may never do.
 */
async function seenOf(pid: number): Promise<{ started: string; hasEnded: boolean } | null> {
  const text = await orEmpty(readFile(`/proc/${pid}/stat`, "utf8"))
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const [state = "", threads = "", started = ""] = [fields[0], fields[17], fields[19]]
  const hasEnded = /^[ZX]$/.test(state) && Number(threads) <= 1
  return /^\d+$/.test(started) ? { started, hasEnded } : null
}

/** Other systems have no /proc: what is not there is left out. */
async function orEmpty(text: Promise<string>): Promise<string> {
  return text.then(
    (found) => found.trim(),
    () => "",
  )
}
