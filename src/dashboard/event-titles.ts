import type { ReadTx } from '../db/port.ts'
import * as events from '../events/rules.ts'

/** By their ids. */
export type EventTitles = ReadonlyMap<string, string>

/** The titles of these events of an account; what is none of them is left out. */
export async function findTitles(
  tx: ReadTx,
  accountId: string,
  ids: readonly string[],
): Promise<EventTitles> {
  const titles = new Map<string, string>()
  for (const id of new Set(ids)) {
    if ((await events.findId(tx, accountId, id)) === undefined) continue
    titles.set(id, (await events.get(tx, accountId, id)).title)
  }
  return titles
}

/** The newest events of an account, by which somebody is limited. */
export async function listTitles(tx: ReadTx, accountId: string, limit: number): Promise<EventTitles> {
  const listed = await events.list(tx, accountId, { limit })
  return new Map([...listed].map(({ resource }) => [resource.id, resource.title]))
}
