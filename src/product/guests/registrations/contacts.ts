import { emailKey } from '#base/fields.ts'
import { countWithin } from '#machinery/db/batches.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import type { Language } from '#texts/languages.ts'
import * as store from './contact-store.ts'
import { readSlice } from './search-store.ts'

/** Lists the people whom a pending or confirmed registration names. */
export interface Contacts {
  position: Position
  typeId: string
  /** Whether it is of an extra. Who has nothing else of the event is no guest. */
  isExtra: boolean
  language: Language
  /** Whether it was ordered through the event page. */
  isOrdered: boolean
  /** In milliseconds. It is null while the registration is pending. */
  confirmedAt: number | null
  buyer: { name: string; email: string }
  /**
   * The tickets that are not void. If nobody has verified the order, they are the buyer's alone, because others know nothing of
   * it.
   */
  tickets: readonly { name: string | null; email: string | null; isCheckedIn: boolean }[]
}

/**
 * Returns the contacts of the confirmed registrations of an event, and of pending ones too if asked, oldest first.
 *
 * @param mostTickets the most tickets of all of them together, so that a read stays short; a single registration may have more
 */
export async function listContacts(
  tx: ReadTx,
  eventId: string,
  page: Page,
  {
    withPending = false,
    mostTickets = Number.POSITIVE_INFINITY,
  }: { withPending?: boolean; mostTickets?: number | undefined } = {},
): Promise<Contacts[]> {
  const list = withPending ? store.listStanding : store.listConfirmed
  const found = await list(tx, eventId, page)
  const rows = found.slice(
    0,
    countWithin(found, ({ quantity }) => quantity, mostTickets),
  )
  const last = rows.at(-1)
  if (last === undefined) return []
  const between = { after: page.after, last: { created_at: last.created_at, id: last.id } }
  const tickets = await attendees.holdersOfConfirmed(tx, eventId, between)
  return rows.map(row => ({
    position: { created_at: row.created_at, id: row.id },
    typeId: row.registration_type_id,
    isExtra: row.is_extra === 1,
    language: row.language,
    isOrdered: row.order_id !== null,
    confirmedAt: row.confirmed_at,
    buyer: { name: row.buyer_name, email: row.buyer_email },
    tickets: mailableOf(row, tickets.get(row.id) ?? []),
  }))
}

function mailableOf<Ticket extends { email: string | null }>(
  { is_unverified, buyer_email }: store.ContactRow,
  tickets: readonly Ticket[],
): readonly Ticket[] {
  if (is_unverified === 0) return tickets
  return tickets.filter(({ email }) => email === null || emailKey(email) === emailKey(buyer_email))
}

/**
 * Returns whether somebody is the buyer of a confirmed registration of an event, among their newest registrations.
 *
 * @param key the form in which e-mails are compared
 */
export async function hasConfirmed(tx: ReadTx, eventId: string, key: string): Promise<boolean> {
  const wanted = { buyer_email_key: key, event_id: eventId, status: 'confirmed' } as const
  return (await readSlice(tx, wanted, undefined)).found.length > 0
}
