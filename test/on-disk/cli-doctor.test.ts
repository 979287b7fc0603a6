import { describe, expect, test } from "bun:test"
import { execFileSync } from "node:child_process"
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { putWork } from "../../src/boulder/change-work.ts"
import { nodeFinding } from "../../src/cli/doctor/host-findings.ts"
import { folderFindings } from "../../src/cli/doctor/project-findings.ts"
import { ownVersion } from "../../src/cli/own-version.ts"
import { runCli } from "../../src/cli/run-cli.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aWork, NOW } from "../support/builders.ts"
import { aTerminal } from "../support/cli-in-process.ts"
import { idOf } from "../support/handoff-builders.ts"
import { REPO } from "../support/host-version.ts"
import { overlong } from "../support/overlong.ts"
import { withFolder } from "../support/store-folder.ts"
import { withUnwritable } from "../support/unwritable-folder.ts"

interface Found {
  readonly check: string
  readonly level: string
  readonly says: string
  readonly todo: string | null
  readonly can_fix: boolean
  readonly fixed: string | null
}

interface Ward {
  readonly root: string
  readonly put: (path: string, text: string) => Promise<void>
  readonly read: (path: string) => Promise<string>
  /** The findings that are not as they should be, as JSON has them. */
  readonly ill: (...args: string[]) => Promise<readonly Found[]>
  readonly doctor: (...args: string[]) => Promise<{ code: number; out: string }>
}

const LOCK = { packages: { "": { dependencies: { "@opencode-ai/plugin": "1.18.33" } } } }
const PACKAGE = ".config/opencode/node_modules/opencode-boulder/package.json"

/** A project in which nothing is amiss: a home, an opencode that tells its version, the plugin, a plan, a work. */
async function healthy(run: (ward: Ward) => Promise<void>, version = "1.18.33"): Promise<void> {
  await withFolder(async (root) => {
    const put = async (path: string, text: string) => {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
    await put("opencode", `#!/bin/sh\necho ${version}\n`)
    await chmod(join(root, "opencode"), 0o755)
    await put(".config/opencode/opencode.json", '{ "plugin": ["opencode-boulder"] } // mine\n')
    await put(".config/opencode/tui.json", '{ "plugin": ["opencode-boulder"] }')
    await put(".config/opencode/package-lock.json", JSON.stringify(LOCK))
    const own = { name: "opencode-boulder", version: await ownVersion() }
    await put(PACKAGE, JSON.stringify(own))
    await put(".boulder/plans/demo.md", "## TODOs\n\n- [ ] 1. One\n")
    await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, aWork()))
    const env = { HOME: root, OPENCODE_BIN: join(root, "opencode"), PATH: process.env["PATH"] }
    const doctor = async (...args: string[]) => {
      const terminal = aTerminal({ cwd: root, env })
      return { code: await runCli(["doctor", ...args], terminal), out: terminal.said.out }
    }
    await run({
      root,
      put,
      read: (path) => readFile(join(root, path), "utf8"),
      doctor,
      ill: async (...args) => {
        const { findings }: { findings: readonly Found[] } = JSON.parse(
          (await doctor("--json", ...args)).out,
        )
        return findings.filter(({ level }) => level !== "ok")
      },
    })
  })
}

test("where nothing is amiss it says so, in order, and changes nothing", () =>
  healthy(async ({ doctor, root }) => {
    const before = await readdir(root, { recursive: true })
    const { code, out } = await doctor()
    expect(out).toContain("ok    boulder.json is valid: 1 work\n")
    expect(out).toContain("ok    .boulder/plans/demo.md: omo format, 1 task\n")
    expect(out).toEndWith("\nEverything is as it should be.\n")
    expect(code).toBe(0)
    expect((await readdir(root, { recursive: true })).sort()).toEqual(before.sort())
  }))

