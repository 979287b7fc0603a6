import { expect, test } from "bun:test"
import { unblockIn } from "./handoff-unblock.ts"

test.each([
  ["the sandbox has no network. Unblock: network is there", "network is there"],
  ["no key\nunblock: a key in .env\nand more", "a key in .env"],
  ["Unblocked when the API is up", "the API is up"],
  ["no access; unblocks once Ann has merged #12", "Ann has merged #12"],
  ["unblock if the flag is on", "the flag is on"],
  ["no mail. Unblock when: SMTP_URL is in .env", "SMTP_URL is in .env"],
  ["waits for a review", null],
  ["we must unblock the queue", null],
  ["Unblock:", null],
  ["", null],
])("%s", (reason, unblock) => {
  expect(unblockIn(reason)).toBe(unblock)
})
