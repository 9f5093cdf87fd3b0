import * as attendees from '../attendees/rules.ts'
import { countWithin } from '../db/batches.ts'
import type { Page, Position } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'
import type { Language } from '../web/texts/languages.ts'
import * as store from './contact-store.ts'

/** Whom a confirmed registration names. */
export interface Contacts {
  position: Position
  typeId: string
  language: Language
  buyer: { name: string; email: string }
  /** Those that are not void. */
  tickets: readonly { name: string | null; email: string | null; isCheckedIn: boolean }[]
}

/**
 * Of the confirmed registrations of an event, oldest first.
 *
 * @param mostTickets of all of them, so that a read stays short: of one registration there may be more
 */
export async function listContacts(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  page: Page,
  mostTickets = Number.POSITIVE_INFINITY,
): Promise<Contacts[]> {
  const found = await store.listConfirmed(tx, accountId, eventId, page)
  const rows = found.slice(
    0,
    countWithin(found, ({ quantity }) => quantity, mostTickets),
  )
  const last = rows.at(-1)
  if (last === undefined) return []
  const between = { after: page.after, last: { created_at: last.created_at, id: last.id } }
  const tickets = await attendees.holdersOfConfirmed(tx, accountId, eventId, between)
  return rows.map(row => ({
    position: { created_at: row.created_at, id: row.id },
    typeId: row.registration_type_id,
    language: row.language,
    buyer: { name: row.buyer_name, email: row.buyer_email },
    tickets: tickets.get(row.id) ?? [],
  }))
}
