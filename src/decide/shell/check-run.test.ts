import { expect, test } from "bun:test"
import { checkRun } from "./check-run.ts"

const CHECK = "npm test"

test.each([
  { command: "npm test", passed: "passed", failed: "failed" },
  { command: "  npm \t test  ", passed: "passed", failed: "failed" },
  { command: "cd app && npm test", passed: "passed", failed: "failed" },
  { command: "cd app; npm test", passed: "passed", failed: "failed" },
  { command: "cd app\nnpm test", passed: "passed", failed: "failed" },
  { command: "cd app && \\\n npm test", passed: "passed", failed: "failed" },
  { command: "(cd app && npm test)", passed: "passed", failed: "failed" },
  { command: "CI=1 FORCE='a b' npm test", passed: "passed", failed: "failed" },
  { command: "cd app && CI=1 timeout 60 npm test", passed: "passed", failed: "failed" },
  { command: "time npm test", passed: "passed", failed: "failed" },
  { command: "npm test 2>&1", passed: "passed", failed: "failed" },
  { command: "npm test > out.log 2>&1", passed: "passed", failed: "failed" },
  { command: "npm test;", passed: "passed", failed: "failed" },
  { command: "ls; npm test", passed: "passed", failed: "failed" },
  { command: "echo npm test; npm test", passed: "passed", failed: "failed" },
  { command: "set -o pipefail; npm test 2>&1 | tail -5", passed: "passed", failed: "failed" },
  { command: "set -eo pipefail && npm test | tail", passed: "passed", failed: "failed" },
  { command: `npm test | tail; exit $${"{PIPESTATUS[0]}"}`, passed: "passed", failed: "failed" },
  { command: "npm ci && npm test", passed: "passed", failed: "unknown" },
  { command: "npm test && npm run lint", passed: "passed", failed: "unknown" },
  { command: "npx npm test", passed: "passed", failed: "unknown" },
  { command: "CI=1 uv run npm test 2>&1", passed: "passed", failed: "unknown" },
  { command: "npm exec -- npm test", passed: "passed", failed: "unknown" },
  { command: "uv run --frozen npm test", passed: "passed", failed: "unknown" },
  { command: "uv run --extra dev -q -- npm test", passed: "passed", failed: "unknown" },
  { command: "uv run --with=x --no-dev npm test", passed: "passed", failed: "unknown" },
  { command: "poetry run -q npm test", passed: "passed", failed: "unknown" },
  { command: "uv run --help npm test", passed: null, failed: null },
  { command: "uv run --extra npm test", passed: null, failed: null },
  { command: "uv run --directory ../other npm test", passed: null, failed: null },
  { command: "poetry run -h npm test", passed: null, failed: null },
  { command: "npx -p x npm test", passed: null, failed: null },
  { command: "npm test || true", passed: "unknown", failed: "unknown" },
  { command: "npm test || exit 1", passed: "passed", failed: "failed" },
  { command: "npm test | tail", passed: "unknown", failed: "unknown" },
  { command: "npm test 2>&1 | tail -20", passed: "unknown", failed: "unknown" },
  { command: "npm test; echo $?", passed: "unknown", failed: "unknown" },
  { command: "npm test &", passed: "unknown", failed: "unknown" },
  { command: "npm test; npm test", passed: "passed", failed: "failed" },
  { command: "echo npm test", passed: null, failed: null },
  { command: 'git commit -m "npm test"', passed: null, failed: null },
  { command: 'echo "a; npm test"', passed: null, failed: null },
  { command: "# npm test", passed: null, failed: null },
  { command: "true # ; npm test", passed: null, failed: null },
  { command: "npm test -- login", passed: null, failed: null },
  { command: "npm tests", passed: null, failed: null },
  { command: "xnpm test", passed: null, failed: null },
  { command: "exit 0; npm test", passed: null, failed: null },
  { command: "true || npm test", passed: null, failed: null },
  { command: "cat <<EOF\nnpm test\nEOF", passed: null, failed: null },
  { command: "npm test && echo PASS || echo FAIL", passed: "unknown", failed: "unknown" },
  { command: "npm test && echo ok", passed: "passed", failed: "failed" },
  // What stands behind it may have failed, not the check.
  { command: "npm test && cd nope", passed: "passed", failed: "unknown" },
  { command: "npm test && cat coverage/total.txt", passed: "passed", failed: "unknown" },
  { command: "(npm test && tail -5 x.log)", passed: "passed", failed: "unknown" },
  { command: "set -o pipefail; npm test && cat a | tail", passed: "passed", failed: "unknown" },
  { command: "npm test && echo ok; true", passed: "unknown", failed: "unknown" },
  { command: "npm test && echo ok\necho finished", passed: "unknown", failed: "unknown" },
  { command: "npm test && echo ok &", passed: "unknown", failed: "unknown" },
  {
    command: "(cd app && npm test) && echo ok || echo bad",
    passed: "unknown",
    failed: "unknown",
  },
  { command: "npm test && git commit -am wip; git push", passed: "unknown", failed: "unknown" },
  { command: "npm test && true && echo ok", passed: "passed", failed: "failed" },
  { command: "npm test; exit 0", passed: "unknown", failed: "unknown" },
  { command: "npm test; exit $?", passed: "passed", failed: "failed" },
  { command: "cd app || exit 0; npm test", passed: "unknown", failed: "failed" },
  {
    command: "set -o pipefail; set +o pipefail; npm test | tail",
    passed: "unknown",
    failed: "unknown",
  },
  {
    command: "(set -o pipefail; true); npm test | tail",
    passed: "unknown",
    failed: "unknown",
  },
  { command: "echo set -o pipefail ; npm test | tail", passed: "unknown", failed: "unknown" },
  { command: "set -e\nnpm test\necho done", passed: "passed", failed: "failed" },
  { command: "set -e; { npm test; echo ok; }", passed: "passed", failed: "failed" },
  { command: "set -e; { false; npm test; }", passed: null, failed: null },
  // Behind `!` bash passes over `set -e`.
  { command: "set -e; ! { false; npm test; }", passed: "unknown", failed: "unknown" },
  { command: "builtin exit 0; npm test", passed: null, failed: null },
  { command: '"exit" 0; npm test', passed: null, failed: null },
  { command: "echo a \\; npm test", passed: null, failed: null },
  { command: "# Run the tests\nnpm test", passed: "passed", failed: "failed" },
  { command: "npm test # the login tests", passed: "passed", failed: "failed" },
  { command: "cd app || exit 1\nnpm test", passed: "passed", failed: "failed" },
  { command: "mkdir -p x || true; npm test", passed: "passed", failed: "failed" },
  { command: "cat > x.txt <<EOF\nit's $(a\nEOF\nnpm test", passed: "passed", failed: "failed" },
  { command: "cat <<< hi; npm test", passed: "passed", failed: "failed" },
  { command: "FOO=$HOME npm test", passed: "passed", failed: "failed" },
  { command: 'npm test > "$TMPDIR/out.log" 2>&1', passed: "passed", failed: "failed" },
  { command: "npm test > logs/out.log 2>&1", passed: "passed", failed: "unknown" },
  { command: "cd app&&npm test", passed: "passed", failed: "failed" },
  {
    command: 'cd "$(git rev-parse --show-toplevel)" && npm test',
    passed: "passed",
    failed: "failed",
  },
  // What stands before it may have failed, so that the check was not run.
  { command: ". .venv/bin/activate && npm test", passed: "passed", failed: "unknown" },
  { command: "source venv/bin/activate; npm test", passed: "passed", failed: "failed" },
  { command: "set -e; source .env; npm test", passed: "passed", failed: "unknown" },
  { command: "cat .env && npm test", passed: "passed", failed: "unknown" },
  { command: "head -n 5 a.txt && npm test", passed: "passed", failed: "unknown" },
  { command: "popd && npm test", passed: "passed", failed: "unknown" },
  { command: "pushd app && npm test", passed: "passed", failed: "failed" },
  {
    command: "set -o pipefail; npm test | tail -n +2 | head -c 1K",
    passed: "passed",
    failed: "failed",
  },
  { command: "set -o pipefail; npm test | tail -5 x.log", passed: "passed", failed: "unknown" },
  { command: "{ npm test; }", passed: "passed", failed: "failed" },
  { command: "(cd app; npm test) && echo ok", passed: "passed", failed: "failed" },
  { command: "npm test|tail", passed: "unknown", failed: "unknown" },
  { command: "time -p npm test", passed: "passed", failed: "failed" },
  { command: "nice -n 5 npm test", passed: "passed", failed: "failed" },
  { command: "timeout -k 5 60 npm test", passed: "passed", failed: "failed" },
  { command: "bash -lc 'cd app && npm test'", passed: "passed", failed: "failed" },
  {
    command: "npm test && git commit -m \"$(cat <<'EOF'\nit's (a) fix\nEOF\n)\"",
    passed: "passed",
    failed: "unknown",
  },
  { command: "cat in | npm test", passed: "unknown", failed: "unknown" },
  { command: "! npm test", passed: "unknown", failed: "unknown" },
  { command: "if false; then npm test; fi", passed: "unknown", failed: "unknown" },
  { command: "npm() { true; }; npm test", passed: "unknown", failed: "unknown" },
  { command: "function t { npm test; }; t", passed: "unknown", failed: "unknown" },
  { command: "trap 'exit 0' EXIT; npm test", passed: "unknown", failed: "unknown" },
  { command: ". ./fake.sh; npm test", passed: "unknown", failed: "unknown" },
  { command: "PATH=.:$PATH; npm test", passed: "unknown", failed: "unknown" },
  { command: "PATH=./f:$PATH npm test", passed: "unknown", failed: "unknown" },
  { command: 'export PATH="$PWD/f:$PATH" && npm test', passed: "unknown", failed: "unknown" },
  { command: "export PATH=/tmp/f:$PATH; npm test", passed: "unknown", failed: "unknown" },
  { command: "export PATH=$HOME/.cargo/bin:$PATH; npm test", passed: "passed", failed: "failed" },
  { command: "PATH=$PWD/node_modules/.bin:$PATH npm test", passed: "passed", failed: "failed" },
  { command: "npm test; code=$?; exit $code", passed: "passed", failed: "failed" },
  {
    command: 'npm test > x.log 2>&1; rc=$?; tail -5 x.log; echo "rc=$rc"; exit "$rc"',
    passed: "passed",
    failed: "failed",
  },
  { command: "( ( ( ( ( npm test ) ) ) ) )", passed: "passed", failed: "failed" },
  { command: "( ( ( ( ( ( npm test ) ) ) ) ) )", passed: "unknown", failed: "unknown" },
  { command: "npm test; rc=$?; rc=0; exit $rc", passed: "unknown", failed: "unknown" },
  { command: "npm test; rc=$?; read rc; exit $rc", passed: "unknown", failed: "unknown" },
  { command: "npm test; rc=$?; ls; exit $other", passed: "unknown", failed: "unknown" },
  { command: "(npm test; rc=$?); exit $rc", passed: "unknown", failed: "unknown" },
  { command: "npm test; rc=$?; . ./x.sh; exit $rc", passed: "unknown", failed: "unknown" },
  { command: "npm test; ls; rc=$?; exit $rc", passed: "unknown", failed: "unknown" },
  { command: "npm test; rc=$?; (( rc=0 )); exit $rc", passed: "unknown", failed: "unknown" },
  { command: "cat <<'true'\n\ttrue\nnpm test\ntrue", passed: null, failed: null },
  { command: "cat <<-'true'\n\ttrue\nnpm test", passed: "passed", failed: "failed" },
  {
    command: "OUT=$(cd app; npm test && echo yes || echo no)",
    passed: "unknown",
    failed: "unknown",
  },
  // It was run, and its exit code is not the command's.
  { command: "out=$(npm test); echo done", passed: "unknown", failed: "unknown" },
  { command: "out=`npm test`; echo done", passed: "unknown", failed: "unknown" },
  { command: "if ! npm test; then echo bad; fi", passed: "unknown", failed: "unknown" },
  { command: "if npm test; then echo ok; fi", passed: "unknown", failed: "unknown" },
  { command: "while ! npm test; do break; done", passed: "unknown", failed: "unknown" },
  { command: "for i in 1 2; do npm test; done", passed: "unknown", failed: "unknown" },
  { command: "t() { npm test; }; t || true", passed: "unknown", failed: "unknown" },
  { command: "(! npm test)", passed: "unknown", failed: "unknown" },
  { command: "cat <(npm test)", passed: "unknown", failed: "unknown" },
  { command: "(npm test) | tail", passed: "unknown", failed: "unknown" },
  { command: "eval 'npm test'", passed: "unknown", failed: "unknown" },
  { command: "bash -euo pipefail -c 'npm test'", passed: "unknown", failed: "unknown" },
  { command: "coproc npm test", passed: "unknown", failed: "unknown" },
  { command: "exec npm test", passed: "unknown", failed: "unknown" },
  { command: "bash <<'EOF'\nnpm test\nEOF", passed: "unknown", failed: "unknown" },
  { command: "sh <<< 'npm test'", passed: "unknown", failed: "unknown" },
  { command: "cat <<EOF\n$(npm test)\nEOF", passed: "unknown", failed: "unknown" },
  { command: 'cat <<EOF\nsay "$(npm test)", 5"\nEOF', passed: "unknown", failed: "unknown" },
  { command: 'cat <<EOF\nsay \\"hi $(npm test)\nEOF', passed: "unknown", failed: "unknown" },
  { command: 'cat <<EOF\n$(echo ")"; npm test)\nEOF', passed: "unknown", failed: "unknown" },
  { command: "cat <<'EOF'\n$(npm test)\nEOF", passed: null, failed: null },
  { command: "find . -maxdepth 0 -exec npm test \\;", passed: "unknown", failed: "unknown" },
  { command: "npm test; x=$(npm test)", passed: "unknown", failed: "unknown" },
  { command: "cat < <(CI=1 npm test)", passed: "unknown", failed: "unknown" },
  { command: "x=$(npm test); npm test", passed: "passed", failed: "failed" },
  { command: 'echo "$(echo npm test)"', passed: null, failed: null },
  { command: 'grep "npm test" README.md | head', passed: null, failed: null },
  { command: "for c in npm test; do echo $c; done", passed: null, failed: null },
  { command: "git commit -m \"$(cat <<'EOF'\nnpm test\nEOF\n)\"", passed: null, failed: null },
  { command: "bash run.sh npm test", passed: null, failed: null },
  { command: "true || x=$(npm test)", passed: null, failed: null },
  { command: "if true; then echo 'npm test'; fi", passed: null, failed: null },
  { command: 'case $x in npm) echo "npm test";; esac', passed: null, failed: null },
  { command: "", passed: null, failed: null },
] as const)("$command", ({ command, passed, failed }) => {
  expect([checkRun(command, CHECK, 0), checkRun(command, CHECK, 1)]).toEqual([passed, failed])
})

