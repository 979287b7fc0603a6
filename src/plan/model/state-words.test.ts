import { expect, test } from "bun:test"
import type { TaskState } from "./plan.ts"
import { readState } from "./state-words.ts"
import { hashTitle, saysDone } from "./title.ts"

test.each([
  ...["Done (2/5)", "❌ Done", "Completed 3 of 5", "Completed: no", "Implemented, not tested"],
  ...["Done, tests missing", "completed with errors", "Done - needs review", "Done (partial)"],
  ...["Done for now", "Done by Friday", "done by tomorrow", "Done (Backend only)", "Done ⚠️"],
  ...[
    "⚠️ Done",
    "🟡 Done",
    "Done 80%",
    "Done | Progress: 3/5",
    "complete soon",
    "Done?",
    "Done/Open",
  ],
  ...[
    "Done → reopened",
    "Completed in theory",
    "passed locally",
    "Verified by nobody",
    "Done (mocked)",
    "Done via Mocks",
    "Done (via a script that fails)",
  ],
  ...[
    "已完成 50%",
    "完成（未测试）",
    "Implemented without tests",
    "Finished the half",
    "Merged, reverted",
  ],
  ...[
    "Done, 2 failed",
    "Done in 3 of 4 modules",
    "closed as duplicate",
    "Done by half",
    "Shipped (flag off)",
  ],
  ...[
    "Done <!-- not really -->",
    "Done (1/10 tests)",
    "Done, see notes",
    "complete, blocked by review",
  ],
  ...["validated", "validated and planned", "fully", "Validated and completed (2/5)"],
  ...["tested and completed, not deployed", "almost done", "successfully started"],
  ...["Done (docs pending)", "Done (API only)", "Done (backend)", "Done (API, docs pending)"],
  ...["Done (API, UI next)", "Done (parser and lexer, but no tests)", "Done (A and B, C left)"],
  ...["Done (core, w/o tests)", "Done (API, tests TODO)", "Done (API & UI, to be reviewed)"],
  ...["Done (A, 2/5 of B)", "Done (tests fail, docs missing)", "Done (API and UI stubs)"],
  ...["Done (API, sem testes)", "Done (API, Tests fehlen noch)", "Done (API、测试未完成)"],
  ...["Done (local, staging; prod planned)", "Done (API and most of the UI)"],
  ...[
    "Complete / pending",
    "DONE/TODO",
    "Complete / essential parts validated",
    "Done / mostly tested",
  ],
  ...["Done (A and B) except C", "Done (untested, undocumented)", "Done (not A, B)"],
  ...["Done (A, B", "Done (A, , B)", "Done (first draft, outline)", "Done (A, B?)"],
])("%j does not say that anything is done", (value) => {
  expect(readState(value).state).not.toBe("done")
})

test.each([
  ...[
    "Done",
    "✅ Done",
    "DONE ✅",
    "**Done**",
    "`done`",
    "(done)",
    "Done.",
    "done!",
    "✔️ Completed",
  ],
  ...[
    "Done (2026-01-02)",
    "Done (via Traefik)",
    "Done via `npm run build`",
    "Passed - All quality checks completed successfully",
    "Completed 2026-01-02 14:30 UTC",
    "Done on 2 January 2026",
    "Done (Jan 2, 2026)",
  ],
  ...[
    "Complete (5/5)",
    "Completed 5 of 5 tasks",
    "Done 100%",
    "Done by @ann",
    "Done by Ann Lee, 2026-01-02",
  ],
  ...[
    "Done in #12",
    "Merged in PR #12",
    "Done (commit 1a2b3c4)",
    "Implemented and tested",
    "done & merged",
  ],
  ...[
    "Done in 3 days",
    "Done successfully",
    "Complete — all tests pass, 0 failed",
    "COMPLETE — 17/17 acceptance criteria met",
    "Done. Nothing is left",
  ],
  ...["✅ implémenté", "réalisé", "realizado", "implementiert", "realizzato"],
  ...["COMPLETE / VALIDATED", "Complete, validated", "Done/Complete", "Done / tested 2026-01-02"],
  ...["Done | **Owner:** Ann", "Done |", "完成", "✅ 已完成", "已完成（2026年1月2日）", "Done 🎉"],
  ...[
    "Done ([PR #12](https://a.b/12))",
    "Done 2026-01-02T10:00:00Z",
    "Completed 02.01.2026",
    "done (v1.2.0)",
    "completed for v1",
    "Done (v1)",
  ],
  ...["validated and completed", "Tested and merged", "Fully implemented", "Already done (#12)"],
  ...[
    "DONE (parser, lexer and AST)",
    "Done (API + UI)",
    "✅ Done (`a.ts`, `b.ts`)",
    "Done (A, B & C)",
  ],
  ...[
    "Complete (guard + auto-injection verified)",
    "Done（API、UI）",
    "Done (login form; 2FA, SSO)",
  ],
  ...["DONE (12 unit tests, retry policy, and logging) 2026-01-02", "Done (v1.2, rate limits)"],
  ...["Done in session 4", "Complete (12 tests)", "Merged to main", "Done (2026-01-02, by Ann)"],
])("%j says that it is done", (value) => {
  expect(readState(value).state).toBe("done")
})

