/**
 * What `npm test` runs, with plain Node: build, types, lint, unused, then the fast suite and that of the disk, then the slow
 * ones one after the other, but for the worlds: they compute on one core, beside the first of the others, which wait for
 * disks, locks and processes. The files of a suite that take longest start first. The very last line is
 * `N passed, N failed`. `--fast` runs the tests beside the code and no other suite, `--only=NAME` runs the build and that
 * suite alone: `versions`, `kilo` and `kills` have commands of their own, since they say little new a second time.
 * `--record` writes down in which hosts tests have run, and how they ended: the README's table is made of it.
 */
import { spawn } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const BUN = join(ROOT, "node_modules", ".bin", "bun")
const MINUTE_MS = 60_000
/** For a test that sets no limit of its own; bun would give it 5 s, which a busy machine needs for a host's start. */
const TEST_LIMIT_MS = 4 * MINUTE_MS
/** Files at once: more of them starve the hosts and the many-process tests on a machine of two cores. */
const PARALLEL = 2
/** The files of a process share their modules, and with them the host that the last one has left. */
const SHARED = "--no-isolate"

/** Far more than the fast tests keep at once. */
const MEMORY_BYTES = 2 * 1024 ** 3

/** Of one failed test: a world's story with its seed, or the end of a host's log. */
const FAILURE_LINES = 100

const CHECKS = ["types", "lint", "unused"]
const SUITES = [
  {
    name: "fast",
    folders: ["src"],
    // Loading all modules anew for each file was a third of their processor time.
    args: [SHARED],
    // A third of their time they wait, for a timer or a program: more files at once use it.
    parallel: 4,
    // They wait for the disk half of their time. Whether it keeps what it was given is asked by the crash tests.
    isInMemory: true,
    longest: ["budget", "tool-text", "plan-limits", "task-state"],
    limitMs: 15 * MINUTE_MS,
  },
  {
    name: "disk",
    folders: ["test/on-disk", "test/property"],
    args: [SHARED],
    parallel: 4,
    isInMemory: true,
    longest: [
      ...["prompts-foreign-text", "store-interleavings", "plan-ticks", "plan-reading"],
      ...["task-state", "plan-open-boxes", "plan-blocks"],
    ],
    limitMs: 15 * MINUTE_MS,
  },
  { name: "fleet", folders: ["test/fleet"], limitMs: 10 * MINUTE_MS, slow: true },
  { name: "crash", folders: ["test/crash"], limitMs: 15 * MINUTE_MS, slow: true },
  {
    name: "world",
    folders: ["test/world"],
    args: ["--timeout=600000"],
    env: { WORLDS: "260" },
    limitMs: 25 * MINUTE_MS,
    slow: true,
    isOnOneCore: true,
  },
  {
    name: "integration",
    folders: ["test/integration"],
    args: [SHARED],
    // A host waits for its model, a timer or another process most of the time.
    parallel: 3,
    // Two of them wait for minutes of the product's own: begun first, that costs least.
    longest: [
      ...["panel-dialogs", "provider-limits", "panel", "replays", "run-plan", "proof-rates"],
      ...["compaction-kills", "install", "run-limits", "after-compaction", "kilo", "task-state"],
    ],
    hosts: [pinnedVersion()],
    limitMs: 40 * MINUTE_MS,
    slow: true,
  },
  // It measures the processor's time, and keeps both cores: nothing runs beside it.
  { name: "hostile", folders: ["test/hostile"], limitMs: 15 * MINUTE_MS, slow: true },
]
/** What is tested in Kilo: the main job, compaction, `run` and its doors, and what a person does meanwhile. */
const IN_KILO = new Set(
  [
    ...["entry", "short-path", "start-work", "task-state", "run-plan", "run-doors"],
    ...["approval", "human", "delegation", "blocked-work", "kilo"],
  ].map((name) => `${name}.test.ts`),
)
/** What is run on the pinned host by the suites above, on the older ones and in Kilo; and kills at random moments. */
const OWN_SUITES = [
  {
    name: "versions",
    folders: ["test/integration"],
    files: (text) => text.includes("TESTED_VERSIONS"),
    args: [SHARED, "--test-name-pattern=opencode 1\\."],
    env: { HOST_VERSIONS: "older" },
    hosts: ["1.14.41", "1.15.13", "1.17.11"],
    limitMs: 40 * MINUTE_MS,
  },
  {
    name: "kilo",
    folders: ["test/integration"],
    files: (_, name) => IN_KILO.has(name),
    args: [SHARED],
    env: { HOST_VERSIONS: "kilo" },
    hosts: ["kilo 7.7.7"],
    limitMs: 40 * MINUTE_MS,
  },
  { name: "kills", folders: ["test/kills"], limitMs: 15 * MINUTE_MS },
]

