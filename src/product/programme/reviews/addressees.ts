import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Language } from '#texts/languages.ts'
import * as store from './reviewer-store.ts'

/** Whom to write to who reviews. */
export interface Addressee {
  name: string
  email: string
  language: Language
  position: Position
}

/** Lists the reviewers of an event who have not left, the first invited first. @param isUndone only those with reviews to do */
export async function listAddressees(
  tx: ReadTx,
  eventId: string,
  { isUndone }: { isUndone: boolean },
  page: Page,
): Promise<Addressee[]> {
  const rows = await store.listAddressees(tx, eventId, isUndone, page)
  return rows.map(({ id, created_at, ...person }) => ({ ...person, position: { id, created_at } }))
}
