// The tables of the markdown formats, a new one too: section names, markers and id rules.
// Over 250 lines: the formats are read side by side, each row against the others.
import type { MarkerTable } from "../model/markers.ts"
import type { TaskState } from "../model/plan.ts"
import { COMMON_SECTIONS, GROUP, type SectionRule, TODO, WAVE } from "./section-rules.ts"

/** What speaks for a dialect when nobody has named it. */
export interface Signal {
  readonly on: "heading" | "label" | "text"
  readonly pattern: RegExp
  readonly weight: number
  readonly says: string
}

/** How one family of plans is written. To add a format is to add a row (docs/PLAN-FORMATS.md). */
export interface Dialect {
  readonly name: string
  /** Where such plans lie, as globs from a project's root: found by name there. */
  readonly patterns: readonly string[]
  /** A path that tells the dialect. */
  readonly path: RegExp | null
  /** What is a task, in words for a person. */
  readonly tasks: string
  readonly signals: readonly Signal[]
  /** Keys that only this dialect's front matter has, all together. */
  readonly frontMatterKeys: readonly string[]
  readonly sections: readonly SectionRule[]
  readonly markers: MarkerTable
  /** How a state is written; without an entry for `blocked` a `BLOCKED:` sub-line says it. */
  readonly written: Readonly<Partial<Record<TaskState, string>>>
  /** Which rows at the margin are children of an earlier row: `1.1` of `1`, `02-01` of `2`. */
  readonly children: "none" | "dotted" | "dashed"
  /** A plan may hold `<task>` elements instead of rows, and `TBD` for rows yet to be written. */
  readonly hasElements: boolean
  /** Headings `Task N` are the tasks, whatever the rows below them are called. */
  readonly hasHeadingTasks: boolean
  /** The front matter's `status` speaks of all rows together. */
  readonly hasFrontStatus: boolean
}

/** The format of a plan with boxes that stand in no list: at the margin, or right behind a bullet. */
export const BARE_BOXES = "bare-boxes"

const USUAL = { open: " ", in_progress: "/", done: "x", cancelled: "-" } as const

