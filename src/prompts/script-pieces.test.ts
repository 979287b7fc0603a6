import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { decode, encode } from "gpt-tokenizer/encoding/o200k_base"
import { piecesOf } from "./pieces-of.ts"
import { estimateTokens, quote } from "./quote.ts"
import { SCRIPT_PIECES } from "./script-pieces.ts"

const PIECES = Object.entries(SCRIPT_PIECES).map(([script, pieces]) => ({
  script,
  pieces: pieces
    .trim()
    .split(/\s+/)
    .map((piece) => piece.replace("_", " ")),
}))
const [WITH_JOINS, SINGLE] = [
  ["Cyrillic", "Arabic", "Hebrew", "Devanagari", "Thai", "Greek"],
  ["Han", "Hangul"],
]

describe("the pieces are the tokenizer's", () => {
  test.each(PIECES)("$script: each is one token, in the tokenizer's order", ({ pieces }) => {
    const ids = pieces.map((piece) => encode(piece))
    expect(pieces.filter((_, index) => ids[index]?.length !== 1)).toEqual([])
    const order = ids.flat()
    expect(order).toEqual([...order].sort((a, b) => a - b))
  })
  test.each(WITH_JOINS.map((script) => ({ script })))(
    "$script: up to the last of them none is left out, or a run could be joined otherwise",
    ({ script }) => {
      const pieces = PIECES.find((one) => one.script === script)?.pieces ?? []
      const [last = 0] = encode(pieces.at(-1) ?? "")
      const own = new RegExp(`^ ?\\p{Script=${script}}+$`, "u")
      const all = Array.from({ length: last + 1 }, (_, id) => decode([id])).filter((text) =>
        own.test(text),
      )
      expect(pieces).toEqual(all)
    },
  )
})

/** Titles as plans have them. */
const TITLES = [
  {
    language: "Russian",
    title:
      "Переписать модуль аутентификации для поддержки нескольких организаций и отзыва сеансов без потери обратной совместимости",
  },
  {
    language: "Ukrainian",
    title: "Додати маршрут входу з обмеженням кількості запитів та перевірками",
  },
  { language: "Chinese", title: "重构身份验证模块以支持多个组织并允许撤销会话而不破坏向后兼容性" },
  { language: "Chinese, traditional", title: "為登入介面加入速率限制並更新說明文件" },
  {
    language: "Japanese",
    title: "通知キューの結合テストを追加し、ネットワーク障害時の再送を確認する",
  },
  {
    language: "Korean",
    title: "여러 조직을 지원하고 세션을 취소할 수 있도록 인증 모듈을 다시 작성",
  },
  { language: "Arabic", title: "إعادة كتابة وحدة المصادقة لدعم عدة مؤسسات وإلغاء الجلسات" },
  { language: "Hebrew", title: "לכתוב מחדש את מודול האימות כדי לתמוך במספר ארגונים" },
  { language: "Hindi", title: "भुगतान तालिकाओं को नई संरचना में स्थानांतरित करें" },
  { language: "Thai", title: "เพิ่มการจำกัดอัตราในเส้นทางเข้าสู่ระบบและเขียนการทดสอบ" },
  { language: "Greek", title: "Προσθήκη ελέγχων ολοκλήρωσης για την ουρά ειδοποιήσεων" },
  {
    language: "German",
    title:
      "Das Anmeldemodul für mehrere Organisationen umschreiben und Sitzungen widerrufbar machen",
  },
  { language: "French", title: "Vérifier la réémission des notifications en cas de panne réseau" },
  { language: "Polish", title: "Przepisać moduł uwierzytelniania bez utraty zgodności wstecznej" },
  { language: "Vietnamese", title: "Viết lại mô-đun xác thực để hỗ trợ nhiều tổ chức" },
  {
    language: "English",
    title: "Verify the redelivery of notifications on network failures — twice",
  },
]

describe("a title costs by estimate what it costs, or up to two and a half times that", () => {
  test.each(TITLES)("$language", ({ title }) => {
    const cost = encode(title).length
    expect(estimateTokens(title)).toBeGreaterThanOrEqual(cost)
    expect(estimateTokens(title)).toBeLessThanOrEqual(2.5 * cost)
  })
})

describe("what is made of usual pieces, or of any letters of a script, costs no more than is said", () => {
  const rangeOf = (script: string) =>
    Array.from({ length: 0x10000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => new RegExp(`\\p{Script=${script}}`, "u").test(character))
  test.each([...WITH_JOINS, ...SINGLE].map((script) => ({ script })))("$script", ({ script }) => {
    const pieces = PIECES.find((one) => one.script === script)?.pieces ?? []
    const part = fc.constantFrom(...pieces, ...rangeOf(script))
    fc.assert(
      fc.property(fc.array(part, { minLength: 20, maxLength: 120 }), (parts) => {
        const text = parts.join("")
        expect(estimateTokens(text) * 1.1).toBeGreaterThanOrEqual(encode(text).length)
      }),
      { numRuns: 100 },
    )
  })
})

test("a text is cut between the pieces, and what is left costs what was allowed", () => {
  const { title = "" } = TITLES[0] ?? {}
  const cut = quote(title, 12)
  expect(cut).toEndWith("…")
  expect(title).toStartWith(cut.slice(0, -1))
  expect(encode(cut).length).toBeLessThanOrEqual(13)
})

test("pieces are letters as they were", () => {
  expect(piecesOf(" совместимости").join("")).toBe(" совместимости")
  expect(piecesOf("")).toEqual([])
})