test("a checkout in a folder of another name is known by its package", () =>
  healthy(async ({ put, read, root, ill }) => {
    await put("work/package.json", await read(PACKAGE))
    await put(".config/opencode/opencode.json", `{"plugin":["file://${root}/work"]}`)
    expect(await ill()).toEqual([])
    await put(".config/opencode/opencode.json", '{"plugin":["../../work/dist/index.js"]}')
    expect(await ill()).toEqual([])
  }))

test("a database of the handoffs that nobody can ask is bad, also where a checkout's entry names it", () =>
  healthy(async ({ put, read, ill }) => {
    await put("work/package.json", await read(PACKAGE))
    await put("url", "postgres://boulder:pw@127.0.0.1:1/boulder")
    const handoffs = { store: "postgres", url: "file:url", scope: "team" }
    await put("opencode.json", JSON.stringify({ plugin: [["./work", { handoffs }]] }))
    const found = (await ill()).filter(({ check }) => check === "handoffs")
    expect(found.map(({ level, says }) => ({ level, says }))).toEqual([
      { level: "bad", says: "their database could not be asked" },
    ])
    expect(found[0]?.todo).toContain("Expected the database of the handoffs to answer")
  }))

describe("by a package's name: in the version that the host keeps of it, both parts", () => {
  const kept = (spec: string) => `.cache/opencode/packages/${spec}/node_modules/opencode-boulder`
  const ours = (version: string) => JSON.stringify({ name: "opencode-boulder", version })

  test.each([
    { spec: "opencode-boulder", folder: "opencode-boulder@latest" },
    { spec: "opencode-boulder@9.9.9", folder: "opencode-boulder@9.9.9" },
  ])("$spec", ({ spec, folder }) =>
    healthy(async ({ put, ill, root }) => {
      await rm(join(root, ".config/opencode/node_modules"), { recursive: true })
      for (const file of ["opencode.json", "tui.json"])
        await put(`.config/opencode/${file}`, JSON.stringify({ plugin: [spec] }))
      await put(`${kept(folder)}/package.json`, ours(await ownVersion()))
      expect(await ill()).toEqual([])
      await put(`${kept(folder)}/package.json`, ours("9.9.9"))
      const found = await ill()
      expect(found.map(({ level }) => level)).toEqual(["note", "note"])
      expect(found[0]?.says).toStartWith(`plugin 9.9.9, ${spec} in `)
      expect(found[0]?.says).toEndWith(`; this command line is ${await ownVersion()}`)
      expect(found[1]?.says).toStartWith(`panel 9.9.9, ${spec} in `)
    }),
  )

  test("what the host loads counts, not what lies in a folder of the configuration", () =>
    healthy(async ({ put, ill }) => {
      await put(`${kept("opencode-boulder@latest")}/package.json`, ours("0.0.9"))
      expect((await ill())[0]?.says).toStartWith("plugin 0.0.9, ")
    }))
})

describe("`attention` in a tui.json (1.14 ignores the whole file)", () => {
  const config = '{ "plugin": ["opencode-boulder"], "attention": { "enabled": true } }'
  test.each([
    { version: "1.14.41", says: ["ignores all of"] },
    { version: "1.15.13", says: [] },
    { version: "1.18.33", says: [] },
  ])("$version", ({ version, says }) =>
    healthy(async ({ put, ill }) => {
      await put(".config/opencode/tui.json", config)
      const found = await ill()
      expect(found.map((one) => one.level)).toEqual(says.map(() => "bad"))
      for (const words of says) expect(found[0]?.says).toContain(words)
    }, version),
  )
})

test("a path in a configuration may be percent-encoded, as a file URL has it", () =>
  healthy(async ({ put, read, root, ill }) => {
    await put("my work/package.json", await read(PACKAGE))
    await put(".config/opencode/opencode.json", `{"plugin":["file://${root}/my%20work"]}`)
    expect(await ill()).toEqual([])
  }))

