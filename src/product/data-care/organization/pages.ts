import type { Page, Position } from '#machinery/db/keyset.ts'

/** Reads a list page by page, oldest first. @param size rows of a page */
export async function* readPages<Row extends Position>(
  readPage: (page: Page) => Promise<Row[]>,
  size: number,
): AsyncGenerator<Row[]> {
  let after: Row | undefined
  do {
    const rows = await readPage({ limit: size, after })
    if (rows.length > 0) yield rows
    after = rows.length < size ? undefined : rows.at(-1)
  } while (after !== undefined)
}
