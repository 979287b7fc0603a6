// Sends the saves that were kept while the handoffs' database was away, once it is back.
import { HANDOFF_ID } from "../../boulder/handoff.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { StoreError, type StoreErrorCode } from "../disk/store-error.ts"
import { writeSave } from "../handoffs/handoff-desk.ts"
import { markHandoff } from "../handoffs/handoff-mark.ts"
import { AlreadySaved, type HandoffStore } from "../handoffs/handoff-store.ts"
import { CALL_MS } from "./away.ts"
import {
  ASIDE,
  FOLDER,
  type Keeping,
  type KeptSave,
  keepSave,
  keptFiles,
  type Unsent,
} from "./kept-saves.ts"

/** How long to wait before sending again, in ms. */
const AGAIN_MS = 6_000

/** What the desk needs, and where saves are kept meanwhile. */
export interface BridgeNeeds extends Keeping {
  /** Told what a person should know: a kept save that the database does not accept. */
  readonly tell: (line: string) => void
}

/** The store for one call. */
export type ForCall = NonNullable<HandoffStore["forCall"]>

/** What this process keeps until it can be sent. */
export type Spool = ReturnType<typeof openSpool>

/** Opens the spool of a project; nothing is looked up before the first call. */
export function openSpool(needs: BridgeNeeds, forCall: ForCall) {
  const told = new Set<string>()
  let last = Promise.resolve(true)
  let isWaiting = false
  const send = async (): Promise<boolean> => {
    // Looks at the folder each time: other processes keep saves there, too.
    last = last.then(() => sendAll(needs, forCall, told)).catch(() => false)
    const isAllSent = await last
    if (!(isAllSent || isWaiting)) {
      isWaiting = true
      setTimeout(retry, AGAIN_MS).unref()
    }
    return isAllSent
  }
  const retry = (): void => {
    isWaiting = false
    void send()
  }
  return {
    /** Sends what is kept; true if nothing is left, else it tries again by itself. Never throws. */
    send,
    keep: (save: Unsent) => keepSave(needs, save),
  }
}

/**
 * Sends what is kept, oldest first; false if it must be tried again. What the database will never accept is set aside, and what nobody can
 * read is left there and reported once: neither stops what comes after it.
 */
async function sendAll(needs: BridgeNeeds, forCall: ForCall, told: Set<string>): Promise<boolean> {
  const files = await keptFiles(needs.records)
  // A damaged state is not the fault of a save: all of them wait until it is repaired.
  if (files.length > 0) await needs.store.read()
  for (const { name, text, kept } of files) {
    const path = `${FOLDER}/${name}`
    if (kept === null) {
      tellOnce(needs, path, told)
      continue
    }
    const end = await endOf(sendOne(needs, forCall, kept))
    if (end === "later") return false
    if (end !== "sent") {
      await needs.records.createOnce(`${ASIDE}/${name}`, `${text}`)
      needs.tell(
        `A save kept while the database of the handoffs was away cannot be sent. It is set aside as .boulder/${ASIDE}/${name}. ${end.message}`,
      )
    }
    await needs.records.remove(path)
  }
  return true
}

function tellOnce(needs: BridgeNeeds, path: string, told: Set<string>): void {
  if (told.has(path)) return
  told.add(path)
  needs.tell(
    `A save kept while the database of the handoffs was away cannot be read. It is left as .boulder/${path}: read it, save again what it says, and remove it.`,
  )
}

const OF_RECORD: ReadonlySet<StoreErrorCode> = new Set(["invalid-change", "corrupt"])

/** The outcome of sending one; an error if trying again would never help. */
async function endOf(sending: Promise<void>): Promise<"sent" | "later" | Error> {
  try {
    await sending
  } catch (error) {
    const isOfRecord = !(error instanceof StoreError) || OF_RECORD.has(error.code)
    return isOfRecord ? new Error(cleanLine(String(error)).slice(0, 200)) : "later"
  }
  return "sent"
}

async function sendOne(given: BridgeNeeds, forCall: ForCall, kept: KeptSave): Promise<void> {
  const { key, scope } = kept
  const needs = { ...given, ...kept.desk, handoffs: forCall({ ms: CALL_MS, key, scope }) }
  try {
    await writeOne(needs, kept)
  } catch (error) {
    if (!(error instanceof AlreadySaved)) throw error
    if (kept.marks) await markSaved(needs, kept)
  }
}

/** It was written, but the process that wrote it may never have heard so, and has not marked the plan. */
async function markSaved(needs: BridgeNeeds, { caller, request }: KeptSave): Promise<void> {
  const id = request.task ?? ""
  const handoff = HANDOFF_ID.test(id) ? await needs.handoffs.read(id) : null
  // If others went on meanwhile, that record does not say it.
  if (handoff?.session_id !== caller.sessionId || handoff.status !== request.status) return
  const { boulder } = await needs.store.read()
  // A session outside its work could write into it only while holding the record.
  const held = caller.place?.workId !== handoff.work_id
  await markHandoff(needs, { place: caller.place, held }, handoff, boulder)
}

/** If others went on meanwhile, what it says is kept as a record of its own: nothing that was said is lost. */
async function writeOne(needs: BridgeNeeds, { caller, request, marks }: KeptSave): Promise<void> {
  const { written, boulder } = await writeSave(needs, caller, request)
  if (written.kind === "written") {
    const saver = { place: caller.place, held: written.held }
    if (marks) await markHandoff(needs, saver, written.handoff, boulder)
    return
  }
  // A record's name has a limit, and the longest that a save may give would leave no room for ours.
  const about = written.handoff?.id ?? request.task?.slice(0, 256) ?? "a task"
  const beside = await writeSave(
    needs,
    { ...caller, place: null, family: [] },
    { ...request, task: `Said of ${about} by ${caller.sessionId} while the database was away` },
  )
  if (beside.written.kind === "refused")
    throw new Error(`Expected it to be accepted; found it refused: ${beside.written.reason}.`)
}
