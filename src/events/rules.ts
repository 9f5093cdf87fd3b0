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

/** The id of the account's event, if it has one of that id. */
export async function findId(tx: ReadTx, accountId: string, id: string): Promise<string | undefined> {
  return (await store.find(tx, accountId, id))?.id
}

/** The id of the account's event with this slug, if it has one. */
export async function findIdBySlug(tx: ReadTx, accountId: string, slug: string): Promise<string | undefined> {
  return (await store.findBySlug(tx, accountId, slug))?.id
}

/** All of them, oldest first. */
export async function listAll(tx: ReadTx, accountId: string): Promise<Event[]> {
  return (await store.listByAccount(tx, accountId)).map(presentEvent)
}

/** Newest first. */
export async function list(tx: ReadTx, accountId: string, page: Page): Promise<Iterable<Listed<Event>>> {
  return toListed(await store.listPage(tx, accountId, page), presentEvent)
}
