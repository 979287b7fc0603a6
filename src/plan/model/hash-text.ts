// Hashes a text to 8 hex digits (FNV-1a, 32 bits).
/** 8 hex digits of a text (FNV-1a, 32 bits): to distinguish texts, not for secrets. */
export function hashText(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index)
    hash = Math.imul(hash, 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, "0")
}
