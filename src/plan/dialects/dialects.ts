// The tables of the markdown formats, a new one too: section names, markers and id rules.
// Over 250 lines: the formats are read side by side, each row against the others.
import type { MarkerTable } from "../model/markers.ts"
import type { TaskState } from "../model/plan.ts"
import {
  COMMON_SECTIONS,
  CRITERIA_HEADING,
  GROUP,
  type SectionRule,
  TODO,
  WAVE,
} from "./section-rules.ts"

/** What points to a dialect if nobody has named one. */
export interface Signal {
  readonly on: "heading" | "label" | "text"
  readonly pattern: RegExp
  readonly weight: number
  readonly says: string
}

/** How one family of plans is written. To add a format, add a row (docs/PLAN-FORMATS.md). */
export interface Dialect {
  readonly name: string
  /** Where such plans lie, as globs from a project's root; found there by name. */
  readonly patterns: readonly string[]
  /** A path that implies the dialect. */
  readonly path: RegExp | null
  /** What is a task, in words for a person. */
  readonly tasks: string
  readonly signals: readonly Signal[]
  /** Keys that only this dialect's front matter has, all together. */
  readonly frontMatterKeys: readonly string[]
  readonly sections: readonly SectionRule[]
  readonly markers: MarkerTable
  /** How a state is written; without an entry for `blocked`, a `BLOCKED:` sub-line says it. */
  readonly written: Readonly<Partial<Record<TaskState, string>>>
  /** Which rows at the margin are children of an earlier row: `1.1` of `1`, `02-01` of `2`. */
  readonly children: "none" | "dotted" | "dashed"
  /** A plan may contain `<task>` elements instead of rows, and `TBD` for rows that are still to be written. */
  readonly hasElements: boolean
  /** Headings `Task N` are the tasks, whatever the rows below them are called. */
  readonly hasHeadingTasks: boolean
  /** The front matter's `status` applies to all rows together. */
  readonly hasFrontStatus: boolean
}

/** The format of a plan whose boxes are in no list: at the margin, or right after a bullet. */
export const BARE_BOXES = "bare-boxes"

/** The format of a plan that shows signs of no other one. */
export const GENERIC_FORMAT = "generic"

const USUAL = { open: " ", in_progress: "/", done: "x", cancelled: "-" } as const

const GENERIC: Dialect = {
  name: GENERIC_FORMAT,
  patterns: [
    ...[".boulder/plans/*.md", ".opencode/plans/*.md", ".claude/plans/*.md", "docs/plans/*.md"],
    ...["tasks/*.md", "task_plan.md", "IMPLEMENTATION_PLAN.md", "PLAN.md", "TODO.md", "todo.md"],
  ],
  tasks: "rows below a common heading (TODOs, Tasks, Phase N, …), else every row",
  path: /(?:^|\/)(?:todo|task_plan)\.md$/i,
  signals: [],
  frontMatterKeys: [],
  sections: COMMON_SECTIONS,
  markers: {},
  written: USUAL,
  children: "none",
  hasElements: false,
  hasHeadingTasks: false,
  hasFrontStatus: false,
}

const signalOn =
  (on: Signal["on"]) =>
  (pattern: RegExp, weight: number, says: string): Signal => ({ on, pattern, weight, says })
const [headingSignal, labelSignal, textSignal] = [
  signalOn("heading"),
  signalOn("label"),
  signalOn("text"),
]

