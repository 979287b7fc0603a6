import { expect, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { mkdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { emptyBoulder } from "../../src/boulder/boulder.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openProofFiles } from "../../src/store/records/proof-files.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aTask, aTaskSession, at, aWork, LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

/** `npm run test:report`: Debian's package chromium. Pictures and the printed page stay where `REPORT_PICTURES` says. */
const CHROMIUM = Bun.which("chromium") ?? Bun.which("chromium-browser")
const PICTURES = process.env["REPORT_PICTURES"]
const TITLE = "Read the old code"
const PLAN = `## TODOs

- [x] 1. ${TITLE}
  Verify: \`npm test\`
- [!] 2. Deploy it
  BLOCKED: no key for the cloud. Unblock when the key is in .env
- [ ] 3. Zeige 漢字 <b>bold</b> & more
- [x] 4. Write it down
  Verify: \`npm run docs\`
`

/** Opens a page without a network; gives what the browser has printed. */
function browse(home: string, file: string, ...args: readonly string[]): string {
  if (CHROMIUM === null) throw new Error("Expected chromium on the PATH; found none. Install it.")
  const own = [`--user-data-dir=${join(home, "profile")}`, "--headless=new", "--no-sandbox"]
  const quiet = [
    "--disable-gpu",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--window-size=1100,1400",
  ]
  const env = { ...process.env, HOME: home }
  const given = { cwd: home, env, encoding: "utf8", timeout: 60_000, stdio: "pipe" } as const
  return execFileSync(CHROMIUM, [...own, ...quiet, ...args, `file://${file}`], given)
}

test(
  "a report in a browser: all of it is there, light, dark and printed",
  () =>
    withFolder(async (root) => {
      await mkdir(join(root, "plans"))
      await writeFile(join(root, "plans/demo.md"), PLAN)
      const task = aTask({ label: "1", title: TITLE })
      const work = aWork({
        work_id: "demo-1",
        active_plan: "plans/demo.md",
        cost: { ...aWork().cost, usd: 1.5 },
        task_sessions: { [task.key]: aTaskSession(task, { started_at: at(-3_000) }) },
      })
      await openFileBoulderStore({ root }).update(() => ({
        ...emptyBoulder(),
        works: { [work.work_id]: work },
      }))
      const line = { session: LEAD, work: work.work_id }
      for (const one of [
        { at: at(-3_400), decision: "delegate", reason: "task-named", facts: { task: "todo:1" } },
        { at: at(-2_000), decision: "end-round", reason: "checkpoint-due", facts: { round: 1 } },
        {
          at: at(-1_900),
          decision: "continue",
          reason: "continue",
          facts: { settled: 1, total: 3 },
        },
      ])
        await openJournal({ root }).append({ ...line, ...one })
      const run = {
        kind: "run",
        check: "npm test",
        outcome: "passed",
        exit: 0,
        tree: null,
      } as const
      const of = { key: task.key, title_hash: task.titleHash }
      await openProofFiles(openRecordFiles({ root })).add(work.work_id, () => [
        { ...run, at: at(-2_500), session: LEAD, task: of },
      ])
      await runInFolder(root, "report demo --html report.html")
      const file = join(root, "report.html")
      const html = await readFile(file, "utf8")
      expect(html).not.toMatch(/<script|<link|<img|@import|url\(|https?:\/\/(?!www\.w3\.org)/)

      const dom = browse(root, file, "--dump-dom")
      for (const part of [TITLE, "todo:2", "no key for the cloud", "2 of 4 tasks settled", "$1.50"])
        expect(dom).toContain(part)
      expect(dom).toContain("Zeige 漢字 &lt;b&gt;bold&lt;/b&gt; &amp; more")
      expect(dom).toContain("<svg")
      // What a tick stands on is beside its task.
      for (const row of [`done, proven</td><td>todo:1 ${TITLE}`, "done, claimed</td><td>todo:4"])
        expect(dom).toContain(row)

      const sizes: number[] = []
      const folder = PICTURES ?? root
      for (const [name, scheme] of Object.entries({ light: 1, dark: 0 })) {
        const picture = join(folder, `report-${name}.png`)
        browse(
          root,
          file,
          `--screenshot=${picture}`,
          `--blink-settings=preferredColorScheme=${scheme}`,
        )
        sizes.push((await stat(picture)).size)
      }
      expect(sizes.every((size) => size > 20_000)).toBe(true)
      const [light, dark] = await Promise.all(
        ["light", "dark"].map((name) => readFile(join(folder, `report-${name}.png`))),
      )
      expect(light?.equals(dark ?? Buffer.of())).toBe(false)
      const pdf = join(folder, "report.pdf")
      browse(root, file, `--print-to-pdf=${pdf}`, "--no-pdf-header-footer")
      expect((await readFile(pdf)).subarray(0, 5).toString()).toBe("%PDF-")
    }),
  240_000,
)
