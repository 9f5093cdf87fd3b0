/** Returns a text in one line, so that nobody's name begins a line that seems to be the seller's. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/** Returns the lines of an address in one line. */
export function joinLines(text: string): string {
  return text
    .split(/[\n\r\u2028\u2029]+/)
    .map(oneLine)
    .filter(line => line !== '')
    .join(', ')
}

/** The most characters to which a cell is widened, so that one long name does not push all amounts out of sight. */
const WIDEST = 48

/** Lays out rows in columns, the first to the left and the others to the right, for a letter without HTML. */
export function inColumns(rows: readonly (readonly string[])[]): string {
  const count = Math.max(0, ...rows.map(row => row.length))
  const widths = Array.from({ length: count }, (_, at) =>
    Math.min(WIDEST, Math.max(...rows.map(row => [...(row[at] ?? '')].length))),
  )
  const pad = (cell: string, at: number) => {
    const space = ' '.repeat(Math.max(0, (widths[at] as number) - [...cell].length))
    return at === 0 ? cell + space : space + cell
  }
  return rows
    .map(row =>
      widths
        .map((_, at) => pad(row[at] ?? '', at))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
