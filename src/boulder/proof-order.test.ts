import { expect, test } from "bun:test"
import fc from "fast-check"
import { isoOf } from "./iso-time.ts"
import { type ProofEntry, proofEntrySchema } from "./proof-entry.ts"
import { asLines, inOrder, withoutPlace } from "./proof-order.ts"

const at = (second: number): string => isoOf(second * 1_000)
const place = (call: string, second = 0): ProofEntry => ({
  ...{ kind: "call", at: at(second), session: "s", task: null, call },
})
const write = (path: string, call?: string, second = 0): ProofEntry => ({
  ...{ kind: "write", at: at(second), session: "s", task: null, path },
  ...(call !== undefined && { call }),
})
const words = (entries: readonly ProofEntry[]): string =>
  entries
    .map((entry) => {
      const call = "call" in entry ? `(${entry.call})` : ""
      return `${entry.kind === "write" ? entry.path : entry.kind}${call}`
    })
    .join(" ")

test.each([
  { what: "nothing of a call", given: [write("b"), write("a")], ordered: "b a" },
  {
    what: "what a call has done, told behind another's",
    given: [place("1"), write("b"), write("a", "1")],
    ordered: "call(1) a(1) b",
  },
  {
    what: "several of one call",
    given: [place("1"), write("b"), write("a", "1"), write("c", "1")],
    ordered: "call(1) a(1) c(1) b",
  },
  {
    what: "the later of two calls of one id",
    given: [place("1"), write("a", "1"), place("1"), write("b"), write("c", "1")],
    ordered: "call(1) a(1) call(1) c(1) b",
  },
  {
    what: "a call whose place is lost, by its time",
    given: [write("a", undefined, 1), write("b", undefined, 3), write("c", "1", 2)],
    ordered: "a c(1) b",
  },
  {
    what: "several whose places are lost, each by its time",
    given: [write("a", undefined, 1), write("b", "2", 5), write("c", "1", 1), write("d", "1", 7)],
    ordered: "c(1) d(1) a b(2)",
  },
])("in order: $what", ({ given, ordered }) => {
  const once = inOrder(given)
  expect(words(once)).toBe(ordered)
  expect(words(inOrder(once))).toBe(ordered)
})

test("as lines a place is told where nothing stands there yet, and a call where its place was told before", () => {
  const entries = [write("x", "0"), place("1"), write("a", "1"), place("2"), write("b")]
  expect(words(asLines(entries))).toBe("x(0) a call(2) b")
})

test("a call that is over without anything seen leaves no place", () => {
  const entries = [place("1"), place("2"), write("a", "2")]
  expect(words(withoutPlace(entries, { session: "s", call: "1" }))).toBe("call(2) a(2)")
  expect(words(withoutPlace(entries, { session: "s", call: "2" }))).toBe("call(1) call(2) a(2)")
})

/* Calls begin and end in any order, two at most under one id one after the other, and what was seen is written down at any time. */
const steps = fc.array(
  fc.record({ act: fc.constantFrom("call", "call", "look", "write down"), of: fc.nat(4) }),
  { maxLength: 40 },
)

test("whenever it was written down, what calls have done is read in the order in which they began", () =>
  fc.assert(
    fc.property(steps, (all) => {
      const truth: { path: string; isOver: boolean }[] = []
      const under = new Map<number, (typeof truth)[number]>()
      let file: string[] = []
      let seen: readonly ProofEntry[] = []
      for (const [index, { act, of }] of all.entries()) {
        const one = under.get(of)
        if (act === "write down") {
          file = [...file, ...asLines(seen).map((entry) => JSON.stringify(entry))]
          seen = []
        } else if (act === "look") {
          truth.push({ path: `look${index}`, isOver: true })
          seen = [...seen, write(`look${index}`, undefined, index)]
        } else if (one === undefined) {
          const begun = { path: `call${index}`, isOver: false }
          truth.push(begun)
          under.set(of, begun)
          seen = [...seen, place(`${of}`, index)]
        } else {
          one.isOver = true
          under.delete(of)
          seen = inOrder([...seen, write(one.path, `${of}`, Number(one.path.slice(4)))])
        }
      }
      const known = inOrder(file.map((line) => proofEntrySchema().parse(JSON.parse(line))))
      const read = inOrder([...known, ...seen]).flatMap((entry) =>
        entry.kind === "write" ? [entry.path] : [],
      )
      expect(read).toEqual(truth.filter(({ isOver }) => isOver).map(({ path }) => path))
    }),
    { numRuns: 500 },
  ))
