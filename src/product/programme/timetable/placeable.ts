import type { ReadTx } from '#machinery/db/port.ts'
import { readAuthors } from '#product/programme/abstracts/schemas.ts'
import type { Call, Kind } from '#product/programme/calls/schemas.ts'
import { presentingOf } from './people.ts'
import { kindIdOf } from './schemas.ts'
import * as store from './slot-store.ts'

/** An accepted abstract that a session can take. */
export interface Placeable {
  id: string
  code: string
  title: string
  /** The names of those who present it, or of the first author where none is named. */
  by: string
  topic_id: string | null
  kind_id: string | null
  isPlaced: boolean
}

/** More accepted abstracts than an event takes. */
const MOST = 10_000

/**
 * Lists the accepted abstracts of an event by topic and kind, in the order of its call, and then the oldest first. What was
 * withdrawn is left out.
 *
 * @param call of the event, if it has one
 */
export async function listPlaceable(
  tx: ReadTx,
  eventId: string,
  choices?: Pick<Call, 'topics' | 'kinds'>,
): Promise<Placeable[]> {
  return inOrder(await store.listPlaceable(tx, eventId, MOST), choices)
}

/** Lists those of them that have no place yet. */
export async function listUnplaced(
  tx: ReadTx,
  eventId: string,
  choices?: Pick<Call, 'topics' | 'kinds'>,
): Promise<Placeable[]> {
  const all = await store.listPlaceable(tx, eventId, MOST)
  // To read who presents the others would take most of the time.
  return inOrder(
    all.filter(({ placed }) => Number(placed) === 0),
    choices,
  )
}

function inOrder(
  rows: readonly store.PlaceableRow[],
  { topics, kinds }: Pick<Call, 'topics' | 'kinds'> = { topics: [], kinds: [] },
): Placeable[] {
  const topicAt = new Map(topics.map(({ id }, at) => [id, at]))
  const kindAt = new Map(kinds.map(({ id }, at) => [id, at]))
  const rankOf = ({ topic_id, kind_id }: Placeable) =>
    (topicAt.get(topic_id ?? '') ?? topics.length) * (kinds.length + 1) +
    (kindAt.get(kind_id ?? '') ?? kinds.length)
  return rows.map(present).sort((one, other) => rankOf(one) - rankOf(other))
}

/** @returns undefined if it is not of the event, or not accepted any more */
export async function findPlaceable(tx: ReadTx, eventId: string, id: string): Promise<Placeable | undefined> {
  const row = await store.findPlaceable(tx, id)
  return row?.event_id === eventId ? present(row) : undefined
}

function present(row: store.PlaceableRow): Placeable {
  const authors = readAuthors(row)
  const by = presentingOf(authors)
    .map(({ name }) => name)
    .join(', ')
  const { id, code, title, topic_id } = row
  return { id, code, title, by, topic_id, kind_id: kindIdOf(row), isPlaced: Number(row.placed) > 0 }
}

/** What something takes of which nothing says how long it takes. */
const ANY_MINUTES = 15

/** Returns how many minutes an abstract gets at first: those of its kind. A poster hangs through the whole session. */
export function presetMinutes({ kind_id }: Pick<Placeable, 'kind_id'>, kinds: readonly Kind[]): number {
  const kind = kinds.find(({ id }) => id === kind_id)
  if (kind === undefined) return ANY_MINUTES
  return kind.poster ? 0 : (kind.minutes ?? ANY_MINUTES)
}