const GENERIC: Dialect = {
  name: "generic",
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

export const DIALECTS: readonly Dialect[] = [
  {
    ...GENERIC,
    name: "omo",
    patterns: [".omo/plans/*.md", ".sisyphus/plans/*.md"],
    tasks: "rows below TODOs and Final Verification Wave",
    path: /(?:^|\/)\.(?:omo|sisyphus)\//,
    signals: [
      {
        on: "heading",
        pattern: /^#{2,3} (?:todos|final verification wave)(?![\p{L}\p{N}])/iu,
        weight: 100,
        says: "a heading that only omo plans have",
      },
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
      { on: "label", pattern: /^T\d{3,}$/, weight: 3, says: "labels like T001" },
      { on: "text", pattern: /\[US\d+\]/, weight: 3, says: "story tags like [US1]" },
    ],
  },
  {
    ...GENERIC,
    name: "kiro",
    patterns: [".kiro/specs/*/tasks.md"],
    tasks: "rows `1.`; `1.1` is a part where row `1.` stands before it; `[ ]*` is optional",
    path: /(?:^|\/)\.kiro\/specs\//,
    signals: [
      {
        on: "heading",
        pattern: /^# implementation plan\b/i,
        weight: 1,
        says: "the heading Implementation Plan",
      },
      {
        on: "text",
        pattern: /^[ \t]*[-*+] _Requirements:/m,
        weight: 4,
        says: "_Requirements: lines_",
      },
      { on: "text", pattern: /^[ \t]*[-*+] \[[ x]\]\* /m, weight: 1, says: "optional rows [ ]*" },
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
    signals: [
      { on: "heading", pattern: /^## \d+\. \S/, weight: 2, says: "groups like `## 1. Name`" },
      { on: "label", pattern: /^\d+\.\d+$/, weight: 1, says: "labels like 1.1" },
    ],
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
    path: /(?:^|\/)\.planning\//,
    signals: [
      { on: "text", pattern: /^<task[ \t]+type=/m, weight: 6, says: "<task> elements" },
      { on: "heading", pattern: /^## phases$/i, weight: 3, says: "the heading Phases" },
      { on: "heading", pattern: /^# roadmap\b/i, weight: 2, says: "the heading Roadmap" },
      { on: "label", pattern: /^\d\d(?:\.\d+)?-0\d$/, weight: 2, says: "labels like 01-02" },
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
      {
        on: "heading",
        pattern: /^## tasks \/ subtasks\b/i,
        weight: 6,
        says: "the heading Tasks / Subtasks",
      },
      { on: "heading", pattern: /^# story \d/i, weight: 2, says: "a story's heading" },
    ],
  },
  {
    ...GENERIC,
    name: "swarm",
    patterns: [".swarm/plan.md"],
    tasks: "rows below Phase N; words such as `[BLOCKED]` are marks",
    path: /(?:^|\/)\.swarm\//,
    signals: [
      { on: "text", pattern: /<!-- PLAN_HASH:/, weight: 4, says: "a PLAN_HASH comment" },
      { on: "text", pattern: /^Swarm: /m, weight: 4, says: "a Swarm: line" },
      {
        on: "heading",
        pattern: /^## phase \d.*\[(?:complete|pending|in progress|blocked)\]/i,
        weight: 1,
        says: "phases with a state",
      },
      {
        on: "text",
        pattern: /^[-*+] \[.{1,9}\] .*\[(?:SMALL|MEDIUM|LARGE)\]/m,
        weight: 2,
        says: "sizes like [SMALL]",
      },
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
      { on: "heading", pattern: /^## M\d+\b/, weight: 2, says: "milestones like M1" },
      { on: "heading", pattern: /^### T\d+\.\d+\b/, weight: 2, says: "headings like T1.1" },
      { on: "label", pattern: /^S\d+\.\d+/, weight: 2, says: "labels like S1.1.1" },
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
      {
        on: "text",
        pattern: /superpowers:(?:subagent-driven-development|executing-plans)/,
        weight: 6,
        says: "the name of its skill",
      },
      { on: "heading", pattern: /^#{2,4} task \d+\b/i, weight: 1, says: "headings like Task 1" },
      { on: "text", pattern: /^\*\*Files:\*\*/m, weight: 1, says: "lists of files" },
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
      {
        on: "text",
        pattern: /\b(?:protocol in|refer to) workflow\.md\)/i,
        weight: 6,
        says: "the name of its protocol",
      },
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
    signals: [{ on: "heading", pattern: /^#{3,4} task group \d/i, weight: 3, says: "task groups" }],
  },
  {
    ...GENERIC,
    name: "backlog.md",
    patterns: ["backlog/tasks/*.md", ".backlog/tasks/*.md"],
    tasks: "rows `#1` below Acceptance Criteria; those below Definition of Done are none",
    path: /(?:^|\/)\.?backlog\/(?:tasks|drafts|completed)\//,
    signals: [
      { on: "text", pattern: /^<!-- AC:BEGIN -->/m, weight: 6, says: "a comment AC:BEGIN" },
    ],
    frontMatterKeys: ["id", "status", "created_date"],
    hasFrontStatus: true,
    sections: [{ heading: /^acceptance criteria/i, section: "task", isNeverIgnored: true }],
  },
  {
    ...GENERIC,
    name: "ralph",
    patterns: ["fix_plan.md", "@fix_plan.md", ".ralph/@fix_plan.md", ".ralph/fix_plan.md"],
    tasks: "every row, unless a common heading opens a section",
    path: /(?:^|\/)@?fix_plan\.md$|(?:^|\/)\.ralph\//i,
    signals: [
      { on: "heading", pattern: /^# .*\bfix plan\b/i, weight: 3, says: "the heading Fix Plan" },
      {
        on: "heading",
        pattern: /^## (?:high|medium|low) priority$/i,
        weight: 2,
        says: "headings by priority",
      },
    ],
  },
  {
    ...GENERIC,
    name: BARE_BOXES,
    patterns: [],
    path: null,
    tasks:
      "lines that begin with a box, `[ ] Title`, or with one right behind a bullet, `-[ ] Title`; one that is indented further is a part",
    signals: [],
  },
  GENERIC,
]

/** The dialect of a name; the generic one for a name that nobody knows. */
export function dialectOf(name: string | undefined): Dialect {
  return DIALECTS.find((dialect) => dialect.name === name) ?? GENERIC
}
