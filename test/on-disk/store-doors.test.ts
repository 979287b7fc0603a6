import { describe, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { link, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Glob } from "bun"
import { nodeFilePort } from "../../src/store/disk/file-port.ts"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { projectScope } from "../../src/store/handoffs/handoff-scope.ts"
import { findPlans } from "../../src/store/plans/find-plans.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openTaskStateFiles } from "../../src/store/records/task-state-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aHandoff, idOf } from "../support/handoff-builders.ts"
import { countUp } from "../support/store-boulders.ts"
import { withFolder } from "../support/store-folder.ts"
import { hookedPort, type PortStep, systemError } from "../support/store-port-hooks.ts"
import { aStoredTaskState } from "../support/task-states.ts"

const LINES = "works/w/settled.jsonl"
const ENTRY = {
  at: "2026-11-21T10:00:00.000Z",
  session: null,
  work: null,
  decision: "rest",
  reason: "x",
  facts: {},
}

/** A project whose `.boulder` is there already. */
function withState<Result>(run: (root: string) => Promise<Result>): Promise<Result> {
  return withFolder(async (root) => {
    await openFileBoulderStore({ root }).update(countUp("w"))
    await mkdir(join(root, ".boulder", "works", "w"), { recursive: true })
    return run(root)
  })
}

const pipeAt = (path: string) => void spawnSync("sh", ["-c", 'mkfifo "$0"', path])

/** Every file that is written into where it lies, or read, and was there before us. */
const OPENED: readonly {
  what: string
  path: string
  open: (root: string) => Promise<unknown>
}[] = [
  {
    what: "a line of the journal",
    path: "journal.jsonl",
    open: (root) => openJournal({ root }).append(ENTRY),
  },
  {
    what: "a reading of the journal",
    path: "journal.jsonl",
    open: (root) => openJournal({ root }).readLast(1),
  },
  {
    what: "lines of settled tasks",
    path: LINES,
    open: (root) => openRecordFiles({ root }).append(LINES, ["{}"]),
  },
  {
    what: "a reading of settled tasks",
    path: LINES,
    open: (root) => openRecordFiles({ root }).read(LINES),
  },
  {
    what: "a sync of a file",
    path: "x",
    open: (root) => nodeFilePort().syncFile(join(root, ".boulder", "x")),
  },
  {
    what: "a reading of the state",
    path: "boulder.json",
    open: async (root) => {
      spawnSync("rm", [join(root, ".boulder", "boulder.json")])
      pipeAt(join(root, ".boulder", "boulder.json"))
      return openFileBoulderStore({ root }).read()
    },
  },
]

describe("a named pipe keeps nobody waiting, and is said:", () => {
  test.each(OPENED)("$what", ({ path, open }) =>
    withState(async (root) => {
      pipeAt(join(root, ".boulder", path))
      await expect(open(root)).rejects.toMatchObject({
        code: "not-a-file",
        message: expect.stringMatching(/found a named pipe.*Move it away and try again\./),
      })
    }),
  )

  test("a sync of a folder", () =>
    withState(async (root) => {
      pipeAt(join(root, "pipe"))
      await expect(nodeFilePort().syncFolder(join(root, "pipe"))).rejects.toThrow("ENOTDIR")
    }))
})

describe("a file outside is not written into", () => {
  const APPENDS = OPENED.filter(({ what }) => /\blines? of/.test(what))

  test.each(APPENDS)("by a second name: $what", ({ path, open }) =>
    withFolder((elsewhere) =>
      withState(async (root) => {
        const outside = join(elsewhere, "notes.txt")
        await writeFile(outside, "mine")
        await link(outside, join(root, ".boulder", path))
        await expect(open(root)).rejects.toMatchObject({
          code: "outside-root",
          message: expect.stringContaining("found one with 2 names (hard links)"),
        })
        expect(await readFile(outside, "utf8")).toBe("mine")
      }),
    ),
  )

  test.each(APPENDS)("behind a link: $what", ({ path, open }) =>
    withFolder((elsewhere) =>
      withState(async (root) => {
        const outside = join(elsewhere, "notes.txt")
        await writeFile(outside, "mine")
        await symlink(outside, join(root, ".boulder", path))
        await expect(open(root)).rejects.toMatchObject({ code: "not-a-file" })
        expect(await readFile(outside, "utf8")).toBe("mine")
      }),
    ),
  )
})

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

