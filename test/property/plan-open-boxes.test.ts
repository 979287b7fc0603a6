import { expect, test } from "bun:test"
import fc from "fast-check"
import { boxWarnings } from "../../src/plan/boxes/without-box.ts"
import type { Plan } from "../../src/plan/model/plan.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { readRows } from "../../src/plan/read-rows.ts"

/**
 * No open row is dropped without a word: in random files of the formats' own pieces each line that shows a person an
 * open box is a task or a part of one, left out by a rule that says so on purpose, or counted in a warning.
 */

/** What may stand before a row's words, in every spelling that plans were met with. */
const rows = fc
  .tuple(
    fc.constantFrom("", "", "", "  ", "    ", "\t", "> "),
    fc.constantFrom(
      ...["- ", "- ", "* ", "+ ", "1. ", "2) ", "", "• ", "– ", "-\u00a0", "-", "🚀 ", "a) "],
      ...[
        "### ",
        "## 3. ",
        "| a | ",
        "**",
        "- T1: ",
        "- **Login:** ",
        "<!-- a --> - ",

        "- ~~",
      ],
      ...["1. **", "> 1. ", "- [x] ", "* 🚀 "],
    ),
    fc.constantFrom(
      ...[
        "[ ]",
        "[ ]",
        "[]",
        "[ ]*",
        "\\[ \\]",
        "\\[ ]",
        "［ ］",
        "☐",
        "⬜",
        "[\u00a0]",
        "[x]",
        "[X]",
        "[DOING]",
        "[OPEN]",
        "[failed]",
        "[进行中]",
        "`[ ]`",
      ],
    ),
    fc.constantFrom(" ", " ", "\u00a0", "\u3000", "", "\t"),
    fc.constantFrom(
      ...[
        "1. Alpha",
        "Task 2: Beta",
        "T003 [P] Gamma",
        "**Step 1: Delta**",
        "1.1 Epsilon",
        "Zeta |",
      ],
      ...[
        "F1. Eta",
        "#1 Theta",
        "S1.1.1: Iota",
        "01-02: Kappa",
        "TBD",
        "Lambda (depends on 1)",
        "Done",
      ],
    ),
  )
  .map((parts) => parts.join(""))

/** Headings, fields and frames of the formats. */
const frames = fc.constantFrom(
  ...["# Plan", "## TODOs", "## Todo", "## In Progress", "## Done", "## Tasks / Subtasks"],
  ...[
    "## Phase 1: Base",
    "### Phase 2: Next",
    "## Final Verification Wave",
    "## Notes",
    "## Phases",
  ],
  ...[
    "## Definition of Done",
    "## Acceptance Criteria",
    "## 1. Group",
    "### Task 1: A",
    "### Task 2: B",
  ],
  ...[
    "## Legend",
    "## Legend rendering",
    "## 2. Acceptance criteria editor",
    "## Out of scope cleanup",
    "## 3. Review checklist",
    "## Completed Tasks",
    "## Remaining",
    "**Legend**",
    "Legend:",
    "#### Task Group 1",
    "### T1.1: A",
    "## M1: A",
    "## Risks",
  ],
  ...["### 1. Leak", "**Status:** complete", "- **Status:** pending", "Status: Done, but not all"],
  ...[
    "## Release Checklist",
    "Task 3: C\n---------",
    "<details>",
    "</details>",
    "Words.",
    "",
    "",
    "---",
  ],
  ...["  - _Requirements: 1.2_", "  BLOCKED: no key", "```", "<!--", "-->", "~~~", "|---|---|"],
  ...['<task type="auto">', "<name>Task 1: A</name>", "</task>", "<!-- AC:BEGIN -->", "Swarm: x"],
)
const front = fc.constantFrom(
  ...["", "", "", "---\nphase: 1\nplan: 2\n---\n", "---\nslug: a\nintent: b\n---\n"],
  ...["---\nid: a\nstatus: To Do\ncreated_date: '2026-01-01'\n---\n"],
  ...["---\ntodos:\n  - id: a\n    content: A\n    status: completed\n---\n"],
)
const paths = fc.constantFrom(
  ...[
    undefined,
    undefined,
    ".omo/plans/a.md",
    ".kiro/specs/a/tasks.md",
    "specs/a/tasks.md",
    "TODO.md",
  ],
  ...["openspec/changes/a/tasks.md", ".planning/ROADMAP.md", ".planning/a-PLAN.md", "fix_plan.md"],
  ...[
    "conductor/tracks/a/plan.md",
    "agent-os/specs/a/tasks.md",
    "backlog/tasks/a.md",
    ".swarm/plan.md",
  ],
  ...["docs/superpowers/plans/a.md", ".opencode/todo.md", ".cursor/plans/a.plan.md", "bmad/a.md"],
)
const files = fc
  .tuple(
    front,
    fc.array(fc.oneof({ weight: 3, arbitrary: rows }, { weight: 2, arbitrary: frames }), {
      maxLength: 24,
    }),
    fc.constantFrom("\n", "\n", "\r\n"),
  )
  .map(([head, lines, end]) => (head + lines.join("\n")).replaceAll("\n", end))

