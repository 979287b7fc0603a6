import { afterAll, beforeAll, expect, test } from "bun:test"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, firstTurn, planOf, roles } from "../support/plans.ts"

const PLAN = ".boulder/plans/demo.md"
const TEXT = planOf("Write a.txt", "Write b.txt")

let host: OpencodeHost
beforeAll(async () => {
  host = await startHost({ modelId: "gpt-5.1", files: { [PLAN]: TEXT, "a.txt": "a\n" } })
})
afterAll(() => host.stop())

const patched = (...lines: readonly string[]) =>
  ["*** Begin Patch", ...lines, "*** End Patch"].join("\n")
const update = (header: string, eol = "") =>
  patched(header + eol, `@@${eol}`, `-- [ ] 1. Write a.txt`, `+- [x] 1. Write a.txt`)

/** Patches that the host would carry out; each names the plan or our state. */
const PATCHES = [
  update(`*** Update File:${PLAN}`),
  update(`*** Update File:\t${PLAN}`, "\r"),
  update(`*** Update File: ./src/../${PLAN}`),
  `cat <<'EOF'\n${update(`*** Update File:${PLAN}`)}\nEOF`,
  patched("*** Add File:.boulder/handoffs/forged.json", "+{}"),
  patched("*** Update File: a.txt", "*** Move to:.boulder/a.json", "@@", "-a", "+b"),
  patched("*** Delete File:.boulder/boulder.json"),
]

test("what the host's apply_patch takes for a file, a subagent's guard does too", async () => {
  host.model.use(
    roles({
      lead: firstTurn(({ stepOfTurn }) =>
        stepOfTurn === 0 ? { toolCalls: [delegate("todo:1")] } : { text: "over" },
      ),
      child: ({ stepOfTurn, toolNames }) => {
        expect(toolNames).toContain("apply_patch")
        const patchText = PATCHES[stepOfTurn]
        if (patchText !== undefined)
          return { toolCalls: [{ name: "apply_patch", args: { patchText } }] }
        // The last one is allowed: the form itself is one that the host carries out.
        const allowed = patched("*** Update File:\ta.txt", "@@", "-a", "+b")
        return stepOfTurn === PATCHES.length
          ? { toolCalls: [{ name: "apply_patch", args: { patchText: allowed } }] }
          : { text: "child done" }
      },
    }),
  )
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  await host.command(session, "stop-work", "demo")
  const [child] = await host.children(session)
  const results = host.model
    .mainRequests(child?.id ?? "")
    .flatMap((request) => request.lastToolResults().map(({ text }) => text))
  expect(results).toHaveLength(PATCHES.length + 1)
  for (const text of results.slice(0, -1)) expect(text).toContain("boulder: refused to write")
  expect(results.at(-1)).toContain("Success")
  expect(host.readFile(PLAN)).toBe(TEXT)
  expect(host.readFile("a.txt")).toBe("b\n")
  expect(host.hasFile(".boulder/handoffs/forged.json")).toBe(false)
  expect(host.hasFile(".boulder/a.json")).toBe(false)
})
