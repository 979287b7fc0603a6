// The hosts in which tests have run, as recorded by the test suites.
import tried from "./tried-hosts.json" with { type: "json" }

/** Tests that have run in a host, written by `npm test -- --record`, `npm run test:versions` and `npm run test:kilo`. */
interface TriedHost {
  readonly suite: string
  readonly passed: number
  readonly failed: number
  /** The day, such as `2026-11-22`. */
  readonly on: string
  /** The number of tests in each test file, by its name. */
  readonly files: Readonly<Record<string, number>>
}

/** Every host in which tests have run: an opencode by its version, Kilo as `kilo 7.7.7`. */
export const TRIED_HOSTS: Readonly<Record<string, TriedHost>> = tried
