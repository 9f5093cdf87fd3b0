/**
 * Reads CSV as strictly as RFC 4180 has it, with a byte-order mark before it and every field quoted.
 *
 * @returns the cells of each line
 * @throws Error that says where the text is something else
 */
export function readCsv(text: string): string[][] {
  if (!text.startsWith('\ufeff')) throw new Error('There is no byte-order mark.')
  const lines: string[][] = []
  let line: string[] = []
  for (let at = 1; at < text.length; ) {
    if (text[at] !== '"') throw new Error(`At ${at} a field is not quoted: ${text.slice(at, at + 40)}`)
    let cell = ''
    for (at++; ; at += 2) {
      const quote = text.indexOf('"', at)
      if (quote === -1) throw new Error('The last field does not end.')
      cell += text.slice(at, quote)
      at = quote
      if (text[at + 1] !== '"') break
      cell += '"'
    }
    line.push(cell)
    at++
    if (text[at] === ',') {
      at++
      if (at === text.length) throw new Error('The last line ends in a comma.')
    } else if (text.startsWith('\r\n', at)) {
      lines.push(line)
      line = []
      at += 2
    } else {
      throw new Error(`At ${at} a field is followed by neither comma nor CRLF.`)
    }
  }
  if (line.length > 0) throw new Error('The last line does not end in CRLF.')
  const width = lines[0]?.length
  if (lines.some(({ length }) => length !== width)) throw new Error('The lines differ in length.')
  return lines
}

/** Returns the rows of a CSV by column, as the JSON of the same report has them. */
export function readCsvRows(text: string): Record<string, string>[] {
  const [columns = [], ...lines] = readCsv(text)
  return lines.map(cells => Object.fromEntries(columns.map((column, at) => [column, cells[at] as string])))
}
