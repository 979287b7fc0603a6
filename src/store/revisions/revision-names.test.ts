import { expect, test } from "bun:test"
import { copyName, publishedName, readRevisionName, tempName } from "./revision-names.ts"

test("a name is read as what it was made of", () => {
  expect(readRevisionName(publishedName(7, 0))).toEqual({
    kind: "published",
    revision: 7,
    slot: 0,
  })
  expect(readRevisionName(publishedName(7, 3))).toEqual({
    kind: "published",
    revision: 7,
    slot: 3,
  })
  const written = { revision: 7, writeId: "1-2-ab" }
  expect(readRevisionName(tempName(7, "1-2-ab"))).toEqual({ kind: "temp", ...written })
  expect(readRevisionName(copyName(7, "1-2-ab"))).toEqual({ kind: "copy", ...written })
  expect(readRevisionName("boulder.json")).toBeNull()
})
