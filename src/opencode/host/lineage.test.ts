import { describe, expect, test } from "bun:test"
import { mkdir, realpath, symlink } from "node:fs/promises"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import { descendantsOf, isSessionHere, lineageOf } from "./lineage.ts"
import type { SessionApi } from "./session-api.ts"
import { openSessions } from "./sessions.ts"

/** A host that knows these sessions by their parents, and counts how often it was asked. */
function aHost(parents: Readonly<Record<string, string | null>>) {
  const asked: string[] = []
  const refuse = () => Promise.reject(new Error("not asked for in these tests"))
  const session = async (id: string): ReturnType<SessionApi["session"]> => {
    asked.push(id)
    const parentId = parents[id]
    return parentId === undefined ? null : { id, parentId, agent: null, title: id }
  }
  const api: SessionApi = {
    session,
    lastTurn: refuse,
    refusedTurn: refuse,
    busySessions: refuse,
    contextLimit: refuse,
    prompt: refuse,
    compact: refuse,
    abort: refuse,
    toast: refuse,
    rename: refuse,
    pluginNames: refuse,
  }
  return { api, sessions: openSessions(), asked }
}

/** `ses_0` is the root, and each next one its child. */
const chainOf = (length: number): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [`ses_${index}`, index === 0 ? null : `ses_${index - 1}`]),
  )

describe("a session and its ancestors", () => {
  test.each([
    { name: "a root is itself", parents: chainOf(1), of: "ses_0", is: ["ses_0"] },
    {
      name: "a child comes before its parent",
      parents: chainOf(2),
      of: "ses_1",
      is: ["ses_1", "ses_0"],
    },
    { name: "a grandchild", parents: chainOf(3), of: "ses_2", is: ["ses_2", "ses_1", "ses_0"] },
    { name: "a session that the host does not know", parents: {}, of: "ses_9", is: null },
    {
      name: "a session whose parent is not known",
      parents: { ses_1: "ses_0" },
      of: "ses_1",
      is: null,
    },
    {
      name: "a session that is its own parent",
      parents: { ses_1: "ses_1" },
      of: "ses_1",
      is: null,
    },
    {
      name: "two that are each other's parents",
      parents: { ses_1: "ses_2", ses_2: "ses_1" },
      of: "ses_1",
      is: null,
    },
    { name: "a parent of a wrong form", parents: { ses_1: "../x" }, of: "ses_1", is: null },
  ])("$name", async ({ parents, of, is }) => {
    expect(await lineageOf(aHost(parents), of)).toEqual(is)
  })
  test("an id of a wrong form is never asked for", async () => {
    const host = aHost({})
    for (const id of ["bogus", "", "ses_", "ses_a/b", `ses_${"a".repeat(100_000)}`])
      expect(await lineageOf(host, id)).toBeNull()
    expect(host.asked).toEqual([])
  })
  test("8 steps up are reached, and none above", async () => {
    const host = aHost(chainOf(20))
    expect(await lineageOf(host, "ses_8")).toContain("ses_0")
    const chain = await lineageOf(host, "ses_19")
    expect(chain?.at(-1)).toBe("ses_11")
  })
  test("what is remembered is not asked again", async () => {
    const host = aHost(chainOf(3))
    await lineageOf(host, "ses_2")
    await lineageOf(host, "ses_2")
    expect(host.asked).toEqual(["ses_2", "ses_1", "ses_0"])
  })
  test("what an event told is not asked at all", async () => {
    const host = aHost({})
    host.sessions.note({ kind: "session-created", sessionId: "ses_1", parentId: "ses_0" })
    host.sessions.note({ kind: "session-created", sessionId: "ses_0", parentId: null })
    expect(await lineageOf(host, "ses_1")).toEqual(["ses_1", "ses_0"])
    expect(host.asked).toEqual([])
  })
  test("a host that does not answer is the caller's to catch", async () => {
    const host = aHost({})
    const api: SessionApi = { ...host.api, session: () => Promise.reject(new Error("no answer")) }
    expect(lineageOf({ api, sessions: host.sessions }, "ses_1")).rejects.toThrow("no answer")
  })
})

describe("the remembered sessions below one", () => {
  const remembering = (parents: Readonly<Record<string, string | null>>) => {
    const sessions = openSessions()
    for (const [sessionId, parentId] of Object.entries(parents))
      sessions.note({ kind: "session-created", sessionId, parentId })
    return { sessions }
  }
  test("children and their children, not itself nor its siblings", () => {
    const family = remembering({
      ses_0: null,
      ses_1: "ses_0",
      ses_2: "ses_1",
      ses_x: null,
      ses_y: "ses_x",
    })
    expect(descendantsOf(family, "ses_0")).toEqual(["ses_1", "ses_2"])
  })
  test("8 steps down, as far as lineage looks up", () => {
    const below = descendantsOf(remembering(chainOf(20)), "ses_0")
    expect(below.at(-1)).toBe("ses_8")
  })
  test("none in a circle, and it ends", () => {
    expect(descendantsOf(remembering({ ses_1: "ses_2", ses_2: "ses_1" }), "ses_0")).toEqual([])
  })
})

describe("a session is of this project", () => {
  const isHere = (root: string, directory?: string) => {
    const known = { ...aHost({}).api, session: async (id: string) => sessionIn(id, directory) }
    return isSessionHere({ api: known, root }, "ses_a")
  }
  const sessionIn = (id: string, directory?: string) => ({
    ...{ id, parentId: null, agent: null, title: "" },
    ...(directory === undefined ? {} : { directory }),
  })

  test.each([
    { name: "its root", directory: "/p", is: true },
    { name: "a folder below it", directory: "/p/packages/one", is: true },
    { name: "no folder that the host names", directory: undefined, is: true },
    { name: "one beside it whose name begins alike", directory: "/p-copy", is: false },
    { name: "the folder above", directory: "/", is: false },
  ])("if it works in $name: $is", async ({ directory, is }) => {
    expect(await isHere("/p", directory)).toBe(is)
  })

  test("if it works in the root of the file system, which is the project", async () => {
    expect([await isHere("/", "/"), await isHere("/", "/p")]).toEqual([true, true])
  })

  test("if it was begun through a link to it", () =>
    withFolder(async (folder) => {
      await mkdir(join(folder, "p"))
      await symlink(join(folder, "p"), join(folder, "link"))
      expect(await isHere(await realpath(join(folder, "p")), join(folder, "link"))).toBe(true)
    }))

  test("and not if the host has none", async () => {
    const { api } = aHost({})
    expect(await isSessionHere({ api, root: "/p" }, "ses_a")).toBe(false)
  })
})
