// Who this process is, and whether a writer still lives.
import { createHash, randomBytes } from "node:crypto"
import { readFile, readlink } from "node:fs/promises"
import { hostname } from "node:os"
import process from "node:process"
import { errnoOf } from "./store-error.ts"

/** A process that writes: `machine` stands for the machine, its boot and its pid namespace. */
export interface WriterIdentity {
  readonly pid: number
  /** The kernel's start time of the process, so that a reused pid is told apart; "0" where unknown. */
  readonly started: string
  readonly machine: string
}

/** Who this process is. */
export async function ownIdentity(): Promise<WriterIdentity> {
  const [boot, namespace, started] = await Promise.all([
    orEmpty(readFile("/proc/sys/kernel/random/boot_id", "utf8")),
    orEmpty(readlink("/proc/self/ns/pid")),
    startOf(process.pid),
  ])
  const machine = createHash("sha256").update(`${hostname()} ${boot} ${namespace}`).digest("hex")
  return { pid: process.pid, started: started ?? "0", machine: machine.slice(0, 8) }
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

/** `unknown` for a process of another machine, boot or container. */
export async function lifeOf(
  writer: WriterIdentity,
  own: WriterIdentity,
): Promise<"alive" | "dead" | "unknown"> {
  if (writer.machine !== own.machine) return "unknown"
  if (!isRunning(writer.pid)) return "dead"
  const started = await startOf(writer.pid)
  return started === null || writer.started === "0" || started === writer.started ? "alive" : "dead"
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errnoOf(error) !== "ESRCH"
  }
}

/** Field 22 of /proc/<pid>/stat; the name in field 2 may hold anything, so count from its end. */
async function startOf(pid: number): Promise<string | null> {
  const text = await orEmpty(readFile(`/proc/${pid}/stat`, "utf8"))
  const field = text.slice(text.lastIndexOf(")") + 2).split(" ")[19]
  return field !== undefined && /^\d+$/.test(field) ? field : null
}

/** Other systems have no /proc: what is not there is left out. */
async function orEmpty(text: Promise<string>): Promise<string> {
  return text.then(
    (found) => found.trim(),
    () => "",
  )
}
