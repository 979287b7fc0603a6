// Shows times by the local clock.
const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
]

/** The day of a time: `21 November 2026`; a text that is no time has an unknown day. */
export function localDay(at: string | number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return "Unknown day"
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`
}

/** The hour and minute of a time, `14:05`, and its second if asked; `--:--` for a text that is no time. */
export function localTime(at: string | number, toSecond = false): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return "--:--"
  const parts = [date.getHours(), date.getMinutes(), ...(toSecond ? [date.getSeconds()] : [])]
  return parts.map((part) => String(part).padStart(2, "0")).join(":")
}
