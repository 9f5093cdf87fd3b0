const LINE_FEED = 0x0a
const RETURN = 0x0d

/**
 * The lines of a file in UTF-8, without their ends. One that is longer than allowed is undefined, and is never in memory as a whole;
 * a last line that ends with the file is one, too.
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
    // One byte more, as a return may stand before the end.
    if (length > most + 1) isTooLong = true
    else kept.push(part)
  }
  const take = () => {
    const whole = Buffer.concat(kept)
    const end = whole.at(-1) === RETURN ? whole.length - 1 : whole.length
    const line = isTooLong || end > most ? undefined : whole.toString('utf8', 0, end)
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
