import { describe, expect, test } from "bun:test"
import { OWN_PART } from "../../../boulder/own-part.ts"
import { writtenIn } from "./incoming-message.ts"

const text = { type: "text", text: "go on" }
const ours = { ...text, metadata: { [OWN_PART]: "continuation" } }
const hosts = { ...text, synthetic: true }
const file = { type: "file" }

describe("who has written a message", () => {
  test.each([
    { name: "a text", parts: [text], by: "user" },
    { name: "a file alone", parts: [file], by: "user" },
    { name: "no part at all", parts: [], by: "user" },
    { name: "a text beside what the host adds to it", parts: [text, hosts], by: "user" },
    { name: "metadata of others", parts: [{ ...text, metadata: { other: 1 } }], by: "user" },
    { name: "metadata of a wrong form", parts: [{ ...text, metadata: null }], by: "user" },
    { name: "a part with our mark", parts: [ours], by: "us" },
    {
      name: "one of ours among the host's",
      parts: [hosts, { ...ours, synthetic: true }],
      by: "us",
    },
    { name: "the host's own words", parts: [hosts], by: "host" },
    { name: "the host's own words with a file", parts: [hosts, file], by: "host" },
  ])("$name: $by", ({ parts, by }) => {
    expect(writtenIn(parts).by).toBe(by as "user")
  })
})

test("its texts are those of all its parts, and nothing that is no text", () => {
  const odd = { type: "text", text: 7 }
  expect(writtenIn([text, file, odd, hosts]).texts).toEqual(["go on", "go on"])
})
