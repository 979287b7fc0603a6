import type { Section } from "./plan.ts"

/** A heading that opens a section with tasks: any suffix may follow what the pattern names. */
export interface SectionRule {
  readonly heading: RegExp
  readonly section: Section
}

export const TODO: SectionRule = { heading: /^to-?dos?(?![\p{L}\p{N}])/iu, section: "todo" }
export const WAVE: SectionRule = {
  heading: /^final verification(?: wave)?(?![\p{L}\p{N}])/iu,
  section: "final-wave",
}
const TASKS: SectionRule = {
  heading: /^tasks(?![\p{L}\p{N}])|^[^:([|]{0,80}\btasks[ \t]*(?:$|[:([|–—-])/iu,
  section: "task",
}
const IMPLEMENTATION: SectionRule = { heading: /^implementation plan\b/i, section: "task" }
const PHASE: SectionRule = {
  heading: /^phase[ \t]+(?:\d+(?:\.\d+)*|[A-Z]|[IVX]{1,5})(?![\p{L}\p{N}])/iu,
  section: "task",
}
export const GROUP: SectionRule = { heading: /^\d+[.)][ \t]+\S/, section: "task" }

/** Sections that every dialect may use when its own are not there. */
export const COMMON_SECTIONS: readonly SectionRule[] = [TODO, WAVE, TASKS, IMPLEMENTATION, PHASE]

/** Headings whose rows are never tasks, with all that stands below them. */
export const IGNORED_HEADING =
  /^(?:success criteria|definition of done|acceptance|final checklist|how to use)(?![\p{L}\p{N}])|\blegend\b|^(?:status )?key$/iu

export const LEGEND_HEADING = /\blegend\b|^(?:status )?key$/i
