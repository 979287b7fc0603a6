/** A text of about `size` UTF-16 units that costs a careless reader more than its length. */
export interface HostileShape {
  readonly shape: string
  readonly of: (size: number) => string
}

const fill = (unit: string, size: number): string => unit.repeat(Math.ceil(size / unit.length))

/**
 * Runs of rising and then falling length with a letter between them. Even if only the start or the end of a text is read, that contains a
 * run half as long.
 */
const rising = (unit: string, size: number): string => {
  const lengths: number[] = []
  for (let length = size / 4; length >= 1; length /= 2) lengths.push(length)
  return [...lengths.toReversed(), ...lengths].map((length) => `${fill(unit, length)}x`).join("")
}

/** Runs: what a pattern with a repetition goes over again and again. */
const RUNS: Readonly<Record<string, string>> = {
  blanks: " ",
  tabs: "\t",
  "blanks and tabs": " \t",
  dots: ".",
  digits: "1",
  letters: "a",
  "capital letters": "A",
  words: "a ",
  "numbers with dots": "1.",
  lists: "1, 2, ",
  "opening brackets": "[",
  "closing brackets": "]",
  boxes: "[ ] ",
  parentheses: "(",
  "pairs of parentheses": "()",
  "closing parentheses": ")",
  braces: "{",
  backticks: "`",
  stars: "*",
  "pairs of stars": "** ",
  underscores: "_",
  "underscores between letters": "a_",
  tildes: "~",
  hashes: "#",
  "hashes with blanks": "# ",
  dashes: "-",
  commas: ",",
  colons: ":",
  "colons with blanks": ": ",
  slashes: "/",
  backslashes: "\\",
  bars: "|",
  "less than": "<",
  "greater than": ">",
  "openers of comments": "<!--",
  "ends of comments": "-->",
  tags: "<task>",
  "opened tasks": '<task type="a">',
  "names in tags": "<name>a</name>",
  quotes: '"',
  apostrophes: "'",
  "lists in lists": "- ",
  "quotes in quotes": "> ",
  "numbers in numbers": "1. ",
  "combining characters": "\u0301",
  "letters with combining characters": "a\u0301",
  "emoji joined to one": "👩\u200d",
  emoji: "🧿",
  "flags of letters": "🇦",
  "selectors of a variant": "\ufe0f",
  "blanks of no width": "\u200b",
  "marks of direction": "\u202e",
  Hebrew: "\u05d0",
  "ligatures that grow": "\ufdfa",
  "syllables of Hangul": "\u1100",
  "wide blanks": "\u3000",
  "lines of Unicode": "\u2028",
  "line breaks": "\n",
  "carriage returns": "\r",
  "both line breaks": "\r\n",
  NUL: "\0",
  "lone surrogates": "\ud800",
  "lone low surrogates": "\udc00",
  "escape sequences": "\u001b[",
  "texts to the terminal": "\u001b]",
  "bells and escapes": "\u001b]a\u0007",
  "a byte order mark": "\ufeff",
}

/** Phrases that our own readers look for, repeated, with nothing after them. */
const PHRASES: readonly string[] = [
  ...["- [ ] a\n", "- [ ]\n", "a\n", "a\r", "a\r\n", "\n- a", "  - [x] 1. a\n", "# a\n", "---\n"],
  ...["## [ ] 1. a\n", "```\n", "```a\n", "~~~\n", "<!-- a\n", "> a\n", "a: b\n", "- a: [\n"],
  ...[
    "BLOCKED: ",
    "BLOCKED:\n",
    "BLOCKED: no\n",
    "**BLOCKED**: a\n",
    "- BLOCKED: (hnd_1) ",
    "(hnd_",
  ],
  ...["unblock ", "unblock: ", " Unblock when", "none", "no blockers ", "nothing "],
  ...["verdict: ", "verdict:\n", "VERDICT: REJECT/", "- REJECT ", ": REJECTED (", "[x] verdict|"],
  ...["todo:", "todo:1", "todo:1.", "task:~", "final-wave:a-", "task 1: ", "T001 ", "1-1"],
  ...["depends on ", "(depends on ", "blocked by: ", "T1-T9, ", "1-9 to ", " and ", "T1 & "],
  ...["legend: [~] ", "[~] = ", "Legend\n", "<task_result>", "</task_result>", "<task_metadata>\n"],
  ...[
    "</task_metadata>",
    "task_id: ses_",
    "ses_",
    "<boulder>\n",
    "\n</boulder>",
    "<boulder>",
    "<b",
    "&lt;",
    "&amp;",
    "&#",
    "</",
    "*** ",
    "%",
  ],
  ...[
    "*** Add File: a\n",
    "*** Update File:",
    "*** Move to: ",
    "[boulder: old output of",
    "data: 1\n\n",
  ],
  ...['{"task_state":', '{ "display_summary" :', '{"a":1}\n', "data:", "\n\n", "\\u0000", "\\\\"],
  ...["../", "a/", ".md", "a.", "-- ", "ses_1/", "@", "%20", "\0a", "http://", "1h", "provider/"],
]

