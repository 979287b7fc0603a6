/** What must be true before a task can go on, where its reason says so: `… Unblock: the key is there`. */
export function unblockIn(reason: string): string | null {
  const found = /(?:^|[\s.;,(])unblock(?:ed|s)?(?:\s+(?:when|if|once|by)\b|\s*:)\s*([^\n]+)/i.exec(
    reason,
  )
  return found?.[1]?.trim() || null
}
