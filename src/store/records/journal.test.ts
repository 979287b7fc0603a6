import { expect, test } from "bun:test"
import { mkdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { at, LEAD } from "../../../test/support/builders.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { openJournal } from "./journal.ts"

test.each([8, 11, 12, 31])("of %d long facts as many are kept as a line has room for", (count) =>
  withFolder(async (root) => {
    await mkdir(join(root, ".boulder"))
    const facts = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`fact_${index + 10}`, "x".repeat(390)] as const),
    )
    const entry = { at: at(0), session: LEAD, work: "w", decision: "hold", reason: "r", facts }
    const journal = openJournal({ root })
    await journal.append(entry)
    const [read] = (await journal.readLast(1)).entries
    const kept = Object.entries(read?.facts ?? {})
    expect(kept).toEqual(Object.entries(facts).slice(0, kept.length))
    const line = (await readFile(join(root, ".boulder/journal.jsonl"), "utf8")).trim()
    expect(line.length).toBeLessThan(4_096)
    const isWhole = kept.length === count
    expect(isWhole || line.length + `,"fact_10":"${"x".repeat(390)}"`.length >= 4_096).toBe(true)
  }),
)
