// What the real bash ends with, and what is made of it: a run counts as passed only where the check ended with 0.
import { expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../test/support/temporary-folder.ts"
import { checkRun } from "./check-run.ts"

const CHECK = "./check one"

function exitOf(command: string, code: number): number | null {
  const dir = temporaryFolder("check")
  mkdirSync(join(dir, "app"))
  for (const folder of [dir, join(dir, "app")]) {
    writeFileSync(join(folder, "check"), `#!/bin/sh\nexit ${code}\n`)
    chmodSync(join(folder, "check"), 0o755)
  }
  return spawnSync("bash", ["-c", command], { cwd: dir }).status
}

// A new shell inherits neither `pipefail` nor `errexit` of the one that starts it.
test.each([
  "set -o pipefail; bash -c './check one | tail -5'",
  "set -eo pipefail; bash -lc 'cd app && ./check one 2>&1 | tail -20'",
  "set -o pipefail && timeout 60 bash -c './check one 2>&1 | tail -5'",
  "set -e; bash -c './check one; echo finished'",
  'set -euo pipefail\nbash -c "cd app; ./check one; echo finished"',
])("a failed check in another shell has not passed: %s", (command) => {
  const exit = exitOf(command, 1)
  expect(exit).toBe(0)
  expect(checkRun(command, CHECK, exit)).not.toBe("passed")
})

// Within what stands before `&&` or `||`, bash passes over `set -e`, also in a group.
test.each([
  "(set -e; cd app; ./check one; echo ok) && echo done",
  "set -e; (cd app; ./check one; echo ok) && echo done",
  "set -e\n{ ./check one; echo ok; } && echo done",
  "set -e; (./check one; echo ok) || exit 1",
  "(set -e; ./check one; echo ok) || { echo failed; exit 1; }",
])("a failed check in a group before && or || has not passed: %s", (command) => {
  const exit = exitOf(command, 1)
  expect(exit).toBe(0)
  expect(checkRun(command, CHECK, exit)).not.toBe("passed")
})

// `timeout -k`, `-s KILL` and `--preserve-status` end with other codes than 124.
test.each([
  { command: `timeout -s KILL 1 ./check one`, exit: 137 },
  { command: `timeout -k 1 1 ./check one`, exit: 137 },
  { command: `timeout --preserve-status 1 ./check one`, exit: 143 },
])("what a time limit has ended is unavailable, not failed: $command", ({ command, exit }) => {
  expect(checkRun(command, CHECK, exit)).not.toBe("failed")
})

// A check that passes, and whose long output `head` does not read to its end, ends with 141 there: nothing has failed.
test("a check whose pipe was closed by head has not failed", () => {
  const dir = temporaryFolder("check")
  writeFileSync(
    join(dir, "check"),
    "#!/bin/bash\nfor i in {1..50000}; do echo line $i; done\nexit 0\n",
  )
  chmodSync(join(dir, "check"), 0o755)
  const command = "set -o pipefail; ./check one 2>&1 | head -50"
  const exit = spawnSync("bash", ["-c", command], { cwd: dir }).status
  expect(exit).toBe(141)
  expect(checkRun(command, CHECK, exit)).not.toBe("failed")
})

// The check has passed or was not run: it is the shell that fails, or what takes the output.
test.each([
  "set -o pipefail; ./check one | tee logs/test.log",
  "./check one > logs/test.log 2>&1",
  "./check one < missing.txt",
  "{ ./check one; } > logs/test.log",
  "echo begun > logs/test.log && ./check one",
  "set -eu; ./check one; echo $NOT_SET",
  "set -eu; cd $NOT_SET; ./check one",
  `set -o nounset; ./check one; echo "$${"{NOT_SET}"}"; exit 0`,
  "./check one && echo $((1/0))",
  `echo $${"{NOT_SET:?is missing}"}; ./check one`,
])("a check that has not failed is not said to have: %s", (command) => {
  const exit = exitOf(command, 0)
  expect(exit).not.toBe(0)
  expect(checkRun(command, CHECK, exit)).not.toBe("failed")
})

// The same sure of a file where it can hardly fail, and of what is never unset.
test.each([
  "./check one > test.log 2>&1",
  "./check one > /tmp/check-shapes.log 2>&1",
  "set -o pipefail; ./check one 2>&1 | tee test.log",
  "set -euo pipefail; ./check one",
  `set -uo pipefail; ./check one | tail; code=$${"{PIPESTATUS[0]}"}; echo "exit: $code"; exit $code`,
  "set -u; ./check one; exit $?",
])("a check that has failed is said to have: %s", (command) => {
  const exit = exitOf(command, 1)
  expect(exit).toBe(1)
  expect(checkRun(command, CHECK, exit)).toBe("failed")
})

test.each([
  "set -o pipefail; ./check one | tee app/test.log",
  "./check one > app/test.log 2>&1",
  'set -euo pipefail; HERE=$(pwd); cd "$HERE"; ./check one > "$HERE/app/x.log"; echo $((1 + 1))',
])("a check that has passed is said to have, wherever its output goes: %s", (command) => {
  const exit = exitOf(command, 0)
  expect(exit).toBe(0)
  expect(checkRun(command, CHECK, exit)).toBe("passed")
})
