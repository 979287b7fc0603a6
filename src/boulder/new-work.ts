// Makes a new work and its id.
import { hashText } from "../plan/model/hash-text.ts"
import type { Work } from "./boulder.ts"
import { NO_WORK_COST } from "./cost.ts"

/** A work's id: a readable slug of the plan's name and 8 hex digits of its path, so that two plans with the same name differ. */
export function workIdOf(planPath: string, planName: string): string {
  const slug = planName
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 48)
    .replace(/^-|-$/g, "")
  return `${slug === "" ? "plan" : slug}-${hashText(planPath)}`
}

/** A fresh work, led by the session that started it. `now` is an ISO 8601 time. */
export function newWork(options: {
  planPath: string
  planName: string
  sessionId: string
  now: string
}): Work {
  const { planPath, planName, sessionId, now } = options
  return {
    work_id: workIdOf(planPath, planName),
    active_plan: planPath,
    plan_name: planName,
    plan_fingerprint: null,
    status: "active",
    pause_reason: null,
    spent_budget: null,
    refusal: null,
    limited: null,
    started_at: now,
    updated_at: now,
    resumed_at: now,
    rejections: {},
    lead_session_id: sessionId,
    driver: null,
    session_ids: [sessionId],
    agent: null,
    completed_count: 0,
    total_count: 0,
    blocked_count: 0,
    active_shard: 0,
    current_window: [],
    window_titles: [],
    checkpoint_seq: 0,
    round: { number: 1, settled_at_checkpoint: 0, ended: null, compacted: false },
    compactions: { epoch: 0, settled_at_last: 0, in_a_row: 0 },
    context: null,
    tokens: { spent: 0, since: 0, ceiling: null },
    cost: NO_WORK_COST,
    task_sessions: {},
    blocked: {},
    held: {},
    dispatches: {},
    continuation: freshContinuation(),
    final_wave: {},
    awaiting_approval: null,
    approved_wave: null,
    spoken_wave: null,
  }
}

/** The counters before the first continuation. */
export function freshContinuation(): Work["continuation"] {
  return {
    count: 0,
    no_progress_streak: 0,
    failures: 0,
    failed_at: null,
    failed_message_id: null,
    last_at: null,
    recent: [],
    fingerprint: null,
    counted_message_id: null,
  }
}
