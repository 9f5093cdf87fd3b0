import type { Clock } from '#base/time.ts'

/** A command runs in these surroundings. */
export interface Terminal {
  /** Writes a piece of the output to stdout, and returns when its reader has taken it. */
  out(text: string): void
  /** Writes messages to stderr. */
  err(text: string): void
  clock: Clock
}

/** Prints one JSON document, as `--json` asks for. */
export function printJson(terminal: Terminal, value: unknown): void {
  terminal.out(`${JSON.stringify(value, null, 2)}\n`)
}

/** Prints a table for a person. Each column is as wide as its widest cell, and null is a dash. */
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
