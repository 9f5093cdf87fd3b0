import { newUuid } from '#base/ids.ts'
import { Problem, refuseBefore } from '#base/problem.ts'
import { atLocalHour, MINUTE } from '#base/time.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import { listOfAbstracts } from '#product/guests/questions/rules.ts'
import { mergeChoices } from './choices.ts'
import { type Call, type NewCall, offered, presentCall } from './schemas.ts'
import * as store from './store.ts'
import { tellExtension } from './telling.ts'

/** The most choices of an event, with those that have retired. */
const MOST_KEPT = 500

/** Returns the call of an event. @returns undefined if it has none */
export async function find(tx: ReadTx, eventId: string): Promise<Call | undefined> {
  const row = await store.find(tx, eventId)
  return row && presentCall(row, await listOfAbstracts(tx, eventId))
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, eventId: string): Promise<Call> {
  const call = await find(tx, eventId)
  if (call === undefined) throw new Problem('not_found')
  return call
}

/**
 * Makes the call of an event, or changes it. Abstracts keep the topics and kinds that they have. If there is more time now, those who
 * have not sent all that they have typed are told.
 *
 * @throws Problem not_found; invalid_parameter for `closes_at` before `opens_at`; in_use with the reason too_many_choices
 */
export async function put(tx: WriteTx, eventId: string, input: NewCall): Promise<Call> {
  const { id: event_id } = await events.get(tx, eventId)
  refuseBefore(input, 'closes_at', 'opens_at')
  const was = await find(tx, event_id)
  const topics = mergeChoices(
    was?.topics ?? [],
    input.topics.map(name => ({ name })),
  )
  const kinds = mergeChoices(was?.kinds ?? [], input.kinds)
  if (topics.length + kinds.length > MOST_KEPT)
    throw new Problem('in_use', { details: { reason: 'too_many_choices' } })
  const row = await store.put(
    tx,
    {
      ...input,
      event_id,
      sections: JSON.stringify(input.sections),
      topics: JSON.stringify(topics),
      kinds: JSON.stringify(kinds),
    },
    await tx.now(),
  )
  const call = presentCall(row as store.CallRow, await listOfAbstracts(tx, event_id))
  if (was !== undefined) await tellExtension(tx, event_id, { was, is: call })
  return call
}

/** How long a new call is open, in days. */
const OPEN_DAYS = 42

/**
 * Returns what a new call says until somebody changes it: open from now until a minute before midnight six weeks later, with 300
 * words.
 */
export function defaultsAt(now: number, timezone: string): NewCall {
  const closes_at = atLocalHour(now, timezone, OPEN_DAYS + 1, 0) - MINUTE
  return {
    ...{ opens_at: now, closes_at, zone: null, about: null },
    ...{ sections: [], max_words: 300, per_person: 5, topics: [], kinds: [] },
    ...{ file: 'none', max_file_mib: 5 },
  }
}

/**
 * Copies a call to another event.
 *
 * @param shift how much later the other event is, in milliseconds, on its calendar
 */
export async function copy(
  tx: WriteTx,
  from: string,
  to: string,
  shift: (instant: number) => number,
): Promise<void> {
  const row = await store.find(tx, from)
  if (row === undefined) return
  const { topics, kinds } = presentCall(row)
  const anew = (choices: readonly object[]) =>
    JSON.stringify(choices.map(choice => ({ ...choice, id: newUuid() })))
  const { updated_at: _, ...rest } = row
  const opens_at = shift(row.opens_at)
  const copied = {
    ...rest,
    event_id: to,
    opens_at,
    // A change of the clocks could put the end before the start.
    closes_at: Math.max(opens_at, shift(row.closes_at)),
    topics: anew(offered(topics)),
    kinds: anew(offered(kinds)),
  }
  await store.put(tx, copied, await tx.now())
}
