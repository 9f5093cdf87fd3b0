import { toIso, toIsoOrNull } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { allowsMore } from '#product/entrance/check-ins/entry-rule.ts'
import { type TicketState, ticketState } from '#product/entrance/check-ins/validity.ts'
import type { CallingDevice } from './rules.ts'
import * as store from './ticket-store.ts'

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
  /** The last entry of a ticket that may have more than one. Most tickets have eight fields. */
  slot?: Slot | null,
  /** The order of the ticket, or an imported ticket itself, if that has extras: all that have the same one belong together. */
  order?: string,
]

/** Describes the last entry of a ticket. Instants are ISO 8601. */
export type Slot = [
  /** `2026-11-27`, or `-` where days do not count. */
  day: string,
  /** How many exits of that day are known. */
  exits: number,
  inside: boolean,
  entered_at: string,
  /** The last exit before or after it on that day. */
  left_at: string | null,
  entered_by: string | null,
]

/** Holds a ticket with its last entry, if its type allows more than one. */
export interface TicketWithEntries extends store.TicketRow {
  latest?: Latest | null
}

interface Latest {
  slot: Slot
  /** The instant of the entry, in milliseconds. */
  at: number
  doorId: string | null
  door: string | null
}

/** Adds the last entry to those tickets whose type allows more than one. It reads nothing if there are none. */
export async function withEntries<Row extends store.TicketRow>(
  tx: ReadTx,
  rows: readonly Row[],
): Promise<(Row & TicketWithEntries)[]> {
  const isMeant = ({ entries, reentry }: store.TicketRow) => allowsMore({ entries, reentry: reentry === 1 })
  const ids = rows.filter(isMeant).map(({ id }) => id)
  if (ids.length === 0) return [...rows]
  const byId = Map.groupBy(await store.listEntries(tx, ids), ({ attendee_id }) => attendee_id)
  return rows.map(row => (isMeant(row) ? { ...row, latest: latestOf(byId.get(row.id) ?? []) } : row))
}

function latestOf(rows: readonly store.EntryRow[]): Latest | null {
  const entries = rows.toSorted((one, other) => one.entered_at - other.entered_at)
  const last = entries.at(-1)
  if (last === undefined) return null
  const [day = ''] = last.slot.split('/')
  const ofDay = entries.filter(({ slot }) => slot.startsWith(`${day}/`))
  const leftBefore = ofDay.at(-2)?.left_at ?? null
  const { entered_at: at, left_at, door, door_id: doorId } = last
  const exits = ofDay.filter(entry => entry.left_at !== null).length
  return {
    slot: [day, exits, left_at === null, toIso(at), toIsoOrNull(left_at ?? leftBefore), door],
    ...{ at, doorId, door },
  }
}

/**
 * @param isNamed whether the scanner may know the holder; nobody's name is shown for a ticket that is not valid, or not valid at
 *   this door
 */
export function presentTicket(
  row: TicketWithEntries,
  { typeIds }: Pick<CallingDevice, 'typeIds'>,
  isNamed: boolean,
): DoorTicket {
  const state = ticketState(row.status, row.voided === 1, row.exchanged === 1)
  const isHere = typeIds === null ? row.is_extra === 0 : typeIds.includes(row.registration_type_id)
  const isShown = isNamed && isHere && (state === 'ok' || (state === 'unpaid' && row.status !== 'failed'))
  const ticket: DoorTicket = [
    row.id,
    row.registration_type_id,
    state,
    isShown ? row.name : null,
    isShown ? row.seat : null,
    row.status === 'pending' && row.costs === 1,
    toIsoOrNull(row.checked_in_at),
    row.door,
  ]
  if (row.latest !== undefined || row.beside !== null) ticket.push(row.latest?.slot ?? null)
  if (row.beside !== null) ticket.push(row.beside)
  return ticket
}
