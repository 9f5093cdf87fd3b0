import { type TicketState, ticketState } from '../checkins/validity.ts'
import { toIsoOrNull } from '../time.ts'
import type { CallingDevice } from './rules.ts'
import type { TicketRow } from './ticket-store.ts'

/** A ticket as a scanner knows it. It owes what is paid at the door, not how much; instants are ISO 8601. */
export type DoorTicket = [
  id: string,
  type: string,
  state: TicketState,
  name: string | null,
  seat: string | null,
  owes: boolean,
  used_at: string | null,
  used_by: string | null,
]

/**
 * @param isNamed whether the scanner may know whose it is: of a ticket that is good for nothing, or not at this door, nobody does
 */
export function presentTicket(
  row: TicketRow,
  { typeIds }: Pick<CallingDevice, 'typeIds'>,
  isNamed: boolean,
): DoorTicket {
  const state = ticketState(row.status, row.voided === 1)
  const isHere = typeIds === null || typeIds.includes(row.registration_type_id)
  const isShown = isNamed && isHere && (state === 'ok' || (state === 'unpaid' && row.status !== 'failed'))
  return [
    row.id,
    row.registration_type_id,
    state,
    isShown ? row.name : null,
    isShown ? row.seat : null,
    row.status === 'pending' && row.costs === 1,
    toIsoOrNull(row.checked_in_at),
    row.door,
  ]
}
