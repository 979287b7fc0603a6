// Finds the files that judge a task: those that its checks name, and those that define what a check does.
import { trimEnd } from "../../plan/model/trim-end.ts"
import { shellTokens, unquoted } from "../shell/shell-tokens.ts"

/** Configuration of scripts, test runners, linters and builds. */
const CONFIGURATION =
  /(?:^|\/)(?:package\.json|(?:GNUm|[Mm])akefile|[Jj]ustfile|conftest\.py|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|\.?ruff\.toml|mypy\.ini|Cargo\.toml|build\.gradle(?:\.kts)?|pom\.xml|Rakefile|\.rspec|phpunit\.xml(?:\.dist)?|tsconfig[\w.-]*\.json|biome\.jsonc?|\.eslintrc[\w.]*|eslint\.config\.\w+|(?:vitest|vite|jest|playwright|karma|cypress)\.(?:config|setup|workspace)\.\w+|\.mocharc\.\w+|lefthook\.ya?ml|\.pre-commit-config\.yaml|\.gitlab-ci\.yml|azure-pipelines\.yml|Jenkinsfile)$|^\.github\/|^\.circleci\/|^\.husky\//
/** Files that hold tests, or what tests compare with. */
const TEST =
  /(?:^|\/)(?:tests?|specs?|__tests__|__snapshots__|e2e)\/|(?:^|\/)test_[^/]+$|[._-](?:test|spec)s?\.[^/]+$/i
const SNAPSHOT = /(?:^|\/)__snapshots__\/([^/]+)\.snap$/
const NAMED = /[./]/
const WORD = /^\w[\w-]{2,}$/

/** Of the files written for a task, those that judge it: whoever edits them marks their own work. */
export function judgesAmong(paths: Iterable<string>, checks: readonly string[]): readonly string[] {
  const words = checks.flatMap(wordsOf)
  const named = words.filter((word) => NAMED.test(word)).map(patternOf)
  const names = new Set(words.map((word) => word.split("/").at(-1)))
  const plain = new Set(words.filter((word) => WORD.test(word)))
  const isJudge = (path: string): boolean => {
    const snapped = SNAPSHOT.exec(path)?.[1]
    const base = snapped ?? path.split("/").at(-1) ?? ""
    const stem = base.replace(/^test_|(?:[._-](?:test|spec)s?)?\..*$/gi, "")
    return (
      CONFIGURATION.test(path) ||
      named.some((isNamed) => isNamed(path) || (snapped !== undefined && names.has(snapped))) ||
      (TEST.test(path) && plain.has(stem))
    )
  }
  return [...paths].filter(isJudge).slice(0, 5)
}

/** What a check names: without quotes, without the name of a test after its file, and the part after a `=`. */
function wordsOf(check: string): readonly string[] {
  const tokens = shellTokens(check) ?? check.split(/\s+/).map((text) => ({ kind: "word", text }))
  return tokens
    .filter(({ kind }) => kind === "word")
    .flatMap(({ text }) => unquoted(text).split("="))
    .map((word) =>
      word
        .replace(/::.*$/, "")
        .replace(/(\.\w+):\d+(?::\d+)?$/, "$1")
        .replace(/^\.\//, ""),
    )
}

/** Whether a word names a path, whatever folder the check runs in: the file itself, a matching pattern, or a folder above or below it. */
function patternOf(named: string): (path: string) => boolean {
  const word = trimEnd(named, "/")
  const isFolder = named.includes("/")
  if (!/[*?{[]/.test(word))
    return (path) =>
      path === word ||
      path.endsWith(`/${word}`) ||
      isBelow(word, path) ||
      (isFolder && TEST.test(path) && isBelow(path, word))
  const front = word.slice(0, word.search(/[*?{[]/)).replace(/[^/]*$/, "")
  const end = /\.\w+$/.exec(word)?.[0] ?? ""
  return (path) =>
    (TEST.test(path) && path.startsWith(front) && path.endsWith(end)) || isBelow(word, path)
}

function isBelow(path: string, folder: string): boolean {
  return folder === "." || path.startsWith(`${folder}/`)
}
