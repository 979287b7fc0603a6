import { expect, test } from "bun:test"
import { parsePlan } from "../parse-plan.ts"

/** The checks of each task, as `command @line`. */
function checksIn(text: string): readonly (readonly string[])[] {
  return parsePlan(text).tasks.map(({ checks = [] }) =>
    checks.map(({ command, line }) => `${command} @${line}`),
  )
}

const below = (...details: readonly string[]) =>
  `## TODOs\n- [ ] 1. A\n${details.map((line) => `  ${line}`).join("\n")}\n- [ ] 2. B\n`

test.each([
  { written: "Verify: `npm test`" },
  { written: "- Verify: `npm test`" },
  { written: "**Verify**: `npm test`" },
  { written: "**Verify:** `npm test`" },
  { written: "- **Verification**: `npm test` passes" },
  { written: "Check: `npm   test`" },
  { written: "- [ ] Verify: `npm test`" },
  { written: "- [ ] 1.1 Verify: `npm test`" },
  { written: "Verify with: ``npm test``" },
  { written: "VALIDATION: `npm test`" },
  { written: "Verify: run `npm test`" },
  { written: "- **Verify**: Run: `npm test`, no test may fail" },
  { written: "Verify: `npm test` fails if the form is missing" },
  { written: "Verify: `npm test` exits 0 and prints no errors" },
  { written: "Verify: `npm test`. If it fails, fix it" },
  { written: "Verify: `npm test`, if it fails see the log" },
  { written: "Verify: `npm test` (12 passed, 0 failed)" },
  { written: "Verify: `npm test` (failures: 0)" },
  { written: "Verify: `npm test` - the failing test passes now" },
  { written: "Verify: `npm test` must not fail" },
  { written: "Verify: `npm test` returns 3 rows" },
  { written: "Verify: `npm test` returns 200" },
  { written: "Verify: `npm test` covers the failed login" },
  { written: "Verify: `npm test` (failed logins are counted)" },
  { written: "Verify: `npm test` — retries on failure" },
  { written: "Verify: `npm test` shows the red banner" },
  { written: "Verify: `npm test` (previously failing)" },
  { written: "Verify: `npm test` (fail fast)" },
  { written: "Verify: `npm test` errors = 0" },
  { written: "Verify: `npm test` → exit 0" },
  { written: "Verify: `npm test`: failing login shows a message" },
  { written: "Verify: `npm test`, including the failure cases" },
  { written: "Verify: `npm test` (red button)" },
  { written: "Verify: `npm test` no longer fails" },
  { written: "Verify: `npm test` (any failure blocks the release)" },
  { written: "Verify: `npm test` - on failure see the log" },
  { written: "Verify: `npm test` returns 5" },
])("a detail line is a check: $written", ({ written }) => {
  expect(checksIn(below(written))).toEqual([["npm test @3"], []])
})

test.each([
  { written: "Verify: ``" },
  { written: "Verify: ` `" },
  { written: "Verify: `npm test" },
  { written: "Verify: npm test" },
  { written: "Verify that `npm test` is not broken" },
  { written: "**Verify** `config/storage.yml` has local disk config" },
  { written: "Verify: `config/storage.yml` has local disk config" },
  { written: "Check: `isinstance(child, ast.Assign)`" },
  { written: "Verify: the form, then `npm test`" },
  { written: "Verify: `GET /health` returns 200" },
  { written: "Verify: `LoginForm` renders without errors" },
  { written: "Check: `user.isAdmin` is false for guests" },
  { written: "Verify: `POST /login` with a wrong password returns 401" },
  { written: "- **Verify**: `dist/index.js exists`" },
  { written: "Verify: `README.md` and `docs/` mention the flag" },
  { written: "Verify: `Ctrl+C` ends it" },
  { written: "Verify: `users` table has a `role` column" },
  { written: "Verify: `200 OK` is returned" },
  { written: "Verify: `config.timeout` defaults to 30" },
  { written: "Check: `src/auth/login.ts:42` no longer throws" },
  { written: "Verify: `src/auth/ compiles`" },
  { written: "Verify: `/health` answers 200" },
  // These end with another code than 0 where all is well.
  { written: "Verify: `grep -rn oldName src/` returns no matches" },
  { written: "Verify: `git grep oldName` → nothing" },
  { written: "Verify: `rg oldName` finds zero results (except in tests)" },
  { written: "Verify: `npm run login` should fail without a password" },
  { written: "Verify: `./cli --bad` exits with code 2" },
  { written: "Verify: `pytest a.py` (expected: FAIL)" },
  { written: "Verify: `pytest a.py`, expect FAIL" },
  { written: "Verify: `pytest a.py` → **FAIL**" },
  { written: "Verify: `pytest a.py` still fails" },
  { written: "Verify: `pytest a.py` is red" },
  { written: "Verify: `pytest a.py` exits non-zero" },
  { written: "Verify: `pytest a.py` returns non-zero" },
  { written: "Verify: `pytest a.py` → FAIL with an ImportError" },
  { written: "Verify: run `pytest a.py` and confirm that it fails" },
  // No run says what each of their commands ended with.
  { written: "Verify: `for name in a b; do npm test $name; done`" },
  { written: "Verify: `cd app`" },
  // They end with 0 whatever happens.
  { written: "Verify: `npm test || true`" },
  { written: 'Verify: `npx tsc --noEmit 2>&1 | grep src/a.ts || echo "it is fine"`' },
  { written: "Checkpoint: `npm test`" },
  { written: "Double check: `npm test`" },
])("what names no command is none: $written", ({ written }) => {
  expect(checksIn(below(written))).toEqual([[], []])
})

