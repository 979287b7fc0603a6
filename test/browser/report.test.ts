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

/** What a page looks like: heads with the lines that they take, the times of the axis from left to right. */
interface Look {
  readonly heads: readonly { readonly text: string; readonly lines: number }[]
  readonly ticks: readonly {
    readonly text: string
    readonly left: number
    readonly right: number
  }[]
  /** By how many pixels the page is wider than its window. */
  readonly overflow: number
}

const MEASURE = `
const linesOf = (one) => { const range = document.createRange(); range.selectNodeContents(one); return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size }
const heads = [...document.querySelectorAll("th")].map((one) => ({ text: one.textContent, lines: linesOf(one) }))
const ticks = [...document.querySelectorAll(".tick text")].map((one) => { const { left, right } = one.getBoundingClientRect(); return { text: one.textContent, left, right } })
const overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth
document.body.innerHTML = "<pre id=look></pre>"
document.getElementById("look").textContent = JSON.stringify({ heads, ticks, overflow })`

/** The page, with a script of the test's that measures it: the report itself lets none run. */
async function measured(root: string, html: string): Promise<Look> {
  const file = join(root, "measured.html")
  const open = html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "")
  await writeFile(file, open.replace("</body>", `<script>${MEASURE}</script></body>`))
  const dom = browse(root, file, "--dump-dom")
  return JSON.parse(/<pre id="look">(.*?)<\/pre>/.exec(dom)?.[1] ?? "{}")
}

/** A head that is broken within its word is none: each takes one line. No time of the axis is there twice or lies over the next. */
function expectReadable({ heads, ticks, overflow }: Look): void {
  const names = ["State", "Task", "Begun", "Took", "Agent", "Session", "Cost"]
  expect(heads).toEqual(names.map((text) => ({ text, lines: 1 })))
  expect(ticks.length).toBeGreaterThan(2)
  expect(new Set(ticks.map(({ text }) => text)).size).toBe(ticks.length)
  for (const [index, { left }] of ticks.slice(1).entries())
    expect(left).toBeGreaterThan(ticks[index]?.right ?? 0)
  expect(overflow).toBe(0)
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

      expectReadable(await measured(root, html))

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

test(
  "heads stay whole where the states are short and every other column is full",
  () =>
    withFolder(async (root) => {
      const titles = ["Add the login form", "Check the password on the server", "Review the change"]
      await mkdir(join(root, "plans"))
      const plan = titles.map((title, index) => `- [x] ${index + 1}. ${title}`).join("\n")
      await writeFile(join(root, "plans/demo.md"), `## TODOs\n\n${plan}\n`)
      const tasks = titles.map((title, index) => aTask({ label: String(index + 1), title }))
      const work = aWork({
        active_plan: "plans/demo.md",
        tokens: { spent: 1_760, since: 0, ceiling: null },
        task_sessions: Object.fromEntries(
          tasks.map((task, index) => [
            task.key,
            aTaskSession(task, {
              session_id: `ses_dfb19d94bffewxzF4zpOoevzi${index}`,
              started_at: at(-3_000),
            }),
          ]),
        ),
      })
      await openFileBoulderStore({ root }).update(() => ({
        ...emptyBoulder(),
        works: { [work.work_id]: work },
      }))
      await runInFolder(root, "report demo --html report.html")
      const look = await measured(root, await readFile(join(root, "report.html"), "utf8"))
      expectReadable(look)
    }),
  240_000,
)
