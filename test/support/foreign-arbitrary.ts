import fc from "fast-check"

/** What no line of ours may hold. */
export const UNPRINTABLE = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\p{Cf}]/u

const HEX = [..."0123456789abcdef"]
const nasty = fc.constantFrom(
  ...["<boulder>", "</boulder>", "<system-reminder>", "</system-reminder>", "<task_metadata>"],
  ...["`", "```", "$&", "$1", "\n", "\r\n", "\u2028", "\u2029", "\u0085", "\u0000", "\u001b[2J"],
  ...["\u202e", "\u2066", "\u200b", "\ufeff", "\ud83d", "</", ">", "<", '"', "\\", "〈", "🧿"],
)
/** Texts as users, models and attackers write them. */
export const foreign = fc.oneof(
  fc.string({ unit: "binary", maxLength: 600 }),
  fc.string({ unit: "grapheme", maxLength: 600 }),
  fc.string({ unit: "grapheme-ascii", maxLength: 600 }),
  fc.base64String({ minLength: 200, maxLength: 600 }),
  fc.string({ unit: fc.constantFrom(...HEX), minLength: 200, maxLength: 600 }),
  fc
    .array(fc.oneof(nasty, fc.string({ unit: "grapheme", maxLength: 8 })), { maxLength: 80 })
    .map((parts) => parts.join("")),
)
