// Decides what a program can do to the work tree, from its name and options.

/** Nothing, because it only looks; no more than the words have named; or anything. */
export type Reach = "nothing" | "told" | "anything"

/** Programs that do not change the work tree. */
const LOOKS =
  /^(?:ls|cat|bat|grep|rg|ag|find|fd|tree|head|tail|less|wc|sort|uniq|cut|diff|cmp|stat|file|which|type|pwd|cd|pushd|popd|echo|printf|test|\[|\[\[|true|false|:|set|export|env|sleep|wait|date|ps|jq|awk|sed|history|exit|read|node -v|git (?:-[cC] \S+ |-\S+ )*(?:status|log|diff|show|branch|blame|push|fetch|remote|rev-parse|ls-files|config|tag|describe|stash list))(?: |$)/
/** Options with which they do. */
const CHANGES =
  /^(?:sed .*-(?:[a-zA-Z]*i|-in-place)|awk .*inplace|find .*-(?:delete|exec|ok|fprint)|sort .*-o)/
/** Linters and the like, called in a way that only looks. */
const LINTS =
  /^(?:(?:tsc|vue-tsc) .*--noEmit|eslint|stylelint|biome (?:check|lint|ci)|prettier .*(?:--check|-c)|ruff check|black .*--check|flake8|mypy|pyright|pylint|shellcheck|go vet|rubocop)(?: |$)/
/** Project scripts that by their name only check, or build something that is not source. */
const CHECKS_BY_NAME =
  /^(?:(?:npm|pnpm|yarn|bun)(?: run)? |make )(?:-\S+ )*(?:lint|types?|typecheck|type-check|tsc|check|test|build)(?: |$)/
const FIXES = /(?:^| )-(?:-(?:fix|write|update|apply|output|out)\S*|[a-zA-Z]*[uwoaAi])(?:[ =]|$)/
/** Changes no file, except through a git hook. */
const KEEPS = /^git (?:-[cC] \S+ |-\S+ )*(?:add|commit)(?: |$)/

/** For example a commit. */
export function keepsFiles(text: string): boolean {
  return KEEPS.test(text)
}

/**
 * What a program can have done, from its words alone; `isBehind`: it follows a check in its command, where the check may have changed the
 * tree.
 */
export function reachOfProgram(text: string, isBehind: boolean): Reach {
  if (text === "" || (LOOKS.test(text) && !CHANGES.test(text))) return "nothing"
  if (FIXES.test(text)) return "anything"
  if (LINTS.test(text)) return "nothing"
  return isBehind && CHECKS_BY_NAME.test(text) ? "told" : "anything"
}
