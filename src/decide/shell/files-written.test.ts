import { expect, test } from "bun:test"
import { countedWrites, filesWritten, reachOf, spanOfCheck } from "./files-written.ts"

const CASES: readonly { command: string; files: readonly string[]; how?: string }[] = [
  { command: "echo x > src/a.ts", files: ["src/a.ts"] },
  { command: "echo x >>'my file'", files: ["my file"] },
  { command: "sed -i s/a/b/ src/a.ts", files: ["src/a.ts"] },
  { command: "cd app && mv a.ts b.ts", files: ["app/a.ts", "app/b.ts"] },
  { command: "cat a | tee -a b.log", files: ["b.log"] },
  { command: "git checkout -- src/a.ts", files: ["src/a.ts"] },
  { command: "npm test > /dev/null 2>&1", files: [] },
  { command: "npm test 2>&1 | tail", files: [] },
  { command: "grep -r a src; ls", files: [] },
  { command: "git restore src/a.ts", files: ["src/a.ts"] },
  { command: "git restore --staged src/a.ts", files: [] },
  { command: "git rm --cached src/a.ts", files: [] },
  { command: "git checkout main", files: ["."], how: "maybe" },
  { command: "git checkout -b feature/login", files: [] },
  { command: "npx prettier --write src/a.ts", files: ["src/a.ts"], how: "maybe" },
  { command: "npx prettier --check src/a.ts", files: [] },
  { command: "gofmt -w", files: ["."], how: "maybe" },
  { command: "git checkout HEAD~1 -- src/a.ts", files: ["src/a.ts"] },
  { command: "git -C . checkout -- src/a.ts", files: ["src/a.ts"] },
  { command: "git -C app checkout -- src/a.ts", files: ["app/src/a.ts"] },
  { command: "git commit -am 'Render <LoginForm> once'", files: [] },
  { command: 'git commit -m "a; rm src/a.ts > b"', files: [] },
  { command: "node -e 'if (a > b) c()'", files: ["."], how: "maybe" },
  { command: "awk '$1 > 5' data.csv", files: [] },
  { command: "jq '.a > 5' data.json", files: [] },
  { command: "cp src/a.ts src/b.ts", files: ["src/b.ts"] },
  { command: "(cd app; echo x > src/a.ts)", files: ["app/src/a.ts"] },
  { command: "(cd app && make); echo x > src/a.ts", files: ["src/a.ts"] },
  { command: "cat <<'EOF' > src/a.ts\nx > y; rm z\nEOF", files: ["src/a.ts"] },
  { command: "cat x |tee -a src/a.ts", files: ["src/a.ts"] },
  { command: "sed --in-place s/a/b/ src/a.ts", files: ["src/a.ts"] },
  { command: "if true; then rm src/a.ts; fi", files: ["src/a.ts"] },
  { command: "sudo rm src/a.ts", files: ["src/a.ts"] },
  { command: "npm pkg set scripts.test=true", files: ["package.json"] },
  { command: "for f in a b; do echo x > src/a.ts; done", files: ["src/a.ts"] },
  { command: "", files: [] },
]
test("of a command that names very many files some are told", () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `src/${at}.ts`)
  const wrote = filesWritten(`rm ${names.join(" ")}`)
  expect(wrote.length).toBeGreaterThan(5)
  expect(wrote.length).toBeLessThan(100)
})

test.each(CASES)("$command", ({ command, files, how = "surely" }) => {
  const wrote = filesWritten(command).map(({ path, how: sure }) => [path, sure])
  expect(wrote).toEqual(files.map((path) => [path, how]))
})

test.each([
  { what: "its output", command: "npm test > out.log", counts: [] },
  { what: "its output through a pipe", command: "npm test | tee out.log", counts: [] },
  { what: "what stands before it", command: "echo x > a.ts && npm test", counts: ["a.ts"] },
  { what: "what stands behind it", command: "npm test; echo x > a.ts", counts: ["a.ts"] },
])("of what a command with a check writes, $what counts as work: $counts", (given) => {
  const span = spanOfCheck(given.command, "npm test")
  const { written } = countedWrites(filesWritten(given.command), span === null ? [] : [span], true)
  expect(written.map(({ path }) => path)).toEqual([...given.counts])
})

test.each([
  { command: "X=1", reach: "nothing" },
  { command: "X=1 npm test", reach: "told" },
] as const)("$command reaches $reach, beside npm test as a check", ({ command, reach }) => {
  expect(reachOf(command, ["npm test"])).toBe(reach)
})