/** Everything that we have made, but plans: its mode by its path. */
async function modesIn(root: string): Promise<ReadonlySet<string>> {
  const names = await readdir(join(root, ".boulder"), { recursive: true, withFileTypes: true })
  const modes = new Set<string>()
  for (const one of names) {
    const path = join(one.parentPath, one.name)
    if (one.name === ".gitignore" || path.includes("plans")) continue
    modes.add(`${one.isDirectory() ? "folder" : "file"} ${await modeOf(path)}`)
  }
  return modes
}

async function writeAll(root: string): Promise<void> {
  const records = openRecordFiles({ root })
  const scope = { project: projectScope(root), agent: null }
  const handoffs = openFileHandoffStore({ root, records })
  await openFileBoulderStore({ root }).update(countUp("w"))
  await handoffs.create(() => aHandoff({ scope }))
  await openJournal({ root }).append(ENTRY)
  await openTaskStateFiles(records).save(aStoredTaskState())
  await records.createOnce("works/w/checkpoints/000001.json", "{}")
  await records.append(LINES, ["{}"])
}

describe.skipIf(process.platform === "win32")("what holds conversations is for nobody else", () => {
  test("to read, whatever was written first", () =>
    withFolder(async (root) => {
      const before = process.umask(0)
      try {
        await writeAll(root)
      } finally {
        process.umask(before)
      }
      expect(await modesIn(root)).toEqual(new Set(["file 600", "folder 700"]))
    }))
})

describe.each(["EPERM", "ENOTSUP", "ENOSYS"])("without hard links (%s)", (errno) => {
  const before = (step: PortStep) => {
    if (step.operation === "link") throw systemError(errno, step)
  }
  const files = hookedPort(nodeFilePort(), { before })
  const SAYS = {
    code: "no-hard-links",
    message: expect.stringContaining("Keep the project on a local disk"),
  }

  test("the state says so", () =>
    withFolder(async (root) => {
      const update = openFileBoulderStore({ root, files }).update(countUp("w"))
      await expect(update).rejects.toMatchObject(SAYS)
    }))

  test("a handoff says so, when it is made and when it is changed", () =>
    withFolder(async (root) => {
      const scope = { project: projectScope(root), agent: null }
      const given = aHandoff({ scope })
      const without = openFileHandoffStore({ root, records: openRecordFiles({ root, files }) })
      await expect(without.create(() => given)).rejects.toMatchObject(SAYS)
      await openFileHandoffStore({ root }).create(() => given)
      const change = without.update(idOf(1), (handoff) => ({ ...handoff, summary: "more" }))
      await expect(change).rejects.toMatchObject(SAYS)
    }))
})

/** Who may open a file without `onRegular`, and why. */
const OPENS_ITSELF = {
  "src/store/disk/open-regular.ts": "it is the one place",
  "src/store/disk/quick-files.ts": "is what that one opens by",
  "src/store/disk/file-port.ts": "makes files that must not be there yet, and syncs folders",
  "src/store/processes/git-blob.ts": "gives its own `open` to that one: what is hashed may be long",
  "src/store/disk/writer-identity.ts": "reads /proc",
  "src/cli/first-start.ts": "makes a file that must not be there yet",
  "src/cli/own-version.ts": "reads the package's own package.json",
  "src/cli/doctor/project-findings.ts": "makes a file in a folder of its own, to see that it can",
  "src/cli/doctor/start-up-wait.ts": "makes a file that must not be there yet",
  "src/cli/report/report-command.ts": "writes the file that a person has named",
}

test("no other source opens a file that was there before us", () => {
  const calls =
    /\b(?:open|readFile|writeFile|appendFile|createReadStream|createWriteStream|copyFile)(?:Sync)?\b/
  const imports =
    /import (?:type )?\{([^}]*)\} from "(?:node:fs(?:\/promises)?|[^"]*quick-files\.ts)"/g
  const found = [...new Glob("src/**/*.ts").scanSync(join(import.meta.dir, "../.."))]
    .filter((path) => !path.endsWith(".test.ts"))
    .filter((path) =>
      [...readFileSync(join(import.meta.dir, "../..", path), "utf8").matchAll(imports)].some(
        ([, names]) => calls.test(names ?? ""),
      ),
    )
  expect(found.sort()).toEqual(Object.keys(OPENS_ITSELF).sort())
})

test("a named pipe as the project's .gitignore keeps no search for plans waiting", () =>
  withFolder(async (root) => {
    pipeAt(join(root, ".gitignore"))
    await mkdir(join(root, ".boulder", "plans"), { recursive: true })
    await writeFile(join(root, ".boulder", "plans", "demo.md"), "- [ ] 1. One\n")
    expect((await findPlans(root, null)).paths).toEqual([".boulder/plans/demo.md"])
  }))
