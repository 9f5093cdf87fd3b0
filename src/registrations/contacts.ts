import * as attendees from '../attendees/rules.ts'
import type { Page, Position } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'
import type { Language } from '../web/texts/languages.ts'
import * as store from './contact-store.ts'
import { readSlice } from './search-store.ts'

/** Whom a registration that stands names. */
export interface Contacts {
  position: Position
  typeId: string
  language: Language
  /** Through the page of the event. */
  isOrdered: boolean
  /** In milliseconds; null while it is pending. */
  confirmedAt: number | null
  buyer: { name: string; email: string }
  /** Those that are not void. */
  tickets: readonly { name: string | null; email: string | null; isCheckedIn: boolean }[]
}

/** Of the registrations of an event that are confirmed, or also of those that are pending, oldest first. */
export async function listContacts(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  page: Page,
  { withPending = false } = {},
): Promise<Contacts[]> {
  const list = withPending ? store.listStanding : store.listConfirmed
  const rows = await list(tx, accountId, eventId, page)
  const ids = rows.map(({ id }) => id)
  const tickets = await attendees.holdersByRegistration(tx, accountId, ids)
  return rows.map(row => ({
    position: { created_at: row.created_at, id: row.id },
    typeId: row.registration_type_id,
    language: row.language,
    isOrdered: row.order_id !== null,
    confirmedAt: row.confirmed_at,
    buyer: { name: row.buyer_name, email: row.buyer_email },
    tickets: tickets.get(row.id) ?? [],
  }))
}

/** Whether somebody is the buyer of a confirmed registration of an event, of their newest. @param key as e-mails are compared */
export async function hasConfirmed(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  key: string,
): Promise<boolean> {
  const wanted = { buyer_email_key: key, event_id: eventId, status: 'confirmed' } as const
  return (await readSlice(tx, accountId, wanted, undefined)).found.length > 0
}
