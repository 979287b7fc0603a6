import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import type { HostVersion } from "./host-versions.ts"
import { playSimulated } from "./scripts/play-simulated.ts"
import { SCRIPTS } from "./scripts/scripts.ts"

/** The simulated host shows its plugin what the real one has shown a plugin, in each of the supported versions. */

const VERSIONS: readonly HostVersion[] = ["1.14.41", "1.15.13", "1.18.33"]

/** Made by `npm run record:host`. */
const recordingOf = (version: HostVersion) => {
  const path = new URL(`./recordings/${version}.json`, import.meta.url)
  return JSON.parse(readFileSync(path, "utf8")) as Record<string, readonly string[]>
}

/** If sessions run beside each other, the lines of each session, and of each call in it, may be mixed with others in any order. */
const apart = (lines: readonly string[]) =>
  lines.toSorted((a, b) => threadOf(a).localeCompare(threadOf(b)))
const threadOf = (line: string) => /^(s\d+) (?:.* (c\d+) )?/.exec(line)?.slice(1).join(" ") ?? ""

describe.each(VERSIONS)("opencode %s", (version) => {
  const recording = recordingOf(version)

  test("each scenario is recorded", () =>
    expect(Object.keys(recording)).toEqual(SCRIPTS.map(({ name }) => name)))

  test.each([...SCRIPTS])("$name", async (script) => {
    const inOrder = (lines: readonly string[] = []) =>
      script.concurrent === true ? apart(lines) : lines
    const seen = await playSimulated(version, script)
    expect(inOrder(seen)).toEqual([...inOrder(recording[script.name])])
  })
})
