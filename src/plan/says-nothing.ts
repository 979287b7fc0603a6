/**
 * `none` or `n/a`, whatever stands behind; `no` or `nothing` alone; nothing blocked; no blockers, issues or problems:
 * not "no API key", not "nothing compiles".
 */
const NOTHING =
  /^[\W_]*(?:(?:none|n\/?a)(?![\p{L}\p{N}])|(?:no|false|nothing)[\W_]*$|nothing(?= (?:(?:is |was )?block(?:s|ed|ing)|so far|at all|to report|left|yet|here)|[^\p{L}\p{N} ])|no (?:\p{L}+ )?(?:block(?:s|ers?|ages?)?|issues?|problems?)(?=[\W_]*$|[^\p{L}\p{N} ]| (?:found|left|remain|here|so far|at all|to report)))/iu
/** A line that we have written ends in the id of the block's record. */
const RECORD = /\(hnd_[0-9A-Za-z]+\)[ \t]*$/

/** Whether the words behind `BLOCKED:` say that nothing is blocked; those that name a record never do. */
export function saysNothing(words: string): boolean {
  return NOTHING.test(words) && !namesRecord(words)
}

/** Whether the words behind `BLOCKED:` are ours: they name the record of the block. */
export function namesRecord(words: string): boolean {
  return RECORD.test(words)
}
