// A finding of the doctor, and what to do about it.

/** `bad` keeps something from working; `note` is worth a look. */
export interface Finding {
  /** What was checked, in one word for programs. */
  readonly check: string
  readonly level: "ok" | "note" | "bad"
  readonly says: string
  /** What a person can do; null if nothing has to be done. */
  readonly todo: string | null
  /** Repairs it without risk, and says what it did; null if a person has to. May throw. */
  readonly fix: (() => Promise<string>) | null
}

/** A finding that needs nothing. */
export function fine(check: string, says: string): Finding {
  return { check, level: "ok", says, todo: null, fix: null }
}

const wanting =
  (level: "note" | "bad") =>
  (check: string, says: string, todo: string, fix: Finding["fix"] = null): Finding => ({
    check,
    level,
    says,
    todo,
    fix,
  })

/** A finding that is worth a look. */
export const note = wanting("note")

/** A finding that keeps something from working. */
export const bad = wanting("bad")
