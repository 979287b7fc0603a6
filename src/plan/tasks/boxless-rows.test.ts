// Rows without a box in a plan that has tasks: such a plan is never complete in silence.
import { expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { parsePlan } from "../parse-plan.ts"

const said = (text: string, path?: string) =>
  parsePlan(text, path === undefined ? {} : { path })
    .warnings.filter(({ rule }) => rule === "rows-without-box" || rule === "empty-headings")
    .map(({ line }) => line)

test.each([
  {
    name: "numbered steps",
    text: "# P\n\n1. Do A\n2. Do B\n\n## Checks\n- [x] read it\n",
    line: 3,
  },
  { name: "numbered steps right below", text: "- [x] Setup\n1. Do A\n2. Do B\n3. Do C\n", line: 2 },
  {
    name: "numbered steps behind a parenthesis",
    text: "- [x] Setup\n\n1) Do A\n2) Do B\n",
    line: 3,
  },
  {
    name: "a row with an id of the tasks' own",
    text: "# P\n- [x] M1 a\n- [x] M2 b\n\n## More\n- M3 c\n",
    line: 6,
  },
  { name: "rows with ids", text: "# P\n- [x] a\n\n## More\n- S3 c\n- S4 d\n", line: 5 },
  {
    name: "headings with ids",
    text: "# P\n- [x] a\n\n### T1.1: Base\nw\n\n### T1.2: Login\nw\n",
    line: 4,
  },
  {
    name: "headings with numbers",
    text: "# P\n- [x] a\n\n## 1. Base\nw\n\n## 2. Login\nw\n",
    line: 4,
  },
  {
    name: "headings that count",
    text: "# P\n- [x] a\n\n## Fix 1: Base\nw\n\n## Fix 2: Login\nw\n",
    line: 4,
  },
  { name: "an id of a series", text: "# P\n- [x] T001 add a\n\n* T002 add b\n", line: 4 },
  {
    name: "ids before small letters",
    text: "# P\n- [x] a\n\n* T001 add b\n* T002 add c\n",
    line: 4,
  },
  { name: "rows with ids", text: "# P\n- [x] a\n\n- T1.1: Base\n- **T1.2**: Login\n", line: 4 },
  { name: "rows among rows with a box", text: "# P\n- [x] a\n- b\n- c\n", line: 3 },
  { name: "carriage returns", text: "# P\r\n- [x] a\r\n\r\n1. b\r\n2. c\r\n", line: 4 },
  { name: "more rows than open tasks", text: "# P\n- [ ] a\n\n1. b\n2. c\n", line: 4 },
])("$name beside a tick are said", ({ text, line }) => {
  expect(said(text)).toEqual([line])
})

test.each([
  {
    name: "what a task says of how",
    text: "## [x] Task 1: A\n1. b\n2. c\n## [x] Task 2: B\n1. d\n2. e\n",
  },
  {
    name: "a sentence that begins like an id",
    text: "# P\n- [x] a\n\n## Frozen\n- H1 and b stay.\n",
  },
  ...[
    "**I18n** — nine languages",
    "S3: uploads",
    "K8s cluster",
    "UTF-8 everywhere",
    "GPT-4 - answers",
  ].map((words) => ({
    name: `a technical word, ${words},`,
    text: `# P\n\n## Phase 1\n- [x] a\n\n### Modules\n- ${words}\n- OAuth2\n`,
  })),
  {
    name: "technical words in headings",
    text: "# P\n- [x] a\n\n### S3 storage\nw\n\n### UTF-8 everywhere\nw\n",
  },
  { name: "risks", text: "# P\n- [x] a\n\n## Risks\n1. b\n2. c\n" },
  { name: "criteria", text: "# P\n- [x] a\n\n## Acceptance Criteria\n1. b\n2. c\n" },
  { name: "what was achieved", text: "# P\n- [x] a\n\n## Key achievements\n1. b\n2. c\n" },
  { name: "parts of a row", text: "# P\n- [x] a\n  1. b\n  2. c\n" },
  {
    name: "a few numbered words beside more tasks",
    text: "# P\n- [ ] a\n- [x] b\n- [ ] c\n\n1. d\n2. e\n",
  },
  { name: "notes of its own", text: "# P\n- [x] a\n\nWords:\n\n- d\n- e\n" },
  { name: "code", text: "# P\n- [x] a\n\n```\n1. d\n2. e\n```\n" },
  {
    name: "rows that name the tasks again",
    text: "# P\n- [x] T1: a\n- [x] T2: b\n\n- T1: then T2\n- T2: last\n",
  },
])("$name beside ticks are nothing to speak of", ({ text }) => {
  expect(said(text)).toEqual([])
})

test.each([
  {
    name: "numbered rows",
    text: "# P\n\n- [x] Setup\n\n1. Do A\n2. Do B ✅\n",
    is: "# P\n\n- [x] Setup\n\n1. [ ] Do A\n2. [x] Do B ✅\n",
  },
  {
    name: "headings",
    text: "# P\r\n- [x] a\r\n\r\n### T1.1: Base\r\nw\r\n\r\n### T1.2: Login\r\nw\r\n",
    is: "# P\r\n- [x] a\r\n\r\n### [ ] T1.1: Base\r\nw\r\n\r\n### [ ] T1.2: Login\r\nw\r\n",
  },
])("boxes are added to $name beside tasks, and nothing else", ({ text, is }) => {
  const boxed = addLikeliest(text, "PLAN.md")
  expect(boxed.ok && boxed.text).toBe(is)
  expect(parsePlan(is).counts.done).toBe(
    parsePlan(text).counts.done + (is.includes("[x] Do") ? 1 : 0),
  )
})

test.each([
  { name: "a row whose brackets hold no mark", text: "# P\n- [x] a\n- [REOPENED] b\n", line: 3 },
  { name: "a single row among rows with a box", text: "# P\n- [x] a\n- b\n", line: 3 },
  {
    name: "a single heading among headings with a box",
    text: "# P\n### [x] 1. A\n### 2. B\n",
    line: 3,
  },
  { name: "rows that begin with TODO", text: "# P\n- [x] a\n\n* TODO b\n* TODO c\n", line: 4 },
])("$name beside ticks is said", ({ text, line }) => {
  expect(said(text)).toEqual([line])
})

test.each([
  {
    name: "states of phases among rows with a box",
    text: "# P\n## Phase 1: A\n- [x] a\n- **Status:** complete\n## Phase 2: B\n- [x] b\n- Status: done\n",
  },
  {
    name: "the order of what has boxes",
    text: "# P\n## Tasks\n- [x] 1.0 a\n- [x] 2.0 b\n## Execution Order\n1. Dig the ground (1.1)\n2. Lay stones (2.1)\n",
  },
  {
    name: "the order under another name",
    text: "# P\n- [x] a\n## Recommended build sequence\n1. Ground\n2. Stones\n",
  },
  {
    name: "files that have changed",
    text: "# P\n## 阶段\n- [x] a\n## 改动文件\n- engine/dice.ts — 新增\n- engine/types.ts — 字段\n",
  },
])("$name are no work that is left", ({ text }) => {
  expect(said(text)).toEqual([])
})

test("an order that is work itself is said", () => {
  expect(said("# P\n- [x] a\n## Order form\n1. Draw it\n2. Send it\n")).toEqual([4])
})

test.each([
  "## Review\n\n- **Doors**: all open.\n- **Locks**: new.\n",
  "## Files to Change\n\n1. `a.ts` - new\n2. `b.ts` - old\n",
  "## Validation\n\n1. open it\n2. look\n",
])("in a plan that is done %j is no work without a box", (rest) => {
  const text = `## Tasks: doors\n\n### Phase 1: In\n- [x] a\n\n### Phase 2: Out\n- [x] b\n\n${rest}`
  expect(parsePlan(text).warnings).toEqual([])
})

test.each([
  "## Modèle\n\n1. Appelle le port pour lire\n2. Envoie la suite\n\n## Règles de code\n\n1. **Pur** — pas d'effet.\n2. **Petit** — une ligne.\n",
  "## Entry points\n\n1. `init(ctx)` - the start\n2. `stop()` - the end\n",
  "## Step 1: Open the board\n\n1. Go to the door\n2. Click on it\n",
])("numbers that count rules, or how a task is done, are no work without a box: %j", (rest) => {
  const text = `# P\n\n## Stand\n\n- [x] Step 1: Open\n- [x] Look\n\n${rest}`
  expect(said(text)).toEqual([])
})

test.each([
  {
    name: "over rows at the margin",
    rows: ["1. Pit\n- [x] Dig", "2. Water\n\n- [x] Fill"],
    lines: [],
  },
  {
    name: "over rows within",
    rows: ["1. Pit\n   - [x] Dig", "2. Water\n   - [x] Fill"],
    lines: [],
  },
  {
    name: "of which one holds none",
    rows: ["1. Pit\n- [x] Dig", "2. Water\n- [x] Fill", "3. Fish"],
    lines: [9],
  },
  { name: "of which one leads to a row", rows: ["1. Pit", "2. Water\n- [x] Fill"], lines: [3] },
])("several numbers $name are headings of these: $lines", ({ rows, lines }) => {
  expect(said(`# P\n\n${rows.join("\n\n")}\n`)).toEqual([...lines])
})

test.each([
  ...[
    "Сценарий (команда /add)",
    "Процесс",
    "Как это работает",
    "添加流程",
    "使用场景",
    "処理フロー",
  ],
])("the steps of what is so, below %j, are no work", (heading) => {
  const steps = "1. Бот ждёт\n2. Бот спрашивает\n3. Бот отвечает\n"
  expect(said(`# P\n\n## ${heading}\n${steps}\n## TODO\n- [ ] Dig\n- [ ] Fill\n`)).toEqual([])
  expect(said(`# P\n\n## Бот\n${steps}\n## TODO\n- [ ] Dig\n- [ ] Fill\n`)).toEqual([4])
})

test("numbers below a heading of work, or that ask for it, are", () => {
  expect(said("# P\n- [x] a\n\n## Steps\n\n1. The door\n2. The lock\n")).toEqual([6])
  expect(said("# P\n- [x] a\n\n## Doors\n\n1. Add the door\n2. Fix the lock\n")).toEqual([6])
})

const SAW = "## 1. Saw\n- [x] Saw the wood\n\n"
const HANG = "## 2. Hang\n- [x] Hang it\n\n"

test.each([
  { name: "beside two that hold rows", text: `${SAW}${HANG}## 3. Paint\nGreen.\n`, lines: [8] },
  { name: "beside one", text: `${SAW}## 2. Zeitplan\nGreen.\n\n## 3. Vista\nWide.\n`, lines: [] },
  {
    name: "of which more hold none",
    text: `## 0. Conditions\nIt sells.\n\n${SAW}${HANG}## 3. Site\nBig.\n\n## 4. Cut\nNone.\n`,
    lines: [],
  },
  { name: "of a document", text: `${SAW}${HANG}## 3. Conclusion\nGreen.\n`, lines: [] },
  {
    name: "of another level",
    text: "## 1. Ziel\n\n## 2. Bau\n\n### Step 1: Saw\n- [x] a\n\n### Step 2: Hang\n- [x] b\n\n## 3. Hinweis\nx\n",
    lines: [],
  },
])("numbered headings $name are a document's chapters or said: $lines", ({ text, lines }) => {
  expect(said(`# Plan\n${text}`)).toEqual([...lines])
  expect(addLikeliest(`# Plan\n${text}`, "plan.md").ok).toBe(lines.length > 0)
})

test.each([
  "# Spec\n\n## 1. Общие положения\n\n### 1.1 Назначение\n- Pond\n\n## 3. Wege\n\n### 3.1 Login\n- Word\n\n### 3.2 Clients\n- List\n\n## 6. Этапы разработки\n\n### 6.1 Этап 1 - MVP\n- Dig\n\n### 6.2 Этап 2\n- Fill\n",
  "# Plan\n\n## 1. Purpose\nx\n\n## 2. Flow\nx\n\n## 3. Phase 1 - Dig\nx\n\n## 4. Phase 2 - Fill\nx\n\n## 5. Relation to DESIGN.md\nx\n",
])("a plan that has the boxes of `--add-boxes` gets no more of them: %j", (text) => {
  const boxed = addLikeliest(text, "plan.md")
  if (!boxed.ok) throw new Error(boxed.message)
  expect(boxed.added).toHaveLength(2)
  expect(parsePlan(boxed.text).warnings).toEqual([])
  expect(addLikeliest(boxed.text, "plan.md").ok).toBe(false)
})

const TWO_TASKS =
  "# P\n\n## Goal\n\n1. It holds\n2. It pays\n\n## Task 1: Dig\nx\n\n## Task 2: Fill\nx\n"

test.each([
  { name: "numbered rows", more: "## Sluices\n\n1. Add water\n2. Open the sluice\n" },
  { name: "numbered headings", more: "## 1. Ground\nx\n\n## 2. Plants\nx\n\n## 3. Fish\nx\n" },
  { name: "numbered rows of work", more: "## Implementation\n\n1. Add water\n2. Fill it\n" },
])("$name that `--add-boxes` left out lack no box once its own are ticked", ({ more }) => {
  const boxed = addLikeliest(`${TWO_TASKS}\n${more}`, "plan.md")
  if (!boxed.ok) throw new Error(boxed.message)
  expect(boxed.added).toHaveLength(2)
  const ticked = boxed.text.replaceAll("[ ]", "[x]")
  expect(parsePlan(ticked)).toMatchObject({ state: "complete", warnings: [] })
})

test.each([
  "## Remaining\n\n1. Add water\n2. Open the sluice\n",
  "## Next\n\n- ⏳ Add water\n",
  "## Reviewers\n\n- F1. Look\n- F2. Listen\n",
])("what is left, or has an id, does: %j", (more) => {
  const boxed = addLikeliest(`${TWO_TASKS}\n${more}`, "plan.md")
  if (!boxed.ok) throw new Error(boxed.message)
  const { warnings } = parsePlan(boxed.text.replaceAll("[ ]", "[x]"))
  expect(warnings.map(({ rule }) => rule)).toEqual(["rows-without-box"])
})

test("with another task beside those that it would choose, they do", () => {
  const boxed = addLikeliest(`${TWO_TASKS}\n## Work\n\n1. Add water\n2. Fill it\n`, "plan.md")
  const ticked = `${boxed.ok ? boxed.text.replaceAll("[ ]", "[x]") : ""}\n- [x] Look\n`
  expect(said(ticked)).toEqual([16])
})

const DIG = "### 1. Dig\n**Status**: done\n\n### 2. Fill\n**Status**: done\n"
const NAMED = DIG.replaceAll("### ", "### Task ")

test.each([
  {
    name: "counts anew",
    done: DIG,
    more: "## Remaining work\n\n### 1. Fish\nx\n\n### 2. Reed\nx\n",
  },
  {
    name: "is optional",
    done: DIG,
    more: "## Optional work\n\n### 1. Fish\nx\n\n### 2. Reed\nx\n",
  },
  {
    name: "tells of no kind",
    done: DIG,
    more: "## Open items\n\n### 1. Fish\nx\n\n### 2. Reed\nx\n",
  },
  {
    name: "counts on",
    done: NAMED,
    more: "## Remaining work\n\n### 3. Fish\nx\n\n### 4. Reed\nx\n",
  },
  { name: "counts otherwise", done: NAMED, more: "## What remains\n\n### 1. Fish\nx\n" },
])("what is left in headings with a number that $name is said once the others are done", (each) => {
  const text = `# Pond\n\n## Items\n\n${each.done}\n${each.more}`
  expect(said(text)).toEqual([13])
})

test.each([
  { name: "is a risk", more: "## Risks\n\n### 1. Frost\nx\n\n### 2. Herons\nx\n" },
  { name: "tells more of a task", more: "## Details\n\n### 1. Dig\nx\n\n### 2. Fill\nx\n" },
  { name: "stands below a task", more: "## 3. Plant ✅\n\n### 1. Reed\nx\n\n### 2. Moss\nx\n" },
])("a number that $name is nothing that is left", ({ more }) => {
  expect(said(`# Pond\n\n## Items\n\n${DIG}\n${more}`)).toEqual([])
})

test.each([
  "## [x] Step 2: B\n\n### 2a. The root\n\nx\n\n### 2b. The bar\n",
  "## [x] Task 2: B\n\n### 2.1 The root\n\nx\n\n### 2.2 The bar\n",
  "## [x] Phase 2: B\n\n### 2.1 The root\n\n- wide\n",
  "## [x] Шаг 2: B\n\n### 1. The root\n\nx\n\n### 2. The bar\n",
  "## [x] Phase 2: B\n\n## 验证方式\n\n1. Phase 1-2: call it by curl\n2. Phase 2: open it\n",
])("what a settled heading holds, and what is said of it elsewhere, is no task: %j", (rest) => {
  const [word] = /(?<=\[x\] )\S+/.exec(rest) ?? [""]
  const text = `# P\n\n## [x] ${word} 1: A\n\nx\n\n${rest}`
  expect(parsePlan(text)).toMatchObject({ state: "complete", warnings: [] })
  // Beside it, it still is.
  const { warnings } = parsePlan(`${text}\n## ${word} 3: C\n`)
  expect(warnings.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^1 .*"\S+ 3: C"\. /),
  )
})

