// Whether a line shows an open box to a person, in any spelling and whatever the grammar makes of it.

/** Signs of an open box, and the start of a form's. */
const MAY_BE = /[[\uff3b\u2610\u25a1\u25a2\u25fb\u2b1c\u{1f532}]|<input/u
const FOREIGN = /[^\x20-\x7e\t]/
const SIGN = "[\\u2610\\u25a1\\u25a2\\u25fb\\u2b1c\\u{1f532}]"
/** Behind it stands neither a link's address nor its name. */
const BLANK_BOX = "\\\\?\\[[ \\t]{1,3}\\\\?\\](?![(`[])"
const EMPTY_BOX = "\\\\?\\[\\\\?\\](?=[\\s\\p{L}\\p{N}*_~]|$)"
/** Bullets of any kind, emphasis, an emoji, a number: all but words, code and another bracket. */
const SIGNS = "[^\\p{L}\\p{N}[\\]`|]"
const NUMBER =
  "(?:(?:task|step|phase|item|todo)?[ \\t]{0,2}#?\\d{1,9}(?:\\.\\d{1,9})*|todo|[a-z](?=[.)]))[.):]?"
const AT_START = new RegExp(
  `^${SIGNS}{0,24}(?:${NUMBER}${SIGNS}{0,12})?(?:${BLANK_BOX}|${EMPTY_BOX}|${SIGN})`,
  "iu",
)
/** An empty list alone is a value of a table. */
const IN_CELL = new RegExp(
  `\\|[ \\t]*(?:${BLANK_BOX}|\\[\\](?=[ \\t]{1,9}[\\p{L}\\p{N}*_~])|${SIGN})`,
  "u",
)
const AT_END = new RegExp(
  `^[ \\t]*(?:#{1,6}|[-*+]|\\d{1,9}[.)])[ \\t].*[^:= \\t][ \\t]+(?:\\[[ \\t]\\]|${SIGN}\\ufe0f?)[ \\t]*$`,
  "u",
)
/** `<li>`, and what stands around it. */
const TAGS = /^(?:[ \t]{0,8}<[a-z][^<>]{0,80}>){1,8}/i
const OF_A_FORM = /<input\b(?=[^<>]{0,200}\bcheckbox\b)(?![^<>]{0,200}\bchecked\b)/i

/** How a line shows an open box: at its start, in a table, or elsewhere; null for any other line. */
export function showsOpenBox(line: string): "start" | "table" | "elsewhere" | null {
  if (!MAY_BE.test(line)) return null
  const shown = line.replace(TAGS, "")
  const plain = FOREIGN.test(shown) ? shown.normalize("NFKC") : shown
  if (AT_START.test(plain)) return "start"
  if (IN_CELL.test(plain)) return "table"
  return AT_END.test(plain) || OF_A_FORM.test(line) ? "elsewhere" : null
}