describe("a state in which something else lies", () => {
  test("a link out of the project is refused as the store does, and nothing behind it is shown", () =>
    healthy(async ({ root, doctor }) =>
      withFolder(async (outside) => {
        await writeFile(join(outside, "secret"), "hunter2-secret")
        await rm(join(root, ".boulder/boulder.json"))
        await symlink(join(outside, "secret"), join(root, ".boulder/boulder.json"))
        for (const args of [[], ["--json"], ["--fix"]]) {
          const { out, code } = await doctor(...args)
          expect(out.replaceAll(/\s+/g, " ")).toContain("to lie inside")
          expect(out).not.toContain("hunter2")
          expect(code).toBe(1)
        }
      }),
    ))
  test("a named pipe is no missing file", () =>
    healthy(async ({ root, ill }) => {
      await rm(join(root, ".boulder/boulder.json"))
      execFileSync("sh", ["-c", 'mkfifo "$0"', join(root, ".boulder/boulder.json")])
      expect(await ill()).toMatchObject([{ check: "state", level: "bad", can_fix: false }])
    }))
  test("the words of a parser, which quote what is damaged, are not shown", () =>
    healthy(async ({ put, doctor }) => {
      await put(".boulder/boulder.json", "hunter2 is no JSON")
      expect((await doctor()).out).not.toContain("hunter2")
    }))
  test("without a copy no fix is offered, and none is promised behind one that fails", () =>
    healthy(async ({ root, put, doctor, ill }) => {
      for (const name of await readdir(join(root, ".boulder")))
        if (name.startsWith("boulder.json")) await rm(join(root, ".boulder", name))
      await put(".boulder/boulder.json", "{")
      expect(await ill()).toMatchObject([{ check: "state", can_fix: false }])
      const { out } = await doctor("--fix")
      expect(out).toContain("There is no good copy.")
      expect(out).not.toContain("--fix fixes")
    }))
})

describe("--fix loses nothing of a person's", () => {
  test("a folder, or a file, that only ends as ours do stays", () =>
    healthy(async ({ root, put, ill, read }) => {
      await put(".boulder/plans.tmp/draft.md", "draft")
      await put(".boulder/notes.tmp", "notes")
      const old = new Date(NOW - 3 * 24 * 3_600_000)
      for (const name of ["plans.tmp", "notes.tmp"])
        await utimes(join(root, ".boulder", name), old, old)
      expect(await ill("--fix")).toEqual([])
      expect(await read(".boulder/plans.tmp/draft.md")).toBe("draft")
      expect(await read(".boulder/notes.tmp")).toBe("notes")
    }))
  test("a lockfile that is a link stays one, and its file keeps its mode", () =>
    healthy(async ({ root, put, read, ill }) => {
      const link = join(root, ".opencode/package-lock.json")
      await put("dot/lock.json", '{"lockfileVersion":3,"mine":1,"packages":{}}')
      await chmod(join(root, "dot/lock.json"), 0o600)
      await mkdir(join(root, ".opencode"))
      await symlink("../dot/lock.json", link)
      expect(await ill("--fix")).toMatchObject([{ check: "start-up", level: "note" }])
      expect((await lstat(link)).isSymbolicLink()).toBe(true)
      expect((await lstat(join(root, "dot/lock.json"))).mode & 0o777).toBe(0o600)
      expect(JSON.parse(await read("dot/lock.json"))).toMatchObject({ mine: 1, ...LOCK })
    }))
})

test("an old node", () => {
  expect(nodeFinding("18.19.0")).toMatchObject({
    level: "bad",
    says: "node 18.19.0 is older than 20.15",
  })
  expect(nodeFinding("20.14.0").level).toBe("bad")
  for (const version of ["20.15.0", "22.0.0"]) expect(nodeFinding(version).level).toBe("ok")
})

