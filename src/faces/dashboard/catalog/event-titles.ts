import type { ReadTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'

/** The titles of events, by their ids. */
export type EventTitles = ReadonlyMap<string, string>

/** Returns the titles of these events. It leaves out ids that belong to no event of the account. */
export async function findTitles(tx: ReadTx, ids: readonly string[]): Promise<EventTitles> {
  const titles = new Map<string, string>()
  for (const id of new Set(ids)) {
    if ((await events.findId(tx, id)) === undefined) continue
    titles.set(id, (await events.get(tx, id)).title)
  }
  return titles
}

/** Returns the titles of the newest events of an account, to which a member can be limited. */
export async function listTitles(tx: ReadTx, limit: number): Promise<EventTitles> {
  const listed = await events.list(tx, { limit })
  return new Map([...listed].map(({ resource }) => [resource.id, resource.title]))
}
