import type { TableLine } from '#machinery/tables/lines.ts'

/** One write keeps at most this many lines, because all other writes wait for it. It stops earlier after this many characters. */
const KEPT_AT_ONCE = 100
const CHARACTERS_AT_ONCE = 128 * 1024

/** Holds a line as it is kept. */
export interface Kept {
  line: number
  input: string
}

export function* inParts(lines: readonly TableLine[]): Generator<Kept[]> {
  let part: Kept[] = []
  let characters = 0
  for (const { line, cells } of lines) {
    const input = JSON.stringify(cells)
    part.push({ line, input })
    characters += input.length
    if (part.length < KEPT_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue
    yield part
    part = []
    characters = 0
  }
  if (part.length > 0) yield part
}
