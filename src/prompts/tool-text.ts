// What the orchestrator reads under the result of a tool: one text, made from one state.
// Over 250 lines: each way a result comes back and a turn goes on is a line or two of the same text.
import type { RoundEnd } from "../boulder/boulder.ts"
import type { Reuse } from "../decide/decision.ts"
import {
  type AskedAnew,
  askForApproval,
  type OldReviews,
  REMOVE_REJECTION,
  type ReviewVerdict,
  reviewAct,
  reviewAgain,
  VERDICT_WORDS,
} from "./approval-words.ts"
import { linesCost } from "./first-within.ts"
import { frame } from "./frame.ts"
import type { HostWords } from "./host-words.ts"
import { type News, newsLines } from "./news-lines.ts"
import { minuteWords } from "./pause-words.ts"
import { estimateTokens, quoteKey, quoteSentence } from "./quote.ts"
import { type Offer, offerLines, sendBackWords } from "./reuse-hint.ts"

/** What a `task` call has returned. */
export type CameBack =
  /** The result of an open task; `settle` says how the orchestrator settles it. */
  | { readonly kind: "result"; readonly taskKey: string; readonly settle: string }
  /** The result of a task that is settled by now. */
  | { readonly kind: "settled"; readonly taskKey: string }
  /** The result of a task that was settled when the call began; why it could not go on and how to leave it then, null if it could. */
  | {
      readonly kind: "rework"
      readonly taskKey: string
      readonly unmade: { readonly reason: string; readonly block: string } | null
    }
  /** A review of the final wave; null if its result states no verdict. The plan's own text may still reject a row whose review passed. */
  | { readonly kind: "review"; readonly taskKey: string; readonly verdict: ReviewVerdict }
  /** The subagent could not finish; `block` says how the orchestrator writes that into the plan, null if the plan already says it. */
  | {
      readonly kind: "blocked"
      readonly taskKey: string
      readonly reason: string
      readonly block: string | null
    }
  /** The call named no task, or several; `example` is a key that it may have meant. */
  | { readonly kind: "unnamed"; readonly example: string | null }
  /** The task is no longer in the plan: `taskKey` may name another one by now. */
  | { readonly kind: "gone"; readonly taskKey: string }
  | { readonly kind: "resumed-another" }
  | { readonly kind: "taken-by-another" }

/** How the turn goes on after a tool: exactly one of these. */
export type TurnNext =
  | { readonly kind: "go-on" }
  /** It goes on; rows of the final wave, by their keys, are outdated. */
  | ({ readonly kind: "review" } & OldReviews)
  /** The final wave is back and waits for the user. */
  | ({ readonly kind: "ask" } & AskedAnew)
  /** The round ends with this tool. */
  | { readonly kind: "end"; readonly why: RoundEnd; readonly checkpoint: number }
  /** The round had ended before this tool. */
  | { readonly kind: "ended" }
  /** Nothing can be worked on until a task is unblocked; or every task is settled, the work was stopped, or its plan has no task. */
  | { readonly kind: keyof typeof NOTHING_LEFT }
  /** Every remaining task waits for its provider's limit; until an ISO time. */
  | { readonly kind: "limited"; readonly until: string | null }

/** What deserves a remark: the orchestrator did a task's work itself. */
export type Remark =
  | { readonly kind: "edited-source" }
  | { readonly kind: "settled-alone"; readonly taskKey: string }

/** What the text under a tool's result is made from. */
export interface ToolText extends News {
  readonly settled: number
  readonly total: number
  /** Null after any tool but `task`. */
  readonly cameBack: CameBack | null
  readonly next: TurnNext
  readonly remark: Remark | null
  /** The sessions to offer, the most needed first: those of reviews to run again, then that of the task that came back or is next. */
  readonly hints: readonly Offer[]
}

/** What to tell if nothing came back and the turn goes on. */
export const NOTHING_TOLD: ToolText = {
  settled: 0,
  total: 0,
  cameBack: null,
  next: { kind: "go-on" },
  remark: null,
  hints: [],
  lost: [],
}

/**
 * What stands under a tool's result: what came back, the one thing to do now, and the sessions that may be needed. Null for nothing.
 * Budget: 150 tokens (o200k).
 */
