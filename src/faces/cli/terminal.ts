import type { Clock } from '../time.ts'

/** The surroundings of a command. */
export interface Terminal {
  /** Writes the output, to stdout. */
  out(text: string): void
  /** Writes messages, to stderr. */
  err(text: string): void
  clock: Clock
}

/** One JSON document, as `--json` prints it. */
export function printJson(terminal: Terminal, value: unknown): void {
  terminal.out(`${JSON.stringify(value, null, 2)}\n`)
}

/** A table for a person: columns as wide as their widest cell, null as a dash. */
export function printTable(
  terminal: Terminal,
  headings: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): void {
  const lines = [headings, ...rows].map(row => row.map(cell => String(cell ?? '-')))
  const widths = headings.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0)))
  for (const line of lines) {
    const cells = line.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    terminal.out(`${cells.join('  ').trimEnd()}\n`)
  }
}