test.each([
  ["PARCIALMENTE IMPLEMENTADO (commit affc0b0)", "in_progress"],
  ["teilweise fertig", "in_progress"],
  ["部分完成", "in_progress"],
  ["基本完成，正在收口。", "in_progress"],
  ["teilweise vorhanden", "in_progress"],
  ["completata il 2026-06-04.", "done"],
  ["SLUTFÖRD", "done"],
  ["✅ Concluída. Lógica implementada com 19 testes", null],
  ["Mostly done", "in_progress"],
  ["next", "open"],
  ["📋 Planejado", "open"],
  ["Запланировано", "open"],
  ["Adiado para futuro indefinido", "blocked"],
  ["~~In progress~~ **Done**", "done"],
  ["Fertig (3. August)", "done"],
] as const)("%j says %s", (value, state) => {
  expect(readState(value).state).toBe(state)
})

test.each([
  ...[
    "A — Done (2/5)",
    "A — ✅ Done. Tests are missing",
    "A (Done, tests missing)",
    "✅ A (2/5)",
    "A (3/5) ✅",
    "✅ A — in progress",
    "✅ A (partial)",
  ],
  ...["A (completed with errors)", "A — ❌ Done", "✅ A — blocked"],
])("a title %j does not say that it is done", (title) => {
  expect(saysDone(title)).toBe(false)
})

test.each([
  ...[
    "Skipped?",
    "Skipped for now",
    "skipped until the key is there",
    "Cancelled: no",
    "Dropped, to be done later",
  ],
  ...["❌ Cancelled - reopened", "Skip (partially)", "not needed yet", "Deferred"],
])("%j does not say that it is cancelled", (value) => {
  expect(readState(value).state).not.toBe("cancelled")
})

test.each([
  ...[
    "Skipped",
    "❌ Cancelled",
    "Cancelled (2026-01-02)",
    "Skipped — not needed on Windows",
    "N/A",
    "Won't do: out of scope",
  ],
  ...["Superseded by T12", "⏭️ Skipped"],
])("%j says that it is cancelled", (value) => {
  expect(readState(value).state).toBe("cancelled")
})

const IN_OTHER_LANGUAGES: readonly {
  readonly words: readonly string[]
  readonly state: TaskState
}[] = [
  {
    words: [
      ...["offen", "geplant", "ausstehend", "Pendiente", "por hacer", "pendente", "a fazer"],
      ...["à faire", "da fare", "не начато", "ожидает", "do zrobienia", "chưa làm", "bekliyor"],
      ...["未开始", "未開始", "未完成", "待办", "待辦", "待处理", "待开始", "未着手", "未完了"],
      ...["대기", "미완료"],
    ],
    state: "open",
  },
  {
    words: [
      ...["in Arbeit", "in Bearbeitung", "laufend", "En progreso", "En curso", "em andamento"],
      ...["em progresso", "en cours", "in corso", "в работе", "в процессе", "w toku", "đang làm"],
      ...["devam ediyor", "进行中", "進行中", "作業中", "対応中", "진행중", "진행 중"],
    ],
    state: "in_progress",
  },
  {
    words: [
      ...["Erledigt", "fertig", "abgeschlossen", "hecho", "completado", "Completada", "terminado"],
      ...["feito", "Concluído", "concluída", "terminé", "Terminée", "fait", "fini", "fatto"],
      ...["completato", "готово", "сделано", "выполнено", "завершено", "zrobione", "gotowe"],
      ...["xong", "hoàn thành", "tamamlandı", "已完成", "完成", "完了", "완료"],
      ...["hecha", "Hechas", "pronta", "feitas", "terminadas", "listo", "implementados", "fatta"],
      ...["completate", "conclusa", "faite", "finies", "terminés", "готова", "Завершены", "сделан"],
      ...[
        "fertiggestellt",
        "gotowa",
        "完了済み",
        "対応済み",
        "実装完了",
        "완료됨",
        "구현 완료",
        "开发完成",
      ],
    ],
    state: "done",
  },
  {
    words: [
      ...["blockiert", "bloqueado", "bloqueada", "bloqué", "bloccato", "заблокировано"],
      ...["阻塞", "已阻塞"],
    ],
    state: "blocked",
  },
  {
    words: [
      ...["abgebrochen", "gestrichen", "übersprungen", "cancelado", "cancelada", "annulé"],
      ...["annullato", "отменено", "已取消"],
    ],
    state: "cancelled",
  },
]

