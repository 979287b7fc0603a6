// The programs that write files, and which files, from the words of their commands.

/** A file or folder that a program writes; "." for everything. */
export interface Wrote {
  readonly path: string
  /** `maybe`: only if the work tree has changed; `likely`: unless it is known not to have changed. */
  readonly how: "surely" | "likely" | "maybe"
}

/** What a program writes, from its name and arguments without quotes; nothing for an unknown program. */
type Writer = (words: readonly string[]) => readonly Wrote[]

const NOTHING: readonly Wrote[] = []
const all = (how: Wrote["how"]): readonly Wrote[] => [{ path: ".", how }]
const surely = (paths: readonly string[]): readonly Wrote[] =>
  paths.filter(isPath).map((path) => ({ path, how: "surely" as const }))

/** A script for `sed` or `perl`, not a file. */
const SCRIPT = /^(?:[sy]|tr)([^\w\s\\]).*\1|^(?:\d+|\$|\/.*\/)?(?:,\d+)?[dpaic]$/
const INLINE = /^-\w*[ceE]$/

function isPath(word: string): boolean {
  return !word.startsWith("-") && !/[<>$`]/.test(word)
}

function isFlag(word: string): boolean {
  return word.startsWith("-")
}

/** Commands whose arguments are files that they write. */
const inPlace: Writer = ([name = "", ...args]) => {
  const has = (flag: RegExp): boolean => args.some((arg) => flag.test(arg))
  switch (name) {
    case "sed":
      return has(/^-[a-zA-Z]*i|^--in-place/)
        ? surely(args.filter((arg) => !SCRIPT.test(arg)))
        : NOTHING
    case "perl":
      return has(/^-[a-zA-Z0-9]*i/) ? surely(args.filter((arg) => !SCRIPT.test(arg))) : NOTHING
    case "awk":
    case "gawk":
      return args.includes("inplace") ? surely(args.filter((arg) => arg.includes("."))) : NOTHING
    case "tee":
    case "rm":
    case "rmdir":
    case "unlink":
    case "shred":
    case "touch":
    case "truncate":
    case "sponge":
    case "ed":
    case "ex":
      return surely(args)
    case "dd":
      return surely(args.flatMap((arg) => (arg.startsWith("of=") ? [arg.slice(3)] : [])))
    case "curl":
    case "wget":
      return surely(args.filter((_, at) => /^-(?:o|O)$|^--output$/.test(args[at - 1] ?? "")))
    case "patch":
      return args.some(isPath) ? surely(args.filter(isPath).slice(0, 1)) : all("likely")
    default:
      return NOTHING
  }
}

/** Moves or copies every argument but the last to the last: a folder if it is written as one, or if there are several. */
const moved: Writer = ([name = "", ...args]) => {
  if (!["mv", "cp", "ln", "install", "rsync"].includes(name)) return NOTHING
  const into = args.findIndex((arg) => arg === "-t" || arg === "--target-directory")
  const given =
    into < 0
      ? []
      : args
          .splice(into, 2)
          .slice(1)
          .map((path) => `${path}/`)
  const paths = [...args.filter(isPath), ...given]
  const [to = "", from] = [paths.at(-1), paths.slice(0, -1)]
  const isFolder = to.endsWith("/") || to === "." || from.length > 1
  const targets = isFolder
    ? from.map(
        (path) =>
          `${to.replace(/\/$/, "")}/${path.split("/").findLast((part) => part !== "") ?? ""}`,
      )
    : [to]
  return surely(name === "mv" ? [...from, ...targets] : targets)
}

const GIT_LIKELY = new Set(
  "stash apply am merge pull rebase revert cherry-pick clean read-tree".split(" "),
)
const GIT_LOOKS = new Set(
  "list show --stat --check --numstat --summary -n --dry-run drop clear --abort".split(" "),
)

const git: Writer = ([name, ...given]) => {
  if (name !== "git") return NOTHING
  const [folder, [verb = "", ...args]] = gitFolder(given)
  return gitWrites(verb, args, (paths) =>
    surely(paths.filter(isPath).map((path) => (folder === "" ? path : `${folder}/${path}`))),
  )
}

function gitWrites(
  verb: string,
  args: readonly string[],
  below: (paths: readonly string[]) => readonly Wrote[],
): readonly Wrote[] {
  switch (verb) {
    case "restore":
    case "rm":
    case "mv":
      return args.includes("--staged") || args.includes("--cached") ? NOTHING : below(args)
    case "checkout":
    case "switch":
      return checkedOut(args, below)
    case "reset":
      return args.includes("--hard") ? all("likely") : NOTHING
    default:
      return GIT_LIKELY.has(verb) && !args.some((arg) => GIT_LOOKS.has(arg))
        ? all("likely")
        : NOTHING
  }
}

/** `git checkout`: the files after `--`, the folder `.`, or another branch; creating a branch writes nothing. */
function checkedOut(
  args: readonly string[],
  below: (paths: readonly string[]) => readonly Wrote[],
): readonly Wrote[] {
  const dashes = args.indexOf("--")
  if (dashes >= 0) return below(args.slice(dashes + 1))
  if (args.includes(".") && args.every((arg) => arg === "." || isFlag(arg))) return below(["."])
  const isNew = args.length < 3 && args.some((arg) => /^-[bBcC]$|^--orphan$/.test(arg))
  return isNew ? NOTHING : all("maybe")
}

/** The folder of `git -C folder`, and the words after git's own options. */
function gitFolder(words: readonly string[]): readonly [string, readonly string[]] {
  const [first = "", second = "", ...rest] = words
  if (first === "-C") {
    const [inner, verb] = gitFolder(rest)
    return [inner === "" ? second : inner, verb]
  }
  if (first === "-c") return gitFolder(rest)
  return isFlag(first) ? gitFolder(words.slice(1)) : ["", words]
}

/** `npx prettier …`, `bunx biome …`, `python -m black …`: the program and its arguments. */
function programIn(words: readonly string[]): readonly string[] {
  const text = words.join(" ")
  const front =
    /^(?:(?:npx|bunx|pnpx|uvx)(?: --?\w\S*)* |(?:npm exec|pnpm exec|pnpm dlx|yarn dlx|yarn|poetry run|uv run|bundle exec)(?: --)? |python3? -m )/.exec(
      `${text} `,
    )?.[0]
  return front === undefined ? words : words.slice(front.trim().split(" ").length)
}

const WITH_FLAG: Readonly<Record<string, RegExp>> = {
  prettier: /^(?:--write|-w)$/,
  eslint: /^--fix$/,
  stylelint: /^--fix$/,
  biome: /^--(?:write|apply\S*|fix|unsafe)$/,
  gofmt: /^-w$/,
  goimports: /^-w$/,
  "clang-format": /^-i$/,
  autopep8: /^(?:-i|--in-place)$/,
  rubocop: /^(?:-a|-A|--auto-correct\S*)$/,
  ruff: /^(?:--fix|format)$/,
  cargo: /^(?:fmt|fix)$/,
  go: /^(?:fmt|generate)$/,
  dart: /^format$/,
  jest: /^(?:-u|--updateSnapshot)$/,
  vitest: /^(?:-u|--update)$/,
  tar: /^-?\w*x\w*$/,
}
const ALWAYS = new Set("black isort rustfmt swiftformat standard unzip".split(" "))

/** Formatters, generators and one-line programs: what they name, or everything, if the tree has changed. */
const programs: Writer = (words) => {
  const [name = "", ...args] = programIn(words)
  const base = name.split("/").at(-1) ?? ""
  const flag = Object.hasOwn(WITH_FLAG, base) ? WITH_FLAG[base] : undefined
  const isCheck = args.some((arg) => /^(?:--check|--diff|--dry-run)$/.test(arg))
  const isFormatter =
    !isCheck && (ALWAYS.has(base) || (flag !== undefined && args.some((arg) => flag.test(arg))))
  if (isFormatter) {
    const paths = args.filter((arg) => !isFlag(arg) && /[./*]/.test(arg))
    return (paths.length === 0 ? ["."] : paths).map((path) => ({ path, how: "maybe" as const }))
  }
  const isInline =
    /^(?:python[\d.]*|node|ruby|perl|php|deno|bun)$/.test(base) &&
    args.some((arg) => arg === "-" || INLINE.test(arg))
  return isInline || (base === "find" && args.includes("-exec")) || base === "xargs"
    ? all("maybe")
    : NOTHING
}

const LOCKS: Readonly<Record<string, readonly string[]>> = {
  npm: ["package.json", "package-lock.json"],
  pnpm: ["package.json", "pnpm-lock.yaml"],
  yarn: ["package.json", "yarn.lock"],
  bun: ["package.json", "bun.lock"],
  cargo: ["Cargo.toml", "Cargo.lock"],
  go: ["go.mod", "go.sum"],
  poetry: ["pyproject.toml", "poetry.lock"],
  uv: ["pyproject.toml", "uv.lock"],
}
const INSTALLS = new Set(
  "install i add remove rm uninstall update upgrade get mod pkg version".split(" "),
)

/** Package managers write down what they install. */
const installers: Writer = ([name = "", verb = "", action = ""]) => {
  const files = Object.hasOwn(LOCKS, name) ? (LOCKS[name] ?? []) : []
  if (verb === "pkg" && /^(?:set|delete)$/.test(action)) return surely(files.slice(0, 1))
  return INSTALLS.has(verb) ? files.map((path) => ({ path, how: "maybe" as const })) : NOTHING
}

/** Every known kind of program that writes. */
export const WRITERS: readonly Writer[] = [inPlace, moved, git, programs, installers]
