import { type AddedBoxes, addBoxes, offeredLines } from "../../src/plan/boxes/add-boxes.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"

/** The lines that a warning advises, or those that it speaks of where it leaves the advice to `plan`. */
const ADVISED = /--add-boxes ([\d,-]+)/
export const SHOWN = /tells how their boxes are written|of what was done/

/** Puts boxes before the lines that a plan's warnings tell of, as who follows them does. */
export function addLikeliest(text: string, path: string): AddedBoxes {
  for (const { line, message } of parsePlan(text, { path }).warnings) {
    const advised = ADVISED.exec(message)?.[1]
    const offers = SHOWN.test(message) ? offeredLines(text, path) : []
    const shown = offers.find(({ lines }) => Number.parseInt(lines, 10) === line)
    const lines = advised ?? shown?.lines
    if (lines !== undefined) return addBoxes(text, path, lines)
  }
  return { ok: false, message: "none is advised" }
}
