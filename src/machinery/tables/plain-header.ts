/** Removes case, marks and punctuation from the name of a column, so that it is compared by its words. */
export function toPlainHeader(header: string): string {
  return header
    .slice(0, 200)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\be-?mails?\b/g, 'email')
    .replaceAll('#', ' number ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Lists, for each column that tells a table, the names that it may have, in the form of `toPlainHeader`. */
export type SheetMarks = readonly (readonly string[])[]

/** Returns whether the cells name each of these columns. */
export function hasMarks(cells: readonly string[], marks: SheetMarks): boolean {
  const plain = new Set(cells.map(toPlainHeader))
  return marks.every(names => names.some(name => plain.has(name)))
}