test.each([
  { command: "make" },
  { command: "pytest" },
  { command: "pytest -x tests/test_a.py" },
  { command: "grep -q newName src/a.ts" },
  { command: "./gradlew test" },
  { command: "./run.sh" },
  { command: "scripts/check.sh" },
  { command: "/usr/bin/true" },
  { command: "go test ./..." },
  { command: "dotnet test App.sln" },
  { command: "cargo test --workspace" },
  { command: "node --test" },
  { command: "npx @biomejs/biome check ." },
  { command: "node_modules/.bin/tsc --noEmit" },
  { command: "python3.12 -m pytest" },
  { command: "CI=1 npm test" },
  { command: "FOO='x y' npm test" },
  { command: "! grep -r TODO src" },
  { command: "test -f dist/index.js" },
  { command: "[ -f dist/index.js ]" },
  { command: "curl -fsS localhost:3000/health" },
  { command: "(cd app && npm test)" },
  { command: "check" },
])("a command is a check: $command", ({ command }) => {
  expect(checksIn(below(`Verify: \`${command}\``))).toEqual([[`${command} @3`], []])
})

test("of a command and prose the command is a check", () => {
  const text = below("Verify: `npm test` and `GET /health` returns 200")
  expect(checksIn(text)[0]).toEqual(["npm test @3"])
})

test("several commands, each once, on the line where the plan names it first", () => {
  const text = below("Verify: `npm test` and `npm run lint`, `npm run types`", "Check: `npm test`")
  expect(checksIn(text)[0]).toEqual(["npm test @3", "npm run lint @3", "npm run types @3"])
})

test("shell signs, other scripts and variables belong to the command", () => {
  const text = below("Verify: `FORCE=1 ./测试.sh --was \"a b\" && ! grep -r 'TODO' src | wc -l`")
  expect(checksIn(text)[0]).toEqual([
    "FORCE=1 ./测试.sh --was \"a b\" && ! grep -r 'TODO' src | wc -l @3",
  ])
})

test("in a fence or a comment nothing is a check", () => {
  const text = below("```", "Verify: `npm test`", "```", "<!--", "Verify: `npm test`", "-->")
  expect(checksIn(text)).toEqual([[], []])
})

test("one of 10 kB is not read, and that is said", () => {
  const plan = parsePlan(below(`Verify: \`npm test ${"a".repeat(10_000)}\``))
  expect(plan.tasks[0]?.checks).toBeUndefined()
  expect(plan.warnings).toContainEqual({
    line: 3,
    rule: "check-too-long",
    message: "A check has at most 1000 characters: this one is not read.",
  })
})

test("a heading that is a task has the check of its details", () => {
  const text =
    "# Plan\n\n### Task 1: A\n**Verify:** `npm test`\n- [ ] Step 1: B\n\n### Task 2: C\n- [ ] Step 1: D\n"
  expect(checksIn(text)).toEqual([["npm test @4"], []])
})

test("GSD's <verify>: what is automated, and what is to be run", () => {
  const text = [
    '<task type="auto">',
    "  <name>Task 1: A</name>",
    "  <verify>",
    "1. Run: `bun run build` and verify compilation succeeds",
    '2. Check imports: grep "a" src/a.ts',
    "<automated>pytest  -x</automated>",
    "  </verify>",
    "  <done>`npm run never` is no check</done>",
    "</task>",
    '<task type="auto">',
    "  <name>Task 2: B</name>",
    "  <verify>`npm test`</verify>",
    "</task>",
    '<task type="auto">',
    "  <name>Task 3: C</name>",
    "  <verify><automated>npm run types</automated></verify>",
    "</task>",
  ].join("\n")
  expect(checksIn(text)).toEqual([
    ["bun run build @4", "pytest -x @6"],
    ["npm test @12"],
    ["npm run types @16"],
  ])
})

