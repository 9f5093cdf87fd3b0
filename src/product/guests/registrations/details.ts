import * as attendees from '../attendees/rules.ts'
import type { ReadTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import * as store from './detail-store.ts'
import { get } from './rules.ts'
import type { Registration } from './schemas.ts'
import type { languages } from './states.ts'

/** A registration with what only its organizer sees. */
export interface Details extends Registration {
  /** Of the organization file; the id, where the API made it. */
  reference: string
  language: (typeof languages)[number]
  note: string | null
  /** Of which it is a line; null where it was not ordered. */
  order_id: string | null
  refunded_at: string | null
  /** In minor units. */
  refunded_amount: number | null
  /** In minor units; null where it is not known. */
  processor_fee: number | null
  /** When its buyer was made anonymous. */
  erased_at: string | null
  /** Of its tickets, oldest first. */
  check_ins: { id: string; attendee_id: string; source: 'scanner' | 'api'; checked_in_at: string }[]
}

/** @throws Problem not_found */
export async function getDetails(tx: ReadTx, accountId: string, id: string): Promise<Details> {
  const registration = await get(tx, accountId, id)
  const more = await store.find(tx, accountId, id)
  if (more === undefined) throw new Problem('not_found')
  const { refunded_at, erased_at, ...rest } = more
  const checkIns = await attendees.listCheckIns(tx, accountId, id)
  return {
    ...registration,
    ...rest,
    refunded_at: toIsoOrNull(refunded_at),
    erased_at: toIsoOrNull(erased_at),
    check_ins: checkIns.map(({ checked_in_at, ...checkIn }) => ({
      ...checkIn,
      checked_in_at: toIso(checked_in_at),
    })),
  }
}
