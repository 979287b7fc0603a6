// What the doctor has found, and what to do about it.

/** `bad` keeps something from working; `note` is worth a look. */
export interface Finding {
  /** What was looked at, in a word for programs. */
  readonly check: string
  readonly level: "ok" | "note" | "bad"
  readonly says: string
  /** What a person can do; null where nothing is to be done. */
  readonly todo: string | null
  /** Mends it without a risk, and says what it has done; null where that is for a person. May throw. */
  readonly fix: (() => Promise<string>) | null
}

/** A finding that is as it should be. */
export function fine(check: string, says: string): Finding {
  return { check, level: "ok", says, todo: null, fix: null }
}

/** A finding that wants somebody. */
export function wants(
  check: string,
  level: "note" | "bad",
  says: string,
  todo: string,
  fix: Finding["fix"] = null,
): Finding {
  return { check, level, says, todo, fix }
}
