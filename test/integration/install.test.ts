import { afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { REPO, TESTED_VERSIONS } from "../support/host-version.ts"
import { type HostOptions, type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf } from "../support/plans.ts"
import { openRunProject } from "../support/run-project.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

setDefaultTimeout(180_000)

/** Each way in which the README installs the plugin, in the real host. A start from the registry takes longer. */

const COMMANDS = ["start-work", "stop-work", "work-status"]
const REGISTRY_LIMIT_MS = 400_000

const CLIENT = { name: "test", version: "1" }

let host: OpencodeHost | undefined
afterEach(() => host?.stop())

async function start(options: HostOptions): Promise<OpencodeHost> {
  host = await startHost(options)
  return host
}

test("without the plugin the commands are not there", async () => {
  const { commandNames } = await start({ plugin: [] })
  expect(await commandNames()).not.toContain("start-work")
})

describe("by package name", () => {
  let folder = ""
  let archive = ""

  beforeAll(() => {
    folder = temporaryFolder("pack")
    // The build is the runner's; packing may not build anew under the feet of other tests.
    execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], {
      cwd: REPO,
      stdio: "pipe",
    })
    const [name] = readdirSync(folder)
    archive = join(folder, String(name))
  })

  test(
    "the host installs the package and loads it",
    async () => {
      const { commandNames, env } = await start({ plugin: `opencode-boulder@file:${archive}` })
      expect(await commandNames()).toEqual(expect.arrayContaining(COMMANDS))
      expect(existsSync(join(String(env["XDG_CACHE_HOME"]), "opencode", "packages"))).toBe(true)
    },
    REGISTRY_LIMIT_MS,
  )

  test("in an empty folder it brings nothing but itself, and all of it works under Node", () => {
    const app = temporaryFolder("app")
    const here = { cwd: app, encoding: "utf8", stdio: "pipe" } as const
    writeFileSync(join(app, "package.json"), "{}")
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", archive], here)
    expect(packagesIn(app)).toEqual(["opencode-boulder"])
    const own = join(app, "node_modules", "opencode-boulder")
    const files = readdirSync(own, { recursive: true, withFileTypes: true })
    const bytes = files
      .filter((file) => file.isFile())
      .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
    expect(bytes).toBeLessThan(3_000_000)
    expect(linksOut(own)).toEqual([])
    expect(readFileSync(join(own, "dist", "THIRD-PARTY.txt"), "utf8")).toContain("Permission is")

    const cli = join(app, "node_modules", ".bin", "opencode-boulder")
    const { version } = JSON.parse(readFileSync(join(REPO, "package.json"), "utf8"))
    expect(execFileSync(cli, ["--version"], here)).toBe(`${version}\n`)
    const js = "---js\nrequire('fs').writeFileSync('PWNED', '')\n---\n"
    writeFileSync(join(app, "plan.md"), `${js}- [ ] 1. One\n`)
    expect(execFileSync(cli, ["plan", "plan.md"], here)).toContain("task:1")
    expect(existsSync(join(app, "PWNED"))).toBe(false)
    const hello = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: CLIENT },
    }
    const said = execFileSync(cli, ["mcp"], { ...here, input: `${JSON.stringify(hello)}\n` })
    expect(said).toContain('"serverInfo":{"name":"opencode-boulder"')
  })

  test("installed into an empty project, it carries a plan to its end in the real host", async () => {
    const app = temporaryFolder("app")
    const ends: (() => Promise<void>)[] = []
    try {
      writeFileSync(join(app, "package.json"), "{}")
      const args = ["install", "--offline", "--no-audit", "--no-fund", archive]
      execFileSync("npm", args, { cwd: app, stdio: "pipe" })
      const place = await openRunProject(
        { path: ".boulder/plans/demo.md", text: planOf("Write a", "Write b") },
        ends,
        {
          plugin: `file://${join(app, "node_modules", "opencode-boulder")}`,
          main: join(app, "node_modules", ".bin", "opencode-boulder"),
        },
      )
      const { code, out, err } = await place.cli("run", "demo")
      expect({ code, err }).toEqual({ code: 0, err: "" })
      expect(out).toContain("\nComplete: 2/2 tasks settled.\n")
      expect((await place.cli("report")).out).toContain("2 of 2 tasks settled")
      const doctor = await place.cli("doctor", "--json")
      const { findings } = JSON.parse(doctor.out)
      expect(findings.filter(({ level }: { level: string }) => level === "bad")).toEqual([])
    } finally {
      for (const end of ends.reverse()) await end()
    }
  }, 240_000)

  test(
    "its options arrive",
    async () => {
      const running = await start({
        plugin: [`opencode-boulder@file:${archive}`, { no_such_option: 1 }],
      })
      await expectComplaint(running, "no_such_option")
    },
    REGISTRY_LIMIT_MS,
  )
})

describe("by a file:// path to a checkout", () => {
  test("the plugin is loaded", async () => {
    const { commandNames } = await start({ plugin: `file://${REPO}` })
    expect(await commandNames()).toEqual(expect.arrayContaining(COMMANDS))
  })

  test("its options arrive: a wrong one is named, and opencode starts with the defaults", async () => {
    const running = await start({ plugin: [`file://${REPO}`, { reuse: "sometimes" }] })
    await expectComplaint(running, "reuse", "sometimes")
  })

  test("right options raise no complaint", async () => {
    const running = await start({ plugin: [`file://${REPO}`, { reuse: "auto" }] })
    await takesATurn(running)
    expect(complaints(running)).toBe("")
  })
})

/** What it does there, from start to finish, is in short-path.test.ts. */
describe.each(TESTED_VERSIONS)("in opencode %s", (version) => {
  test(
    "the plugin is loaded with its commands",
    async () => {
      const { commandNames } = await start({ version })
      expect(await commandNames()).toEqual(expect.arrayContaining(COMMANDS))
    },
    REGISTRY_LIMIT_MS,
  )
})

function packagesIn(folder: string): readonly string[] {
  const names = readdirSync(join(folder, "node_modules"))
  return names.filter((name) => !name.startsWith("."))
}

/** The plugin is there and a session works, whatever its options were. */
async function takesATurn(running: OpencodeHost): Promise<void> {
  expect(await running.commandNames()).toEqual(expect.arrayContaining(COMMANDS))
  const session = await running.createSession()
  expect((await running.prompt(session, "hello")).info).toMatchObject({ finish: "stop" })
}

async function expectComplaint(running: OpencodeHost, ...words: string[]): Promise<void> {
  await takesATurn(running)
  const text = await running.waitFor(() => complaints(running), {
    what: `a message that names ${words.join(", ")}`,
  })
  for (const word of words) expect(text).toContain(word)
}

/** What the plugin said in the log or by toast about its options. */
function complaints(running: OpencodeHost): string {
  const toasts = running.eventsOf("tui.toast.show").map((event) => JSON.stringify(event.properties))
  const lines = running.log().split("\n").concat(toasts)
  const isComplaint = (line: string) =>
    /\boption \w/i.test(line) && /default is used|has no effect/.test(line)
  return lines.filter(isComplaint).join("\n")
}

/** The links of the pages in a package that point to a file which it does not have. */
function linksOut(folder: string): readonly string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  )
  return pages.flatMap((page) =>
    [...readFileSync(join(folder, page), "utf8").matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
      .map(([, to = ""]) => to)
      .filter((to) => !existsSync(join(folder, dirname(page), to)))
      .map((to) => `${page}: ${to}`),
  )
}
