// Sizes above which a file is not read, in bytes.
/**
 * Sizes above which a file is not read, in bytes. A file takes many times its size in memory, and whoever writes into a project (a clone, a
 * program gone wild) could use up all of it. Each limit is far above what we write ourselves.
 */

/** `boulder.json`, ours and of older formats: enough for hundreds of works. Unknown fields count, too, and have no other limit. */
export const MAX_STATE_BYTES = 8 * 1_024 * 1_024
/** A handoff or task state: twice the longest that their schemas let us write. */
export const MAX_RECORD_BYTES = 2 * 1_024 * 1_024
/** A file of a work: a whole work at its largest, or a shard of a plan that is a single task. */
export const MAX_WORK_FILE_BYTES = 16 * 1_024 * 1_024
/** A file of the journal: four times the size at which it is rotated, to allow for racing writers. */
export const MAX_JOURNAL_BYTES = 8 * 1_024 * 1_024
/** A plan: 10,000 tasks with their details are about 5 MB. plan-limits.ts bounds what it may hold. */
export const MAX_PLAN_BYTES = 16 * 1_024 * 1_024
/** A `.gitignore`. */
export const MAX_IGNORE_BYTES = 1_024 * 1_024
