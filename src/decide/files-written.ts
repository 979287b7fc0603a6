// The files that a command of a shell writes, by its words alone.
import { withoutWrappers } from "./shell-doing.ts"
import { shellTokens, type Token, unquoted } from "./shell-tokens.ts"

const MAX_COMMAND = 20_000
const MAX_FILES = 20
/** Commands whose arguments are files that they write. */
const WRITER = /^(?:sed (?:-\S+ )*(?:-\w*i\S*|--in-place\S*)|perl -\S+|tee|mv|rm|touch|truncate) /
const GIT = /^git (?:restore|rm|mv) |^git checkout (?:\S+ )*-- /
/** What stands before a command. */
const BEFORE = new Set("{ ! if then else elif while until do sudo".split(" "))
/** Of these the last argument alone. */
const TO_LAST = /^(?:cp|ln|install) /

/**
 * The files that a command of a shell writes as far as its words tell: what is redirected there, and the arguments of
 * commands such as `sed -i`, `mv` and `tee`. What is quoted is one word; what a program writes by itself is not seen.
 */
export function filesWritten(command: string): readonly string[] {
  const tokens = command.length > MAX_COMMAND ? null : shellTokens(command)
  if (tokens === null) return []
  const redirected = tokens.flatMap(({ kind, text }, at) => {
    const before = tokens[at - 1]
    const isTarget = before?.kind === "redirection" && before.text.includes(">")
    return isTarget && kind === "word" && !isOpen(text) ? [unquoted(text)] : []
  })
  const files = [...redirected, ...commandsIn(tokens).flatMap(namedIn)]
  return [...new Set(files.filter(isFile))].slice(0, MAX_FILES)
}

/** The words of each command, without where its input and output go. */
function commandsIn(tokens: readonly Token[]): readonly (readonly string[])[] {
  const commands: string[][] = [[]]
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind === "joint") commands.push([])
    else if (kind === "word" && tokens[at - 1]?.kind !== "redirection" && !BEFORE.has(text))
      commands.at(-1)?.push(text)
  }
  return commands
}

/** Whether only the shell knows what a word becomes; or it is no file, as in `2>&1`. */
function isOpen(word: string): boolean {
  return /[$`*]|^(?:\d|-)$/.test(word)
}

function namedIn(words: readonly string[]): readonly string[] {
  const plain = withoutWrappers(words).map(unquoted)
  const text = `${plain.join(" ")} `
  const front = (WRITER.exec(text) ?? GIT.exec(text) ?? TO_LAST.exec(text))?.[0]
  if (front === undefined) return []
  const files = plain
    .slice(front.trim().split(" ").length)
    .filter((word) => !word.startsWith("-") && !/[<>$`*]/.test(word))
  return TO_LAST.test(text) ? files.slice(-1) : files
}

function isFile(file: string): boolean {
  return file !== "" && !file.startsWith("/dev/")
}
