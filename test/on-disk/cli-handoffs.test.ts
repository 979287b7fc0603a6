import { expect, test } from "bun:test"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Handoff } from "../../src/boulder/handoff.ts"
import { claimHandoff, saveHandoff } from "../../src/boulder/handoff-changes.ts"
import { Refusal, UsageError } from "../../src/cli/terminal/cli-error.ts"
import { columnsOf } from "../../src/cli/views/columns.ts"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { projectScope } from "../../src/store/handoffs/handoff-scope.ts"
import type { HandoffStore } from "../../src/store/handoffs/handoff-store.ts"
import { NOW } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import {
  aHandoff,
  anActor,
  FIRST,
  idOf,
  SECOND,
  someProgress,
  timed,
} from "../support/handoff-builders.ts"
import { withFolder } from "../support/store-folder.ts"

interface Scene {
  readonly root: string
  readonly store: HandoffStore
  readonly cli: (line: string, columns?: number) => Promise<{ out: string; err: string }>
  put(given: Partial<Handoff>): Promise<void>
}

/** The command line an hour after `NOW`. */
function scene(run: (scene: Scene) => Promise<void>): Promise<void> {
  return withFolder(async (root) => {
    const store = openFileHandoffStore({ root })
    const cli = async (line: string, columns = 100) => {
      return runInFolder(root, line, { columns, now: () => NOW + 3_600_000 })
    }
    await run({
      root,
      store,
      cli,
      put: async (given) => {
        await store.create(() =>
          aHandoff({ scope: { project: projectScope(root), agent: null }, ...given }),
        )
      },
    })
  })
}

const several = async ({ put, store }: Scene) => {
  const ofPlan = { plan_name: "auth", task_key: "todo:7", task_text: "Rotate the keys" }
  const said = "no network. Unblock: Ann has unsealed it"
  await put({ id: idOf(1), ...ofPlan, blocked_reason: said, unblock: "Ann has unsealed it" })
  await put({ id: idOf(2) })
  await put({ id: idOf(3), task_text: "the parser" })
  await put({ id: idOf(4), task_text: "long done" })
  await store.update(idOf(1), timed(40, claimHandoff(anActor(SECOND))))
  await store.update(idOf(2), timed(20, saveHandoff(anActor(FIRST), someProgress())))
  const working = someProgress({ status: "in_progress" })
  await store.update(idOf(3), timed(10, saveHandoff(anActor(FIRST), working)))
  await store.update(
    idOf(4),
    timed(10, saveHandoff(anActor(FIRST), someProgress({ status: "complete" }))),
  )
}

test("handoffs: what waits first, the newest first, then what is in a session's hands", () =>
  scene(async (given) => {
    await several(given)
    expect((await given.cli("handoffs")).out).toBe(`${idOf(3)}  interrupted 20 min ago, 1 attempt
  the parser
${idOf(2)}  blocked 40 min ago, 1 attempt
  the importer
  Blocked: no network
${idOf(1)}  held by ses_second, taken 20 min ago, 10 min left, 1 attempt
  todo:7 Rotate the keys (plan auth)
  Blocked: no network
  Unblock when: Ann has unsealed it
`)
  }))

test("handoffs --json: the records themselves, in the same order", () =>
  scene(async (given) => {
    await several(given)
    const { handoffs }: { handoffs: readonly Handoff[] } = JSON.parse(
      (await given.cli("handoffs --json")).out,
    )
    expect(handoffs.map(({ id }) => id)).toEqual([idOf(3), idOf(2), idOf(1)])
    expect(handoffs[2]).toEqual((await given.store.read(idOf(1))) ?? aHandoff())
  }))

test("handoffs: nothing waits, and nothing is made on disk", () =>
  scene(async ({ cli, root }) => {
    expect((await cli("handoffs")).out).toBe("No task is waiting, and no session holds one.\n")
    expect(await Array.fromAsync(new Bun.Glob("**").scan({ cwd: root, dot: true }))).toEqual([])
  }))

test("handoffs: foreign text stays in its lines, no line is too long", () =>
  scene(async ({ cli, put }) => {
    await put({ task_text: `很长的名字\u001b[31m\n${"x ".repeat(200)}`, blocked_reason: "a\r\nb" })
    const { out } = await cli("handoffs", 40)
    expect(out).not.toContain("\u001b")
    for (const line of out.split("\n")) expect(columnsOf(line)).toBeLessThanOrEqual(40)
  }))

test("handoffs: a file that is none is told of, and stops nothing", () =>
  scene(async ({ cli, put, root }) => {
    await put({})
    await writeFile(join(root, `.boulder/handoffs/${idOf(9)}.1.json`), "{")
    const { out, err } = await cli("handoffs")
    expect(out).toContain(idOf(1))
    expect(err).toBe(
      `Note: .boulder/handoffs/${idOf(9)}.1.json holds no handoff and was skipped.\n`,
    )
  }))

test("release: a held task is free at once, for anybody", () =>
  scene(async (given) => {
    await several(given)
    expect((await given.cli(`release ${idOf(1)}`)).out).toBe(
      `${idOf(1)} is free: the next session is offered it.\n`,
    )
    const next = await given.store.update(idOf(1), timed(61, claimHandoff(anActor("ses_next"))))
    expect(next).toMatchObject({ kind: "changed", handoff: { claim: { session_id: "ses_next" } } })
  }))

test("release --done: closed for good, held or not", () =>
  scene(async (given) => {
    await several(given)
    for (const id of [idOf(1), idOf(2)])
      expect((await given.cli(`release ${id} --done`)).out).toBe(
        `${id} is closed: nobody is offered it any more.\n`,
      )
    expect((await given.store.open()).handoffs.map(({ id }) => id)).toEqual([idOf(3)])
  }))

test.each([
  [`release ${idOf(4)} --done`, Refusal, `Expected ${idOf(4)} to be open; found it settled.`],
  [`release ${idOf(2)}`, Refusal, `Expected ${idOf(2)} to be claimed; found it not claimed.`],
  [`release ${idOf(4)}`, Refusal, `Expected ${idOf(4)} to be claimed; found it settled.`],
  [
    `release ${idOf(5)}`,
    Refusal,
    `Expected a handoff of this project; found none called ${idOf(5)}. See: opencode-boulder handoffs`,
  ],
  ["release", UsageError, "Expected <id>; found nothing. The id of a handoff"],
  ["release ../../x", UsageError, "Expected the id of a handoff (hnd_…); found ../../x."],
  ["handoffs more", UsageError, "Expected no argument; found more."],
])("%s is refused", (line, kind, message) =>
  scene(async (given) => {
    await several(given)
    const refused = await given.cli(line).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(kind)
    expect(String(refused)).toContain(message)
  }),
)
