import { expect, test } from "bun:test"
import { lastLines } from "./serve-opencode.ts"

const STACK = "    at open (/$bunfs/root/errors.js:3)\n    at main (/$bunfs/root/index.js:7)"

test.each([
  { what: "nothing", printed: "\n", said: "it printed nothing" },
  { what: "no error", printed: "a\n\nb\nc\nd\n", said: "b | c | d" },
  {
    what: "an error with its stack",
    printed: `starting\nError: the database is locked\n${STACK}\n${STACK}\n`,
    said: "Error: the database is locked | at open (/$bunfs/root/errors.js:3) | at main (/$bunfs/root/index.js:7)",
  },
  {
    what: "an error of several lines",
    printed: "Error: Failed query: CREATE TABLE a (\n  id text\n        );\n\n       params: \n",
    said: "Error: Failed query: CREATE TABLE a ( | id text | );",
  },
  {
    what: "an error and what caused it",
    printed: `Error: Unexpected error\n${STACK}\n caused by SQLiteError: disk full\n${STACK}\n${STACK}`,
    said: "caused by SQLiteError: disk full | at open (/$bunfs/root/errors.js:3) | at main (/$bunfs/root/index.js:7)",
  },
])("of $what that opencode printed, the reason is said", ({ printed, said }) => {
  expect(lastLines(printed)).toBe(said)
})