export function toolText(facts: ToolText, words: HostWords): string | null {
  const { cameBack, next, remark, hints } = facts
  if (cameBack === null && next.kind === "go-on") {
    const last = remark === null ? [] : [REMARKS[remark.kind](remark, words)]
    const lines = [
      ...newsLines(facts, { tokens: TOKENS - linesCost(last), isOpen: true, words }),
      ...last,
    ]
    return lines.length === 0 ? null : frame(lines)
  }
  const order = [cameBack === null ? null : headOf(cameBack, facts), orderOf(facts, words)]
    .filter((part) => part !== null)
    .join(" ")
  const left = TOKENS - linesCost([order])
  const isOpen = next.kind === "go-on" || next.kind === "review"
  const news = newsLines(facts, { tokens: left, isOpen, words })
  // News is said only once; a session can be offered again in the next text.
  const offers = isOpen ? offerLines(hints, left - linesCost(news), words) : []
  return frame([...news, order, ...offers])
}

/** The frame and the line ends come on top of the estimate. */
const TOKENS = 142

/** Nearly every task's key costs no more than this; what a longer one costs more is taken from the reason behind it. */
const KEY_TOKENS = 13

function headOf(cameBack: CameBack, { settled, total, next, renumbered }: ToolText): string {
  const key = "taskKey" in cameBack ? cameBack.taskKey : ""
  // The question for the approval takes more room.
  const reasonTokens =
    (next.kind === "ask" ? 20 : 26) - Math.max(0, estimateTokens(key) - KEY_TOKENS)
  const progress = `(${settled}/${total} settled)`
  switch (cameBack.kind) {
    case "result":
      return `Result for ${quoteKey(cameBack.taskKey)}.`
    case "settled":
      return `Result for ${quoteKey(cameBack.taskKey)} ${progress}; it is settled already.`
    case "rework":
      return cameBack.unmade === null
        ? `Result for ${quoteKey(cameBack.taskKey)} ${progress}.`
        : `The rework of ${quoteKey(cameBack.taskKey)} was not finished, and it is open again ${progress}: ${quoteSentence(cameBack.unmade.reason, reasonTokens)}`
    case "review":
      return `${quoteKey(cameBack.taskKey)} is back ${progress}: ${VERDICT_WORDS[`${cameBack.verdict}`]}.`
    case "blocked":
      return `${quoteKey(cameBack.taskKey)} is ${cameBack.block === null ? "recorded as " : ""}blocked ${progress}: ${quoteSentence(cameBack.reason, reasonTokens)}`
    case "unnamed":
      return `This result is counted for no task ${progress}: the call named none, ${renumbered ? "several, or one by its old key" : "or several"}.`
    case "gone":
      return `Result for ${quoteKey(cameBack.taskKey)} ${progress}: its task was reworded or taken out of the plan.`
    case "resumed-another":
      return `This result is counted for no task ${progress}: the call resumed another task's session.`
    case "taken-by-another":
      return `This result is counted for no task ${progress}: another call has its task.`
  }
}

/** The one thing to do now. What to do with the result comes first, if the turn leaves room for it. */
function orderOf({ cameBack, next, settled, total, hints }: ToolText, words: HostWords): string {
  const isSaid = cameBack !== null && cameBack.kind !== "result"
  const progress = isSaid ? "" : ` (${settled}/${total} settled)`
  const first = cameBack === null ? null : lastActOf(cameBack)
  const [reuse, { ask }] = [ownOf(cameBack, hints), words]
  switch (next.kind) {
    case "go-on":
      return cameBack === null ? "" : nextActOf(cameBack, { reuse, again: null, ask })
    case "review": {
      // Below a review this was already said.
      const again = reviewAgain({ ...next, isLapsed: next.isLapsed && cameBack?.kind !== "review" })
      return cameBack === null
        ? `${upperFirst(again)}.`
        : nextActOf(cameBack, { reuse, again, ask })
    }
    case "ask":
      return inOrder(first, askForApproval(words, next))
    case "end":
      return inOrder(
        first,
        `end this turn: ${WHY[next.why]}; checkpoint ${next.checkpoint} is written${progress}. ${NEXT_ROUND}`,
      )
    case "ended":
      return inOrder(first, `end this turn: the round is over. ${NEXT_ROUND}`)
    case "limited":
      return inOrder(
        first,
        next.until === null
          ? "end this turn: every task that is left is held up by its provider's limit. The user is asked."
          : `end this turn: every task that is left waits for its provider's limit until ${minuteWords(next.until)}.`,
      )
    default:
      return inOrder(first, `end this turn: ${NOTHING_LEFT[next.kind]}`)
  }
}

const NOTHING_LEFT = {
  wait: "the work waits until a task is unblocked. The user is told.",
  stopped: "the work was stopped.",
  empty: "the plan has no task. The user is told.",
  done: "every task is settled.",
} as const

