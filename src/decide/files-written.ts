// The files that a command of a shell writes, by its words alone.
const MAX_COMMAND = 20_000
const MAX_FILES = 20
const TO_FILE = /(?<![<>&|-])&?\d?>{1,2} ?("[^"]*"|'[^']*'|[^\s;&|<>()`$"']+)/g
/** Commands whose arguments are files that they write. */
const WRITER =
  /(?:^|[;&|(\n] *)(?:sed -i\S*|perl -\S+|tee|mv|cp|rm|touch|truncate|git (?:checkout|restore|rm|mv)) ([^;&|\n]+)/g

/**
 * The files that a command of a shell writes as far as its words tell: what is redirected there, and the arguments of
 * commands such as `sed -i`, `mv` and `tee`. What a program writes by itself is not seen.
 */
export function filesWritten(command: string): readonly string[] {
  const text = command.slice(0, MAX_COMMAND)
  const redirected = [...text.matchAll(TO_FILE)].map(([, file = ""]) => file)
  const named = [...text.matchAll(WRITER)].flatMap(([, words = ""]) =>
    words
      .split(/\s+/)
      .filter((word) => word !== "" && !word.startsWith("-") && !/[<>$`*]/.test(word)),
  )
  const files = [...redirected, ...named].map((file) => file.replace(/^["']|["']$/g, ""))
  return [...new Set(files)]
    .filter((file) => file !== "" && !file.startsWith("/dev/"))
    .slice(0, MAX_FILES)
}
