import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'

/** The columns of an abstract that visitors' pages are made of. No other is read for them. */
export interface ListedRow {
  id: string
  title: string
  language: string | null
  /** A JSON array, of which pages show names and affiliations. */
  authors: string
  status: string
  withdrawn_at: number | null
}

export interface TextRow extends Pick<ListedRow, 'id'> {
  abstract: string
  keywords: string | null
  topic_id: string | null
  /** What was sent, as a JSON object, of which pages show the parts of the text. It is null for what a file has brought. */
  content: string | null
  formulas: string | null
}

/** Lists abstracts of an event by their ids, in no order. */
export function listAbstracts(tx: ReadTx, eventId: string, ids: readonly string[]): Promise<ListedRow[]> {
  return readInList(
    tx,
    ids,
    [tx.accountId, eventId],
    list =>
      `SELECT b.id, b.title, b.language, b.authors, b.status, b.withdrawn_at FROM abstracts b
       WHERE b.account_id = $1 AND b.event_id = $2 AND b.id IN ${list}`,
  )
}

/** Lists the texts of abstracts of an event by their ids, in no order. */
export function listTexts(tx: ReadTx, eventId: string, ids: readonly string[]): Promise<TextRow[]> {
  return readInList(
    tx,
    ids,
    [tx.accountId, eventId],
    list =>
      `SELECT b.id, b.abstract, b.keywords, b.topic_id, r.content, r.formulas FROM abstracts b
       LEFT JOIN abstract_revisions r ON r.abstract_id = b.id AND r.number = b.revision
       WHERE b.account_id = $1 AND b.event_id = $2 AND b.id IN ${list}`,
  )
}

/** The columns of an abstract in which a search looks first. Its text is null where it is not public. */
export interface SearchedRow extends Pick<ListedRow, 'id' | 'title' | 'authors'> {
  abstract: string | null
  keywords: string | null
}

/** Lists what a search looks through, of abstracts of an event by their ids, in no order. */
export function listSearched(
  tx: ReadTx,
  eventId: string,
  ids: readonly string[],
  hasTexts: boolean,
): Promise<SearchedRow[]> {
  const texts = hasTexts ? 'b.abstract, b.keywords' : 'NULL AS abstract, NULL AS keywords'
  return readInList(
    tx,
    ids,
    [tx.accountId, eventId],
    list => `SELECT b.id, b.title, b.authors, ${texts} FROM abstracts b
       WHERE b.account_id = $1 AND b.event_id = $2 AND b.id IN ${list}`,
  )
}
