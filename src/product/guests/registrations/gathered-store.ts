import { keptTexts, readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'

/** Holds the part of a ticket by which tickets are sorted and filtered. */
export interface GatheredRow {
  id: string
  registration_id: string
  position: number
  name: string | null
  email: string | null
  buyer_name: string
  voided: 0 | 1
  /** When a mail with it was written, in milliseconds. Null if whom it is for has none. */
  mailed_at: number | null
  /** When its badge was printed, in milliseconds, or null. */
  badge_printed_at: number | null
  checked_in_at: number | null
}

// CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
const LIST = keptTexts(
  list => `SELECT a.id, a.registration_id, a.position, a.name, a.email, r.buyer_name, a.voided, a.mailed_at, a.badge_printed_at, c.checked_in_at
   FROM attendees a JOIN registrations r ON r.id = a.registration_id LEFT JOIN check_ins c ON c.attendee_id = a.id
   WHERE a.registration_id IN ${list} AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1`,
)

/** Lists the tickets of these registrations, in no particular order. */
export function listOfRegistrations(tx: ReadTx, registrationIds: readonly string[]): Promise<GatheredRow[]> {
  return readInList(tx, registrationIds, [tx.accountId], LIST)
}