test.each([...IN_OTHER_LANGUAGES])("$state in other languages", ({ words, state }) => {
  expect(words.map((word) => readState(word).state)).toEqual(words.map(() => state))
})

test("what stands beside such a word may take it back", () => {
  expect(readState("erledigt (2/5)").state).toBeNull()
  expect(readState("hecho, faltan pruebas").state).toBeNull()
  expect(readState("완료 예정").state).toBeNull()
})

test("what is a word for something else elsewhere is none for done", () => {
  for (const word of ["pronto", "lista", "terminate", "ultimate"])
    expect(readState(word).state).toBeNull()
})

test.each([
  ...["A ✅", "A ✔️", "✅ A", "A (done)", "A [Done 2026-01-02]", "A — DONE", "A - completed", "A."],
  ...["A ✅ Done (1 May)", "A (approved)", "A — APPROVED by Ann", "**A** ✅.", "A。"],
  ...["A · done", "A | DONE", "A: complete", "A · complete (May 3)", "A — DONE (b, c and d)"],
  ...["A ✅ APPROVED", "A **APPROVED**", "A: PASS", "A - VERDICT: APPROVE", "**A** — APPROVED"],
  ...["A (APPROVE)", "A → **APPROVE**", "A (APPROVE after fixing b)", "A [PASS]"],
  ...["A [b12cdef]", "A (`b12cdef`).", "A [checkpoint: b12cdef]", "A `[commit: b12cdef]`"],
  ...["A — commit b12cdef", "A (commit 0b12cdef1) ✅", "A ✅ [b12cdef]", "**A** (커밋 7b77d63)"],
])("%j is still A", (title) => {
  expect(hashTitle(title)).toBe(hashTitle("A"))
})

test.each([
  ...["A - tests", "A (2/5)", "A (not done)", "A done", "A — v1.2", "A (rejected)", "A (done?)"],
  ...["A · B", "A: B", "A · pending", "A: Done when it runs", "Button: Done"],
  ...["A: passed", "A - VERDICT: REJECT", "A **REJECTED**", "A APPROVED", "A: NOT APPROVED"],
  ...["A ✅ but not B", "A!", "✅ A — blocked", "A - done by Friday"],
  ...[
    "A b12cdef",
    "A `b12cdef`",
    "b12cdef A",
    "A (1234567)",
    "A (abcdefg)",
    "A (facade)",
    "A (b12cde)",
  ],
])("%j is another task than A", (title) => {
  expect(hashTitle(title)).not.toBe(hashTitle("A"))
})

test.each(["Task: A b12cdef", "b12cdef Task: A", "1234567 Task: A", "Task: A [b12cdef]"])(
  "%j is still the task A of Conductor, which writes the commit into its row",
  (title) => {
    expect(hashTitle(title)).toBe(hashTitle("Task: A"))
  },
)

test("a title of nothing but such words keeps them", () => {
  expect(hashTitle("(done)")).not.toBe(hashTitle(""))
  expect(hashTitle("✅")).not.toBe(hashTitle(""))
})

test.each([
  ...[
    ["future", "open"],
    ["Scheduled for May", "open"],
    ["ready-for-dev", "open"],
  ],
  ...[
    ["Not yet started", "open"],
    ["PARTIAL / FOUNDATION COMPLETE", "in_progress"],
    ["PARTIAL / COMPLETE", null],
    ["In development", "in_progress"],
  ],
  ...[
    ["ready for review", "in_progress"],
    ["⏳ In Flight (Slice B)", "in_progress"],
    ["NOT IMPLEMENTED", "open"],
    ["Not implemented as general engine", "open"],
    ["❌ Not yet done", "open"],
    ["not tested", "open"],
    ["not needed", "cancelled"],
    ["Not blocked", null],
    ["Underway", "in_progress"],
    ["Almost done", "in_progress"],
    ["In QA (Ann)", "in_progress"],
    ["To be implemented", "open"],
    ["needs work", "open"],
    ["Released", "done"],
    ["Delivered (2026-01-02)", "done"],
  ],
] as const)("%j says %s", (value, state) => {
  expect(readState(value).state).toBe(state)
})

