import { describe, expect, test } from "bun:test"
import { mkdir, rename, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import { hashNow, openPlanFiles, type PlanFileReading } from "./plan-files.ts"

const PLAN = "## TODOs\n\n- [ ] 1. One\n- [x] 2. Two\n"
/** A time long before any test, so that a file of then is surely at rest. */
const LONG_AGO = new Date("2026-01-01T00:00:00.000Z")
const LATER = new Date("2026-01-02T00:00:00.000Z")

/** Runs in a fresh root with `plan.md` as of long ago. */
function withPlan<Result>(
  run: (scene: {
    root: string
    file: string
    plans: ReturnType<typeof openPlanFiles>
  }) => Promise<Result>,
  text: string | Uint8Array = PLAN,
): Promise<Result> {
  return withFolder(async (root) => {
    const file = join(root, "plan.md")
    await writeFile(file, text)
    await utimes(file, LONG_AGO, LONG_AGO)
    return run({ root, file, plans: openPlanFiles({ root, now: Date.now }) })
  })
}

/** What was said, or the states of the tasks that were read. */
const told = (reading: PlanFileReading): string =>
  reading.kind === "read"
    ? reading.plan.tasks.map(({ label, state }) => `${label} ${state}`).join(", ")
    : reading.message

/** A reading with all of its lines. */
const inFull = (reading: PlanFileReading) =>
  reading.kind === "read"
    ? { ...reading, lines: reading.lines.slice(0, reading.lines.length) }
    : { ...reading, lines: [] }

const CONFLICT =
  "- [x] 1. a\n<<<<<<< HEAD\n- [x] 2. b\n=======\n- [ ] 2. b\n>>>>>>> other\n- [ ] 3. c\n"

describe("a plan file", () => {
  test("is read with its lines and fingerprint", () =>
    withPlan(async ({ plans }) => {
      const reading = await plans.read("plan.md")
      expect(told(reading)).toBe("1 open, 2 done")
      expect(reading).toMatchObject({
        lines: PLAN.split("\n"),
        fingerprint: { size: PLAN.length, mtime_ms: LONG_AGO.getTime() },
      })
    }))
  test("an empty one is a plan without tasks", () =>
    withPlan(async ({ plans }) => {
      expect(await plans.read("plan.md")).toMatchObject({ plan: { state: "invalid" } })
    }, ""))
})

describe("content is never an exception: expected, found, what to do", () => {
  test("a missing file", () =>
    withPlan(async ({ plans }) => {
      expect(told(await plans.read("none.md"))).toBe(
        "Expected a plan at none.md; no file is there: check the path, or put the plan back.",
      )
    }))
  test("a file in a folder that is a file", () =>
    withPlan(async ({ plans }) => {
      expect(told(await plans.read("plan.md/x.md"))).toContain("no file is there")
    }))
  test("a directory", () =>
    withPlan(async ({ root, plans }) => {
      await mkdir(join(root, "dir.md"))
      expect(told(await plans.read("dir.md"))).toBe(
        "Expected a plan at dir.md; it is not a file: name a markdown file.",
      )
    }))
  test("binary content", () =>
    withPlan(
      async ({ plans }) => {
        expect(told(await plans.read("plan.md"))).toContain("it is not text (it holds NUL bytes)")
      },
      new Uint8Array([0x2d, 0, 0x20]),
    ))
  test("bytes that are not UTF-8, which a mark would change", () =>
    withPlan(
      async ({ plans }) => {
        expect(told(await plans.read("plan.md"))).toBe(
          "Expected a plan at plan.md; line 2 is not UTF-8: save it as text in UTF-8.",
        )
      },
      Buffer.from("- [ ] 1. a\n- [ ] 2. Pr\xfcfen\n", "latin1"),
    ))
  test("the two sides of a merge, in which its tasks stand twice", () =>
    withPlan(async ({ plans }) => {
      expect(told(await plans.read("plan.md"))).toBe(
        "Expected a plan at plan.md; line 2 begins a merge conflict: resolve it.",
      )
    }, CONFLICT))
  test("no conflict that it only shows", () =>
    withPlan(
      async ({ plans }) => {
        expect((await plans.read("plan.md")).kind).toBe("read")
      },
      `${CONFLICT.replace("<", "```\n<")}\`\`\`\n`,
    ))
  test("20 MB, of which not one byte is read", () =>
    withPlan(async ({ file, plans }) => {
      await truncate(file, 20 * 1024 * 1024)
      expect(told(await plans.read("plan.md"))).toBe(
        "Expected a plan at plan.md; it has 20971520 bytes: split it: at most 16777216 bytes are read.",
      )
    }))
  test.skipIf(process.platform !== "linux")("a file that may be opened and not be read", () =>
    withPlan(async () => {
      const plans = openPlanFiles({ root: "/proc/self", now: Date.now })
      expect(told(await plans.read("mem"))).toMatch(/reading it failed \(E[A-Z]+\)/)
    }),
  )
  test("links in a circle", () =>
    withPlan(async ({ root, plans }) => {
      await symlink(join(root, "a.md"), join(root, "b.md"))
      await symlink(join(root, "b.md"), join(root, "a.md"))
      expect(told(await plans.read("a.md"))).toContain("reading it failed (ELOOP)")
    }))
  test("a name too long for a file", () =>
    withPlan(async ({ plans }) => {
      expect(told(await plans.read(`${"a".repeat(5_000)}.md`))).toContain("(ENAMETOOLONG)")
    }))
  test("a name with a NUL", () =>
    withPlan(async ({ plans }) => {
      expect((await plans.read("a\0b.md")).kind).toBe("unavailable")
    }))
  test("a path out of the root, as a boulder.json from elsewhere could hold", () =>
    withPlan(async ({ root }) => {
      await mkdir(join(root, "inner"))
      const plans = openPlanFiles({ root: join(root, "inner"), now: Date.now })
      expect(told(await plans.read("../plan.md"))).toContain("outside the project")
      expect(told(await plans.read("x/../../plan.md"))).toContain("outside the project")
    }))
})

describe("an unchanged file is read once", () => {
  test("the very same reading comes back", () =>
    withPlan(async ({ plans }) => {
      expect(await plans.read("plan.md")).toBe(await plans.read("plan.md"))
    }))
  test("only its stat is looked at: other bytes of the same size and time go unseen", () =>
    withPlan(async ({ file, plans }) => {
      await plans.read("plan.md")
      await writeFile(file, PLAN.replace("[ ]", "[x]"))
      await utimes(file, LONG_AGO, LONG_AGO)
      expect(told(await plans.read("plan.md"))).toBe("1 open, 2 done")
    }))
  test("whether a reading is kept is told by its hash, from the stat alone", () =>
    withPlan(async ({ file, plans }) => {
      expect(plans.keptHash("plan.md")).toBeNull()
      const reading = await plans.read("plan.md")
      expect(reading.kind === "read" && reading.fingerprint.hash).toBe(
        plans.keptHash("plan.md") ?? "none",
      )
      await writeFile(file, PLAN.replace("[ ]", "[x]"))
      expect(plans.keptHash("plan.md")).toBeNull()
      await plans.read("plan.md")
      await rm(file)
      expect(plans.keptHash("plan.md")).toBeNull()
    }))
  test("another time or size is seen", () =>
    withPlan(async ({ file, plans }) => {
      await plans.read("plan.md")
      await writeFile(file, PLAN.replace("[ ]", "[x]"))
      expect(told(await plans.read("plan.md"))).toBe("1 done, 2 done")
      await writeFile(file, `${PLAN}- [ ] 3. Three\n`)
      expect(told(await plans.read("plan.md"))).toBe("1 open, 2 done, 3 open")
    }))
  test("a file changed within the same millisecond and size is seen, since it was just written", () =>
    withPlan(async ({ file, plans }) => {
      const justNow = new Date()
      await utimes(file, justNow, justNow)
      expect(told(await plans.read("plan.md"))).toBe("1 open, 2 done")
      await writeFile(file, PLAN.replace("[ ]", "[x]"))
      await utimes(file, justNow, justNow)
      expect(told(await plans.read("plan.md"))).toBe("1 done, 2 done")
    }))
  test("one that takes long to read is not at rest because of that", () =>
    withFolder(async (root) => {
      const file = join(root, "plan.md")
      const text = `${Array.from({ length: 30_000 }, (_, at) => `- [ ] ${at + 1}. Part ${at + 1}`).join("\n")}\n`
      await writeFile(file, text)
      const mtime = new Date()
      await utimes(file, mtime, mtime)
      const plans = openPlanFiles({ root, now: Date.now })
      await plans.read("plan.md")
      await writeFile(file, text.replace("[ ] 7.", "[x] 7."))
      await utimes(file, mtime, mtime)
      const reading = await plans.read("plan.md")
      expect(reading).toMatchObject({ plan: { counts: { done: 1 } } })
    }))
  test("the same bytes give the same plan, whatever their time", () =>
    withPlan(async ({ file, plans }) => {
      const before = await plans.read("plan.md")
      await utimes(file, LATER, LATER)
      const after = await plans.read("plan.md")
      expect(after).not.toBe(before)
      expect(Reflect.get(after, "plan")).toBe(Reflect.get(before, "plan"))
      expect(after).toMatchObject({ fingerprint: { mtime_ms: LATER.getTime() } })
    }))
  test.each([
    { what: "a tick", from: "[ ] 2.", to: "[x] 2." },
    {
      what: "two ticks",
      from: "[ ] 2. Zwölf 日本\r\n- [ ] 3.",
      to: "[x] 2. Zwölf 日本\r\n- [x] 3.",
    },
    { what: "a tick and a word", from: "[ ] 2. Zwölf", to: "[x] 2. Zwolf" },
    { what: "a blank that became an x elsewhere", from: "3. Dre ", to: "3. Drex" },
    { what: "a tick taken back", from: "[x] 1.", to: "[ ] 1." },
    { what: "a box that is another", from: "[ ] 2.", to: "[-] 2." },
    { what: "a line more", from: "- [ ] 2.", to: "- [ ] 9. Neun\r\n- [x] 2." },
  ])(
    "after $what a plan is read as a process reads it that has not seen it before",
    ({ from, to }) =>
      withPlan(async ({ root, file, plans }) => {
        await plans.read("plan.md")
        const before = await Bun.file(file).text()
        expect(before).toContain(from)
        await writeFile(file, `\ufeff${before.replace(from, to)}`)
        const fresh = await openPlanFiles({ root, now: Date.now }).read("plan.md")
        expect(inFull(await plans.read("plan.md"))).toEqual(inFull(fresh))
        expect(inFull(fresh).lines.join("\r\n")).toContain(to)
      }, "\ufeff# Größe\r\n- [x] 1. Eins\r\n- [ ] 2. Zwölf 日本\r\n- [ ] 3. Dre i\r\n- [ ] 4. Vier\r\n"),
  )
  test("a file of a later time than now is never taken for at rest", () =>
    withPlan(async ({ file, plans }) => {
      const tomorrow = new Date(Date.now() + 86_400_000)
      await utimes(file, tomorrow, tomorrow)
      await plans.read("plan.md")
      await writeFile(file, PLAN.replace("[ ]", "[x]"))
      await utimes(file, tomorrow, tomorrow)
      expect(told(await plans.read("plan.md"))).toBe("1 done, 2 done")
    }))
  test("the file beside it that says its tasks are done is seen, and no other", () =>
    withFolder(async (root) => {
      const file = join(root, "01-02-PLAN.md")
      await writeFile(
        file,
        '---\nphase: 01-a\nplan: 02\n---\n<tasks>\n\n<task type="auto">\n<name>Task 1: Lay it out</name>\n</task>\n</tasks>\n',
      )
      await utimes(file, LONG_AGO, LONG_AGO)
      const plans = openPlanFiles({ root, now: Date.now })
      const read = async () => {
        const reading = await plans.read("01-02-PLAN.md")
        const hash = reading.kind === "read" ? reading.fingerprint.hash : null
        return { said: told(reading), hash, now: await hashNow(plans, "01-02-PLAN.md") }
      }
      const open = await read()
      expect(open).toEqual({ said: "1 open", hash: open.hash, now: open.hash })
      await writeFile(join(root, "01-01-SUMMARY.md"), "")
      expect(await read()).toEqual(open)
      await writeFile(join(root, "01-02-SUMMARY.md"), "")
      expect(await hashNow(plans, "01-02-PLAN.md")).not.toBe(open.hash)
      expect((await read()).said).toBe("1 done")
      await rm(join(root, "01-02-SUMMARY.md"))
      expect(await read()).toEqual(open)
    }))
  test("a file that went away and came back is read", () =>
    withPlan(async ({ file, plans }) => {
      await plans.read("plan.md")
      await rename(file, `${file}.away`)
      expect((await plans.read("plan.md")).kind).toBe("unavailable")
      await rename(`${file}.away`, file)
      expect(told(await plans.read("plan.md"))).toBe("1 open, 2 done")
      await rm(file)
      expect((await plans.read("plan.md")).kind).toBe("unavailable")
    }))
})

describe("a path as a person gives it", () => {
  test.each([
    { name: "relative", of: () => "plan.md", is: "plan.md" },
    { name: "with dots", of: () => "./x/../plan.md", is: "plan.md" },
    { name: "absolute", of: (root: string) => join(root, "plan.md"), is: "plan.md" },
    { name: "of a file that is not there yet", of: () => "docs/new.md", is: "docs/new.md" },
    { name: "the root itself", of: () => ".", is: null },
    { name: "outside", of: () => "../plan.md", is: null },
    { name: "outside, absolute", of: () => "/etc/passwd", is: null },
    {
      name: "of a folder that only begins alike",
      of: (root: string) => `${root}-other/plan.md`,
      is: null,
    },
    { name: "whose name begins with two dots", of: () => "..plan.md", is: "..plan.md" },
  ])("$name: $is", ({ of, is }) =>
    withPlan(async ({ root, plans }) => {
      expect(await plans.inRoot(of(root))).toBe(is)
    }),
  )
  test("a link out of the root is outside; a link inside is what it points at", () =>
    withFolder(async (elsewhere) => {
      await writeFile(join(elsewhere, "plan.md"), PLAN)
      await withPlan(async ({ root, file, plans }) => {
        await symlink(join(elsewhere, "plan.md"), join(root, "out.md"))
        await symlink(elsewhere, join(root, "out"))
        await symlink(file, join(root, "in.md"))
        expect(await plans.inRoot("out.md")).toBeNull()
        expect(await plans.inRoot("out/plan.md")).toBeNull()
        expect(await plans.inRoot("in.md")).toBe("plan.md")
      })
    }))
  test("a new file behind a link to a folder outside is outside", () =>
    withFolder(async (elsewhere) => {
      await withPlan(async ({ root, plans }) => {
        await symlink(elsewhere, join(root, "out"))
        expect(await plans.inRoot("out/new.md")).toBeNull()
        expect(await plans.inRoot("out/deep/new.md")).toBeNull()
      })
    }))
  test("a root that is a link itself", () =>
    withPlan(async ({ root }) => {
      await mkdir(join(root, "real"))
      await symlink(join(root, "real"), join(root, "link"))
      await writeFile(join(root, "real", "p.md"), PLAN)
      const plans = openPlanFiles({ root: join(root, "link"), now: Date.now })
      expect(await plans.inRoot(join(root, "link", "p.md"))).toBe("p.md")
      expect(await plans.inRoot(join(root, "real", "p.md"))).toBe("p.md")
    }))
})
