import type { Reader } from '../db/batches.ts'
import { newestFirst, type Page, type Position } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import { type AccessLogEntry, presentEntry } from './schemas.ts'
import * as store from './store.ts'

/** Entries about one ticket that are looked through. */
const MOST_ABOUT_ONE = 1_000

/** The person or program that acts on an account's data, and its address: null if the face has none. */
export interface Actor {
  accountId: string
  /** `key:<id>` for an API key, `user:<id>` for a person who is signed in, `cli` for the person at the command line. */
  who: string
  requestId: string | null
  address: string | null
}

/** The person at the command line, who owns every account. */
export const COMMAND_LINE: Omit<Actor, 'accountId'> = { who: 'cli', requestId: null, address: null }

export function commandOn(accountId: string): Actor {
  return { accountId, ...COMMAND_LINE }
}

/** An action on an account's data, done or attempted. */
export interface Access extends Omit<Actor, 'accountId'> {
  action: string
  targetType: string
  targetId: string | null
  details?: Record<string, unknown>
}

/** Writes an entry in the transaction of its action: neither exists without the other. */
export async function record(tx: WriteTx, accountId: string, access: Access): Promise<void> {
  await store.insert(tx, {
    id: newUuid(),
    account_id: accountId,
    actor: access.who,
    action: access.action,
    target_type: access.targetType,
    target_id: access.targetId,
    request_id: access.requestId,
    address: access.address,
    details: JSON.stringify(access.details ?? {}),
    created_at: await tx.now(),
  })
}

/** Newest first. */
export async function list(tx: ReadTx, accountId: string, limit: number): Promise<AccessLogEntry[]> {
  return (await store.listByAccount(tx, accountId, limit)).map(presentEntry)
}

/** Entries that one page looks through. */
const MOST_LOOKED = 10_000

/** What is looked for, newest first; each may be left open. */
export type Wanted = store.Wanted

/**
 * A page of the entries of an account, newest first. What only some entries have is looked for a slice at a time, each in a short
 * read of its own, among 10,000 entries at most: a page may end before it is full, and then the next goes on from there.
 *
 * @returns where the next page begins; undefined at the end
 */
export async function page(
  reader: Reader,
  accountId: string,
  wanted: Wanted,
  { limit, after }: Page,
): Promise<{ entries: AccessLogEntry[]; next: Position | undefined }> {
  const isAll = wanted.actor === undefined && wanted.action === undefined
  const slice = isAll ? limit + 1 : store.SLICE
  const found: store.AccessLogRow[] = []
  let from = after
  for (let looked = 0; looked < MOST_LOOKED; looked += slice) {
    const read = await reader.read(tx =>
      store.readSlice(tx, accountId, wanted, { limit: slice, after: from }),
    )
    found.push(...read.found.sort(newestFirst))
    if (found.length > limit)
      return { entries: found.slice(0, limit).map(presentEntry), next: found[limit - 1] }
    from = read.end
    if (from === undefined) break
  }
  return { entries: found.map(presentEntry), next: from }
}

/**
 * What was done to any of these things, newest first: at most `limit` of each. Imports and check-ins are not among it: `findActor`
 * has them.
 */
export async function listAbout(
  tx: ReadTx,
  accountId: string,
  targetIds: readonly string[],
  limit: number,
): Promise<AccessLogEntry[]> {
  const found: store.AccessLogRow[] = []
  for (const id of targetIds) found.push(...(await store.listByTarget(tx, accountId, id, limit)))
  return found.sort((one, other) => other.created_at - one.created_at).map(presentEntry)
}

/** Who did this to a thing at this instant, in milliseconds; null where no entry says so. */
export async function findActor(
  tx: ReadTx,
  accountId: string,
  { action, targetId, at }: { action: string; targetId: string; at: number },
): Promise<string | null> {
  const entries = await store.listAt(tx, accountId, at)
  return entries.find(entry => entry.target_id === targetId && entry.action === action)?.actor ?? null
}

/** Takes the reasons that people have written out of the entries about a thing. @returns how many had one */
export async function eraseReasons(tx: WriteTx, accountId: string, targetId: string): Promise<number> {
  let erased = 0
  for (const { id, details } of await store.listByTarget(tx, accountId, targetId, MOST_ABOUT_ONE)) {
    const { reason, ...rest } = JSON.parse(details) as Record<string, unknown>
    if (reason === undefined) continue
    await store.replaceDetails(tx, accountId, id, JSON.stringify(rest), await tx.now())
    erased++
  }
  return erased
}
