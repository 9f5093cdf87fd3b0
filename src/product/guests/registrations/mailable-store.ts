import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Language } from '#texts/languages.ts'
import type { RegistrationStatus } from './store.ts'

/** Holds a ticket with all that decides to whom it is mailed. */
export interface MailableRow {
  id: string
  registration_id: string
  position: number
  name: string | null
  email: string | null
  voided: 0 | 1
  /** When a mail with it was written, in milliseconds. Null if whom it is for has none. */
  mailed_at: number | null
  event_id: string
  status: RegistrationStatus
  buyer_name: string
  buyer_email: string
  language: Language
  /** 1 if its order was not verified yet. */
  is_unverified: 0 | 1
  is_extra: 0 | 1
}

const SELECT = `SELECT a.id, a.registration_id, a.position, a.name, a.email, a.voided, a.mailed_at, r.event_id, r.status,
  r.buyer_name, r.buyer_email, r.language,
  CASE WHEN EXISTS (SELECT 1 FROM orders o WHERE o.account_id = r.account_id AND o.id = r.order_id AND o.verified_at IS NULL)
    THEN 1 ELSE 0 END AS is_unverified,
  CASE WHEN EXISTS (SELECT 1 FROM registration_types x WHERE x.id = r.registration_type_id AND x.kind = 'extra')
    THEN 1 ELSE 0 END AS is_extra FROM attendees a JOIN registrations r ON r.id = a.registration_id`

// CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
const OF_ACCOUNT = 'CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1'

/** Lists the tickets of these registrations, in no particular order. */
export function listOfRegistrations(tx: ReadTx, registrationIds: readonly string[]): Promise<MailableRow[]> {
  return readInList(
    tx,
    registrationIds,
    [tx.accountId],
    list => `${SELECT} WHERE a.registration_id IN ${list} AND ${OF_ACCOUNT}`,
  )
}

/** Lists these tickets, in no particular order. */
export function listTickets(tx: ReadTx, ids: readonly string[]): Promise<MailableRow[]> {
  return readInList(tx, ids, [tx.accountId], list => `${SELECT} WHERE a.id IN ${list} AND ${OF_ACCOUNT}`)
}
