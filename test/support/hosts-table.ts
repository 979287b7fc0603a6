import { TRIED_HOSTS } from "../../src/headless/tried-hosts.ts"

const START =
  "<!-- hosts: written by `npm run docs` from what `npm test -- --record` and similar runs have recorded -->"
const END = "<!-- /hosts -->"

/** `text`, with the table between its marks replaced by that of the hosts in which tests have run. */
export function withHostsTable(text: string): string {
  const start = text.indexOf(START)
  const end = text.indexOf(END)
  if (start < 0 || end < start) throw new Error(`Expected ${START} and ${END} in the README`)
  return `${text.slice(0, start)}${START}\n${hostsTable()}\n${text.slice(end)}`
}

/** What the test files try, in the order in which the README names it. Any other file is listed by its own name. */
const TRIED: Readonly<Record<string, string>> = {
  install: "installing",
  entry: "loading",
  "short-path": "the main job",
  kilo: "the main job",
  "start-work": "`/start-work`",
  delegation: "delegation",
  "blocked-work": "blocked tasks",
  approval: "approval",
  human: "questions and stops",
  undo: "undo",
  "after-compaction": "compaction",
  "compaction-chain": "compaction",
  "task-state": "compaction",
  "task-state-options": "compaction",
  "provider-overflow": "a full context",
  "provider-limits": "limits",
  "run-plan": "`run`",
  "run-doors": "`run`",
  "host-versions": "what the host reports",
}

/** One row for each host, older ones first, Kilo after them. */
function hostsTable(): string {
  const hosts = Object.entries(TRIED_HOSTS).sort(([one], [other]) =>
    one.localeCompare(other, "en", { numeric: true }),
  )
  const rows = hosts.map(([name, { suite, passed, failed, files }]) => {
    const host = /^\d/.test(name) ? `opencode ${name}` : `Kilo ${name.slice(5)}`
    const what =
      suite === "integration" ? "everything that it does" : whatIsTried(Object.keys(files))
    return `| ${host} | ${passed} of ${passed + failed} | ${what} |`
  })
  return [
    "| host | tests that pass | what they try |",
    "| --- | --- | --- |",
    ...rows,
    "| OpenCode 2 | not supported | |",
  ].join("\n")
}

function whatIsTried(files: readonly string[]): string {
  const known = Object.keys(TRIED).filter((file) => files.includes(file))
  const others = files.filter((file) => !known.includes(file))
  const words = [
    ...known.map((file) => TRIED[file]),
    ...others.map((file) => file.replaceAll("-", " ")),
  ]
  return [...new Set(words)].join(", ")
}