const PARTS = (
  heading: string,
  [one, other]: readonly string[],
  tasks = "## Work\n\n- [x] Dig\n",
) => said(`# P\n\n## ${heading}\n\n### 1. ${one}\nw\n\n### 2. ${other}\nw\n\n${tasks}`)

test.each([
  "New components",
  "What you get",
  "Nouveaux composants",
  "데이터베이스 스키마",
  "Nowa tabela",
])("headings with numbers below %j are parts of what it describes", (heading) => {
  expect(PARTS(heading, ["The pond", "The wall"])).toEqual([])
})

test.each([
  { name: "ask for something", heading: "Pond", parts: ["Add a pump", "Fix the wall"] },
  { name: "stand below work", heading: "Implementation", parts: ["The pond", "The wall"] },
  { name: "stand below a unit", heading: "Phase 1: Pond", parts: ["The pond", "The wall"] },
  { name: "show that they are left", heading: "P3 - Pond", parts: ["☐ The pond", "☐ The wall"] },
  {
    name: "stand beside others that hold rows",
    heading: "Pond",
    parts: ["The pond", "The wall"],
    tasks: "### 3. The gate\n\n- [x] Dig\n\n### 4. The path\n\n- [x] Fill\n",
  },
])(
  "headings with numbers that $name are said once all else is done",
  ({ heading, parts, tasks }) => {
    expect(PARTS(heading, parts, tasks).length).toBe(1)
  },
)

