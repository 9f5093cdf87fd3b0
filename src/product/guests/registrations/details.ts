import { Problem } from '#base/problem.ts'
import { toIso, toIsoOrNull } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import type { Language } from '#texts/languages.ts'
import * as store from './detail-store.ts'
import { get } from './rules.ts'
import type { Registration } from './schemas.ts'

/** Describes a registration with what only its organizer sees. */
export interface Details extends Registration {
  /** The reference in the organization file. It is the id if the API made the registration. */
  reference: string
  language: Language
  note: string | null
  /** The order that it is a line of. It is null if it was not ordered. */
  order_id: string | null
  /** The version of the links to its tickets. Those of an ordered one have the version of its order. */
  secret_version: number
  refunded_at: string | null
  /** In minor units. */
  refunded_amount: number | null
  /** In minor units. It is null if the fee is not known. */
  processor_fee: number | null
  /** When its buyer was made anonymous. */
  erased_at: string | null
  /** The check-ins of its tickets, oldest first. */
  check_ins: { id: string; attendee_id: string; source: 'scanner' | 'api'; checked_in_at: string }[]
}

/** @throws Problem not_found */
export async function getDetails(tx: ReadTx, id: string): Promise<Details> {
  const registration = await get(tx, id)
  const more = await store.find(tx, id)
  if (more === undefined) throw new Problem('not_found')
  const { refunded_at, erased_at, ...rest } = more
  const checkIns = await attendees.listCheckIns(tx, id)
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
