const UNBLOCK = /(?:^|[\s.;,(])unblock(?:ed|s)?(?:\s+(?:when|if|once|by)\b|\s*:)\s*([^\n]+)/i

/** What must be true before a task can go on, where its reason says so: `… Unblock: the key is there`. */
export function unblockIn(reason: string): string | null {
  return UNBLOCK.exec(reason)?.[1]?.trim() || null
}

/** A reason without what it says of being unblocked. */
export function reasonAlone(reason: string): string {
  const at = UNBLOCK.exec(reason)?.index ?? reason.length
  return reason.slice(0, at).replace(/[\s.;,(]+$/, "") || reason
}