/** Written without a look at the reader's patterns: nothing but signs before the box, and no code or link about it. */
function showsOpenBox(line: string): boolean {
  const plain = line.normalize("NFKC").replaceAll("\\[", "[").replaceAll("\\]", "]")
  const start = plain.replace(/^[\s>|*+•–🚀#-]*(?:(?:\d+(?:\.\d+)*|[a-z])[.)])?[\s*]*/u, "")
  const isCell = /\|\s*(?:\[ +\]|\[\]\s+[\p{L}\p{N}]|[☐⬜])/u.test(plain)
  return isCell || /^(?:\[\s*\](?=\s|\*|$|[\p{L}\p{N}])|[☐⬜])/u.test(start) || isBehindWords(line)
}

/** Behind an id, a name or a comment, and as code. */
function isBehindWords(line: string): boolean {
  return /^(?:- T1: |- \*\*Login:\*\* |<!-- a --> - )\[ \] \S|^- `\[ \]` (?!Done)\S/.test(line)
}

/** Rows with a word for a state that is not done: each is a task, a part or left out by a rule that says so. */
function showsOpenWord(line: string): boolean {
  return /^(?:- |\* |\+ |1\. |2\) )\[(?:DOING|OPEN|failed|进行中)\] \S/.test(line)
}

/** The rules that leave boxes out on purpose (docs/PLAN-FORMATS.md). */
const ON_PURPOSE: ReadonlySet<string> = new Set([
  ...["fence", "comment", "front-matter", "ignored-heading", "below-ignored-row", "legend"],
  ...["placeholder", "not-a-marker", "no-text", "criterion"],
])
/** Rules of the reasons whose lines a warning counts. */
const SAID_BY: Readonly<Record<string, string>> = {
  "outside-section": "outside-rows",
  "indented-code": "no-rows",
  "no-list-marker": "no-rows",
  "in-paragraph": "no-rows",
  "no-space": "no-rows",
  "block-quote": "no-rows",
  "in-table": "no-rows",
  "other-box": "no-rows",
}

test("no line with an open box is dropped without a word", () => {
  fc.assert(
    fc.property(files, paths, (text, path) => {
      const plan = parsePlan(text, path === undefined ? {} : { path })
      const lines = text.split(/\r\n|\n/)
      const open = lines.flatMap((line, at) =>
        showsOpenBox(line) || showsOpenWord(line) ? [at + 1] : [],
      )
      const boxed = linesToBox(plan, text, path)
      const told = (line: number) => boxed.has(line) || isAccounted(plan, line, lines)
      expect(open.filter((line) => !told(line))).toEqual([])
    }),
    { numRuns: 4_000 },
  )
})

test("a warning's count is that of the lines that it speaks of", () => {
  fc.assert(
    fc.property(files, paths, (text, path) => {
      const plan = parsePlan(text, path === undefined ? {} : { path })
      const { ignored, warnings } = plan
      const boxed = linesToBox(plan, text, path)
      const lines = text.split(/\r\n|\n/)
      const left = ignored.filter(({ line, reason }) => {
        const isOfRule = SAID_BY[reason] === "no-rows" && !boxed.has(line)
        return isOfRule && showsOpenBox(lines[line - 1] ?? "")
      })
      const [said] = warnings.filter(({ rule }) => rule === "no-rows")
      const count = Number(/\d+/.exec(said?.message ?? "")?.[0] ?? 0)
      expect(count).toBeGreaterThanOrEqual(left.length)
      if (said !== undefined) expect(said.line).toBeLessThanOrEqual(left[0]?.line ?? said.line)
    }),
    { numRuns: 2_000 },
  )
})

/** The lines that get a box, where a warning counts them: by it more is said of them than that they are no rows. */
function linesToBox({ warnings }: Plan, text: string, path: string | undefined): Set<number> {
  const isSaid = warnings.some(({ message }) => message.includes("shows what may be tasks"))
  const options = path === undefined ? {} : { path }
  const { spots } = isSaid ? boxWarnings(readRows(text, options), options) : { spots: [] }
  return new Set(spots.map(({ index }) => index + 1))
}

/** A line is a task, a step or a sub-item; left out on purpose, or hidden with all about it; or its warning is there. */
function isAccounted(
  { tasks, subItems, ignored, warnings }: Plan,
  line: number,
  lines: readonly string[],
) {
  const isRow =
    tasks.some((task) => task.line === line) || subItems.some((item) => item.line === line)
  if (isRow) return true
  const reason = ignored.find((each) => each.line === line)?.reason
  if (reason === undefined) return isHidden(lines, line)
  if (ON_PURPOSE.has(reason)) return true
  const rule = SAID_BY[reason]
  return (
    rule !== undefined &&
    warnings.some((warning) => warning.rule === rule && /\d/.test(warning.message))
  )
}

/** Rows with a number of their own below an ignored heading are counted in its warning. */
test("no numbered row below an ignored heading is dropped without a word", () => {
  const headings = fc.constantFrom(
    ...["Legend", "Success Criteria", "Definition of Done", "3. Review checklist", "Non-goals"],
    ...["Acceptance criteria editor", "Out of scope (v1)", "How to use cards", "Final Checklist"],
    ...["2. Definition of Done", "🚀 Acceptance", "Exit criteria: all", "Legend of Zelda"],
  )
  const numbered = fc.constantFrom(
    ...["- [ ] 1. A", "1. [ ] B", "- [/] T002 C", "- [OPEN] 3. D", "- [ ] **4.** E", "* [ ] 5) F"],
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(headings, fc.array(numbered, { maxLength: 3 }))), (parts) => {
      const text = parts
        .map(([heading, lines]) => `## ${heading}\n${lines.join("\n")}\n`)
        .join("\n")
      const { tasks, subItems, ignored, warnings } = parsePlan(`# P\n- [x] a\n\n${text}`)
      const all = parts.flatMap(([, lines]) => lines).length
      const isRow = ({ reason }: { readonly reason: string }) =>
        reason === "ignored-heading" || reason === "outside-section"
      const said = warnings
        .filter(({ rule }) => rule === "ignored-rows" || rule === "outside-rows")
        .reduce((sum, { message }) => sum + Number(/\d+/.exec(message)?.[0] ?? 0), 0)
      expect(tasks.length - 1 + subItems.length + said).toBe(all)
      expect(ignored.filter(isRow)).toHaveLength(said)
    }),
    { numRuns: 500 },
  )
})

/** Lines of a fence or comment that are no row in any spelling of the grammar are hidden with it, and not listed. */
function isHidden(lines: readonly string[], line: number): boolean {
  const before = lines.slice(0, line - 1)
  return before.some((each) => /^\s*(?:```|~~~|<!--|---)/.test(each))
}