/** The process groups that run now, and the suites' folders: they end with this process, so that none outlives it. */
const running = new Set()
const made = new Set()
process.on("exit", () => {
  for (const pid of running) endGroup(pid)
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1))

const fast = process.argv.includes("--fast")
const TRIED = join(ROOT, "src", "headless", "tried-hosts.json")
const only = fast
  ? "fast"
  : process.argv.find((arg) => arg.startsWith("--only="))?.slice("--only=".length)
const chosen =
  only === undefined ? SUITES : [...SUITES, ...OWN_SUITES].filter(({ name }) => name === only)
if (chosen.length === 0) throw new Error(`Expected the name of a suite; found ${only}.`)
const results = []

const build = await runProgram("build", "npm", ["run", "--silent", "build"], 5 * MINUTE_MS)
if (!build.ok) results.push({ name: "build", passed: 0, failed: 1, seconds: build.seconds })
if (fast || only === undefined) results.push(...(await Promise.all(CHECKS.map(runCheck))))
const slow = chosen.filter((suite) => suite.slow)
const computing = slow.length > 1 ? slow.filter((suite) => suite.isOnOneCore) : []
await runInTurn(chosen.filter((suite) => !suite.slow))
await Promise.all([
  runInTurn(computing.map((suite) => ({ ...suite, prints: "at its end" }))),
  runInTurn(slow.filter((suite) => !computing.includes(suite))),
])

for (const { name, failures = "" } of results) {
  if (failures === "") continue
  heading(`failed in ${name}`)
  console.log(failures)
}
heading("summary")
for (const { name, passed, failed, seconds } of results) {
  console.log(`${name.padEnd(12)} ${passed} passed, ${failed} failed (${seconds} s)`)
}
const sum = (key) => results.reduce((total, result) => total + result[key], 0)
process.exitCode = sum("failed") > 0 ? 1 : 0
console.log(`${sum("passed")} passed, ${sum("failed")} failed`)

async function runCheck(name) {
  const given = { prints: "at its end" }
  const args = ["run", "--silent", name]
  const { ok, output, seconds } = await runProgram(name, "npm", args, 5 * MINUTE_MS, given)
  const failures = ok ? "" : output.split("\n").slice(-FAILURE_LINES).join("\n")
  return { name, passed: ok ? 1 : 0, failed: ok ? 0 : 1, seconds, failures }
}

async function runInTurn(suites) {
  for (const suite of suites) {
    const result = await runSuite(suite)
    if (result !== undefined) results.push(result)
  }
}

async function runSuite(suite) {
  const { name, folders, env, hosts = [], limitMs, prints } = suite
  const present = folders.filter(hasTests)
  if (present.length === 0) {
    console.log(`\n${name}: no tests yet`)
    return undefined
  }
  const folder = mkdtempSync(join(suite.isInMemory ? memory() : tmpdir(), "boulder-run-"))
  made.add(folder)
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711)
  const args = argsOf(suite, present, join(folder, "timings.json"))
  const given = { env: { TMPDIR: folder, ...env }, prints }
  const { ok, ending, output, seconds } = await runProgram(name, BUN, args, limitMs, given)
  rmSync(folder, { recursive: true, force: true })
  const { passed, failed } = countTests(output)
  const failures = failuresIn(plain(output))
  if (process.argv.includes("--record") && hosts.length > 0) record(name, hosts, output)
  if (ok || failed > 0) return { name, passed, failed, seconds, failures }
  console.log(`${name}: ${ending}`)
  return { name, passed, failed: 1, seconds, failures }
}

