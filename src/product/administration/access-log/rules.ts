import { newUuid } from '#base/ids.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { newestFirst, type Page, type Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { type AccessLogEntry, presentEntry } from './schemas.ts'
import * as store from './store.ts'

/** The most entries about one thing that a read looks through. */
const MOST_ABOUT_ONE = 1_000

/**
 * The person or program that acts on an account's data, and the address that it comes from. The address is null if the face has
 * none.
 */
export interface Actor {
  accountId: string
  /** It is `key:<id>` for an API key, `user:<id>` for a person who is signed in, `cli` for the person at the command line, and `server` for what
   * the server does by itself. */
  who: string
  requestId: string | null
  address: string | null
}

/** The person at the command line. This person owns every account. */
export const COMMAND_LINE: Omit<Actor, 'accountId'> = { who: 'cli', requestId: null, address: null }

/** The server, for what it does by itself because a person has once set it so. */
export const SERVER: Omit<Actor, 'accountId'> = { who: 'server', requestId: null, address: null }

export function commandOn(accountId: string): Actor {
  return { accountId, ...COMMAND_LINE }
}

/** An action on an account's data, whether it was done or only attempted. */
export interface Access extends Omit<Actor, 'accountId'> {
  action: string
  targetType: string
  targetId: string | null
  details?: Record<string, unknown>
}

/** Writes an entry in the transaction of its action, so that neither exists without the other. */
export async function record(tx: WriteTx, access: Access): Promise<void> {
  await store.insert(tx, {
    id: newUuid(),
    account_id: tx.accountId,
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

/** Lists the entries of the account, newest first. */
export async function list(tx: ReadTx, limit: number): Promise<AccessLogEntry[]> {
  return (await store.listByAccount(tx, limit)).map(presentEntry)
}

/** The most entries that one page looks through. */
const MOST_LOOKED = 10_000

/** The actor and the action that the caller looks for. Each may be left open. */
export type Wanted = store.Wanted

/**
 * Returns a page of the entries of an account, newest first. A search by actor or action reads a slice at a time, each in a short
 * read of its own, and goes through 10,000 entries at most. A page may therefore end before it is full, and the next page
 * continues from there.
 *
 * @returns where the next page begins, or undefined at the end
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
    const read = await reader.read(accountId, tx =>
      store.readSlice(tx, wanted, { limit: slice, after: from }),
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
 * Lists what was done to any of these things, newest first, with at most `limit` entries for each. It leaves out imports and
 * check-ins, which `findActor` finds.
 */
export async function listAbout(
  tx: ReadTx,
  targetIds: readonly string[],
  limit: number,
): Promise<AccessLogEntry[]> {
  const found: store.AccessLogRow[] = []
  for (const id of targetIds) found.push(...(await store.listByTarget(tx, id, limit)))
  return found.sort((one, other) => other.created_at - one.created_at).map(presentEntry)
}

/** Returns who did this to a thing at this instant (in milliseconds), or null if no entry tells. */
export async function findActor(
  tx: ReadTx,
  { action, targetId, at }: { action: string; targetId: string; at: number },
): Promise<string | null> {
  const entries = await store.listAt(tx, at)
  return entries.find(entry => entry.target_id === targetId && entry.action === action)?.actor ?? null
}

/** Removes the reasons that people have written from the entries about a thing. @returns how many entries had one */
export async function eraseReasons(tx: WriteTx, targetId: string): Promise<number> {
  let erased = 0
  for (const { id, details } of await store.listByTarget(tx, targetId, MOST_ABOUT_ONE)) {
    const { reason, ...rest } = JSON.parse(details) as Record<string, unknown>
    if (reason === undefined) continue
    await store.replaceDetails(tx, id, JSON.stringify(rest), await tx.now())
    erased++
  }
  return erased
}