/** What is offered for the task that came back; null if nothing is. */
function ownOf(cameBack: CameBack | null, hints: ToolText["hints"]): Reuse | null {
  const key = cameBack !== null && "taskKey" in cameBack ? cameBack.taskKey : null
  return hints.find(({ taskKey }) => taskKey === key)?.reuse ?? null
}

const NEXT_ROUND = "The next round starts automatically."
/** Nobody may have worked on the task that its key names now. */
const SETTLE_NONE = "Settle no task for it"
const WHY: Readonly<Record<RoundEnd, string>> = {
  "checkpoint-due": "the round is over",
  "context-grown": "the round is over",
  "soft-limit": "your context has reached its soft limit",
  "hard-limit":
    "your context has reached its hard limit, and other tools are refused until the next round",
}

function inOrder(first: string | null, then: string): string {
  if (first === null) return upperFirst(then)
  return `${first}. Then ${then}`
}

function upperFirst(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** What must still be done with a result before the turn ends or the user is asked; null if nothing. */
function lastActOf(cameBack: CameBack): string | null {
  if (cameBack.kind === "result")
    return `If it is finished and right, ${cameBack.settle}; if not, leave it open`
  if (cameBack.kind === "rework")
    return cameBack.unmade === null
      ? "If it is finished and right, leave it settled; if not, reopen it in the plan"
      : null
  if (cameBack.kind === "gone") return SETTLE_NONE
  if (cameBack.kind === "review")
    return cameBack.verdict === "pass-against-plan" ? REMOVE_REJECTION : null
  return cameBack.kind === "blocked" && cameBack.block !== null ? upperFirst(cameBack.block) : null
}

type Acting = Record<"again", string | null> & {
  readonly reuse: Reuse | null
  readonly ask: string
}

/** What to do with a result in a turn that goes on; `again` says which reviews are outdated, null for none. */
function nextActOf(cameBack: CameBack, { reuse, again, ask }: Acting): string {
  switch (cameBack.kind) {
    case "result":
      return `Verify: if finished and right, ${cameBack.settle}, else ${sendBackWords(reuse)}.`
    case "settled":
      return again === null ? "Continue with the next task." : `${upperFirst(again)}.`
    case "rework":
      return reworkAct(cameBack.unmade?.block ?? null, { reuse, again, ask })
    case "review":
      return reviewAct(cameBack.verdict, again)
    case "blocked":
      return cameBack.block === null
        ? "Continue with other tasks."
        : `${upperFirst(cameBack.block)}, then continue with other tasks.`
    case "unnamed":
      return unnamedAct(cameBack.example, again)
    case "gone":
      return `${SETTLE_NONE}, and ${again ?? "continue with the next task"}.`
    case "resumed-another":
      return `${SETTLE_WHAT_IS_DONE} Resume only the session of the task that the description names.`
    case "taken-by-another":
      return "Verify both results together."
  }
}

function reworkAct(block: string | null, { reuse, again, ask }: Acting): string {
  const sendBack = sendBackWords(reuse)
  if (block !== null)
    return `Solve that, then ${sendBack}; if you cannot, ask with \`${ask}\` or ${block}.`
  return `Verify: if it is not right, ${sendBack}, else leave it settled and ${again ?? "continue with the next task"}.`
}

/** Whether the text says which reviews must run again: not if something else comes first. */
export function saysAgain(cameBack: CameBack | null): boolean {
  if (cameBack === null) return true
  if (cameBack.kind === "rework") return cameBack.unmade === null
  if (cameBack.kind === "review") return cameBack.verdict !== null && cameBack.verdict !== "reject"
  return ["settled", "unnamed", "gone"].includes(cameBack.kind)
}

/** A result that counts for no task may still be right. */
const SETTLE_WHAT_IS_DONE = "If it has done a task's work, verify it and settle that task."

function unnamedAct(example: string | null, again: string | null): string {
  const such = example === null || again !== null ? "" : `, such as ${quoteKey(example)}`
  const then = again === null ? "" : ` Then ${again}.`
  return `${SETTLE_WHAT_IS_DONE} Begin each description with one key${such}.${then}`
}

const REMARKS: Readonly<Record<Remark["kind"], (remark: Remark, words: HostWords) => string>> = {
  "edited-source": (_, { delegate }) =>
    `You edited a source file yourself. It may stay; delegate further changes with \`${delegate}\`, so that your context lasts.`,
  "settled-alone": (remark, { delegate }) =>
    `${quoteKey(remark.kind === "settled-alone" ? remark.taskKey : "")} was settled without a delegation. Delegate the next task with \`${delegate}\`, so that your context lasts.`,
}
