import type { Page } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { type Listed, toListed } from '../resource.ts'
import { type Event, presentEvent } from './schemas.ts'
import * as store from './store.ts'

/**
 * An event of the account.
 *
 * @param param the field of the body that named the event, for the Problem
 * @throws Problem not_found
 */
export async function get(tx: ReadTx, accountId: string, id: string, param?: string): Promise<Event> {
  const row = await store.find(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found', param === undefined ? {} : { param })
  return presentEvent(row)
}

/**
 * The account of an event, for the command line alone: its person owns every account.
 *
 * @throws Problem not_found
 */
export async function findOwner(tx: ReadTx, id: string): Promise<string> {
  const row = await store.findOwner(tx, id)
  if (row === undefined) throw new Problem('not_found', { message: `There is no event ${id}.` })
  return row.account_id
}

/** Newest first. */
export async function list(tx: ReadTx, accountId: string, page: Page): Promise<Iterable<Listed<Event>>> {
  return toListed(await store.listPage(tx, accountId, page), presentEvent)
}
