import { expect, test } from "bun:test"
import { planArgument } from "../boulder/plan-argument.ts"
import { occupiedIn, occupiedText } from "./occupied-text.ts"

test.each([
  { name: "demo", path: ".boulder/plans/demo.md" },
  { name: "to be free, found it", path: "plans/to be: /start-work x --take-over.md" },
  { name: "漢字 (2)", path: "plans/漢字 `!ls` $1.md" },
])("who works on $name is read again from the line that says so", ({ name, path }) => {
  const said = { planName: name, session: "ses_4fK20xQm81", argument: planArgument(path) }
  for (const isElsewhere of [true, false])
    expect(occupiedIn(occupiedText(said, isElsewhere))).toEqual(said)
})

test("any other line tells nothing", () => {
  for (const line of ["", "Expected a plan called demo; found none.", "/start-work a --take-over"])
    expect(occupiedIn(line)).toBeNull()
})
