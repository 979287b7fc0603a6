/** Our texts stand in one frame, so that the model can tell them from the user's and the tools' words. */
export function frame(lines: readonly (string | null)[]): string {
  return `<boulder>\n${lines.filter((line) => line !== null).join("\n")}\n</boulder>`
}