test.each([
  {
    name: "ids and words",
    rows: "### T001 [DONE] Dig\nw\n\n### T002 [TODO] Fill\nw\n\n### T003 Plant\n",
  },
  { name: "numbers and boxes", rows: "### [x] 1. Dig\nw\n\n### [ ] 2. Fill\nw\n\n### 3. Plant\n" },
])(
  "a heading that counts on with headings that have $name is said before all is settled",
  ({ rows }) => {
    const text = `# P\n\n## Work\n\n${rows}w\n`
    expect(said(text)).toEqual([11])
    const boxed = addLikeliest(text, "PLAN.md")
    expect(boxed.ok && boxed.text.split("\n")[10]).toStartWith("### [ ] ")
    expect(said(text.replace(/### (?:T00)?3[.]?/, "### Z9"))).toEqual([])
  },
)

test.each([
  { phase: "Phase 2: Pond", is: [10] },
  { phase: "Phase 2: Pond ✅", is: [] },
  { phase: "Notes", is: [] },
])(
  "steps below $phase are said at once where another phase has boxes, whatever their verbs",
  ({ phase, is }) => {
    const boxes = "- [ ] a\n- [ ] b\n- [x] c\n- [ ] d\n"
    const text = `# P\n\n## Phase 1: Pump\n${boxes}\n## ${phase}\n1. Zorb the reed\n2. Zorb the edge\n`
    expect(said(text)).toEqual([...is])
  },
)

test.each([
  { first: 3, is: [3] },
  { first: 5, is: [3] },
  { first: 2, is: [3] },
  { first: 1, is: [] },
])(
  "headings with the numbers before those of rows from $first on are said at once",
  ({ first, is }) => {
    const rows = [0, 1, 2, 3, 4].map((at) => `- [ ] ${first + at}. Add a stone\n`).join("")
    const text = `# P\n\n### 1. Add the pump\nw\n\n### 2. Dig the pond\nw\n\n## Rest\n${rows}`
    expect(said(text)).toEqual([...is])
  },
)

test.each([
  { row: "1. T1 CLI.\n2. T3 Adapter.", is: [] },
  { row: "1. T1 CLI。\n2. T3 Adapter。", is: [] },
  { row: "1. T1 CLI\n2. Add the cache", is: [13] },
])("rows that name headings by their ids are contents: $row", ({ row, is }) => {
  const held = "## T1 CLI\n- [x] a\n- [x] b\n\n## T3 Adapter\n- [x] c\n- [x] d\n"
  expect(said(`# T\n\n${held}\n## Do these first\n\n${row}\n`).length).toBe(is.length)
})

test("lines that get a box are not said to be no rows as well", () => {
  const rules = (text: string) => parsePlan(text).warnings.map(({ rule }) => rule)
  expect(rules("# R\n\n## Milestones\n1. ✅ A\n2. ⬜ B\n3. ⬜ C\n")).toEqual(["no-boxes"])
  expect(rules("# R\n\n## Milestones\n- ✅ A\n- ⬜ B\n- ⬜ C\n")).toEqual(["no-boxes"])
})

test.each(["None yet", "_none recorded yet_", "No tasks in progress", "N/A"])(
  "a bullet that says nothing is none of a plan's rows: %j",
  (words) => {
    expect(parsePlan(`# S\n\n## Weak spots\n\n- ${words}\n`).warnings).toEqual([])
  },
)

test("a text that names both boxes together is no row", () => {
  for (const both of ["[x] or [ ]", "[x]/[ ]", "[x] oder [ ]"]) {
    const text = `# T\n\n- Note: update these totals whenever any ${both} task changes.\n\n## A\n- [x] Dig\n`
    expect(parsePlan(text).warnings).toEqual([])
  }
  const text = "# T\n\n- T1: [x] Dig, T2: [ ] Fill\n\n## A\n- [x] Dig\n"
  expect(parsePlan(text).warnings.map(({ rule }) => rule)).toEqual(["no-rows"])
})

test("in a script whose verbs nobody knows a heading of work says which list is the work", () => {
  const scenes = "## 4. 검증 시나리오 및 단언\n\n1. 정상: 퀸\n2. 실패: 선택 전\n\n"
  const order = "## 5. 권장 작업 순서\n\n1. 위치를 합의합니다\n2. helper를 둡니다\n\n"
  const boxes = "## 6. 체크리스트\n\n- [x] 선택\n"
  expect(said(`# 지침서\n\n${scenes}${order}${boxes}`)).toEqual([10])
  expect(said(`# 지침서\n\n${scenes}${boxes}`)).toEqual([5])
  const units = [1, 2].map((at) => `### タスク${at}: A\n\n1. 現状を見る\n2. 分ける\n\n`).join("")
  expect(said(`# P\n\n${units}## 作業\n\n1. 池を掘る\n2. 水\n\n## 完了\n\n- [x] B\n`)).toEqual([3])
})
