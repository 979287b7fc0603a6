import { describe, expect, test } from "bun:test"
import { aTask, aWork, NOW } from "../../test/support/builders.ts"
import { askHolds, countHolds } from "./hold-ticks.ts"
import type { LastTurn } from "./situation.ts"

const HELD = { title_hash: "h", why: "why", times: 1 }
const work = aWork({ held: { "todo:1": HELD, "todo:2": HELD } })
const shown = { tasks: [{ ...aTask({ label: "1" }), held: "why" }, aTask({ label: "2" })] }
const asked = askHolds(shown)({
  ...work,
  continuation: { ...work.continuation, counted_message_id: "msg_before" },
})
const answered: LastTurn = {
  ...{ messageId: "msg_1", createdAt: NOW, ours: true, error: null, ended: true },
  ...{ contextTokens: 10, isSummary: false, isUnanswered: false },
}

describe("a held task that a prompt has asked for is held once more", () => {
  test.each<{ name: string; turn: LastTurn | null; times: number }>([
    { name: "a model has answered behind it", turn: answered, times: 2 },
    { name: "in a turn of the user's", turn: { ...answered, ours: false }, times: 2 },
    { name: "no turn is known", turn: null, times: 1 },
    {
      name: "the turn is the one before",
      turn: { ...answered, messageId: "msg_before" },
      times: 1,
    },
    { name: "the provider has failed it", turn: { ...answered, error: "APIError" }, times: 1 },
    { name: "its user has stopped it", turn: { ...answered, error: "Aborted" }, times: 1 },
    { name: "nothing has answered", turn: { ...answered, isUnanswered: true }, times: 1 },
    { name: "it died with its host", turn: { ...answered, ended: false }, times: 1 },
    { name: "it was a compaction", turn: { ...answered, isSummary: true }, times: 1 },
  ])("$name: $times", ({ turn, times }) => {
    const once = countHolds(turn)(asked)
    expect(once.held?.["todo:1"]).toEqual({ ...HELD, times, ...(times > 1 ? {} : { asked: true }) })
    expect(once.held?.["todo:2"]).toEqual(HELD)
    // Looked at again, and behind the next answer without another prompt.
    expect(countHolds(turn)(once)).toBe(once)
    if (times > 1) expect(countHolds({ ...answered, messageId: "msg_2" })(once)).toBe(once)
  })
})
