import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { PINNED_VERSION, REPO } from "../support/host-version.ts"
import { startPanel } from "../support/panel-in-host.ts"

/** Makes the README's picture of the panel: the screen of a real run, in the real terminal interface. */
const panel = await startPanel(PINNED_VERSION, { columns: 130, rows: 30 })
try {
  const { screen, command } = panel
  await screen.see("ctrl+p commands")
  await command("boulder-start")
  await screen.see("auth 1/5")
  screen.type("shop")
  await screen.miss("auth 1/5")
  screen.type("\r")
  await screen.see("▶ todo:2")
  await screen.see("heard")
  writeFileSync(join(REPO, "docs", "panel.svg"), screen.picture())
  console.log(screen.text())
} finally {
  await panel.stop()
}
process.exit(0)
