import { expect, test } from "bun:test"
import { withNote } from "./note-lines.ts"

test("a note below a heading is set apart from what follows, and from nothing else", () => {
  expect(withNote("## 1. A\nText\n", 1, 3, "no key")).toBe("## 1. A\nBLOCKED: no key\n\nText\n")
  expect(withNote("## 1. A\n  ", 1, 3, "no key")).toBe("## 1. A\nBLOCKED: no key\n  ")
  expect(withNote("## 1. A", 1, 3, undefined)).toBe("## 1. A\nBLOCKED: no reason given")
})
