// `npm run record:host`: plays all scenarios in real hosts and writes what their plugin has seen.
import { mkdirSync, writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { playReal } from "./play-real.ts"
import { SCRIPTS } from "./scripts.ts"

const { values } = parseArgs({
  options: {
    version: { type: "string", multiple: true, default: ["1.14.41", "1.15.13", "1.18.33"] },
    /** Only the scenarios with these words in their names, printed and not written. */
    only: { type: "string" },
  },
})
const { only } = values
const folder = new URL("../recordings/", import.meta.url)
for (const version of values.version) {
  const chosen = SCRIPTS.filter(({ name }) => only === undefined || name.includes(only))
  const recorded = await playReal(version, chosen, (name) => say(`${version}: ${name}`))
  const text = `${JSON.stringify(recorded, null, 2)}\n`
  if (only !== undefined) say(text)
  else {
    mkdirSync(folder, { recursive: true })
    writeFileSync(new URL(`${version}.json`, folder), text)
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
