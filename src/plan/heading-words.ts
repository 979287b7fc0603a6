/** Emoji, emphasis and other signs before the first word. */
const DECORATION = /^(?:\d\ufe0f?\u20e3|[^\p{L}\p{N}])+/u
/** `1.`, `2.3)`, `IV.`, `B)`, `3 –` */
const NUMBERING = /^(?:\d+(?:\.\d+)*(?:[.):]|[ \t]+[-–—])|[IVX]{1,5}[.)]|[A-Z][.)])[ \t]+/
const TAIL = /[^\p{L}\p{N})\]]+$/u

/** What a heading says, without the emoji, the numbering and the punctuation around it: they never decide. */
export function headingWords(text: string): string {
  const bare = text.replaceAll("**", "").replace(DECORATION, "")
  return bare.replace(NUMBERING, "").replace(DECORATION, "").replace(TAIL, "")
}

/** The same with its numbering: `2. Core`. */
export function numberedWords(text: string): string {
  return text.replaceAll("**", "").replace(DECORATION, "").replace(TAIL, "")
}