describe("opencode", () => {
  test.each([
    { version: "1.14.40", level: "bad", says: "older than 1.14.41" },
    { version: "1.9.99", level: "bad", says: "older than 1.14.41" },
    { version: "2.0.1", level: "bad", says: "not supported yet" },
    { version: "nothing", level: "bad", says: "no opencode: nothing answers to" },
  ])("$version: $says", ({ version, level, says }) =>
    healthy(async ({ ill, doctor }) => {
      const [found] = await ill()
      expect(found).toMatchObject({ check: "opencode", level })
      expect(found?.says).toContain(says)
      expect((await doctor()).code).toBe(1)
    }, version),
  )

  test.each(["1.14.41", "1.15.13", "1.20.0"])("%s is fine", (version) =>
    healthy(async ({ ill }) => {
      expect(await ill()).toEqual([])
    }, version),
  )
})

test("in Kilo its own folders count, and what is installed into them is its own package", () =>
  healthy(async ({ put, read, ill, root }) => {
    await put("opencode", "#!/bin/sh\n[ $1 = --help ] && echo '  kilo run' || echo 7.7.7\n")
    expect(await ill()).toMatchObject([{ says: expect.stringContaining("names the plugin") }])
    for (const name of ["kilo.json", "tui.json"])
      await put(`.config/kilo/${name}`, '{ "plugin": ["opencode-boulder"] }')
    const unfetched = { level: "note", says: expect.stringContaining("has not fetched it yet") }
    expect((await ill()).slice(0, 2)).toMatchObject([unfetched, unfetched])
    for (const name of ["kilo.json", "tui.json"])
      await put(`.config/kilo/${name}`, JSON.stringify({ plugin: [pathToFileURL(REPO).href] }))
    const lock = ".config/kilo/package-lock.json"
    const todo = `Put @kilocode/plugin 7.7.7 into ${join(root, lock)}, as the guide says under "A slow start". For all of your projects: opencode-boulder doctor --fix --global`
    expect(await ill("--fix")).toMatchObject([{ check: "start-up", todo, fixed: null }])
    await ill("--fix", "--global")
    const { packages } = JSON.parse(await read(lock))
    expect(packages[""].dependencies).toEqual({ "@kilocode/plugin": "7.7.7" })
    expect(await ill()).toEqual([])
  }))

