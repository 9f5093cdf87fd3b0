import { toIsoOrNull } from '#base/time.ts'
import { type TicketState, ticketState } from '#product/entrance/check-ins/validity.ts'
import type { CallingDevice } from './rules.ts'
import type { TicketRow } from './ticket-store.ts'

/**
 * Describes a ticket as a scanner knows it. It says whether money is owed at the door, but not how much. Instants are ISO 8601.
 */
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
 * @param isNamed whether the scanner may know the holder; nobody's name is shown for a ticket that is not valid, or not valid at
 *   this door
 */
export function presentTicket(
  row: TicketRow,
  { typeIds }: Pick<CallingDevice, 'typeIds'>,
  isNamed: boolean,
): DoorTicket {
  const state = ticketState(row.status, row.voided === 1, row.exchanged === 1)
  const isHere = typeIds === null ? row.is_extra === 0 : typeIds.includes(row.registration_type_id)
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
