import { expect, test } from "bun:test"
import fc from "fast-check"
import { remark, scan } from "../support/both-readings.ts"

const CASES = 5_000

const indent = fc.constantFrom("", "", "", " ", "  ", "   ", "    ", "      ", "\t", "  \t")
const bullet = fc.constantFrom(
  "- ",
  "* ",
  "+ ",
  "1. ",
  "2) ",
  "10. ",
  "-  ",
  "-     ",
  "-\t",
  "> ",
  "- - ",
)
const box = fc.constantFrom("[ ] ", "[x] ", "[~] ", "[-]* ", "[P] ", "[] ", "[x]", "")
const words = fc.constantFrom(
  "[A-1] b",
  "one",
  "two words",
  "# no",
  "`code`",
  "a <!-- b",
  "--> end",
  "2. two",
)
const row = fc.tuple(indent, bullet, box, words).map((parts) => parts.join(""))
const plain = fc.tuple(indent, words).map((parts) => parts.join(""))
const special = fc.constantFrom(
  ...[
    "",
    "",
    "",
    " ",
    "---",
    "===",
    "***",
    "- - -",
    "```",
    "````",
    "~~~",
    "```ts",
    " ```ts",
    "   ```ts",
    "~~~~a",
    "  ```",
    "    ```",
  ],
  ...[
    "<!--",
    "-->",
    "<!-- a -->",
    "<!-- b",
    "<details>",
    "# One",
    "## Two",
    "###",
    "  ## Three",
    "> quote",
    ">",
  ],
  ...[
    "> - [ ] quoted",
    "- ```",
    "-",
    "1.",
    "  -",
    "* * *",
    "--",
    "=",
    "- # head",
    "- ### [x] head",
    "1. ## [ ] head ##",
    "- # [NEW] head",
    "> - # [ ] head",
    "  # [ ] head",
    "- <!--",
    "> ```",
  ],
)
const line = fc.oneof(
  { weight: 5, arbitrary: row },
  { weight: 2, arbitrary: plain },
  { weight: 5, arbitrary: special },
)
const generated = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join("\n"))

const SIGNS = [..." \t\n-*+#>`~[]x1.)=<!_a"]
const mutated = fc
  .tuple(
    generated,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...SIGNS), fc.nat(2)), { maxLength: 4 }),
  )
  .map(([text, changes]) => changes.reduce((now, change) => mutate(now, ...change), text))

test("the linear scanner reads block structure as remark does", () => {
  fc.assert(
    fc.property(mutated, (text) => {
      expect<unknown>(scan(text)).toEqual(remark(text))
    }),
    {
      numRuns: Number(process.env["PLAN_CASES"] ?? CASES),
      examples: [["* * *\n1. [\n] [A-1] b"], ["two words\n01. [ ] two"]],
    },
  )
})

/** Items of words alone, of which one is often like the one before it, and what may stand around and in them. */
const item = fc
  .tuple(fc.constantFrom("", "", "  ", "  ", "    ", "      "), fc.constantFrom("- ", "* ", "-  "))
  .map((parts) => `${parts.join("")}one`)
const around = fc.constantFrom(
  ...["", "", "- [ ] a", "  - [x] b", "one", "  one", "    one", "      one", "===", "  ---"],
  ...["```", "  ```", "    ```", "<!-- a", "    <!-- a", "    --> b", "> one", "> - one", "---"],
)
const listed = fc.array(
  fc.oneof({ weight: 3, arbitrary: item }, { weight: 2, arbitrary: around }),
  { minLength: 2, maxLength: 12 },
)

test("items one like the other are read as remark reads them", () => {
  fc.assert(
    fc.property(listed, (lines) => {
      expect<unknown>(scan(lines.join("\n"))).toEqual(remark(lines.join("\n")))
    }),
    { numRuns: Number(process.env["PLAN_CASES"] ?? CASES / 2) },
  )
})

function mutate(text: string, place: number, sign: string, drop: number): string {
  const at = place % (text.length + 1)
  return text.slice(0, at) + sign + text.slice(at + drop)
}
