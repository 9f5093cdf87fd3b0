import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { Problem } from '../problem.ts'
import * as waitlist from '../waitlist/rules.ts'
import { whoOffers } from './offering.ts'
import * as poolStore from './pool-store.ts'
import type { TypeOnSale } from './schemas.ts'
import * as store from './store.ts'

/**
 * Takes `quantity` tickets from the capacity of the type and of each of its pools, or none: writes are serialized, and each
 * statement itself checks. The type is always locked first, then the pools in the order of their ids.
 *
 * @param type as it is before. Most have no pools, and are not asked for them
 * @throws Problem sold_out with `details.available` (specification sections 3 and 7.4)
 */
export async function reserve(
  tx: WriteTx,
  accountId: string,
  type: Pick<TypeOnSale, 'id' | 'available' | 'isShared'>,
  quantity: number,
): Promise<void> {
  const soldOut = () =>
    new Problem('sold_out', { details: { requested: quantity, available: type.available } })
  const now = await tx.now()
  if ((await store.reserve(tx, accountId, type.id, quantity, now)) === 0) throw soldOut()
  if (!type.isShared) return
  for (const id of await poolStore.listOfType(tx, accountId, type.id)) {
    if ((await poolStore.reserve(tx, accountId, id, quantity, now)) === 0) throw soldOut()
  }
}

/** Places that were given back, for `serveWaitlist`. */
export interface Released {
  typeId: string
  eventId: string
  /** Tickets of the type that are free now, whatever its pools have. */
  available: number
  isShared: boolean
}

/** Gives `quantity` tickets back to the capacity of the type and of each of its pools. Notifies nobody. */
export async function release(
  tx: WriteTx,
  accountId: string,
  typeId: string,
  quantity: number,
): Promise<Released | undefined> {
  const now = await tx.now()
  const released = await store.release(tx, accountId, typeId, quantity, now)
  if (released === undefined) return undefined
  const isShared = released.pools > 0
  if (isShared) {
    for (const id of await poolStore.listOfType(tx, accountId, typeId)) {
      await poolStore.release(tx, accountId, id, quantity, now)
    }
  }
  return { typeId, eventId: released.event_id, available: released.available, isShared }
}

type Rooms = ReadonlyMap<string, readonly waitlist.Room[]>

/** For how many of those who wait one write holds places: each takes about half a millisecond, and everybody else's writes wait. */
const MOST_OFFERED = 20

/** Serves those who wait for the type, or for another that has a pool with it, as far as there is room. */
export async function serveReleased(
  tx: WriteTx,
  accountId: string,
  { typeId, eventId, available, isShared }: Released,
): Promise<void> {
  if (!isShared) return serveOrContinue(tx, accountId, eventId, new Map([[typeId, [{ free: available }]]]))
  const links = await poolStore.listLinks(tx, accountId, eventId)
  await serveWaitlist(tx, accountId, eventId, sharingWith(links, typeId))
}

/** A type, and those that share a pool with it. */
function sharingWith(links: readonly poolStore.LinkRow[], typeId: string): string[] {
  const touched = new Set(links.flatMap(link => (link.registration_type_id === typeId ? [link.pool_id] : [])))
  const sharing = links.filter(link => touched.has(link.pool_id))
  return [typeId, ...sharing.map(link => link.registration_type_id)]
}

/** How many of those who wait would be told if so many tickets of a type were given back. @param now milliseconds of the clock */
export async function countServed(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  freed: { typeId: string; quantity: number },
  now: number,
): Promise<number> {
  const links = await poolStore.listLinks(tx, accountId, eventId)
  const rooms = await roomsOf(tx, accountId, eventId, sharingWith(links, freed.typeId), freed)
  return (await choose(tx, accountId, eventId, rooms, now, Number.POSITIVE_INFINITY)).chosen.length
}

/** Serves those who wait for these types of an event, the longest waiting first, as far as there is room. */
export async function serveWaitlist(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  typeIds: readonly string[],
): Promise<void> {
  await serveOrContinue(tx, accountId, eventId, await roomsOf(tx, accountId, eventId, typeIds))
}

async function serveOrContinue(tx: WriteTx, accountId: string, eventId: string, rooms: Rooms): Promise<void> {
  const isMore = await serve(tx, accountId, eventId, rooms)
  if (isMore) await whoOffers().continueSoon(tx, accountId, eventId, [...rooms.keys()])
}

/** Serves some more of those who wait for these types, of an event that offers places. @returns whether there may be others */
export async function serveMore(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  typeIds: readonly string[],
): Promise<boolean> {
  return serve(tx, accountId, eventId, await roomsOf(tx, accountId, eventId, typeIds))
}

/** Notifies those whose turn it is, or holds places for them, as the event wants it. @returns whether there may be others */
async function serve(tx: WriteTx, accountId: string, eventId: string, rooms: Rooms): Promise<boolean> {
  const { chosen, areOffered } = await choose(tx, accountId, eventId, rooms, tx.clock(), MOST_OFFERED)
  if (areOffered) await whoOffers().offer(tx, accountId, eventId, chosen)
  else await waitlist.notify(tx, accountId, chosen)
  return areOffered && chosen.length === MOST_OFFERED
}

/**
 * Whose turn it is. Where nobody waits, nothing else is asked for: most releases cost no more than that.
 *
 * @param mostOffered for whom places are held at once
 */
async function choose(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  rooms: Rooms,
  now: number,
  mostOffered: number,
): Promise<{ chosen: waitlist.Chosen[]; areOffered: boolean }> {
  const first = await waitlist.chooseNext(tx, accountId, rooms, 1)
  if (first.length === 0) return { chosen: [], areOffered: false }
  const areOffered = (await events.findWaitlistMode(tx, accountId, eventId)) === 'offer'
  if (!areOffered) return { chosen: await waitlist.chooseNext(tx, accountId, rooms), areOffered }
  const limited = await whoOffers().limit(tx, accountId, eventId, rooms, now)
  return { chosen: await waitlist.chooseNext(tx, accountId, limited, mostOffered), areOffered }
}

/** What of these types is free, and of the pools that they draw from: with `freed`, once that is given back. */
async function roomsOf(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  typeIds: readonly string[],
  freed?: { typeId: string; quantity: number },
): Promise<Map<string, waitlist.Room[]>> {
  const wanted = new Set(typeIds)
  const pools = await poolStore.listByEvent(tx, accountId, eventId)
  const links = await poolStore.listLinks(tx, accountId, eventId)
  // One object a pool: who is notified for one type leaves less to the others.
  const isFreed = (poolId: string) =>
    links.some(link => link.pool_id === poolId && link.registration_type_id === freed?.typeId)
  const more = freed?.quantity ?? 0
  const ofPools = new Map(
    pools.map(({ id, capacity, sold }) => [id, { free: capacity - sold + (isFreed(id) ? more : 0) }]),
  )
  const rooms = new Map<string, waitlist.Room[]>()
  for (const type of await store.listByEventOldestFirst(tx, accountId, eventId)) {
    if (!wanted.has(type.id)) continue
    const shared = links.flatMap(link =>
      link.registration_type_id === type.id ? [ofPools.get(link.pool_id) as waitlist.Room] : [],
    )
    const free = type.capacity - type.sold + (type.id === freed?.typeId ? more : 0)
    rooms.set(type.id, [{ free }, ...shared])
  }
  return rooms
}