/** Each thing that can be amiss: how it comes about, what is said of it, and what mends it. */
const AMISS: readonly {
  readonly what: string
  readonly provoke: (ward: Ward) => Promise<unknown>
  readonly check: string
  readonly level: "note" | "bad"
  readonly says: string
  readonly todo: string
  /** By hand, as the finding says; null where --fix does it. */
  readonly mend: ((ward: Ward) => Promise<unknown>) | null
}[] = [
  {
    what: "the plugin is not configured",
    provoke: ({ put }) => put(".config/opencode/opencode.json", "{}"),
    check: "plugin",
    level: "bad",
    says: "neither your own opencode.json nor this project's names the plugin",
    // Of this installation: its bare name loads nothing where no registry has it.
    todo: `"plugin": ["${pathToFileURL(REPO).href}"]`,
    mend: ({ put }) => put("opencode.json", '{ "plugin": ["opencode-boulder"] }'),
  },
  {
    what: "a configuration is no JSON",
    provoke: ({ put }) => put(".opencode/opencode.jsonc", '{\n "plugin": [\n'),
    check: "config",
    level: "bad",
    says: ".opencode/opencode.jsonc (line 3) is no JSON",
    todo: "Fix it: opencode does not start with it.",
    mend: ({ put }) => put(".opencode/opencode.jsonc", "{}"),
  },
  {
    what: "options without the bracket that holds them with their plugin's name",
    provoke: ({ put }) => put("opencode.json", '{"plugin":["opencode-boulder",{"reuse":"auto"}]}'),
    check: "config",
    level: "bad",
    says: 'opencode.json: an entry of "plugin" is neither a name nor [name, options]',
    todo: '"plugin": [["opencode-boulder", {…}]]',
    mend: ({ put }) => put("opencode.json", '{"plugin":[["opencode-boulder",{"reuse":"auto"}]]}'),
  },
  {
    what: "a path where no package lies",
    provoke: ({ put, root }) =>
      put(".config/opencode/opencode.json", `{"plugin":["file://${root}/opencode-boulder"]}`),
    check: "plugin",
    level: "bad",
    says: "there is no package there",
    todo: "Fix the path.",
    mend: async ({ put, read }) => put("opencode-boulder/package.json", await read(PACKAGE)),
  },
  {
    what: "opencode could not fetch it, which leaves an empty folder",
    provoke: async ({ put, root }) => {
      await rm(join(root, PACKAGE))
      for (const file of ["opencode.json", "tui.json"])
        await put(`.config/opencode/${file}`, '{ "plugin": ["opencode-boulder"] }')
      await mkdir(join(root, ".cache/opencode/packages/opencode-boulder@latest"), {
        recursive: true,
      })
    },
    check: "plugin",
    level: "bad",
    says: "opencode could not fetch it",
    todo: `Name this installation in its place, "plugin": ["${pathToFileURL(REPO).href}"]`,
    mend: async ({ put }) => {
      for (const file of ["opencode.json", "tui.json"])
        await put(
          `.config/opencode/${file}`,
          JSON.stringify({ plugin: [pathToFileURL(REPO).href] }),
        )
    },
  },
  {
    what: "a file in the place of our folder",
    provoke: async ({ put, root }) => {
      await rm(join(root, ".boulder"), { recursive: true })
      await put(".boulder", "mine")
    },
    check: "folder",
    level: "bad",
    says: "is a file",
    todo: "Move it away",
    mend: ({ root }) => rm(join(root, ".boulder")),
  },
  {
    what: "another version than this",
    provoke: ({ put }) => put(PACKAGE, '{"name":"opencode-boulder","version":"9.9.9"}'),
    check: "plugin",
    level: "note",
    says: "plugin 9.9.9, opencode-boulder in",
    todo: "Use the same version of both",
    mend: async ({ put }) =>
      put(PACKAGE, JSON.stringify({ name: "opencode-boulder", version: await ownVersion() })),
  },
  {
    what: "no panel",
    provoke: ({ put }) => put(".config/opencode/tui.json", "{}"),
    check: "panel",
    level: "note",
    says: "no tui.json names the plugin",
    todo: 'Add "plugin": ["opencode-boulder"] to tui.json',
    mend: ({ put }) => put("tui.json", '{ "plugin": ["opencode-boulder"] }'),
  },
  {
    what: "named twice",
    provoke: ({ put }) => put("opencode.json", '{ "plugin": ["opencode-boulder"] }'),
    check: "plugin",
    level: "note",
    says: "the plugin is named 2 times",
    todo: "Keep one of them.",
    mend: ({ put }) => put("opencode.json", "{}"),
  },
  {
    what: "a wrong option",
    provoke: ({ put }) =>
      put(".config/opencode/opencode.json", '{"plugin":[["opencode-boulder",{"reuse":"maybe"}]]}'),
    check: "options",
    level: "bad",
    says: "reuse",
    todo: "Fix it in",
    mend: ({ put }) =>
      put(".config/opencode/opencode.json", '{"plugin":[["opencode-boulder",{"reuse":"auto"}]]}'),
  },
  {
    what: "another continuer",
    provoke: ({ put }) => put("opencode.json", '{ "plugin": ["oh-my-opencode@3"] }'),
    check: "continuers",
    level: "bad",
    says: "oh-my-opencode continues sessions as well",
    todo: "Take one of the two out",
    mend: ({ put }) => put("opencode.json", "{}"),
  },
  {
    what: "a start that asks the registry",
    provoke: ({ put }) =>
      put(
        ".opencode/package-lock.json",
        '{"name":"mine","packages":{"":{"dependencies":{"x":"1"}},"node_modules/x":{}}}',
      ),
    check: "start-up",
    level: "note",
    says: "asks the npm registry at each start",
    todo: "Put @opencode-ai/plugin 1.18.33 into",
    mend: null,
  },
  {
    what: "a lockfile that is no JSON",
    provoke: ({ put }) => put(".config/opencode/package-lock.json", "{"),
    check: "start-up",
    level: "note",
    says: "asks the npm registry at each start",
    todo: "Put @opencode-ai/plugin 1.18.33 into",
    mend: ({ put }) => put(".config/opencode/package-lock.json", JSON.stringify(LOCK)),
  },
  {
    what: "a damaged boulder.json",
    provoke: ({ put }) => put(".boulder/boulder.json", '{"schema_version":3,'),
    check: "state",
    level: "bad",
    says: "boulder.json is damaged",
    todo: "--fix",
    mend: null,
  },
  {
    what: "a handoff that cannot be read",
    provoke: ({ put }) => put(`.boulder/handoffs/${idOf(1)}.1.json`, "{"),
    check: "records",
    level: "bad",
    says: `${idOf(1)}.1.json cannot be read`,
    todo: "Fix it, or remove it.",
    mend: ({ root }) => rm(join(root, `.boulder/handoffs/${idOf(1)}.1.json`)),
  },
  {
    what: "a task state that cannot be read",
    provoke: ({ put }) => put(".boulder/sessions/ses_1.json", "{"),
    check: "records",
    level: "bad",
    says: ".boulder/sessions/ses_1.json cannot be read",
    todo: "Fix it, or remove it.",
    mend: ({ root }) => rm(join(root, ".boulder/sessions/ses_1.json")),
  },
  {
    what: "a torn line of the journal",
    provoke: ({ put }) => put(".boulder/journal.jsonl", '\n{"at":"2026-11'),
    check: "journal",
    level: "note",
    says: "1 of the last lines of the journal cannot be read",
    todo: "Nothing needs to be done",
    mend: ({ put }) => put(".boulder/journal.jsonl", ""),
  },
  {
    what: "a plan without a task",
    provoke: ({ put }) => put(".boulder/plans/empty.md", "# Nothing\n"),
    check: "plans",
    level: "note",
    says: ".boulder/plans/empty.md: generic format, 0 tasks",
    todo: "opencode-boulder plan .boulder/plans/empty.md",
    mend: ({ put }) => put(".boulder/plans/empty.md", "- [ ] One\n"),
  },
  {
    what: "no plan",
    provoke: ({ root }) => rm(join(root, ".boulder/plans/demo.md")),
    check: "plans",
    level: "note",
    says: "no plan was found",
    todo: "Write one to .boulder/plans/<name>.md",
    mend: ({ put }) => put("PLAN.md", "- [ ] One\n"),
  },
  {
    what: "leftovers of a crash",
    provoke: async ({ put, root }) => {
      await put(".boulder/boulder.json.3.1-2-0123abcd-0123456789abcdef.tmp", "{}")
      const old = new Date(NOW - 3 * 24 * 3_600_000)
      await utimes(
        join(root, ".boulder/boulder.json.3.1-2-0123abcd-0123456789abcdef.tmp"),
        old,
        old,
      )
    },
    check: "leftovers",
    level: "note",
    says: "1 temporary file is left over from a crash",
    todo: "--fix",
    mend: null,
  },
  {
    what: "a leftover of a mark beside its plan",
    provoke: async ({ put, root }) => {
      const old = new Date(NOW - 3 * 24 * 3_600_000)
      await put("docs/plans/demo.md", "- [ ] One\n")
      for (const name of [".boulder-1-2-0123abcd-0123456789abcdef.tmp", ".boulder-mine.tmp"]) {
        await put(`docs/plans/${name}`, "")
        await utimes(join(root, "docs/plans", name), old, old)
      }
    },
    check: "leftovers",
    level: "note",
    says: "1 temporary file is left over from a crash: docs/plans/.boulder-1-2-0123abcd-0123456789abcdef.tmp",
    todo: "--fix",
    mend: null,
  },
  {
    what: "a state that was moved aside",
    provoke: ({ put }) => put(".boulder/boulder.json.corrupt-2026", "{"),
    check: "leftovers",
    level: "note",
    says: "a damaged state that was moved aside",
    todo: "then remove it.",
    mend: ({ root }) => rm(join(root, ".boulder/boulder.json.corrupt-2026")),
  },
]

