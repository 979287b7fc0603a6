import { describe, expect, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { runInFolder } from "../../../test/support/cli-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { failureOf } from "./away.ts"
import { fleetScope, scopeOfRemote } from "./fleet-scope.ts"

const SHOP = "github.com/acme/shop"

test.each([
  { url: "git@github.com:acme/shop.git", name: SHOP },
  { url: "https://github.com/acme/shop", name: SHOP },
  { url: "https://token:x-oauth@GitHub.com/Acme/Shop", name: SHOP },
  { url: "ssh://git@github.com:22/acme/shop/", name: SHOP },
  { url: "ssh://git@ssh.github.com:443/acme/shop.git", name: SHOP },
  { url: "git@github.com:/acme/shop.git/", name: SHOP },
  { url: "https://user:p@ss@github.com/acme//shop.git", name: SHOP },
  { url: "https://user:p/ss@github.com/acme/shop.git", name: SHOP },
  { url: "https://www.github.com./acme/shop.git", name: SHOP },
  { url: "git+ssh://git@github.com/acme/shop.git", name: SHOP },
  { url: "https://git.acme.dev:8443/My%20Team/shop.git", name: "git.acme.dev/My Team/shop" },
  { url: "git@ssh.dev.azure.com:v3/org/proj/repo", name: "dev.azure.com/org/proj/repo" },
  { url: "https://org@dev.azure.com/org/proj/_git/repo", name: "dev.azure.com/org/proj/repo" },
  { url: "/srv/git/shop.git", name: "/srv/git/shop" },
  { url: "file:///srv/git/shop.git", name: "/srv/git/shop" },
  { url: "https://git.acme.dev/@acme/shop", name: null },
])("the remote $url has one name", ({ url, name }) => {
  if (name === null) expect(scopeOfRemote(url)).toMatch(/^[0-9a-f]{64}$/)
  else expect(scopeOfRemote(url)).toBe(name)
})

test("one address in two spellings of an IPv6 host is one project", () => {
  const names = ["git@[2001:DB8::1]:acme/shop.git", "ssh://git@[2001:db8::1]:22/acme/shop.git"]
  expect(new Set(names.map(scopeOfRemote)).size).toBe(1)
})

test.each([
  { one: "https://git.acme.dev/acme/shop", other: "https://git.acme.dev/acme/Shop" },
  { one: "https://git.acme.dev/acme/shop", other: "https://git.acme.org/acme/shop" },
  { one: "https://ssh.acme.dev/acme/shop", other: "https://acme.dev/acme/shop" },
  { one: "git@github.com:acme/shop.git", other: "git@github.com:acme/shop.git.io" },
  { one: "https://git.acme.dev/@a/shop", other: "https://git.acme.dev/@b/shop" },
])("$one and $other stay two projects", ({ one, other }) =>
  expect(scopeOfRemote(one)).not.toBe(scopeOfRemote(other)),
)

test.each([
  { url: "https://alice:s3cr3tTOKEN@[2001:db8::1]/acme/shop.git" },
  { url: "https://alice:half@s3cr3tTOKEN@github.com/acme/shop.git" },
  { url: "https://alice:s3cr3tTOKEN@/acme/shop.git" },
  { url: "https://alice:s3cr3tTOKEN/x@github.com/acme/shop.git" },
  { url: "https://alice:s3cr3tTOKEN/acme/shop.git" },
  { url: "alice:s3cr3tTOKEN@github.com:acme/shop.git" },
  { url: "alice:s3cr3tTOKEN/x@github.com:acme/shop.git" },
  { url: "https://github.com/acme/shop.git?private_token=s3cr3tTOKEN" },
  { url: "https://github.com/acme/shop.git#s3cr3tTOKEN" },
])("no password of $url stands in the name", ({ url }) =>
  expect(scopeOfRemote(url)).not.toContain("s3cr3t"),
)

test.each([
  { url: "postgres://boulder:p%40ss%2Fw0rd@db.example:5432/b", says: "it met p@ss/w0rd" },
  { url: "postgres://db.example/b?password=hunter2%21", says: "bad password hunter2!" },
  { url: "postgres://boulder:pw@db.example:5432/b", says: "password pw is wrong" },
  { url: "host=db password=hunter2 user=b", says: "no such thing: hunter2" },
])("nothing of $url stands in a failure", ({ url, says }) => {
  const said = String(failureOf(new Error(says), { secret: url, isOpen: true }))
  expect(said).not.toMatch(/hunter2|w0rd|\bpw\b/)
})

describe("the remote is what git says it is", () => {
  const git = (root: string, ...args: string[]) => execFileSync("git", ["-C", root, ...args])

  test("with insteadOf, and a path from here as the whole one", () =>
    withFolder(async (root) => {
      git(root, "init", "-q")
      git(root, "remote", "add", "origin", "gh:acme/shop")
      git(root, "config", "url.https://x:s3cr3tTOKEN@github.com/.insteadOf", "gh:")
      expect(await fleetScope(root, null)).toEqual({ scope: SHOP, alone: null })
      expect(await fleetScope(root, "team")).toEqual({ scope: "team", alone: null })
      git(root, "remote", "set-url", "origin", "../shop.git")
      expect((await fleetScope(root, null)).scope).toBe(join(root, "../shop"))
    }))

  test("also where git takes its time", () =>
    withFolder(async (root) => {
      git(root, "init", "-q")
      git(root, "remote", "add", "origin", "git@github.com:acme/shop.git")
      const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim()
      const slow = join(root, "bin")
      await mkdir(slow)
      await writeFile(join(slow, "git"), `#!/bin/sh\nsleep 3\nexec ${real} "$@"\n`, { mode: 0o755 })
      const before = process.env["PATH"]
      process.env["PATH"] = `${slow}:${before}`
      try {
        expect(await fleetScope(root, null)).toEqual({ scope: SHOP, alone: null })
      } finally {
        process.env["PATH"] = before
      }
    }))

  test("where it tells none, handoffs --all and doctor say that nobody shares them", () =>
    withFolder(async (root) => {
      git(root, "init", "-q")
      await writeFile(join(root, "url"), "postgres://boulder:pw@127.0.0.1:1/boulder")
      const plugin = [["opencode-boulder", { handoffs: { store: "postgres", url: "file:url" } }]]
      await writeFile(join(root, "opencode.json"), JSON.stringify({ plugin }))
      const told = "shared with no other machine"
      expect((await runInFolder(root, "handoffs --all")).err).toContain(told)
      expect((await runInFolder(root, "doctor")).out).toContain(told)
      git(root, "remote", "add", "origin", "git@github.com:acme/shop.git")
      expect((await runInFolder(root, "handoffs --all")).err).not.toContain(told)
      expect((await runInFolder(root, "doctor")).out).not.toContain(told)
    }))
})