test.each([
  { exit: 126, outcome: "unavailable" },
  { exit: 127, outcome: "unavailable" },
  { exit: null, outcome: "unavailable" },
  { exit: 137, outcome: "failed" },
] as const)("exit $exit of the check itself: $outcome", ({ exit, outcome }) => {
  expect(checkRun("npm test", CHECK, exit)).toBe(outcome)
})

test("the end of a time limit is none of the check", () => {
  expect(checkRun("timeout 60 npm test", CHECK, 124)).toBe("unavailable")
  expect(checkRun("npm test", CHECK, 124)).toBe("failed")
})

test("a check with signs of the shell is compared word for word", () => {
  const check = "npm test && ! grep -r 'TODO' src | wc -l"
  expect(checkRun(`cd app && ${check}`, check, 0)).toBe("passed")
  expect(checkRun(`cd app && ${check}`, check, 1)).toBe("failed")
  expect(checkRun("npm test", check, 0)).toBeNull()
  expect(checkRun(`cd app || ${check}`, check, 0)).toBeNull()
  expect(checkRun("npm test || b && echo ok || echo bad", "npm test || b", 0)).toBe("unknown")
  expect(checkRun("cd app; make a;make b", "make a; make b", 1)).toBe("failed")
})

test.each([
  { command: "npm run build && npm test 2>&1", passed: "passed", failed: "failed" },
  {
    command: "cd app && npm run build && npm test > x.log 2>&1",
    passed: "passed",
    failed: "failed",
  },
  {
    command: "set -o pipefail; npm run build && npm test 2>&1 | tail -5",
    passed: "passed",
    failed: "failed",
  },
  { command: "npm run build && npm test 2>&1 | tail -5", passed: "unknown", failed: "unknown" },
  {
    command: "set -o pipefail; npm run build && npm test | sh x.sh",
    passed: "unknown",
    failed: "unknown",
  },
  { command: "npm run build && npm test 2>&1 || true", passed: "unknown", failed: "unknown" },
  { command: "npm run build && npm test -- login 2>&1", passed: null, failed: null },
  { command: "npm run build && npm test < answers", passed: null, failed: null },
  { command: "npm run build || npm test 2>&1", passed: null, failed: null },
  // `set -e` passes over a first command that fails.
  { command: "set -e; npm run build && npm test; echo done", passed: "unknown", failed: "failed" },
  { command: "set -e\nnpm run build && npm test", passed: "passed", failed: "failed" },
])(
  "a check of two commands whose output goes elsewhere: $command",
  ({ command, passed, failed }) => {
    const check = "npm run build && npm test"
    expect<unknown>([checkRun(command, check, 0), checkRun(command, check, 1)]).toEqual([
      passed,
      failed,
    ])
  },
)

test("npm takes the options of what it executes for its own, unless `--` stands before", () => {
  const check = "eslint . --max-warnings 0"
  expect(checkRun(`npm exec ${check}`, check, 0)).toBeNull()
  expect(checkRun(`npm exec -- ${check}`, check, 0)).toBe("passed")
  expect(checkRun(`pnpm exec ${check}`, check, 0)).toBe("passed")
  expect(checkRun("npm exec eslint .", "eslint .", 0)).toBe("passed")
})

test("a check that cannot be read as a command is run by its own words, whatever blanks stand around them", () => {
  const check = "npm test 'of one"
  expect(checkRun("  npm  test 'of one ", check, 0)).toBe("passed")
  expect(checkRun(check, check, 1)).toBe("failed")
  expect(checkRun("npm test 'of two", check, 0)).toBeNull()
})
