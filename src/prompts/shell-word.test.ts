import { describe, expect, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { shellWord } from "./shell-word.ts"

describe("a foreign text as one word of a command line for a shell", () => {
  test.each([
    { text: "auth-rewrite", is: "auth-rewrite" },
    { text: ".boulder/plans/a.md", is: ".boulder/plans/a.md" },
    { text: "todo:3", is: "todo:3" },
    { text: "my plan", is: "'my plan'" },
    { text: "it's", is: "'it'\\''s'" },
    { text: "a$(id)`id`;id", is: "'a$(id)`id`;id'" },
    { text: "größe", is: "'größe'" },
    { text: "-rf", is: "-- '-rf'" },
    { text: "--attach=http:evil.example", is: "-- '--attach=http:evil.example'" },
    { text: "=ls", is: "'=ls'" },
    { text: "task:~1a2b#2", is: "'task:~1a2b#2'" },
    { text: "~root", is: "'~root'" },
    { text: "a\u001b]0;x\u0007\n\u202eb", is: "'a ]0;x b'" },
    { text: "", is: "''" },
  ])("$text", ({ text, is }) => {
    expect(shellWord(text)).toBe(is)
  })

  test.each(["my plan", "it's", "$(id)`id`;id\\", "größe", "*", "'''", '"'])(
    "a shell reads %s as it is",
    (text) => {
      const said = execFileSync("sh", ["-c", `printf %s ${shellWord(text)}`], { encoding: "utf8" })
      expect(said).toBe(text)
    },
  )
})
