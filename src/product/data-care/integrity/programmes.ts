import * as v from 'valibot'
import type { Reader } from '#machinery/db/batches.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { type Frozen, frozenSchema } from '#product/programme/versions/schemas.ts'
import { findOfEvent, walkVersions } from './programme-store.ts'

/** Finds versions of programmes that are not whole, or give other numbers than the one before. */
export async function* findBadVersions(reader: Reader): AsyncGenerator<string> {
  let before: { eventId: string; numbers: Frozen['numbers'] } = { eventId: '', numbers: {} }
  for await (const rows of walkVersions(reader)) {
    for (const { event_id: eventId, number, content } of rows) {
      const parsed = v.safeParse(frozenSchema, JSON.parse(content))
      // Another look says so.
      if (!parsed.success) continue
      const was = before.eventId === eventId ? before.numbers : {}
      const { numbers } = parsed.output
      const what = `version ${number} of the programme of event ${eventId}`
      for (const fault of findFaults(parsed.output, was)) yield `${what} ${fault}`
      const fresh = Object.keys(numbers).filter(id => was[id] === undefined)
      const known = await reader.read(INSTANCE, tx => findOfEvent(tx, eventId, fresh))
      const strange = fresh.find(id => !known.has(id))
      if (strange !== undefined) yield `${what} has abstract ${strange}, which the event has not`
      before = { eventId, numbers }
    }
  }
}

function* findFaults({ sessions, numbers }: Frozen, was: Frozen['numbers']): Generator<string> {
  const given = Object.values(numbers)
  if (new Set(given).size < given.length) yield 'gives a number twice'
  const changed = Object.keys(was).find(id => numbers[id] !== was[id])
  if (changed !== undefined) yield `gives abstract ${changed} another number than the version before`
  const ids = sessions.flatMap(({ id, slots }) => [id, ...slots.map(slot => slot.id)])
  if (new Set(ids).size < ids.length) yield 'has a session or a slot twice'
  const placed = sessions.flatMap(({ slots }) => slots.flatMap(({ abstract_id }) => abstract_id ?? []))
  const bare = placed.find(id => numbers[id] === undefined)
  if (bare !== undefined) yield `has abstract ${bare} without a number`
}