export const DIALECTS: readonly Dialect[] = [
  {
    ...GENERIC,
    name: "omo",
    patterns: [".omo/plans/*.md", ".sisyphus/plans/*.md"],
    tasks: "rows below TODOs and Final Verification Wave",
    path: /(?:^|\/)\.(?:omo|sisyphus)\//,
    signals: [
      headingSignal(
        /^#{2,3} (?:todos|final verification wave)(?![\p{L}\p{N}])/iu,
        100,
        "a heading that only omo plans have",
      ),
    ],
    frontMatterKeys: ["slug", "intent"],
    sections: [TODO, WAVE],
    markers: { "~": { state: "blocked" } },
    written: { ...USUAL, blocked: "~" },
  },
  {
    ...GENERIC,
    name: "spec-kit",
    patterns: ["specs/*/tasks.md"],
    tasks: "rows below Phase N: `- [ ] T001 [P] [US1] Title`",
    path: /(?:^|(?<!\.kiro|agent-os)\/)specs\/[^/]+\/tasks\.md$/,
    signals: [
      labelSignal(/^T\d{3,}$/, 3, "labels like T001"),
      textSignal(/\[US\d+\]/, 3, "story tags like [US1]"),
    ],
  },
  {
    ...GENERIC,
    name: "kiro",
    patterns: [".kiro/specs/*/tasks.md"],
    tasks: "rows `1.`; `1.1` is a part where row `1.` stands before it; `[ ]*` is optional",
    path: /(?:^|\/)\.kiro\/specs\//,
    signals: [
      headingSignal(/^# implementation plan\b/i, 1, "the heading Implementation Plan"),
      textSignal(/^[ \t]*[-*+] _Requirements:/m, 4, "_Requirements: lines_"),
      textSignal(/^[ \t]*[-*+] \[[ x]\]\* /m, 1, "optional rows [ ]*"),
    ],
    sections: [...COMMON_SECTIONS, GROUP],
    markers: { "~": { state: "open" }, "-": { state: "in_progress" } },
    written: { ...USUAL, in_progress: "-" },
    children: "dotted",
  },
  {
    ...GENERIC,
    name: "openspec",
    patterns: ["openspec/changes/*/tasks.md"],
    tasks: "rows `1.1` below `## 1. Group`",
    path: /(?:^|\/)openspec\/changes\//,
    sections: [...COMMON_SECTIONS, GROUP],
    children: "dotted",
  },
  {
    ...GENERIC,
    name: "gsd",
    patterns: [
      ".planning/ROADMAP.md",
      ".planning/**/*PLAN.md",
      ".gsd/**/*PLAN.md",
      ".gsd/**/*ROADMAP.md",
    ],
    tasks:
      "rows below Phases, with `01-02` as their parts; in a PLAN.md the `<task>` elements, done with the SUMMARY file",
    path: /(?:^|\/)\.(?:planning|gsd)\//,
    signals: [
      textSignal(/^<task[ \t]+type=/m, 6, "<task> elements"),
      headingSignal(/^## phases$/i, 3, "the heading Phases"),
      headingSignal(/^# roadmap\b/i, 2, "the heading Roadmap"),
      labelSignal(/^\d\d(?:\.\d+)?-0\d$/, 2, "labels like 01-02"),
    ],
    frontMatterKeys: ["phase", "plan"],
    sections: [{ heading: /^phases(?![\p{L}\p{N}])/iu, section: "task" }],
    children: "dashed",
    hasElements: true,
  },
  {
    ...GENERIC,
    name: "bmad",
    patterns: [],
    tasks: "rows below Tasks / Subtasks",
    path: /(?:^|\/)_?bmad[^/]*\//,
    signals: [
      headingSignal(/^## tasks \/ subtasks\b/i, 6, "the heading Tasks / Subtasks"),
      headingSignal(/^# story \d/i, 2, "a story's heading"),
    ],
  },
  {
    ...GENERIC,
    name: "swarm",
    patterns: [".swarm/plan.md"],
    tasks: "rows below Phase N; words such as `[BLOCKED]` are marks",
    path: /(?:^|\/)\.swarm\//,
    signals: [
      textSignal(/<!-- PLAN_HASH:/, 4, "a PLAN_HASH comment"),
      textSignal(/^Swarm: /m, 4, "a Swarm: line"),
      headingSignal(
        /^## phase \d.*\[(?:complete|pending|in progress|blocked)\]/i,
        1,
        "phases with a state",
      ),
      textSignal(/^[-*+] \[.{1,9}\] .*\[(?:SMALL|MEDIUM|LARGE)\]/m, 2, "sizes like [SMALL]"),
    ],
    written: { ...USUAL, blocked: "BLOCKED" },
  },
  {
    ...GENERIC,
    name: "orchestrator",
    patterns: [".opencode/todo.md"],
    tasks: "rows `S1.1.1` below milestones",
    path: /(?:^|\/)\.opencode\/todo\.md$/i,
    signals: [
      headingSignal(/^## M\d+\b/, 2, "milestones like M1"),
      headingSignal(/^### T\d+\.\d+\b/, 2, "headings like T1.1"),
      labelSignal(/^S\d+\.\d+/, 2, "labels like S1.1.1"),
    ],
    sections: [{ heading: /^M\d+(?![\p{L}\p{N}])/u, section: "task" }, ...COMMON_SECTIONS],
  },
  {
    ...GENERIC,
    name: "superpowers",
    patterns: ["docs/superpowers/plans/*.md"],
    tasks: "headings `Task N`; the rows below them are their steps",
    path: /(?:^|\/)docs\/superpowers\/plans\//,
    signals: [
      textSignal(
        /superpowers:(?:subagent-driven-development|executing-plans)/,
        6,
        "the name of its skill",
      ),
      headingSignal(/^#{2,4} task \d+\b/i, 1, "headings like Task 1"),
      textSignal(/^\*\*Files:\*\*/m, 1, "lists of files"),
    ],
    hasHeadingTasks: true,
  },
  {
    ...GENERIC,
    name: "conductor",
    patterns: ["conductor/tracks/*/plan.md"],
    tasks: "rows below Phase N: `- [ ] Task: Title`; `[~]` is in progress",
    path: /(?:^|\/)conductor\//,
    signals: [
      textSignal(/\b(?:protocol in|refer to) workflow\.md\)/i, 6, "the name of its protocol"),
    ],
    markers: { "~": { state: "in_progress" } },
    written: { ...USUAL, in_progress: "~" },
  },
  {
    ...GENERIC,
    name: "agent-os",
    patterns: ["agent-os/specs/*/tasks.md"],
    tasks: "rows `1.0` below `#### Task Group 1`; `1.1` is a part where it is nested below",
    path: /(?:^|\/)agent-os\/specs\//,
    signals: [headingSignal(/^#{3,4} task group \d/i, 3, "task groups")],
  },
  {
    ...GENERIC,
    name: "backlog.md",
    patterns: ["backlog/tasks/*.md", ".backlog/tasks/*.md"],
    tasks: "rows `#1` below Acceptance Criteria; those below Definition of Done are none",
    path: /(?:^|\/)\.?backlog\/(?:tasks|drafts|completed)\//,
    signals: [textSignal(/^<!-- AC:BEGIN -->/m, 6, "a comment AC:BEGIN")],
    frontMatterKeys: ["id", "status", "created_date"],
    hasFrontStatus: true,
    sections: [{ heading: CRITERIA_HEADING, section: "task", isNeverIgnored: true }],
  },
  {
    ...GENERIC,
    name: "ralph",
    patterns: ["fix_plan.md", "@fix_plan.md", ".ralph/@fix_plan.md", ".ralph/fix_plan.md"],
    tasks: "every row, unless a common heading opens a section",
    path: /(?:^|\/)@?fix_plan\.md$|(?:^|\/)\.ralph\//i,
    signals: [
      headingSignal(/^# .*\bfix plan\b/i, 3, "the heading Fix Plan"),
      headingSignal(/^## (?:high|medium|low) priority$/i, 2, "headings by priority"),
    ],
  },
  {
    ...GENERIC,
    name: BARE_BOXES,
    patterns: [],
    path: null,
    tasks:
      "lines that begin with a box, `[ ] Title`, or with one right after a bullet, `-[ ] Title`; one that is indented further is a part",
    signals: [],
  },
  GENERIC,
]

/** The dialect with a name; the generic one if nobody knows the name. */
export function dialectOf(name: string | undefined): Dialect {
  return DIALECTS.find((dialect) => dialect.name === name) ?? GENERIC
}
