import type { IBufferCell, Terminal } from "@xterm/headless"

const CELL = { width: 8.4, height: 18 }
const BASE = { fg: "#d8d8d8", bg: "#0a0a0a" }
const LEVELS = [0, 95, 135, 175, 215, 255]
const SIXTEEN = [
  ...["#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5"],
  ...["#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff"],
]

/** The content of a terminal, with its colours, as a picture that any browser shows. */
export function screenSvg(screen: Terminal): string {
  const width = Math.ceil(screen.cols * CELL.width)
  const height = screen.rows * CELL.height
  const rows = Array.from({ length: screen.rows }, (_, row) => rowSvg(screen, row)).join("")
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14"><rect width="100%" height="100%" fill="${BASE.bg}"/>${rows}</svg>\n`
}

interface Run {
  readonly from: number
  readonly fg: string
  readonly bg: string
  text: string
  cells: number
}

function rowSvg(screen: Terminal, row: number): string {
  const line = screen.buffer.active.getLine(row)
  const runs: Run[] = []
  for (let column = 0; column < screen.cols; column++) {
    const cell = line?.getCell(column)
    if (cell === undefined || cell.getWidth() === 0) continue
    const [fg, bg] = coloursOf(cell)
    const last = runs.at(-1)
    const text = cell.getChars() || " "
    // A character wider than its letters would push what follows.
    const isPlain = /^[ -~]$/.test(text)
    if (last?.fg === fg && last.bg === bg && isPlain && /^[ -~]*$/.test(last.text)) {
      last.text += text
      last.cells += 1
    } else runs.push({ from: column, fg, bg, text, cells: cell.getWidth() })
  }
  return runs.map((run) => runSvg(run, row)).join("")
}

function runSvg({ from, fg, bg, text, cells }: Run, row: number): string {
  const x = round(from * CELL.width)
  const y = row * CELL.height
  const width = round(cells * CELL.width)
  const back =
    bg === BASE.bg
      ? ""
      : `<rect x="${x}" y="${y}" width="${round(cells * CELL.width + 0.3)}" height="${CELL.height}" fill="${bg}"/>`
  const shown = text.trimEnd()
  if (shown === "") return back
  const length = round((width * shown.length) / text.length)
  return `${back}<text x="${x}" y="${y + 13}" fill="${fg}" textLength="${length}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">${escaped(shown)}</text>`
}

function coloursOf(cell: IBufferCell): readonly [fg: string, bg: string] {
  const fg = cell.isFgDefault() ? BASE.fg : colourOf(cell.isFgRGB(), cell.getFgColor())
  const bg = cell.isBgDefault() ? BASE.bg : colourOf(cell.isBgRGB(), cell.getBgColor())
  return cell.isInverse() ? [bg, fg] : [fg, bg]
}

function colourOf(isRgb: boolean, value: number): string {
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`
  if (value < 16) return SIXTEEN[value] ?? BASE.fg
  const grey = 8 + (value - 232) * 10
  const level = (step: number) => LEVELS[Math.floor((value - 16) / step) % 6] ?? 0
  const parts = value >= 232 ? [grey, grey, grey] : [level(36), level(6), level(1)]
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
