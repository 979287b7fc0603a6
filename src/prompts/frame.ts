// The frame around all our texts.
/** The beginning and end of our frame: by the time a model reads it, no foreign text has such a line. */
export const FRAME_BEGIN = "<boulder>\n"
export const FRAME_END = "\n</boulder>"

/** Puts our text into a frame, so that the model can tell it from the words of the user and of tools. */
export function frame(lines: readonly (string | null)[]): string {
  return `${FRAME_BEGIN}${lines.filter((line) => line !== null).join("\n")}${FRAME_END}`
}
