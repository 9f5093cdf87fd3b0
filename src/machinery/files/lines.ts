const LINE_FEED = 0x0a
const RETURN = 0x0d

/**
 * Returns the lines of a file in UTF-8, without their ends. A line that is longer than allowed is undefined, and is never in
 * memory as a whole. A last line that ends with the file counts too.
 *
 * @param most bytes of a line
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  most: number,
): AsyncGenerator<string | undefined> {
  let kept: Buffer[] = []
  let length = 0
  let isTooLong = false
  const keep = (part: Buffer) => {
    length += part.length
    // The limit is one byte more, because a carriage return may be before the end.
    if (length > most + 1) isTooLong = true
    else kept.push(part)
  }
  const take = () => {
    const joined = Buffer.concat(kept)
    const end = joined.at(-1) === RETURN ? joined.length - 1 : joined.length
    const line = isTooLong || end > most ? undefined : joined.toString('utf8', 0, end)
    kept = []
    length = 0
    isTooLong = false
    return line
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      keep(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    keep(chunk.subarray(start))
  }
  if (length > 0) yield take()
}