describe("each thing that can be amiss is found, says what to do, and is gone once that is done", () => {
  test.each(AMISS)("$what", (one) =>
    healthy(async (ward) => {
      expect(await ward.ill()).toEqual([])
      await one.provoke(ward)
      const found = (await ward.ill()).find(({ check }) => check === one.check)
      expect(found).toMatchObject({ level: one.level, can_fix: one.mend === null })
      expect(found?.says).toContain(one.says)
      expect(found?.todo).toContain(one.todo)
      if (one.mend === null)
        expect((await ward.ill("--fix")).map(({ fixed }) => fixed)).not.toContain(null)
      else await one.mend(ward)
      const left = await ward.ill()
      expect(left.filter(({ check }) => check === one.check && check !== "leftovers")).toEqual([])
    }),
  )

  test("a state of a newer version is left alone, also by --fix", () =>
    healthy(async ({ put, ill, read }) => {
      await put(".boulder/boulder.json", '{"schema_version":99}')
      const [found] = await ill("--fix")
      expect(found).toMatchObject({ check: "state", level: "bad", can_fix: false, fixed: null })
      expect(await read(".boulder/boulder.json")).toBe('{"schema_version":99}')
    }))
})

describe("where something needs the package, --fix leaves the start-up to the registry (opencode would have no tools)", () => {
  const NEEDS = [
    { file: ".opencode/tool/hello.ts", named: ".opencode/tool" },
    { file: ".opencode/tools/hello.js", named: ".opencode/tools" },
    { file: ".opencode/plugin/mine.ts", named: ".opencode/plugin" },
    { file: ".opencode/plugins/mine.mjs", named: ".opencode/plugins" },
    { file: ".opencode/package.json", named: ".opencode/package.json" },
    { file: ".opencode/mine/plugin.ts", named: ".opencode/mine/plugin.ts" },
  ] as const
  const text = (file: string) =>
    file.endsWith("json")
      ? '{ "dependencies": { "zod": "4" } }'
      : 'import { tool } from "@opencode-ai/plugin"'
  const config = '{ "plugin": ["./mine/plugin.ts"] }'

  test.each(NEEDS)("$file", ({ file, named }) =>
    healthy(async ({ root, put, ill }) => {
      await put(file, text(file))
      if (file.includes("mine/plugin")) await put(".opencode/opencode.json", config)
      const found = (await ill("--fix")).filter(({ check }) => check === "start-up")
      expect(found).toMatchObject([{ level: "note", can_fix: false, fixed: null }])
      expect(found[0]?.says).toContain(`${join(root, named)} may need it`)
      expect(found[0]?.todo).toContain("npm install @opencode-ai/plugin@1.18.33")
      expect(await readdir(join(root, ".opencode"))).not.toContain("package-lock.json")
    }),
  )

  test.each(NEEDS)("$file, where the package lies there: --fix helps", ({ file }) =>
    healthy(async ({ put, ill }) => {
      await put(file, text(file))
      await put(".opencode/node_modules/@opencode-ai/plugin/package.json", "{}")
      const found = (await ill("--fix")).filter(({ check }) => check === "start-up")
      expect(found).toMatchObject([{ level: "note", can_fix: true }])
      expect(found[0]?.fixed).toContain("names @opencode-ai/plugin 1.18.33")
      expect((await ill()).filter(({ check }) => check === "start-up")).toEqual([])
    }),
  )

  test("what needs nothing: other files, and a package.json as opencode writes it", () =>
    healthy(async ({ put, ill }) => {
      await put(".opencode/tool/README.md", "none yet")
      await put(".opencode/agent/mine.md", "none")
      await put(
        ".opencode/package.json",
        '{ "name": "mine", "dependencies": { "@opencode-ai/plugin": "1.18.33" } }',
      )
      expect(await ill("--fix")).toMatchObject([{ can_fix: true, fixed: expect.any(String) }])
    }))

  test("a tool that came behind the fix: opencode starts without tools, and what to run is said", () =>
    healthy(async ({ root, put, ill, doctor }) => {
      await put(".opencode/package-lock.json", "{}")
      await ill("--fix")
      await put(".opencode/tool/hello.ts", text("hello.ts"))
      const [found] = await ill("--fix")
      expect(found).toMatchObject({ check: "start-up", level: "bad", can_fix: false })
      expect(found?.todo).toContain(
        `cd ${join(root, ".opencode")} && npm install @opencode-ai/plugin`,
      )
      expect((await doctor()).code).toBe(1)
    }))
})