/** What bun is called with for the folders of a suite that are there. */
function argsOf({ files, args = [], parallel = PARALLEL, longest }, folders, timings) {
  const paths = files === undefined ? folders : folders.flatMap((folder) => filesOf(folder, files))
  if (longest !== undefined) writeTimings(timings, folders, longest)
  return [
    ...["test", `--parallel=${parallel}`, `--timeout=${TEST_LIMIT_MS}`, ...args],
    ...(longest === undefined ? [] : [`--timings=${timings}`]),
    ...paths.map((path) => `./${path}`),
  ]
}

/** Tells bun which files begin first. It takes no notice of what does not name every file. */
function writeTimings(path, folders, longest) {
  const found = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => `${folder}/${name}`),
  )
  const timed = found
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => {
      const rank = longest.indexOf(basename(file).replace(/\.test\.tsx?$/, ""))
      return [file, rank < 0 ? 1 : 1_000 * (longest.length - rank)]
    })
  writeFileSync(path, JSON.stringify({ version: 1, files: Object.fromEntries(timed) }))
}

/**
 * Keeps how the tests of a suite have ended in each of its hosts, and how many in each file; of several hosts the tests' names
 * tell which. A run that has not come to its end says nothing of a host; what was known stays.
 */
function record(suite, hosts, output) {
  const closing = build.ok ? closingOf(plain(output)) : null
  if (closing === null) {
    console.log(`${suite}: not recorded: it has not run to its end`)
    return
  }
  const tried = JSON.parse(readFileSync(TRIED, "utf8"))
  const ended = testsIn(plain(output))
  // No test's line tells of a file that cannot be loaded, nor of which host it would have been.
  const named = ended.filter(({ line }) => line.startsWith("(fail)")).length
  const unnamed = Math.max(closing.errors, closing.failed - named)
  for (const host of hosts) {
    const inHost = new RegExp(`opencode ${host.replaceAll(".", "\\.")}(?![\\d.])`)
    const isIts = ({ line }) => (hosts.length === 1 ? !isElsewhere(line, host) : inHost.test(line))
    const its = ended.filter(isIts)
    if (its.length === 0) {
      console.log(`${suite}: not recorded: no test ran in ${host}`)
      continue
    }
    const count = (mark) => its.filter(({ line }) => line.startsWith(mark)).length
    const names = [...new Set(its.map(({ file }) => file))].sort()
    const files = Object.fromEntries(
      names.map((name) => [name, its.filter(({ file }) => file === name).length]),
    )
    const on = new Date().toISOString().slice(0, 10)
    tried[host] = { suite, passed: count("(pass)"), failed: count("(fail)") + unnamed, on, files }
  }
  writeFileSync(TRIED, `${JSON.stringify(tried, null, 2)}\n`)
}

/** The tests that have ended, each with the name of its file; behind them bun prints those that have failed once more. */
function testsIn(text) {
  const [once] = text.split(/^\d+ tests? (?:failed|skipped):$/m)
  let file = ""
  return once.split("\n").flatMap((line) => {
    file = /([\w-]+)\.test\.tsx?:$/.exec(line)?.[1] ?? file
    return /^\((?:pass|fail)\)/.test(line) ? [{ line, file }] : []
  })
}

/**
 * What was printed for each test that has failed, above its name: whoever has only the end of a long log reads it there.
 */
