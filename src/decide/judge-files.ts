// The files that judge a task: those that its checks name, and those that say what a check does.
import type { Check } from "../plan/model/plan.ts"

/** What scripts, test runners, linters and builds are told by. */
const CONFIGURATION =
  /(?:^|\/)(?:package\.json|Makefile|conftest\.py|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|tsconfig[\w.-]*\.json|biome\.jsonc?|\.eslintrc[\w.]*|eslint\.config\.\w+|(?:vitest|vite|jest|playwright|karma)\.config\.\w+|\.mocharc\.\w+|\.gitlab-ci\.yml|azure-pipelines\.yml)$|^\.github\/|^\.circleci\//
const NAMED = /[./]/

/** Of the files that were written for a task, those that judge it: who edits them marks their own work. */
export function judgesAmong(paths: Iterable<string>, checks: readonly Check[]): readonly string[] {
  const words = checks.flatMap(({ command }) =>
    command.split(/[\s"'=]+/).map((word) => word.replace(/^\.\//, "")),
  )
  const named = new Set(words.filter((word) => NAMED.test(word)))
  const isNamed = (path: string): boolean =>
    [...named].some((word) => path === word || path.endsWith(`/${word}`))
  return [...paths].filter((path) => CONFIGURATION.test(path) || isNamed(path)).slice(0, 5)
}