test("a section Validation Commands holds for all tasks but the final wave's rows, behind their own", () => {
  const text = [
    "## Validation Commands",
    "",
    "- `npm run lint`",
    "```bash",
    "# everything",
    "$ npm test  # all of them",
    "```",
    "",
    "## Notes",
    "- `npm run docs`",
    "",
    "## TODOs",
    "- [ ] 1. A",
    "  Verify: `npm run one`",
    "- [ ] 2. B",
    "## Final Verification Wave",
    "- [ ] F1. C",
  ].join("\n")
  const forAll = ["npm run lint @3", "npm test @6"]
  expect(checksIn(text)).toEqual([["npm run one @14", ...forAll], forAll, []])
})

test.each([
  { lines: ["npm run build && \\", "  npm test"], checks: ["npm run build && npm test @4"] },
  { lines: ["cd app", "pytest -q", "cd ..", "npm test"], checks: ["pytest -q @4", "npm test @6"] },
  {
    lines: ["export CI=1", "for f in a b; do", "  npm test $f", "done", "npm run lint"],
    checks: ["npm run lint @7"],
  },
  {
    lines: [`for d in $${"{DIRS}"}; do`, "  make end $d", "done", "npm run lint"],
    checks: ["npm run lint @6"],
  },
  { lines: ["for f in a b; do npm test $f; done", "npm run lint"], checks: ["npm run lint @4"] },
  { lines: ["for f in *; do", "done | tee log", "npm run lint"], checks: ["npm run lint @5"] },
  {
    lines: ["npm test \\", "```", "```sh", "npm run lint"],
    checks: ["npm test @4", "npm run lint @6"],
  },
  { lines: ["for x in range(3):", "```", "```sh", "npm run lint"], checks: ["npm run lint @6"] },
  {
    lines: ["for f in a; do", "  npm test $f", "done | tee log", "npm run lint"],
    checks: ["npm run lint @6"],
  },
  {
    lines: ["if [ -d a ]; then npm test; fi; echo x", "npm run lint"],
    checks: ["npm run lint @4"],
  },
  {
    lines: ["for x in range(3):", "  print(x)", "```", "```bash", "npm run lint"],
    checks: ["npm run lint @7"],
  },
  {
    lines: ["if [ -d app ]; then", "  npm test", "fi < list", "npm run lint"],
    checks: ["npm run lint @6"],
  },
])("in a fence of Validation Commands $lines is $checks", ({ lines, checks }) => {
  const text = ["## Validation Commands", "```bash", ...lines, "```", "## TODOs", "- [ ] 1. A", ""]
  expect(checksIn(text.join("\n"))).toEqual([checks])
})

test.each([
  { written: "npm test 2>&1 | tail -20", check: "npm test" },
  { written: "cd app && npx tsc --noEmit | head -n 5", check: "cd app && npx tsc --noEmit" },
  { written: "npm test | tee out/test.log | tail", check: "npm test" },
  { written: "npm test | grep -v warn", check: "npm test | grep -v warn" },
  { written: "grep 'a | tail -5' src/a.ts", check: "grep 'a | tail -5' src/a.ts" },
  { written: "grep -q 'a || true' src/a.ts", check: "grep -q 'a || true' src/a.ts" },
  { written: "tail -5 a.log", check: "tail -5 a.log" },
])("what only shortens the output of a check is none of it: $written", ({ written, check }) => {
  expect(checksIn(below(`Verify: \`${written}\``))).toEqual([[`${check} @3`], []])
})

test.each([
  { written: '`grep -q "a" src/a.ts` exits 0' },
  { written: '`grep -q "a" src/a.ts` → exit 0' },
  { written: '`grep -q "a" src/a.ts` returns 0' },
])("a search that should find something is a check: $written", ({ written }) => {
  expect(checksIn(below(`Verify: ${written}`))[0]).toHaveLength(1)
})

test("a plan without checks has tasks without the field", () => {
  const { tasks } = parsePlan("## TODOs\n- [ ] 1. A\n  Acceptance: it works\n- [ ] 2. B\n")
  expect(tasks.map((task) => Object.hasOwn(task, "checks"))).toEqual([false, false])
})
