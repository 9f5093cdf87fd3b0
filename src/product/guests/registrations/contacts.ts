import * as attendees from '../attendees/rules.ts'
import { countWithin } from '../db/batches.ts'
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

/**
 * Of the registrations of an event that are confirmed, or also of those that are pending, oldest first.
 *
 * @param mostTickets of all of them, so that a read stays short: of one registration there may be more
 */
export async function listContacts(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  page: Page,
  {
    withPending = false,
    mostTickets = Number.POSITIVE_INFINITY,
  }: { withPending?: boolean; mostTickets?: number | undefined } = {},
): Promise<Contacts[]> {
  const list = withPending ? store.listStanding : store.listConfirmed
  const found = await list(tx, accountId, eventId, page)
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
