import { describe, expect, test } from "bun:test"
import { pathsInArgs, pathsInPatch } from "./paths-in-args.ts"

const patch = (...lines: readonly string[]) =>
  ["*** Begin Patch", ...lines, "*** End Patch"].join("\n")

describe("the files that a patch names", () => {
  test("every file that is added, updated, deleted or moved to, and no other line", () => {
    const text = patch(
      "*** Add File: src/new.ts",
      "+*** Add File: no",
      "*** Update File: a b.md",
      "*** Move to: c/d.md",
      "@@",
      " *** Delete File: no",
      "-*** Delete File: no",
      "*** Delete File: old.ts\r",
    )
    expect(pathsInPatch(text)).toEqual(["src/new.ts", "a b.md", "c/d.md", "old.ts"])
  })
  test.each([
    { line: "*** Update File:.boulder/boulder.json", is: [".boulder/boulder.json"] },
    { line: "*** Add File:\t.boulder/x", is: [".boulder/x"] },
    { line: "*** Delete File:   ./.boulder/x  ", is: ["./.boulder/x"] },
    { line: "*** Update File: a\n*** Move to:.boulder/x", is: ["a", ".boulder/x"] },
    { line: "*** Update File:.boulder/x\r\n@@\r\n-a\r\n+b\r", is: [".boulder/x"] },
    { line: "*** Add File: a\r/../.boulder/x", is: ["a\r/../.boulder/x"] },
    { line: "*** Update File: /p/.boulder/x", is: ["/p/.boulder/x"] },
    { line: "*** Add File: ", is: [] },
    // What the host may read one day is refused if it names our folder.
    { line: "*** update file: .boulder/x", is: [".boulder/x"] },
    { line: "***Update File: .boulder/x", is: [".boulder/x"] },
    { line: "*** Update  File : .boulder/x", is: [".boulder/x"] },
    { line: "*** Rename File: .boulder/x", is: [".boulder"] },
    { line: "*** Rename File: .BOULDER/x", is: [".boulder"] },
    { line: "*** Rename File: src/x", is: [] },
  ])("$line: $is", ({ line, is }) => {
    expect(pathsInPatch(patch(line))).toEqual(is)
    expect(pathsInPatch(`cat <<'EOF'\n${patch(line)}\nEOF`)).toEqual(is)
  })
  test("a text that is no patch names none", () => {
    expect(pathsInPatch("")).toEqual([])
  })
})

describe("the files that a call of a writing tool names", () => {
  test.each<{ name: string; args: unknown; is: readonly string[] }>([
    { name: "write", args: { filePath: "a.ts", content: ".boulder/x" }, is: ["a.ts"] },
    { name: "another host's write", args: { path: ".boulder/x", content: "" }, is: [".boulder/x"] },
    { name: "snake case", args: { file_path: ".boulder/x" }, is: [".boulder/x"] },
    {
      name: "several edits",
      args: { filePath: "a.ts", edits: [{ filePath: ".boulder/x" }, { oldString: ".boulder/y" }] },
      is: ["a.ts", ".boulder/x"],
    },
    {
      name: "a patch",
      args: { patchText: patch("*** Add File:.boulder/x") },
      is: [".boulder/x"],
    },
    {
      name: "another host's patch",
      args: { patch: patch("*** Add File: a.ts") },
      is: ["a.ts"],
    },
    {
      name: "a diff of another kind that names our folder",
      args: { patchText: "--- a/.boulder/x\n+++ b/.boulder/x\n" },
      is: [".boulder"],
    },
    {
      name: "unknown fields that name our folder",
      args: { target: ".Boulder/x" },
      is: [".boulder"],
    },
    { name: "unknown fields that do not", args: { target: "src/x" }, is: [] },
    { name: "no arguments", args: undefined, is: [] },
  ])("$name", ({ args, is }) => {
    expect(pathsInArgs(args)).toEqual(is)
  })
})
