import type { ReadTx } from '#machinery/db/port.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { type Abstract, type Choices, presentAbstract } from './schemas.ts'
import type { AbstractRow } from './store.ts'

type Present = (row: AbstractRow) => Abstract

/** Returns what makes abstracts of these rows, with the names of their topics and kinds. */
export async function presenterOf(tx: ReadTx, rows: readonly AbstractRow[]): Promise<Present> {
  const chosen = rows.filter(
    ({ topic_id, kind_id, decided_kind_id }) => (topic_id ?? kind_id ?? decided_kind_id) !== null,
  )
  const ofEvents = new Map<string, Choices | undefined>()
  for (const id of new Set(chosen.map(({ event_id }) => event_id))) ofEvents.set(id, await calls.find(tx, id))
  return row => presentAbstract(row, ofEvents.get(row.event_id))
}

export async function present(tx: ReadTx, row: AbstractRow): Promise<Abstract> {
  return (await presenterOf(tx, [row]))(row)
}
