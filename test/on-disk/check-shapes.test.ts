// What is said of a check by the exit code of a command, against what real bash does with that command.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { checkRun } from "../../src/decide/check-run.ts"

const SCRIPT = "cat > x.sh <<'EOF'\nCHECK\nEOF\nbash x.sh"
const SHAPES: readonly string[] = [
  "CHECK && echo PASS || echo FAIL",
  "CHECK && echo ok; true",
  "CHECK && echo ok; echo done",
  "CHECK && echo ok &",
  "CHECK && echo ok || true",
  'CHECK && echo ok\necho "finished"',
  "cd app && CHECK && echo OK || echo NOT OK",
  "# Run the tests\nCHECK",
  "cd app # go there\nCHECK",
  "CHECK # the tests",
  "CHECK > $PWD/x.log 2>&1",
  'CHECK > "out.log" 2>&1',
  "cd app&&CHECK",
  "FOO=$HOME CHECK",
  'FOO="$HOME/x" CHECK',
  "export FOO=`pwd`; CHECK",
  'cd "$(pwd)/app" && CHECK',
  'cd "$(git rev-parse --show-toplevel 2>/dev/null || pwd)" && CHECK',
  "echo $(cd app; CHECK && echo ok)",
  'OUT=$(cd app; CHECK && echo yes || echo no); echo "$OUT"',
  "OUT=$(cd app; CHECK && echo yes)",
  "true; (exit 0; CHECK && echo ok)",
  "echo set -o pipefail ; CHECK | tail -1",
  "(set -o pipefail; true); CHECK | tail -1",
  "set -o pipefail; set +o pipefail; CHECK | tail -1",
  "set -e -o pipefail; CHECK | tail -1",
  "set -euo pipefail\nCHECK 2>&1 | tail -5",
  "set -o pipefail && cd app && CHECK 2>&1 | tee log",
  "CHECK 2>&1 | tail -5; exit FIRST",
  "CHECK 2>&1 | tail -5; test FIRST -eq 0",
  "CHECK 2>&1 | tail -5 ; (exit FIRST)",
  "CHECK | tee x | tail; exit FIRST",
  "CHECK || true | tail; exit FIRST",
  "echo a \\; CHECK",
  "echo $'a\\'; CHECK && echo '",
  'echo "$(echo "a; CHECK && x")"',
  "source nowhere.sh && CHECK",
  "set -e; false; CHECK",
  "set -e\nls nowhere\nCHECK",
  "timeout 1 sleep 3; CHECK",
  "set -n; CHECK",
  "chk() { :; }; CHECK",
  "function chk { :; }\nCHECK",
  "alias chk=true; CHECK",
  "hash -p /bin/true chk; CHECK",
  "PATH=/usr/bin:/bin; ln -s /bin/true ./chk; PATH=.:$PATH; CHECK",
  "bash -c 'CHECK'",
  'bash -lc "cd app && CHECK"',
  'sh -c "CHECK"',
  "env FOO=1 CHECK",
  "time -p CHECK",
  "nice -n 5 CHECK",
  "timeout -k 5 60 CHECK",
  "timeout 60s CHECK",
  "{ CHECK; }",
  "( CHECK )",
  "(CHECK)",
  "(cd app; CHECK) && echo ok",
  "(cd app; CHECK) || echo no",
  "(cd app; CHECK); true",
  "(cd app; CHECK) | tail",
  "(cd app && CHECK 2>&1) && echo ok || echo bad",
  "if CHECK; then echo ok; else exit 1; fi",
  "for i in 1 2; do CHECK; done",
  "CHECK && exit 0 || exit 0",
  "CHECK; ec=$?; echo $ec; exit $ec",
  "CHECK; exit $?",
  "CHECK || exit 1",
  "CHECK || { echo failed; exit 1; }",
  SCRIPT,
  "CHECK && true & wait",
  "CHECK & wait $!",
  "cat > x.sh <<EOF\nhi\nEOF\nCHECK",
  "cat <<< hi; CHECK",
  'echo "it\'s"; CHECK',
  "echo 'a\nCHECK\nb'",
  'echo "a\nCHECK"',
  "pushd app >/dev/null && CHECK",
  "cd app || exit 1; CHECK",
  "cd app || exit 1\nCHECK",
  "mkdir -p tmp || true; CHECK",
  "echo start;CHECK;",
  "false & CHECK",
  "CHECK\t2>&1",
  "  CHECK  ;",
  "CHECK </dev/null",
  "CHECK < /dev/null 2>&1",
  "yes | CHECK",
  "CHECK 1>/dev/null",
  "CHECK >/dev/null 2>&1 && echo PASS",
  "CHECK >/dev/null 2>&1 && echo PASS || { echo FAIL; }",
  "until CHECK; do break; done",
  "test -d app && CHECK",
  "test -d nope && CHECK || echo skipped",
  "[ -d nope ] || CHECK",
  "coproc CHECK",
  "printf 'x' && CHECK && printf y ; :",
  'echo "a" \'b; CHECK && echo "\'',
  ": && CHECK",
  "! CHECK",
  "cd app && ! CHECK",
  "ls; ! CHECK",
  "exec CHECK",
  "eval CHECK",
  "CHECK && false || true",
  "trap 'exit 0' EXIT; CHECK",
  'cd app; trap "exit 0" EXIT; CHECK',
  "cd app && trap 'exit 0' EXIT && CHECK",
  "builtin exit 0; CHECK",
  "command exit 0; CHECK",
  "FOO=1 exit 0; CHECK",
  "\\exit 0; CHECK",
  '"exit" 0; CHECK',
  ">x exit 0; CHECK",
  "echo x; shopt -s expand_aliases; unset -f chk; CHECK",
  "source /dev/stdin <<< 'chk(){ :; }'; CHECK",
  ". ./fake.sh; CHECK",
  "echo 'chk () { :; }' > fake.sh; . ./fake.sh; CHECK",
  "enable -f x chk 2>/dev/null; CHECK",
  "kill $$; CHECK",
  "readonly chk=1; CHECK",
  "wait; CHECK",
  "CHECK &> x.log",
  "CHECK >& x.log",
  "CHECK |& tail",
  "CHECK 2>&1|tail",
  "CHECK|tail",
  "CHECK&&echo ok||echo bad",
  "CHECK||true",
  "CHECK;true",
  "CHECK&",
  'out=$(CHECK); echo "$out"',
  "out=`CHECK`; echo $out",
  "if ! CHECK; then echo bad; fi",
  "if CHECK; then echo ok; else echo bad; fi",
  "for i in 1 2; do CHECK || true; done",
  "t() { CHECK; }; t || true",
  "cat <(CHECK)",
  "eval 'CHECK' || true",
  "bash -euo pipefail -c 'CHECK' || true",
  "while ! CHECK; do break; done",
  "case x in x) CHECK;; esac; true",
  "! ! CHECK",
]