test.each([
  "Done",
  "Add A, B & C",
  "it's 5/6+7",
  "a_b c",
  'Say "hi" twice',
  "x",
  "Dig it all done",
])(
  "a title of plain words is known by the same hash as with what makes no difference: %s",
  (title) => {
    for (const same of [` ${title}`, `**${title}**`, title.replaceAll(" ", "  "), `${title}.`])
      expect(hashTitle(same)).toBe(hashTitle(title))
  },
)

test.each([
  ...["**A (complete)** — x", "**B** (done) - y", "C (complete): z", "**E ✅ complete** — w"],
  ...[
    "**G [done]** — w",
    "**A（已完成）** — x",
    "**B (fertig)** — y",
    "**E** ✅ — w",
    "**F ✅** — w",
  ],
  ...[
    "~~H~~ — w",
    "**J: done** — w",
    "Phase 1 (complete) — Base",
    "Phase 2: Login (done) - the form",
  ],
  ...["Phase 3 ✅ — Page", "Phase 4 [done]: Stock", "~~Phase 6~~ — Old", "A (done 2026-01-02): b"],
  ...["~~A~~ — done on 20/08", "~~A~~ — FAIT le 20/08"],
  ...["✅ [Complete] Create TODO.md", "[Done] Show the pending badge", "Done: wait for the key"],
])("a title %j says in front or before its explanation that it is done", (title) => {
  expect(saysDone(title)).toBe(true)
})

test.each([
  ...[
    "**B (partially complete)** — y",
    "C (done) and more",
    "**D (not done)** - w",
    "**A** — done soon",
  ],
  ...["A (done) — tests pending", "A (done): 2/5", "A (complete for local V1): z", "A — b (x)"],
  ...["Rename the status (done): all", "Button (Done) label: blue", "A: b (c) — d", "A (2026): b"],
  ...["✅ Phase 2: staff (in progress)", "**Key facts (verified):**", "A (done) — b (in progress)"],
  ...["✅ [Complete] Create it (todo)", "[done] A - blocked", "Done: 2/5 of the files"],
  ...["~~A~~ — done 2/5", "A — DONE 20/38", "A — DONE 05/08", "A — done 03 of 12 files"],
  ...["A — done 01/10 tasks", "A (done 00/12)", "A — done: 05/38 tests", "A ✅ 02/10"],
  ...["Fix (done?) — x", "Move cards to (done) — drag", "A ✅ — but not b", "~~A~~ b — c"],
])("a title %j does not", (title) => {
  expect(saysDone(title)).toBe(false)
})

test.each([
  ...["Order states: placed · paid · delivered", "Tabs: All | Archived | Completed", "A | Done"],
  ...["Circuit breaker: open | half-open | closed", "Footer buttons Cancel | Done"],
  ...["Circuit breaker: closed", "新增按钮：完成", "更新订单状态：已完成", "Setup (3/5) · done"],
  ...["Setup (blocked): done", "Invoice email: delivered", "Position: fixed"],
])("a title %j ends in a name or a value, not in its state", (title) => {
  expect([saysDone(title), hashTitle(title)]).toEqual([false, hashTitle(`${title} x`.slice(0, -2))])
  expect(hashTitle(title)).not.toBe(hashTitle(title.replace(/[^\p{L}]+\p{L}+$/u, "")))
})

test.each([
  ["Fixed", "done"],
  ["✅ Fixed (2026-01-02)", "done"],
  ["Resolved", "done"],
  ["Deployed", "done"],
  ["Tested and deployed", "done"],
  ["Reviewed and approved", "done"],
  ["All done", "done"],
  ["Implementation complete", "done"],
  ["已修复", "done"],
  ["Umgesetzt", "done"],
  ["Not fixed", "open"],
  ["Unimplemented", "open"],
  ["Not fully implemented", "open"],
  ["not yet fully implemented", "open"],
  ["No iniciado", "open"],
  ["未実装", null],
  ["Approved", null],
  ["Fixed in part", null],
])("a status %j is %p", (value, state) => {
  expect<string | null>(readState(value).state).toBe(state)
})

test("a word for a state is marked whole", () => {
  expect(readState("not yet fully implemented").word).toBe("not yet fully implemented")
})

test.each([
  { state: "done", words: ["Tested", "✅ Tested", "getestet", "Протестировано", "已测试"] },
  { state: "cancelled", words: ["Won't fix", "Won’t fix (too dear)", "Discarded", "Verworfen"] },
  { state: null, words: ["Accepted", "Tested: no", "Won't"] },
] as const)("$words say $state", ({ state, words }) => {
  for (const word of words) expect(readState(word).state).toBe(state)
})
