import { afterEach, describe, expect, test } from "bun:test"
import { execFile } from "node:child_process"
import { cp, mkdir, symlink, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { Client } from "pg"
import { openDatabase } from "../../src/store/fleet/database.ts"
import { openPostgresHandoffStore } from "../../src/store/fleet/postgres-handoff-store.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { other, saying, sharedPostgres, until } from "../support/fleet-machines.ts"
import { withDesk } from "../support/handoff-scene.ts"
import { REPO } from "../support/host-version.ts"
import { withFolder } from "../support/store-folder.ts"

const server = sharedPostgres()
const { machine } = server
const VARIABLE = "BOULDER_TEST_DATABASE_URL"
const WAYS = [`env:${VARIABLE}`, "file:secret/url"]

afterEach(() => {
  delete process.env[VARIABLE]
})

/** A project whose handoffs are in the database that this leads to. */
async function withProject(
  reference: string,
  url: string,
  run: (root: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (root) => {
    const handoffs = { store: "postgres", url: reference, scope: "team" }
    const plugin = [["opencode-boulder", { handoffs }]]
    await writeFile(join(root, "opencode.json"), JSON.stringify({ plugin }))
    await mkdir(join(root, "secret"))
    if (reference.startsWith("env:")) process.env[VARIABLE] = url
    else await writeFile(join(root, "secret/url"), `${url}\n`)
    await run(root)
  })
}

/** Lets another machine say so of these. */
const said = (...names: readonly string[]) =>
  withDesk(
    async ({ desk }) => {
      for (const name of names)
        await desk.save(other(`ses_${name}`), saying("blocked", name, `${name} waits`))
    },
    { handoffs: machine() },
  )

function expectNothingOf(url: string, { out, err }: { out: string; err: string }): void {
  const { password, host } = new URL(url)
  for (const secret of [url, password, host]) expect(`${out}${err}`).not.toContain(secret)
}

describe("the url where the option says that it stands", () => {
  test.each(WAYS.map((reference) => ({ reference })))("$reference", async ({ reference }) => {
    await said("importer")
    await withProject(reference, server.url(), async (root) => {
      const text = await runInFolder(root, "handoffs --all")
      expect(text.out).toContain("importer waits")
      expect(text.err).toBe("")
      const shown = await runInFolder(root, "handoffs --all --json")
      const { handoffs, machines, ...rest } = JSON.parse(shown.out)
      expect(handoffs).toMatchObject([{ summary: "importer waits", status: "blocked" }])
      expect(machines).toEqual({ [handoffs[0].id]: hostname() })
      expect(rest).not.toHaveProperty("old")
      for (const one of [text, shown]) expectNothingOf(server.url(), one)
    })
  })

  test.each(WAYS.map((reference) => ({ reference })))(
    "$reference, of which no error says anything",
    async ({ reference }) => {
      const wrong = server.url().replace(/boulder:[^@]+@/, "boulder:hunter2hunter2@")
      await withProject(reference, wrong, async (root) => {
        const shown = await runInFolder(root, "handoffs --all")
        expect(shown.err).toContain("it refuses the password")
        expectNothingOf(wrong, shown)
      })
    },
  )

  test.each(WAYS.map((reference) => ({ reference })))(
    "$reference, where nothing stands",
    async ({ reference }) => {
      await withProject(reference, "", async (root) => {
        const { err } = await runInFolder(root, "handoffs --all")
        expect(err).toContain(
          `Expected the url of the handoffs' database in ${reference}; found nothing.`,
        )
      })
    },
  )
})

test("with a wrong key beside it, what waits is listed from the database that the plugin uses", async () => {
  await said("importer")
  await withProject("file:secret/url", server.url(), async (root) => {
    const handoffs = { store: "postgres", url: "file:secret/url", scope: "team", lease: 5 }
    const plugin = [["opencode-boulder", { handoffs }]]
    await writeFile(join(root, "opencode.json"), JSON.stringify({ plugin }))
    expect((await runInFolder(root, "handoffs --all")).out).toContain("importer waits")
  })
})

test.each([{ line: "handoffs --all --watch" }, { line: "handoffs --all --watch --json" }])(
  "$line shows what another machine says",
  async ({ line }) => {
    await said("importer")
    await withProject("file:secret/url", server.url(), async (root) => {
      const ends = new AbortController()
      let out = ""
      const watching = runInFolder(root, line, {
        signal: ends.signal,
        out: (text) => {
          out += text
        },
      })
      await until(async () => out.includes("importer waits"))
      expect(out).not.toContain("exporter")
      await said("exporter")
      await until(async () => out.includes("exporter waits"))
      ends.abort()
      await watching
      if (!line.endsWith("--json")) return
      const lines = out.trimEnd().split("\n")
      const named = lines.map((one) =>
        JSON.parse(one).handoffs.map(({ summary }: { summary: string }) => summary),
      )
      expect(named.map((one) => one.toSorted())).toEqual([
        ["importer waits"],
        ["exporter waits", "importer waits"],
      ])
    })
  },
)

test("a row that holds no handoff is told by its id", async () => {
  await said("importer")
  const client = new Client({ connectionString: server.url() })
  await client.connect()
  const { rows } = await client.query(
    `update boulder_handoffs set record = record || '{"schema_version": 2}' returning id`,
  )
  await client.end()
  await withProject("file:secret/url", server.url(), async (root) => {
    const { err } = await runInFolder(root, "handoffs --all", { columns: 200 })
    expect(err).toBe(`Note: ${rows[0].id} in boulder_handoffs holds no handoff and was skipped.\n`)
  })
})

test("the driver is asked for where it is missing, and found in the project's own node_modules", async () => {
  await said("importer")
  await withProject("file:secret/url", server.url(), async (root) => {
    await withFolder(async (installed) => {
      await cp(join(REPO, "dist"), installed, { recursive: true })
      await writeFile(join(installed, "package.json"), '{ "type": "module" }')
      const list = () =>
        promisify(execFile)("node", [join(installed, "cli/main.js"), "handoffs", "--all"], {
          cwd: root,
        })
      expect((await list()).stderr).toContain(
        "Expected the npm package `pg`; found none. Install it in the project: npm install pg.",
      )
      await mkdir(join(root, "node_modules"))
      await symlink(join(REPO, "node_modules/pg"), join(root, "node_modules/pg"))
      expect((await list()).stdout).toContain("importer waits")
    })
  })
})

describe("what was saved here and is not in the database is told, with what to do", () => {
  const ASIDE = "000001700000000000-x.json"
  /** A project in which one save waits, one cannot be read, and one was set aside. */
  const withKept = (run: (root: string) => Promise<void>) =>
    withDesk(
      async ({ desk, root }) => {
        await writeFile(join(root, "url"), "postgres://boulder:pw@127.0.0.1:1/boulder")
        await desk.save(other("ses_a"), saying("blocked", "the importer"))
        const folder = join(root, ".boulder/handoffs")
        await writeFile(join(folder, "away", "000001700000000001-y.json"), "{")
        await mkdir(join(folder, "set-aside"))
        await writeFile(join(folder, "set-aside", ASIDE), "{}")
        await run(root)
      },
      {
        handoffs: (now) => {
          const url = async () => "postgres://boulder:pw@127.0.0.1:1/boulder"
          const database = openDatabase({ url, root: "/" })
          return openPostgresHandoffStore({ database, scope: "team", now })
        },
      },
    )
  const configure = (root: string, handoffs: object) =>
    writeFile(
      join(root, "opencode.json"),
      JSON.stringify({ plugin: [["opencode-boulder", { handoffs }]] }),
    )
  const postgres = { store: "postgres", url: "file:url", scope: "team" }

  test.each([{ line: "handoffs" }, { line: "status" }, { line: "doctor" }])(
    "by $line",
    ({ line }) =>
      withKept(async (root) => {
        await configure(root, postgres)
        const { out, err } = await runInFolder(root, line, { columns: 1_000 })
        const said = `${out}${err}`
        expect(said).toMatch(/1 save is kept in \.boulder\/handoffs\/away, not yet in the database/)
        expect(said).toContain("opencode sends it automatically")
        expect(said).toMatch(/1 save is kept in \.boulder\/handoffs\/away that cannot be read/)
        expect(said).toMatch(/1 save is kept in \.boulder\/handoffs\/set-aside .* \(from /)
        expect(said).toContain("Read what it says, save that again, and remove the file.")
      }),
  )

  test.each([{ line: "handoffs --json" }, { line: "status --json" }])("by $line", ({ line }) =>
    withKept(async (root) => {
      await configure(root, postgres)
      const { kept_saves } = JSON.parse((await runInFolder(root, line)).out)
      expect(kept_saves).toEqual({
        waiting: { count: 1, since: expect.any(Number) },
        unreadable: { count: 1, since: 1_700_000_000_001 },
        set_aside: { count: 1, since: 1_700_000_000_000 },
      })
    }),
  )

  test("by doctor --json, and what nothing sends where handoffs are in files again", () =>
    withKept(async (root) => {
      await configure(root, {})
      const { findings } = JSON.parse((await runInFolder(root, "doctor --json")).out)
      const told = findings.filter(({ check }: { check: string }) => check === "handoffs")
      expect(told).toHaveLength(3)
      expect(told[0].todo).toContain("Nothing sends that while handoffs.store is not postgres")
    }))
})
