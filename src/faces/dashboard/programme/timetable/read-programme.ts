import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { findUnregistered } from '#product/guests/registrations/registered.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import type { Slot, TimedSession, Timetable } from '#product/programme/timetable/schemas.ts'
import { readTimetable } from '#product/programme/timetable/timetable.ts'
import {
  findWarnings,
  isOfPlace,
  type Known,
  listPresenters,
  type Warning,
} from '#product/programme/timetable/warnings.ts'
import * as versions from '#product/programme/versions/rules.ts'

/** What the pages of a programme show. */
export interface Programme {
  timetable: Timetable
  warnings: readonly Warning[]
  topics: Call['topics']
  kinds: Call['kinds']
}

/** Reads a programme with what it is warned of. */
export async function readProgramme(
  { db }: Pick<Services, 'db'>,
  { account, event }: Pick<EventRequest, 'account' | 'event'>,
): Promise<Programme> {
  const { timetable, known, call } = await db.read(account.id, async tx => {
    const timetable = await readTimetable(tx, event.id)
    return {
      timetable,
      known: await readKnown(tx, timetable, event),
      call: await calls.find(tx, event.id),
    }
  })
  // Others get their turn before the warnings are worked out.
  await nextTurn()
  const warnings = findWarnings(timetable, known)
  return { timetable, warnings, topics: call?.topics ?? [], kinds: call?.kinds ?? [] }
}

async function readKnown(
  tx: ReadTx,
  timetable: Timetable,
  { id, timezone }: Pick<EventRequest['event'], 'id' | 'timezone'>,
): Promise<Known> {
  const unregistered = await findUnregistered(tx, id, listPresenters(timetable))
  return { unregistered, verdicts: await versions.listVerdicts(tx, id), timezone }
}

/** Returns what people call a slot: its abstract with the code, or its text. */
export function nameSlot({ abstract, title }: Slot): string {
  return abstract === null ? (title ?? '') : `${abstract.code} ${abstract.title}`
}

/** Returns the sessions and slots whose places are warned of, by their ids, each with how many warnings it has. */
export function countWarnings(warnings: readonly Warning[]): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (id: string) => counts.set(id, (counts.get(id) ?? 0) + 1)
  for (const warning of warnings.filter(isOfPlace)) {
    add(warning.slot_id ?? warning.session_id)
    if ('other' in warning) add(warning.other.slot_id ?? warning.other.session_id)
  }
  return counts
}

/** Returns the name of the room of a session. @returns undefined if it has none */
export function roomOf({ rooms }: Timetable, { room_id }: Pick<TimedSession, 'room_id'>): string | undefined {
  return rooms.find(({ id }) => id === room_id)?.name
}
