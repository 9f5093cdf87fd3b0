/** A list of a document whose items are read in batches while the document is written. */
export type Batches<Item> = AsyncIterable<readonly Item[]>

/** Characters that are gathered before they are written: a write for each value would cost a system call each. */
const PIECE = 65_536

/**
 * Writes the text that `JSON.stringify(value, null, 2)` returns of a value that has arrays where this one has `Batches`. Only
 * objects have batches as values, and only batches hold such objects, so that the rest is left to `JSON.stringify`.
 */
export async function writeJson(value: object, write: (text: string) => void): Promise<void> {
  let piece = ''
  const add = (text: string) => {
    piece += text
    if (piece.length < PIECE) return
    write(piece)
    piece = ''
  }
  await writeValue(value, add, '\n')
  write(piece)
}

/** @param line what begins a line at the depth of the value */
async function writeValue(value: unknown, add: (text: string) => void, line: string): Promise<void> {
  if (isBatches(value)) return writeBatches(value, add, line)
  // Within a string a line feed is escaped, so that each one here begins a line.
  if (!hasBatches(value)) return add(JSON.stringify(value, null, 2).replaceAll('\n', line))
  let before = '{'
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue
    add(`${before}${line}  ${JSON.stringify(key)}: `)
    await writeValue(each, add, `${line}  `)
    before = ','
  }
  add(`${line}}`)
}

async function writeBatches(
  batches: Batches<unknown>,
  add: (text: string) => void,
  line: string,
): Promise<void> {
  let before = '['
  for await (const items of batches) {
    for (const item of items) {
      add(`${before}${line}  `)
      await writeValue(item, add, `${line}  `)
      before = ','
    }
  }
  add(before === '[' ? '[]' : `${line}]`)
}

function isBatches(value: unknown): value is Batches<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

function hasBatches(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.values(value).some(isBatches)
}
