/** A row of the table: a figure of each contestant, what is compared, and the target beside it. */
export interface Row {
  what: string
  turnout: string
  bare?: string
  naive?: string
  packages?: string
  postgres?: string
  compared?: string
  target: string
  /** Undefined where there is no target. */
  reached?: boolean
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other)
  const half = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = low] = [sorted[sorted.length % 2 === 1 ? half : half - 1], sorted[half]]
  return (low + high) / 2
}

/** Returns a number with three significant digits, and with no more than one digit after the point if two stand before it. */
export function figure(number: number): string {
  if (!Number.isFinite(number)) return '-'
  if (number >= 1000) return Math.round(number).toLocaleString('en')
  return number >= 100 ? number.toFixed(0) : number >= 10 ? number.toFixed(1) : number.toFixed(2)
}

const HEADS = [
  'what',
  'turnout',
  'bare',
  'naive',
  'packages',
  'postgres',
  'compared',
  'target',
  'reached',
] as const

/** The table leaves out PostgreSQL unless it was measured. */
export function toTable(rows: readonly Row[]): string {
  const heads = HEADS.filter(head => head !== 'postgres' || rows.some(row => row.postgres !== undefined))
  const cells = rows.map(({ reached, ...row }) =>
    heads.map(head =>
      head === 'reached' ? (reached === undefined ? '' : reached ? 'yes' : 'NO') : (row[head] ?? ''),
    ),
  )
  const widths = heads.map((head, at) =>
    Math.max(head.length, ...cells.map(line => (line[at] as string).length)),
  )
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text, at) => text.padEnd(widths[at] as number)).join(' | ')} |`
  const rule = `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`
  return `${[line(heads), rule, ...cells.map(line)].join('\n')}\n`
}
