import { describe, expect, test } from "bun:test"
import { wordPattern } from "./word-pattern.ts"

const SOURCES = [
  String.raw`^to-?dos?(?![\p{L}\p{N}])`,
  String.raw`^(?:(?:notes?|goals?)(?:[^\p{L}\p{N}]+|$))+$`,
  String.raw`(?<![\p{L}\p{N}])status(?![\p{L}\p{N}])`,
  String.raw`^(?:[\p{L}]+ [\d.]{1,8}[ \t]*[:：—–-]+[ \t]*)?optional$`,
  String.raw`^daily (?:[\p{L}-]{1,30} )?checklists?$|^(?:目标|目的|notas)+$|^при[её]мка$`,
  String.raw`^phase-(?:[A-Z]\d|[IVX]{1,5})(?![\p{L}\p{N}])|\Bnote\b|^[^A-Z]\S\D\W$`,
]
const TEXTS = [
  ...["", "TODO", "to-dos", "todo2", "todos: now", "todoé", "TODO項目", "Notes", "notes & GOALS"],
  ...["notes, goal5", "Notes ü", "the Status:", "substatus", "statusß", "éstatus", "status—now"],
  ...["Phase 2: OPTIONAL", "Фаза 2 — optional", "Phase-2 optional", "2 2: optional", "optional"],
  ...["daily stand-up checklist", "Daily Übungs checklists", "daily a1 checklist", "目标目的"],
  ...["NOTAS", "Приёмка", "ПРИЕМКА", "notaſ", "\u2126", "K", "🟢 todo", "todo🟢"],
  ...[
    "Phase-IV",
    "phase-iv",
    "PHASE-B2",
    "Phase-ivé",
    "Keynote",
    "KEYNOTE",
    "keynotes",
    "note",
    "1ab!",
    "xab!",
  ],
]

describe("wordPattern", () => {
  test.each(SOURCES)("says of every text what the pattern of all alphabets says: %s", (source) => {
    const all = new RegExp(source, "iu")
    const pattern = wordPattern(source)
    for (const text of [...TEXTS, ...TEXTS])
      expect({ text, is: pattern.test(text) }).toEqual({ text, is: all.test(text) })
    expect(TEXTS.some((text) => pattern.test(text))).toBe(true)
  })

  test("tells signs from letters and digits in every alphabet", () => {
    const source = String.raw`^[\p{L}\p{N}]$|^[^\p{L}\p{N}\s] -$`
    const all = new RegExp(source, "iu")
    const pattern = wordPattern(source)
    const signs = Array.from({ length: 0x1_0000 }, (_, unit) => String.fromCharCode(unit))
    const texts = [...signs, ...signs.map((sign) => `${sign} -`)]
    expect(texts.filter((text) => pattern.test(text) !== all.test(text))).toEqual([])
  })
})
