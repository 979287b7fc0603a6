import { describe, expect, test } from "bun:test"
import { OWN_PART } from "../../../boulder/own-part.ts"
import { FRAME_BEGIN } from "../../../prompts/frame.ts"
import { removeOldSummaries, userWordsIn } from "./summary-messages.ts"

const message = (id: string, info: object, type = "text") => ({
  info: { id, sessionID: "ses_a", role: "user", ...info },
  parts: [{ type }],
})
const user = (id: string) => message(id, {})
const mark = (id: string) => message(id, {}, "compaction")
const summary = (id: string, parentID: string, info: object = { finish: "stop" }) =>
  message(id, { role: "assistant", summary: true, parentID, ...info })

describe("of several summaries the newest is left, with the message that asked for it", () => {
  test.each([
    {
      name: "an older one among the turns that the host has kept",
      messages: [mark("m7"), summary("m8", "m7"), user("m1"), mark("m2"), summary("m3", "m2")],
      left: ["m7", "m8", "m1"],
    },
    {
      name: "one that was cut off",
      messages: [mark("m1"), summary("m2", "m1"), user("m3"), mark("m4"), summary("m5", "m4", {})],
      left: ["m1", "m2", "m3"],
    },
    {
      name: "one that has failed",
      messages: [user("m1"), mark("m2"), summary("m3", "m2", { finish: "stop", error: {} })],
      left: ["m1"],
    },
    {
      name: "one that was made up for behind a user's words: they stay",
      messages: [mark("m1"), summary("m2", "m1", {}), user("m3"), summary("m4", "m3")],
      left: ["m3", "m4"],
    },
    {
      name: "an old one behind a user's words: they stay",
      messages: [user("m3"), summary("m4", "m3"), mark("m5"), summary("m6", "m5")],
      left: ["m3", "m5", "m6"],
    },
    { name: "none", messages: [user("m1"), mark("m2")], left: ["m1", "m2"] },
  ])("$name", ({ messages, left }) => {
    const seen = [...messages]
    removeOldSummaries(seen)
    expect(seen.map(({ info }) => info.id)).toEqual([...left])
    removeOldSummaries(seen)
    expect(seen).toHaveLength(left.length)
  })
})

test("a user's words are neither the host's own nor ours", () => {
  const said = (text: string, more: object = {}) => ({
    ...user("m1"),
    parts: [{ type: "text", text, ...more }],
  })
  const messages = [
    said("Do it"),
    said("Continue", { synthetic: true }),
    said("/start-work demo", { ignored: true }),
    said("Go on", { metadata: { [OWN_PART]: "continuation" } }),
    said(" "),
    // From a host that keeps no metadata: our words are known by their frame.
    said(`${FRAME_BEGIN}\nContinue the plan demo.\n</boulder>`),
    { ...said("Done"), info: { ...user("m2").info, role: "assistant" } },
    said("Then that"),
  ]
  expect(userWordsIn(messages)).toEqual(["Do it", "Then that"])
})