function failuresIn(text) {
  const [once] = text.split(/^\d+ tests? (?:failed|skipped):$/m)
  const found = []
  let lines = []
  for (const line of once.split("\n")) {
    lines.push(line)
    if (line.startsWith("(fail)")) found.push(lines.slice(-FAILURE_LINES).join("\n"))
    if (/^\((?:pass|fail|skip|todo)\)/.test(line)) lines = []
  }
  return found.join("\n")
}

/** What bun says at its end; where that is missing, the suite did not end by itself: count the lines it had got to. */
function countTests(output) {
  const text = plain(output)
  const count = (mark) => text.split("\n").filter((line) => line.startsWith(mark)).length
  return closingOf(text) ?? { passed: count("(pass)"), failed: count("(fail)") + 1 }
}

/** Bun's closing summary; null where it has printed none. */
function closingOf(text) {
  const closing = text.slice(text.lastIndexOf("\n\n"))
  const number = (word) => new RegExp(`^ *(\\d+) ${word}$`, "m").exec(closing)?.[1]
  const [passed, failed, errors = 0] = [number("pass"), number("fail"), number("errors?")]
  return passed && failed
    ? { passed: Number(passed), failed: Number(failed), errors: Number(errors) }
    : null
}

function isElsewhere(line, host) {
  return line.includes(" kilo ") && !host.startsWith("kilo ")
}

/** Where files lie in memory, if the machine has such a place with room; else the usual folder. */
function memory() {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm")
    return bavail * bsize > MEMORY_BYTES ? "/dev/shm" : tmpdir()
  } catch {
    return tmpdir()
  }
}

function pinnedVersion() {
  const text = readFileSync(join(ROOT, "package.json"), "utf8")
  return JSON.parse(text).devDependencies["opencode-ai"]
}

function plain(output) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
  return output.replaceAll(/\u001b\[[0-9;]*m/g, "")
}

/** Keeps the program's output, and prints it as it comes or at its end; ends its whole process group at the limit. */
function runProgram(name, program, args, limitMs, { env = {}, prints = "as it comes" } = {}) {
  const isStreamed = prints === "as it comes"
  if (isStreamed) heading(name)
  return new Promise((resolve) => {
    const begun = performance.now()
    const child = spawn(program, args, {
      cwd: ROOT,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env, ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : {}) },
    })
    let output = ""
    let ending = ""
    const keep = (chunk) => {
      output += chunk
      if (isStreamed) process.stdout.write(chunk)
    }
    child.stdout.setEncoding("utf8").on("data", keep)
    child.stderr.setEncoding("utf8").on("data", keep)
    const timer = setTimeout(() => {
      ending = `did not end within ${limitMs / MINUTE_MS} minutes`
      endGroup(child.pid)
    }, limitMs)
    const finish = (ok, how) => {
      clearTimeout(timer)
      running.delete(child.pid)
      if (!isStreamed) {
        heading(name)
        process.stdout.write(output)
      }
      const seconds = Math.round((performance.now() - begun) / 1000)
      resolve({ ok, ending: ending || how, output, seconds })
    }
    if (child.pid !== undefined) running.add(child.pid)
    child.on("error", (error) => {
      console.log(String(error))
      finish(false, String(error))
    })
    child.on("close", (code, signal) => finish(code === 0, `ended with ${signal ?? code}`))
  })
}

function hasTests(folder) {
  const path = join(ROOT, folder)
  if (!existsSync(path)) return false
  return readdirSync(path, { recursive: true }).some((file) => /\.test\.tsx?$/.test(file))
}

/** The test files of a folder whose text is one of those. */
function filesOf(folder, isOne) {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".test.ts"))
  return names
    .map((name) => `${folder}/${name}`)
    .filter((path) => isOne(readFileSync(join(ROOT, path), "utf8"), basename(path)))
}

function heading(name) {
  console.log(`\n── ${name} ${"─".repeat(Math.max(0, 60 - name.length))}`)
}

function endGroup(pid) {
  if (pid === undefined) return
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // It has ended by itself.
  }
}