/** The exit code of a pipe's first command. */
const FIRST = `$${"{PIPESTATUS[0]}"}`

let folder = ""
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "shapes-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a command whose check `chk one` ends with a code: the exit code of the command, and whether the check was run. */
async function inBash(command: string, code: number, name: string) {
  const root = join(folder, name)
  await mkdir(join(root, "app"), { recursive: true })
  await mkdir(join(root, "bin"))
  const script = `#!/bin/sh\n[ "$*" = one ] && echo >> "${root}/log"\nexit ${code}\n`
  await writeFile(join(root, "bin/chk"), script)
  await chmod(join(root, "bin/chk"), 0o755)
  const env = { ...process.env, HOME: root, PATH: `${root}/bin:${process.env["PATH"]}` }
  const { status } = spawnSync("bash", ["-c", command], { cwd: root, env, timeout: 20_000 })
  const log = await readFile(join(root, "log"), "utf8").catch(() => null)
  return { exit: status, isRun: log !== null }
}

test.each(SHAPES.map((shape, at) => ({ shape, at })))("$at: $shape", async ({ shape, at }) => {
  const command = shape.replaceAll("CHECK", "chk one").replaceAll("FIRST", FIRST)
  for (const code of [0, 1]) {
    const { exit, isRun } = await inBash(command, code, `${at}-${code}`)
    const said = checkRun(command, "chk one", exit)
    const isWrong =
      (said === "passed" && !(isRun && code === 0)) ||
      (said === "failed" && !(isRun && code === 1)) ||
      // A failing run that nobody sees leaves the one before as the last; what stands in a script is none of the command's words.
      (said === null && isRun && shape !== SCRIPT)
    expect({ code, exit, isRun, said, isWrong }).toEqual({
      code,
      exit,
      isRun,
      said,
      isWrong: false,
    })
  }
})
