import { expect, test } from "bun:test"
import fc from "fast-check"
import { guardWrite } from "../../src/decide/guard-write.ts"
import { pathsInArgs, pathsInPatch } from "../../src/opencode/host/v1/paths-in-args.ts"

const blank = fc.constantFrom("", " ", "  ", "\t", "\u00a0", "\v", "\ufeff")
const name = fc.stringMatching(/^[a-z.]{1,6}$/)
const path = fc
  .tuple(fc.constantFrom("", "./", "/p/", "../", "a\r/"), fc.array(name, { minLength: 1 }))
  .map(([start, names]) => start + names.join("/"))
const eol = fc.constantFrom("\n", "\r\n")
const verb = fc.constantFrom("Add File", "Update File", "Delete File")
const content = fc.array(
  fc
    .tuple(fc.constantFrom("+", "-", " ", "@@", "@@ *** Add File: ", "+*** Delete File: "), path)
    .map((parts) => parts.join("")),
  { maxLength: 4 },
)

const hunk = fc
  .record({ verb, path, before: blank, after: blank, moved: fc.option(path), content })
  .map((made) => ({
    paths: [made.path, ...(made.moved === null ? [] : [made.moved])],
    lines: [
      `*** ${made.verb}:${made.before}${made.path}${made.after}`,
      ...(made.moved === null ? [] : [`*** Move to:${made.before}${made.moved}${made.after}`]),
      ...made.content,
    ],
  }))

const patch = fc
  .record({
    hunks: fc.array(hunk, { maxLength: 4 }),
    eol,
    heredoc: fc.constantFrom(null, "EOF", "PATCH"),
    around: fc.constantFrom("", "\n", "  \n"),
  })
  .map(({ hunks, eol: end, heredoc, around }) => {
    const lines = ["*** Begin Patch", ...hunks.flatMap((one) => one.lines), "*** End Patch"]
    const text = lines.join(end)
    const inside = heredoc === null ? text : `cat <<'${heredoc}'\n${text}\n${heredoc}`
    return { paths: hunks.flatMap((one) => one.paths), text: around + inside + around }
  })

test("every file that a patch would write is named, in whatever dress, and nothing that is content", () => {
  fc.assert(
    fc.property(patch, ({ paths, text }) => {
      expect(pathsInPatch(text)).toEqual([...paths.map((one) => one.trim())])
      expect(pathsInArgs({ patchText: text }).slice(0, paths.length)).toEqual([
        ...pathsInPatch(text),
      ])
    }),
  )
})

test("arguments of any form that name our folder, and no file that we can read, are refused", () => {
  const named = fc.constantFrom(".boulder/x", "a/../.boulder", ".Boulder/boulder.json")
  const field = fc.constantFrom("target", "file", "input", "0", "diff")
  fc.assert(
    fc.property(field, fc.string(), named, fc.string(), (key, start, ours, end) => {
      const forms = [{ [key]: start + ours + end }, { [key]: [{ deep: start + ours + end }] }]
      for (const args of forms) {
        const given = { paths: pathsInArgs(args), planPath: "p.md" }
        for (const writer of ["lead", "subagent"] as const)
          expect(guardWrite({ ...given, writer, orchestratorWrites: "allow" }).kind).toBe("refuse")
      }
    }),
  )
})