test("the folder of all projects is mended by an explicit word alone, and the price of it is said", () =>
  healthy(async ({ put, ill, read, root }) => {
    await put(".config/opencode/package-lock.json", "{}")
    const [found] = await ill("--fix")
    expect(found).toMatchObject({ check: "start-up", can_fix: false, fixed: null })
    expect(found?.todo).toEndWith(
      "For all of your projects: opencode-boulder doctor --fix --global",
    )
    expect(await read(".config/opencode/package-lock.json")).toBe("{}")
    const [fixed] = await ill("--fix", "--global")
    expect(fixed?.fixed).toContain(`${join(root, ".config/opencode/package-lock.json")} names`)
    expect(fixed?.fixed).toContain(
      "that you add there and that imports it needs it installed first",
    )
    await expect(ill("--global")).rejects.toThrow("Expected --global together with --fix")
  }))

test("--fix merges into a lockfile: what stands there stays", () =>
  healthy(async ({ put, ill, read }) => {
    const before = {
      name: "mine",
      packages: { "": { dependencies: { x: "1" } }, "node_modules/x": {} },
    }
    await put(".config/opencode/package-lock.json", JSON.stringify(before))
    await ill("--fix", "--global")
    expect(JSON.parse(await read(".config/opencode/package-lock.json"))).toEqual({
      lockfileVersion: 3,
      name: "mine",
      packages: {
        "": { dependencies: { x: "1", "@opencode-ai/plugin": "1.18.33" } },
        "node_modules/x": {},
      },
    })
  }))

