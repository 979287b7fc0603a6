import { describe, expect, spyOn, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { chmod, mkdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import * as command from "./git-command.ts"
import { openGitState } from "./git-state.ts"

/** A look that remembers nothing. */
const gitState = (root: string, without?: string) => openGitState(root).tree(without)

const IDENTITY = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]

/** A folder with what all tests start from: a tracked file, an ignored one, a plan of ours. */
function withRepository<Result>(run: (repository: Repository) => Promise<Result>): Promise<Result> {
  return withFolder(async (root) => {
    const git = (...args: readonly string[]): void => {
      execFileSync("git", ["-C", root, ...IDENTITY, ...args], { stdio: "ignore" })
    }
    const write = async (name: string, text: string): Promise<void> => {
      await mkdir(join(root, name, ".."), { recursive: true })
      await writeFile(join(root, name), text)
    }
    git("init", "-q")
    await write("a.txt", "one\n")
    await writeFile(join(root, "b.bin"), new Uint8Array([0, 1, 2, 255]))
    await write(".gitignore", "ignored/\n")
    await write(".boulder/plans/p.md", "- [ ] 1. One\n")
    git("add", ".")
    git("commit", "-qm", "first")
    return run({ root, git, write })
  })
}

interface Repository {
  readonly root: string
  readonly git: (...args: readonly string[]) => void
  readonly write: (name: string, text: string) => Promise<void>
}

const LATER = new Date("2031-01-01T00:00:00.000Z")

describe("the work tree is compared by content, not by time", () => {
  test.each<{ name: string; act: (repository: Repository) => Promise<unknown>; moved: boolean }>([
    { name: "nothing was done", act: async () => {}, moved: false },
    {
      name: "a file was touched",
      act: ({ root }) => utimes(join(root, "a.txt"), LATER, LATER),
      moved: false,
    },
    {
      name: "a binary file was touched",
      act: ({ root }) => utimes(join(root, "b.bin"), LATER, LATER),
      moved: false,
    },
    {
      name: "a file was made executable",
      act: ({ root }) => chmod(join(root, "a.txt"), 0o755),
      moved: true,
    },
    {
      name: "a file was written as it was",
      act: ({ write }) => write("a.txt", "one\n"),
      moved: false,
    },
    { name: "a file was edited", act: ({ write }) => write("a.txt", "two\n"), moved: true },
    { name: "a file was removed", act: ({ root }) => rm(join(root, "a.txt")), moved: true },
    {
      name: "a file was moved",
      act: ({ root }) => rename(join(root, "a.txt"), join(root, "b.txt")),
      moved: true,
    },
    { name: "a new file, not tracked", act: ({ write }) => write("new.txt", "x"), moved: true },
    {
      name: "a new file in a new folder, its name with blanks and other letters",
      act: ({ write }) => write("x/ä b.txt", "x"),
      moved: true,
    },
    { name: "an ignored file", act: ({ write }) => write("ignored/x", "x"), moved: false },
    {
      name: "our own state",
      act: ({ write }) => write(".boulder/boulder.json", "{}"),
      moved: false,
    },
    {
      name: "a plan of ours",
      act: ({ write }) => write(".boulder/plans/p.md", "- [x] 1. One\n"),
      moved: false,
    },
    {
      name: "an empty commit",
      act: async ({ git }) => git("commit", "-qm", "x", "--allow-empty"),
      moved: false,
    },
    {
      name: "a commit of nothing but a plan of ours",
      act: async ({ git, write }) => {
        await write(".boulder/plans/p.md", "- [x] 1. One\n")
        git("commit", "-qam", "tick")
      },
      moved: false,
    },
    {
      name: "a commit of sources",
      act: async ({ git, write }) => {
        await write("a.txt", "two\n")
        git("commit", "-qam", "edit")
      },
      moved: true,
    },
    {
      name: "a change that was staged",
      act: async ({ git, write }) => {
        await write("a.txt", "two\n")
        git("add", ".")
      },
      moved: true,
    },
    {
      name: "a new branch",
      act: async ({ git }) => git("checkout", "-qb", "other"),
      moved: false,
    },
  ])("$name: $moved", ({ act, moved }) =>
    withRepository(async (repository) => {
      const before = await gitState(repository.root)
      expect(before).toMatch(/^[0-9a-f]{16}$/)
      await act(repository)
      const after = await gitState(repository.root)
      expect(after).not.toBeNull()
      expect(after !== before).toBe(moved)
    }),
  )
  test("a file that is not tracked: its content counts, its time does not", () =>
    withRepository(async ({ root, write }) => {
      await write("new.txt", "one")
      const before = await gitState(root)
      await utimes(join(root, "new.txt"), LATER, LATER)
      expect(await gitState(root)).toBe(before)
      await write("new.txt", "two")
      expect(await gitState(root)).not.toBe(before)
    }))
  test.each(["a.txt", "plans/[new] p.md"])("a file that is left out, %s, moves nothing", (name) =>
    withRepository(async ({ root, write }) => {
      await write(name, "one")
      const before = [await gitState(root, name), await gitState(root)]
      await write(name, "two")
      expect(await gitState(root, name)).toBe(before[0] ?? null)
      expect(await gitState(root)).not.toBe(before[1] ?? null)
      await write("other.txt", "x")
      expect(await gitState(root, name)).not.toBe(before[0] ?? null)
    }),
  )
  test("with a file left out, neither `git add` nor a commit changes anything, and another content does", () =>
    withRepository(async ({ root, git, write }) => {
      const state = () => gitState(root, "plan.md")
      const first = await state()
      await write("a.txt", "two\n")
      await write("new.txt", "new\n")
      await write("run.sh", "exit 0\n")
      await chmod(join(root, "run.sh"), 0o755)
      await symlink("nowhere", join(root, "link"))
      await rm(join(root, "b.bin"))
      const before = await state()
      expect(before).toMatch(/^[0-9a-f]{16}$/)
      expect(before).not.toBe(first)
      git("add", "-A")
      expect(await state()).toBe(before)
      git("commit", "-qm", "all")
      expect(await state()).toBe(before)
      await write("a.txt", "one\n")
      expect(await state()).not.toBe(before)
      expect(await gitState(join(root, "sub"), "plan.md")).toBeNull()
    }))
  test("a change that is undone is the state from before", () =>
    withRepository(async ({ root, write }) => {
      const before = await gitState(root)
      await write("a.txt", "two\n")
      await gitState(root)
      await write("a.txt", "one\n")
      expect(await gitState(root)).toBe(before)
    }))
})

describe("what is remembered of the last look changes nothing", () => {
  const acts: readonly ((repository: Repository) => Promise<unknown> | unknown)[] = [
    ({ write }) => write("a.txt", "two\n"),
    ({ write }) => write("new.txt", "one"),
    // The same size, within the same tick of a coarse clock.
    ({ write }) => write("new.txt", "two"),
    ({ root }) => utimes(join(root, "new.txt"), new Date(0), new Date(0)),
    ({ root }) => utimes(join(root, "a.txt"), new Date(0), new Date(0)),
    ({ git }) => git("add", "."),
    ({ write }) => write("new.txt", "six"),
    ({ git }) => git("commit", "-qm", "x"),
    ({ root }) => rm(join(root, "new.txt")),
    ({ git }) => git("checkout", "-q", "HEAD~1", "--", "a.txt"),
    ({ git }) => git("reset", "-q", "--hard", "HEAD~1"),
    ({ git }) => git("commit", "-qm", "empty", "--allow-empty"),
  ]
  test.each([{ folder: "." }, { folder: "sub" }])("in $folder", ({ folder }) =>
    withRepository(async (repository) => {
      const root = join(repository.root, folder)
      const write = async (name: string, text: string) => {
        await mkdir(root, { recursive: true })
        await writeFile(join(root, name), text)
      }
      await write("a.txt", "one\n")
      repository.git("add", ".")
      repository.git("commit", "-qm", "second", "--allow-empty")
      const { tree: kept } = openGitState(root)
      for (const act of acts) {
        await act({ ...repository, root, write })
        for (const without of [undefined, "p.md"]) {
          const now = await kept(without)
          expect(now).not.toBeNull()
          expect(now).toBe(await gitState(root, without))
          expect(await kept(without)).toBe(now)
        }
      }
    }),
  )
  test("one process a look, also for a tree in which a file is left out; two more behind a commit", () =>
    withRepository(async ({ root, git, write }) => {
      const path = process.env["PATH"]
      const log = join(root, "ignored/log")
      await write("ignored/log", "")
      const script = `#!/bin/sh\necho >> '${log}'\nexec '${Bun.which("git")}' "$@"\n`
      await write("ignored/git", script)
      await chmod(join(root, "ignored/git"), 0o755)
      const { tree: look } = openGitState(root)
      await look()
      const begun = async (without?: string): Promise<number> => {
        await writeFile(log, "")
        process.env["PATH"] = `${join(root, "ignored")}:${path}`
        await look(without).finally(() => {
          process.env["PATH"] = path
        })
        return (await Bun.file(log).text()).length
      }
      await write("a.txt", "two\n")
      expect([await begun(), await begun("p.md")]).toEqual([1, 1])
      git("commit", "-qam", "x")
      expect([await begun(), await begun()]).toEqual([3, 1])
    }))
})

describe("what stands in the tree does not blind it", () => {
  test.each<{ name: string; act: (repository: Repository) => Promise<unknown> }>([
    {
      name: "a repository inside, such as a work tree of an agent",
      act: async ({ root, git, write }) => {
        await write("inner/x", "x")
        git("init", "-q", join(root, "inner"))
        git("-C", join(root, "inner"), "add", ".")
        git("-C", join(root, "inner"), "commit", "-qm", "x")
      },
    },
    { name: "a link to nowhere", act: ({ root }) => symlink("nowhere", join(root, "link")) },
    { name: "a link to a folder", act: ({ root }) => symlink("/tmp", join(root, "link")) },
    { name: "a name with a line end", act: ({ write }) => write("a\nb", "x") },
    {
      name: "a diff tool of the user's",
      act: async ({ git }) => git("config", "diff.external", "false"),
    },
  ])("$name", ({ act }) =>
    withRepository(async (repository) => {
      await act(repository)
      const before = await gitState(repository.root)
      expect(before).not.toBeNull()
      await repository.write("a.txt", "two\n")
      const after = await gitState(repository.root)
      expect(after).not.toBeNull()
      expect(after).not.toBe(before)
    }),
  )
  test("a project in a folder of a repository", () =>
    withRepository(async ({ root, write }) => {
      await write("sub/x.txt", "x")
      const before = await gitState(join(root, "sub"))
      expect(before).not.toBeNull()
      await write("sub/x.txt", "y")
      expect(await gitState(join(root, "sub"))).not.toBe(before)
    }))
})

describe("what is changed in a repository inside", () => {
  const repository = (git: Repository["git"], folder: string): void => {
    git("init", "-q", folder)
    git("-C", folder, "add", ".")
    git("-C", folder, "commit", "-qm", "x")
  }
  const turns = async ({ root, write }: Repository, without?: string) => {
    const { tree } = openGitState(root)
    const states = [await tree(without)]
    for (const turn of [1, 2, 3]) {
      await write("inner/x", `turn ${turn}`)
      states.push(await tree(without))
      await write(`inner/new-${turn}`, "x")
      states.push(await tree(without))
    }
    return new Set(states).size
  }
  test("is a change of a submodule, each time", () =>
    withRepository(async (outer) => {
      const { git, root, write } = outer
      await write("inner/x", "x")
      repository(git, join(root, "inner"))
      git("-c", "advice.addEmbeddedRepo=false", "add", ".")
      git("commit", "-qm", "with a submodule")
      expect(await turns(outer)).toBe(7)
    }))
  test("is one of a repository that git does not know, for a check too, and a commit in it is none", () =>
    withRepository(async (outer) => {
      const { git, root, write } = outer
      await write("inner/x", "x")
      repository(git, join(root, "inner"))
      expect(await turns(outer)).toBe(7)
      await write("inner/x", "x")
      expect(await turns(outer, "p.md")).toBe(4)
      const before = await gitState(root, "p.md")
      git("-C", join(root, "inner"), "add", ".")
      git("-C", join(root, "inner"), "commit", "-qm", "y")
      expect(await gitState(root, "p.md")).toBe(before)
    }))
  test.each([
    { of: "one that it ignores", folder: "ignored/feat" },
    { of: "any", folder: "feat" },
  ])("is one of a work tree of its own below, $of, and a commit in it is none", ({ folder }) =>
    withRepository(async ({ git, root, write }) => {
      git("worktree", "add", "-q", join(root, folder), "-b", "feat")
      const { tree } = openGitState(root)
      const before = await tree()
      await write(`${folder}/x`, "x")
      const after = await tree()
      expect(after).not.toBe(before)
      git("-C", join(root, folder), "add", ".")
      git("-C", join(root, folder), "commit", "-qm", "x")
      expect(await tree()).toBe(after)
      await rm(join(root, folder), { recursive: true })
      expect(await tree()).not.toBeNull()
    }),
  )
  test("is none of a folder in it that is a repository too, or is broken", () =>
    withRepository(async (outer) => {
      const { git, root, write } = outer
      await write("inner/x", "x")
      await write("inner/deep/x", "x")
      repository(git, join(root, "inner/deep"))
      repository(git, join(root, "inner"))
      await write("inner/.git/HEAD", "none")
      expect(await gitState(root)).not.toBeNull()
    }))
})

describe("where git cannot tell", () => {
  test("a folder without git gives null", () =>
    withFolder(async (root) => {
      await writeFile(join(root, ".git"), "none")
      expect(await gitState(root)).toBeNull()
    }))
  test("no process is begun where no folder above is a repository, and one in a folder below one, by a link too", () =>
    withFolder(async (root) => {
      const below = join(root, "repository", "a", "b")
      await mkdir(below, { recursive: true })
      await mkdir(join(root, "elsewhere"))
      await symlink(below, join(root, "elsewhere", "link"))
      const begun = spyOn(command, "git").mockImplementation(async () => null)
      const asked = async (folder: string): Promise<number> => {
        begun.mockClear()
        expect(await gitState(folder)).toBeNull()
        return begun.mock.calls.length
      }
      const link = join(root, "elsewhere", "link")
      expect([await asked(below), await asked(link), await asked(root)]).toEqual([0, 0, 0])
      await mkdir(join(root, "repository", ".git"))
      expect([await asked(below), await asked(link), await asked(root)]).toEqual([1, 1, 0])
      begun.mockRestore()
    }))
  test("a folder that is not there gives null", async () => {
    expect(await gitState("/nonexistent/root")).toBeNull()
  })
  test("a repository without a commit tells all the same", () =>
    withFolder(async (root) => {
      const git = (...args: readonly string[]) =>
        execFileSync("git", ["-C", root, ...args], { stdio: "ignore" })
      git("init", "-q")
      const empty = await gitState(root)
      expect(empty).toMatch(/^[0-9a-f]{16}$/)
      await writeFile(join(root, "a.txt"), "one\n")
      const one = await gitState(root)
      expect(one).not.toBe(empty)
      git("add", ".")
      await writeFile(join(root, "a.txt"), "two\n")
      git("add", ".")
      const two = await gitState(root)
      await writeFile(join(root, "a.txt"), "three\n")
      git("add", ".")
      expect(new Set([empty, one, two, await gitState(root)]).size).toBe(4)
    }))
})

test("the index is left as it was: reading takes no lock and writes nothing", () =>
  withRepository(async ({ root }) => {
    await utimes(join(root, "a.txt"), LATER, LATER)
    const before = await Bun.file(join(root, ".git/index")).bytes()
    await gitState(root)
    expect(await Bun.file(join(root, ".git/index")).bytes()).toEqual(before)
  }))

describe("the files in which two states differ", () => {
  test("are named: changed, new and removed ones, in a commit or not", () =>
    withRepository(async ({ root, git, write }) => {
      const { tree, moved } = openGitState(root)
      const look = async (): Promise<string> => (await tree(".boulder/plans/p.md")) ?? ""
      const before = await look()
      await write("a.txt", "two\n")
      await write("x/ä b.txt", "x")
      await rm(join(root, "b.bin"))
      const after = await look()
      expect(moved(before, after)?.toSorted()).toEqual(["a.txt", "b.bin", "x/ä b.txt"])
      git("add", ".")
      git("commit", "-qm", "second")
      await symlink("a.txt", join(root, "link"))
      expect([...(moved(after, await look()) ?? [])]).toEqual(["link"])
      expect([...(moved(after, after) ?? [])]).toEqual([])
    }))

  test("are not where one is not remembered, or where they are too many", () =>
    withRepository(async ({ root, write }) => {
      const { tree, moved } = openGitState(root)
      const before = (await tree("p.md")) ?? ""
      expect(moved("0123456789abcdef", before)).toBeNull()
      for (let at = 0; at <= 100; at++) await write(`new/${at}.txt`, "x")
      expect(moved(before, (await tree("p.md")) ?? "")).toBeNull()
    }))
})
