import { type AddedBoxes, addBoxes, offeredLines } from "../../src/plan/boxes/add-boxes.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"

/** Puts boxes before the lines that a plan's warnings name, as a person who follows them does. */
export function addLikeliest(text: string, path: string): AddedBoxes {
  const told = parsePlan(text, { path }).warnings.filter(({ message }) => CHOSEN.test(message))
  const line = Math.min(...told.map((each) => each.line))
  const offer = offeredLines(text, path).find(({ lines }) => Number.parseInt(lines, 10) === line)
  return offer === undefined
    ? { ok: false, message: "none is advised" }
    : addBoxes(text, path, offer.lines)
}

/** If only a guess was possible, no line is named. */
const CHOSEN = /^\d.*`opencode-boulder plan <file>` shows what may be tasks/
