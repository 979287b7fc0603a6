import { TRIED_HOSTS } from "../../src/headless/tried-hosts.ts"

const START =
  "<!-- hosts: written by `npm run docs` from what `npm test -- --record` and its kin have left -->"
const END = "<!-- /hosts -->"

/** `text` with the table between its marks replaced by one of the hosts in which tests have run. */
export function withHostsTable(text: string): string {
  const start = text.indexOf(START)
  const end = text.indexOf(END)
  if (start < 0 || end < start) throw new Error(`Expected ${START} and ${END} in the README`)
  return `${text.slice(0, start)}${START}\n${hostsTable()}\n${text.slice(end)}`
}

/** One column a host, the older ones first, Kilo behind them. */
function hostsTable(): string {
  const hosts = Object.entries(TRIED_HOSTS).sort(([one], [other]) =>
    one.localeCompare(other, "en", { numeric: true }),
  )
  const named = hosts.map(([name]) =>
    /^\d/.test(name) ? `opencode ${name}` : `Kilo ${name.slice(5)}`,
  )
  const results = hosts.map(([, { passed, failed }]) => `${passed} of ${passed + failed}`)
  return [
    `| | ${[...named, "OpenCode 2"].join(" | ")} |`,
    `| --- | ${[...named, ""].map(() => "---").join(" | ")} |`,
    `| tests that pass | ${[...results, "not supported"].join(" | ")} |`,
  ].join("\n")
}
