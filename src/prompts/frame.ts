// The one frame that all our texts stand in.
/** How our frame begins and ends: no foreign text has such a line by the time that a model reads it. */
export const FRAME_BEGIN = "<boulder>\n"
export const FRAME_END = "\n</boulder>"

/** Our texts stand in one frame, so that the model can tell them from the user's and the tools' words. */
export function frame(lines: readonly (string | null)[]): string {
  return `${FRAME_BEGIN}${lines.filter((line) => line !== null).join("\n")}${FRAME_END}`
}