/** JSON that is deep, wide or full of keys that reach a prototype. */
const JSON_SHAPES: readonly HostileShape[] = [
  { shape: "lists in lists of JSON", of: (size) => nested("[", "]", size / 2) },
  { shape: "objects in objects of JSON", of: (size) => nested('{"a":', "}", size / 6, "0") },
  {
    shape: "objects in objects below a key of their own",
    of: (size) => `{"works":${nested('{"works":', "}", size / 10, "0")}}`,
  },
  { shape: "edits in edits of JSON", of: (size) => nested('{"edits":[', "]}", size / 12, "0") },
  { shape: "reserved keys in JSON", of: (size) => nested('{"__proto__":', "}", size / 14, "0") },
  { shape: "many keys of JSON", of: (size) => `{${many(size / 12, (at) => `"k${at}":${at}`)}}` },
  { shape: "many strings of JSON", of: (size) => `[${many(size / 4, () => '"a"')}]` },
  { shape: "many objects of JSON", of: (size) => `[${many(size / 8, () => '{"a":1}')}]` },
  { shape: "one long string of JSON", of: (size) => JSON.stringify({ a: fill("a ", size) }) },
  { shape: "a JSON without an end", of: (size) => `{"task_state":{"goal":"${fill("a", size)}` },
]

/** Tasks in front matter that all refer to the same list, or the same words, by a name defined once. */
const REPEATING: readonly HostileShape[] = [
  {
    shape: "todos with one list of dependencies by its name",
    of: (size) =>
      `---\nd: &d [${many(size / 8, (at) => `t${at}`)}]\ntodos:\n${"- {id: t, content: c, dependencies: *d}\n".repeat(size / 80)}---\n`,
  },
  {
    shape: "todos that are one todo by its name",
    of: (size) =>
      `---\nt: &t {content: ${fill("a", size / 2)}}\ntodos: [${many(size / 6, () => "*t")}]\n---\n`,
  },
]

/** Each run before a letter, between two, and before what a dot does not match: each makes a different pattern stumble. */
export const HOSTILE_SHAPES: readonly HostileShape[] = [
  ...Object.entries(RUNS).flatMap(([shape, run]) => [
    { shape: `${shape}, then a letter`, of: (size: number) => `${fill(run, size)}x` },
    { shape: `${shape} between letters`, of: (size: number) => rising(run, size) },
    { shape: `${shape}, then another line`, of: (size: number) => `${fill(run, size)}\u2028x\ny` },
  ]),
  ...PHRASES.map((phrase) => ({
    shape: `${JSON.stringify(phrase)} over and over`,
    of: (size: number) => `${fill(phrase, size)}x`,
  })),
  ...["BLOCKED:", "BLOCKED", "unblock", "verdict", "todo:1", "depends on", "</task_result>"].map(
    (word) => ({
      shape: `${word}, then blanks`,
      of: (size: number) => `${word}${fill(" ", size)}x`,
    }),
  ),
  ...JSON_SHAPES,
  ...REPEATING,
]

function nested(open: string, close: string, depth: number, inner = ""): string {
  return `${open.repeat(depth)}${inner}${close.repeat(depth)}`
}

function many(count: number, one: (at: number) => string): string {
  return Array.from({ length: Math.floor(count) }, (_, at) => one(at)).join(",")
}
