// What a program can do to the work tree, by its name and options.

/** Nothing, as it only looks; no more than words have told; or anything. */
export type Reach = "nothing" | "told" | "anything"

/** Programs that change nothing of the work tree. */
const LOOKS =
  /^(?:ls|cat|bat|grep|rg|ag|find|fd|tree|head|tail|less|wc|sort|uniq|cut|diff|cmp|stat|file|which|type|pwd|cd|pushd|popd|echo|printf|test|\[|\[\[|true|false|:|set|export|env|sleep|wait|date|ps|jq|awk|sed|history|exit|read|node -v|git (?:-[cC] \S+ |-\S+ )*(?:status|log|diff|show|branch|blame|push|fetch|remote|rev-parse|ls-files|config|tag|describe|stash list))(?: |$)/
/** What they do all the same, so called. */
const CHANGES =
  /^(?:sed .*-(?:[a-zA-Z]*i|-in-place)|awk .*inplace|find .*-(?:delete|exec|ok|fprint)|sort .*-o)/
/** Linters and the like, called so that they only look. */
const LINTS =
  /^(?:(?:tsc|vue-tsc) .*--noEmit|eslint|stylelint|biome (?:check|lint|ci)|prettier .*(?:--check|-c)|ruff check|black .*--check|flake8|mypy|pyright|pylint|shellcheck|go vet|rubocop)(?: |$)/
/** Scripts of a project that only check by their name, or make what is no source. */
const CHECKS_BY_NAME =
  /^(?:(?:npm|pnpm|yarn|bun)(?: run)? |make )(?:-\S+ )*(?:lint|types?|typecheck|type-check|tsc|check|test|build)(?: |$)/
const FIXES = /(?:^| )-(?:-(?:fix|write|update|apply|output|out)\S*|[a-zA-Z]*[uwoaAi])(?:[ =]|$)/
/** What changes no file, but with a hook of git's. */
const KEEPS = /^git (?:-[cC] \S+ |-\S+ )*(?:add|commit)(?: |$)/

/** A commit, say. */
export function keepsFiles(text: string): boolean {
  return KEEPS.test(text)
}

/** What a program can have done, by its words alone; `isBehind`: behind a check in its command, where the check may have moved the tree. */
export function reachOfProgram(text: string, isBehind: boolean): Reach {
  if (text === "" || (LOOKS.test(text) && !CHANGES.test(text))) return "nothing"
  if (FIXES.test(text)) return "anything"
  if (LINTS.test(text)) return "nothing"
  return isBehind && CHECKS_BY_NAME.test(text) ? "told" : "anything"
}
