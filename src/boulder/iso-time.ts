/** Milliseconds since 1970 of an ISO 8601 time; NaN for anything else. Arithmetic, not a clock. */
export function msOf(iso: string): number {
  // biome-ignore lint/style/noRestrictedGlobals: parsing a given time reads no clock
  return Date.parse(iso)
}

/** The ISO 8601 time, in UTC, of milliseconds since 1970. */
export function isoOf(ms: number): string {
  // biome-ignore lint/style/noRestrictedGlobals: formatting a given time reads no clock
  return new Date(ms).toISOString()
}
