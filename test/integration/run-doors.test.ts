import { afterEach, describe, expect, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { serveOpencode } from "../../src/headless/serve-opencode.ts"
import { TESTED_VERSIONS } from "../support/host-version.ts"
import { commandLine, isPrinted, openRunProject } from "../support/run-project.ts"

const LIMIT_MS = 120_000
const DEMO = {
  path: ".boulder/plans/demo.md",
  text: "# Demo\n\n## TODOs\n\n- [ ] 1. Write the greeting\n",
}

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

test(
  "a plan whose path holds a command is run as a plan, and the host runs nothing of its name",
  async () => {
    const path = "specs/auth!`touch PWNED`/tasks.md"
    const text = "# Auth\n\n## TODOs\n\n- [ ] 1. Write the greeting\n"
    const place = await openRunProject({ path, text }, ends)
    const { code, err } = await place.cli("run", "auth")
    expect(existsSync(join(place.project, "PWNED"))).toBe(false)
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(await Bun.file(join(place.project, path)).text()).toContain("- [x] 1.")
  },
  LIMIT_MS,
)

describe.each(TESTED_VERSIONS)("the server of a run, opencode %s", (version) => {
  test(
    "answers nobody but us: a password that is nowhere to be read, a port that nobody knows, loopback",
    async () => {
      const hanging = { script: () => ({ text: "…", hang: true }), version }
      const place = await openRunProject(DEMO, ends, hanging)
      const { child, exit } = place.spawnCli("run", "demo")
      const out = await isPrinted(child, "0/1 settled")
      const url = /started at (\S+)/.exec(out)?.[1] ?? ""
      const { port, hostname } = new URL(url)
      expect({ hostname, isKnown: port === "4096" }).toEqual({
        hostname: "127.0.0.1",
        isKnown: false,
      })
      for (const [path, method] of [
        ["/session", "POST"],
        ["/event", "GET"],
        ["/config", "GET"],
      ] as const) {
        expect(askedByStranger(url + path, method)).toBe("401")
        expect(askedByStranger(url + path, method, "evil.example")).toBe("401")
      }
      const server = serverOf(port)
      expect(listeningOn(server.pid, port)).toEqual(["0100007F"])
      expect(server.password).toMatch(/^[\w-]{43}$/)
      const printed = commandLines().filter((line) => line.includes(server.password))
      expect(printed).toEqual([])
      child.kill("SIGINT")
      const { code, err } = await exit
      expect(code).toBe(130)
      expect(out + err).not.toContain(server.password)
    },
    LIMIT_MS,
  )
})

describe("--attach to a server that wants a password", () => {
  const secret = "t0p-secret"

  async function aServer() {
    const place = await openRunProject(DEMO, ends)
    const { OPENCODE_BIN: binary = "" } = place.env
    const { signal } = new AbortController()
    const env = { ...place.env, OPENCODE_SERVER_PASSWORD: secret }
    const server = await serveOpencode({ binary, directory: place.project, env, signal })
    ends.push(() => server.stop())
    return {
      ...place,
      url: server.access.url,
      withUser: (who: string) => server.access.url.replace("//", `//${who}@`),
    }
  }

  function expectNoSecret(project: string, ...texts: string[]): void {
    const folder = join(project, ".boulder")
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    const kept = files
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    for (const text of [...texts, ...kept]) expect(text).not.toContain(secret)
  }

  test(
    "without it and with a wrong one the run says what to set, with it in the URL it runs, and never prints it",
    async () => {
      const { cli, url, withUser, project } = await aServer()
      const none = await cli("run", "demo", "--attach", url)
      expect(none.code).toBe(1)
      expect(none.err).toContain("Set OPENCODE_SERVER_PASSWORD")
      const wrong = await cli("run", "demo", "--attach", withUser(`opencode:${secret}-not`))
      expect(wrong.code).toBe(1)
      expect(wrong.err).toContain("it refuses the one that is set")
      const wrongForm = await cli("run", "demo", "--attach", `opencode:${secret}@127.0.0.1`)
      expect(wrongForm.code).toBe(2)
      const right = await cli(
        "run",
        "demo",
        "--verbose",
        "--attach",
        withUser(`opencode:${secret}`),
      )
      expect({ code: right.code, err: right.err }).toEqual({ code: 0, err: "" })
      const said = [none, wrong, wrongForm, right].map(({ out, err }) => out + err)
      expectNoSecret(project, ...said, (await cli("status", "--json")).out)
    },
    LIMIT_MS,
  )

  test(
    "with it in the environment it runs",
    async () => {
      const { env, project, url } = await aServer()
      const known = { ...env, OPENCODE_SERVER_PASSWORD: secret }
      const { cli } = commandLine(project, known, ends)
      const { code, err } = await cli("run", "demo", "--attach", url)
      expect({ code, err }).toEqual({ code: 0, err: "" })
    },
    LIMIT_MS,
  )
})

/** The HTTP status that another user of the machine gets; without root's rights, whoever has no password. */
function askedByStranger(url: string, method: string, host?: string): string {
  const stranger =
    process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
  const asked = [
    "curl",
    "-s",
    "-m",
    "10",
    "-o",
    "/dev/null",
    "-w",
    "%{http_code}",
    "-X",
    method,
    url,
  ]
  const [file = "", ...args] = [
    ...stranger,
    ...asked,
    ...(host === undefined ? [] : ["-H", `Host: ${host}`]),
  ]
  return execFileSync(file, args, { encoding: "utf8" })
}

function processes(): readonly string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name))
}

function readOf(pid: string, name: string): string {
  try {
    return readFileSync(join("/proc", pid, name), "utf8")
  } catch {
    return ""
  }
}

const commandLines = () => processes().map((pid) => readOf(pid, "cmdline"))

/** The process that serves a port, and the password in its environment, which only its own user can read. */
function serverOf(port: string): { pid: string; password: string } {
  const pid = processes().find((one) => readOf(one, "cmdline").includes(`--port\0${port}\0`)) ?? ""
  const password = /(?:^|\0)OPENCODE_SERVER_PASSWORD=([^\0]*)/.exec(readOf(pid, "environ"))?.[1]
  return { pid, password: password ?? "" }
}

/** The addresses, as the kernel writes them, on which a port is listened to. */
function listeningOn(pid: string, port: string): readonly string[] {
  const hex = Number(port).toString(16).toUpperCase().padStart(4, "0")
  const lines = ["net/tcp", "net/tcp6"].flatMap((name) => readOf(pid, name).split("\n"))
  return lines.flatMap((line) => {
    const [, address = "", state] = /^\s*\d+: (\S+) \S+ (\S+)/.exec(line) ?? []
    return state === "0A" && address.endsWith(`:${hex}`) ? [address.slice(0, -5)] : []
  })
}
