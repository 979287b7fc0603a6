// Says in one line that somebody else works on a plan; the panel asks its question from that line.
import { SLASH } from "./typed-command.ts"

/** Who works on a plan that should be started, and what takes it over. */
export interface Occupied {
  readonly planName: string
  /** The session that leads it. */
  readonly session: string
  /** Names the plan after `/start-work`, made by `planArgument`. */
  readonly argument: string
}

/** Follows a plan's argument to take the plan over. */
export const TAKE_OVER = "--take-over"

const HEAD = "Expected "
const FOUND = " to be free, found "
const WORKS = " working on it right now."
const COMMAND = `: /${SLASH.start} `

/** One line about who works on a plan right now, and how to take it over. */
export function occupiedText({ planName, session, argument }: Occupied, isElsewhere: boolean) {
  const who = isElsewhere ? `another opencode (session ${session})` : `session ${session}`
  return `${HEAD}${planName}${FOUND}${who}${WORKS} Stop it there first, or take it over${COMMAND}${argument} ${TAKE_OVER}`
}

/** Reads that line; null for any other. Each part is searched after the plan's name, which may say anything. */
export function occupiedIn(line: string): Occupied | null {
  const end = line.length - ` ${TAKE_OVER}`.length
  const command = line.lastIndexOf(COMMAND)
  const works = line.lastIndexOf(WORKS, command)
  const found = line.lastIndexOf(FOUND, works)
  const isWhole = line.startsWith(HEAD) && line.endsWith(` ${TAKE_OVER}`)
  if (!isWhole || found < HEAD.length || command + COMMAND.length >= end) return null
  const who = line.slice(found + FOUND.length, works)
  const session = who.slice(who.lastIndexOf(" ") + 1)
  return {
    planName: line.slice(HEAD.length, found),
    session: session.endsWith(")") ? session.slice(0, -1) : session,
    argument: line.slice(command + COMMAND.length, end),
  }
}
