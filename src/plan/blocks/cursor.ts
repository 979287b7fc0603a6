// A position in a line, with tabs as columns.
const TAB = 9
const SPACE = 32
const TAB_STOP = 4

/** A position in one line, in characters and in columns (a tab reaches to the next multiple of four). */
export interface Cursor {
  line: string
  pos: number
  column: number
  /** The next character that is neither space nor tab, and its column. */
  next: number
  nextColumn: number
}

export function newCursor(): Cursor {
  return { line: "", pos: 0, column: 0, next: 0, nextColumn: 0 }
}

/** Sets the cursor to the start of a line. */
export function enter(cursor: Cursor, line: string): void {
  cursor.line = line
  cursor.pos = 0
  cursor.column = 0
  findNext(cursor)
}

/** Columns of white space before the next character. */
export function indentOf(cursor: Cursor): number {
  return cursor.nextColumn - cursor.column
}

export function isBlank(cursor: Cursor): boolean {
  return cursor.next >= cursor.line.length
}

/** The code of the next character that is not white space; NaN at the end of the line. */
export function nextCode(cursor: Cursor): number {
  return cursor.line.charCodeAt(cursor.next)
}

/** Moves past the next `count` characters, none of which may be a tab. */
export function skipSign(cursor: Cursor, count: number): void {
  cursor.pos = cursor.next + count
  cursor.column = cursor.nextColumn + count
  findNext(cursor)
}

/** Takes up to `columns` columns of white space; half a tab may be left. */
export function skipColumns(cursor: Cursor, columns: number): void {
  const goal = Math.min(cursor.column + columns, cursor.nextColumn)
  if (goal === cursor.nextColumn) {
    cursor.pos = cursor.next
    cursor.column = goal
    return
  }
  while (cursor.column < goal) {
    const width = widthAt(cursor.line.charCodeAt(cursor.pos), cursor.column)
    if (cursor.column + width > goal) {
      cursor.column = goal
      return
    }
    cursor.column += width
    cursor.pos += 1
  }
}

function findNext(cursor: Cursor): void {
  let at = cursor.pos
  let column = cursor.column
  for (;;) {
    const code = cursor.line.charCodeAt(at)
    if (code !== SPACE && code !== TAB) break
    column += widthAt(code, column)
    at += 1
  }
  cursor.next = at
  cursor.nextColumn = column
}

function widthAt(code: number, column: number): number {
  return code === TAB ? TAB_STOP - (column % TAB_STOP) : 1
}
