// Sizes above which a file is not read, in bytes.
/**
 * Sizes above which a file is not read, in bytes: about what it takes in memory is many times that, and whoever writes
 * into a project (a clone, a program run wild) would have it all. Each is far above what we write ourselves.
 */

/** `boulder.json`, ours and of older formats: hundreds of works fit. Unknown fields count too, it is their only limit. */
export const MAX_STATE_BYTES = 8 * 1_024 * 1_024
/** A handoff or task state: twice the longest that their schemas let us write. */
export const MAX_RECORD_BYTES = 2 * 1_024 * 1_024
/** A file of a work: one whole work at its largest, a shard of a plan that is all one task. */
export const MAX_WORK_FILE_BYTES = 16 * 1_024 * 1_024
/** A file of the journal: four times the size at which it is rotated, for a race of writers. */
export const MAX_JOURNAL_BYTES = 8 * 1_024 * 1_024
/** A plan: 10,000 tasks with their details are about 5 MB. What it may hold is in plan-limits.ts. */
export const MAX_PLAN_BYTES = 16 * 1_024 * 1_024
/** A `.gitignore`. */
export const MAX_IGNORE_BYTES = 1_024 * 1_024
