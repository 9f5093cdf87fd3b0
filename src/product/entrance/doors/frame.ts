import { toIso, toIsoOrNull } from '#base/time.ts'
import type { Progress } from '#machinery/db/instance.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { validityOf } from '#product/entrance/check-ins/admission.ts'
import type { EntryRule } from '#product/entrance/check-ins/entry-rule.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import type { CallingDevice } from './rules.ts'

/** Holds the data above the tickets in the copy and in each of its changes. Instants are ISO 8601. */
export interface Frame {
  epoch: string
  /** The last write that it shows completely. */
  cursor: string
  now: string
  device: {
    id: string
    name: string
    search: boolean
    unlisted: boolean
    /** Whether guests come in there, or leave. */
    way: 'in' | 'out'
    /** The types that it admits. Null means all tickets, without extras. */
    registration_type_ids: readonly string[] | null
  }
  event: {
    id: string
    title: string
    timezone: string
    starts_at: string | null
    ends_at: string | null
  }
  keys: { id: string; public_key: string }[]
  types: {
    id: string
    name: string
    valid_from: string | null
    valid_until: string | null
    admitted_here: boolean
    /** It is there for types that are handed out beside a ticket, and admit nobody to the event. */
    extra?: true
    /** How often a ticket admits, and whether again after an exit. */
    entries: EntryRule['entries']
    reentry: boolean
  }[]
}

export async function readFrame(
  tx: ReadTx,
  device: CallingDevice,
  { epoch, write_number }: Progress,
  now: number,
): Promise<Frame> {
  const { event_id: eventId, id, name, search, unlisted, way, typeIds } = device
  const event = await events.getDetails(tx, eventId)
  const types = await registrationTypes.listDetails(tx, eventId)
  const key = await attendees.findTicketKey(tx, eventId)
  const at = (text: string | null) => (text === null ? null : Date.parse(text))
  const dates = { starts_at: at(event.starts_at), ends_at: at(event.ends_at), timezone: event.timezone }
  return {
    epoch,
    cursor: String(write_number),
    now: toIso(now),
    device: { id, name, search, unlisted, way, registration_type_ids: typeIds },
    event: {
      id: event.id,
      title: event.title,
      timezone: event.timezone,
      starts_at: event.starts_at,
      ends_at: event.ends_at,
    },
    keys: key === undefined ? [] : [{ id: key.id, public_key: key.public_key }],
    types: types.map(type => {
      const valid = { valid_from: at(type.valid_from), valid_until: at(type.valid_until) }
      const { from, until } = validityOf({ ...dates, ...valid })
      return {
        id: type.id,
        name: type.name,
        valid_from: toIsoOrNull(from),
        valid_until: toIsoOrNull(until),
        admitted_here: typeIds === null ? type.kind === 'ticket' : typeIds.includes(type.id),
        ...(type.kind === 'extra' ? { extra: true as const } : {}),
        entries: type.entries,
        reentry: type.reentry,
      }
    }),
  }
}