test("a folder that cannot be written", () =>
  healthy(async ({ root, ill }) => {
    await withUnwritable(join(root, ".boulder"), async () => {
      const found = (await ill()).find(({ check }) => check === "folder")
      expect(found?.says).toBe(`${join(root, ".boulder")} cannot be written`)
      const isRoot = process.getuid?.() === 0
      expect(found?.todo).toContain(isRoot ? "mounted read-only" : "chmod u+rwx")
    })
    expect(await ill()).toEqual([])
  }))

test("a file system without hard links, as the port tells of it", () =>
  healthy(async ({ root }) => {
    const link = () => Promise.reject(Object.assign(new Error("EPERM"), { code: "EPERM" }))
    expect(await folderFindings(root, { link })).toMatchObject([
      { check: "folder", level: "ok" },
      { check: "links", level: "bad", says: "its file system has no hard links (EPERM)" },
    ])
    const mended = await folderFindings(root)
    expect(mended.map(({ level }) => level)).toEqual(["ok", "ok"])
    expect((await readdir(join(root, ".boulder"))).filter((name) => /^doctor/.test(name))).toEqual(
      [],
    )
  }))

test("what is amiss in text: no line is longer than the terminal, --fix is advised where it helps", () =>
  healthy(async ({ root, put }) => {
    await put(".opencode/package-lock.json", "{}")
    const env = { HOME: root, OPENCODE_BIN: join(root, "opencode"), PATH: process.env["PATH"] }
    const terminal = aTerminal({ cwd: root, env, columns: () => 40, call: "npx opencode-boulder" })
    expect(await runCli(["doctor"], terminal)).toBe(0)
    expect(terminal.said.out.replaceAll(/\s+/g, " ")).toContain(
      "0 bad, 1 to note. npx opencode-boulder doctor --fix fixes 1.",
    )
    expect(overlong(terminal.said.out, 40)).toEqual([])
  }))
