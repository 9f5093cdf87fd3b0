import type { ReadTx } from '#machinery/db/port.ts'
import * as calls from '#product/programme/calls/rules.ts'
import * as versions from '#product/programme/versions/rules.ts'
import type { PublishedPlace } from '#product/programme/versions/schemas.ts'
import { type Abstract, type Choices, presentAbstract, presentPlace } from './schemas.ts'
import type { AbstractRow } from './store.ts'

type Present = (row: AbstractRow) => Abstract

/** Returns what makes abstracts of these rows, with the names of their topics and kinds, and their places in the programme. */
export async function presenterOf(tx: ReadTx, rows: readonly AbstractRow[]): Promise<Present> {
  const choices = await choicesOf(tx, rows)
  const places = await findPlaces(tx, rows)
  return row => presentAbstract(row, choices.get(row.event_id), places.get(row.id))
}

async function choicesOf(
  tx: ReadTx,
  rows: readonly AbstractRow[],
): Promise<ReadonlyMap<string, Choices | undefined>> {
  const chosen = rows.filter(
    ({ topic_id, kind_id, decided_kind_id }) => (topic_id ?? kind_id ?? decided_kind_id) !== null,
  )
  const ofEvents = new Map<string, Choices | undefined>()
  for (const id of new Set(chosen.map(({ event_id }) => event_id))) ofEvents.set(id, await calls.find(tx, id))
  return ofEvents
}

/** Finds where those that stand are in the public programmes of their events. */
async function findPlaces(tx: ReadTx, rows: readonly AbstractRow[]): Promise<Map<string, PublishedPlace>> {
  const standing = rows.filter(({ status, withdrawn_at }) => status === 'accepted' && withdrawn_at === null)
  const found = new Map<string, PublishedPlace>()
  for (const eventId of new Set(standing.map(({ event_id }) => event_id))) {
    const ids = standing.flatMap(({ id, event_id }) => (event_id === eventId ? id : []))
    for (const [id, place] of await versions.findPlaces(tx, eventId, ids)) found.set(id, place)
  }
  return found
}

export async function present(tx: ReadTx, row: AbstractRow): Promise<Abstract> {
  return (await presenterOf(tx, [row]))(row)
}

/** Makes an abstract of a row without its place, which takes the whole programme to find. */
export async function presentUnplaced(tx: ReadTx, row: AbstractRow): Promise<Omit<Abstract, 'session'>> {
  const { session: _, ...abstract } = presentAbstract(
    row,
    (await choicesOf(tx, [row])).get(row.event_id),
    undefined,
  )
  return abstract
}

/** Finds the place of an abstract in the public programme. @returns null if it has none */
export async function findSession(
  tx: ReadTx,
  { id, event_id, status, withdrawn_at }: Pick<Abstract, 'id' | 'event_id' | 'status' | 'withdrawn_at'>,
): Promise<Abstract['session']> {
  if (status !== 'accepted' || withdrawn_at !== null) return null
  const place = (await versions.findPlaces(tx, event_id, [id])).get(id)
  return place === undefined ? null : presentPlace(place)
}
