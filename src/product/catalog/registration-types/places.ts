import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import * as poolStore from './pool-store.ts'
import { noteRelease } from './releases.ts'
import { presentDetails, type TypeOnSale } from './schemas.ts'
import { type Sold, sellabilityOf } from './sellability.ts'
import * as store from './store.ts'

/**
 * Takes `quantity` tickets from the capacity of the type and of each of its pools, or none. Writes are serialized, and each
 * statement itself checks. It always locks the type first, then the pools in the order of their ids.
 *
 * @param type as it was read before. Its pools are read only if it has any, because most types have none
 * @throws Problem sold_out with `details.available` (specification sections 3 and 7.4)
 */
export async function reserve(
  tx: WriteTx,
  type: Pick<TypeOnSale, 'id' | 'available' | 'isShared'>,
  quantity: number,
): Promise<void> {
  const soldOut = () =>
    new Problem('sold_out', { details: { requested: quantity, available: type.available } })
  const now = await tx.now()
  if ((await store.reserve(tx, type.id, quantity, now)) === 0) throw soldOut()
  if (!type.isShared) return
  for (const id of await poolStore.listOfType(tx, type.id)) {
    if ((await poolStore.reserve(tx, id, quantity, now)) === 0) throw soldOut()
  }
}

/** Places that were released, for `serveReleased`. */
export interface Released {
  typeId: string
  eventId: string
  /** The tickets of the type that are free now, whatever its pools have. */
  available: number
  isShared: boolean
}

/** Returns `quantity` tickets to the capacity of the type and of each of its pools. It notifies nobody. */
export async function release(tx: WriteTx, typeId: string, quantity: number): Promise<Released | undefined> {
  const now = await tx.now()
  const released = await store.release(tx, typeId, quantity, now)
  if (released === undefined) return undefined
  const isShared = released.pools > 0
  if (isShared) {
    for (const id of await poolStore.listOfType(tx, typeId)) {
      await poolStore.release(tx, id, quantity, now)
    }
  }
  return { typeId, eventId: released.event_id, available: released.available, isShared }
}

type Rooms = ReadonlyMap<string, readonly waitlist.Room[]>

/** Serves the waitlists of the types whose places were released, and of other types that share a pool with one of them. */
export async function serveReleased(tx: WriteTx, released: readonly Released[]): Promise<void> {
  // If a type was released twice, the last entry has the current number of free places.
  const last = new Map(released.map(places => [places.typeId, places]))
  for (const places of last.values()) await serveType(tx, places)
}

async function serveType(tx: WriteTx, { typeId, eventId, available, isShared }: Released): Promise<void> {
  if (!isShared) return serve(tx, eventId, new Map([[typeId, [{ free: available }]]]))
  const links = await poolStore.listLinks(tx, eventId)
  await serveWaitlist(tx, eventId, sharingWith(links, typeId))
}

/** Returns a type and the types that share a pool with it. */
function sharingWith(links: readonly poolStore.LinkRow[], typeId: string): string[] {
  const touched = new Set(links.flatMap(link => (link.registration_type_id === typeId ? [link.pool_id] : [])))
  const sharing = links.filter(link => touched.has(link.pool_id))
  return [typeId, ...sharing.map(link => link.registration_type_id)]
}

/** Serves the waitlists of these types of an event as far as there is room. Whoever has waited longest comes first. */
export async function serveWaitlist(tx: WriteTx, eventId: string, typeIds: readonly string[]): Promise<void> {
  await serve(tx, eventId, await roomsOf(tx, eventId, typeIds))
}

/**
 * Notifies the people whose turn it is. If the event offers places, it notes instead that places must be held before this write
 * ends. If nobody waits, it reads nothing more, so most releases cost no more than that.
 */
async function serve(tx: WriteTx, eventId: string, rooms: Rooms): Promise<void> {
  const first = await waitlist.chooseNext(tx, rooms, 1)
  if (first.length === 0) return
  if ((await events.findWaitlistMode(tx, eventId)) === 'offer') noteRelease(tx, eventId, [...rooms.keys()])
  else await waitlist.notify(tx, await waitlist.chooseNext(tx, rooms))
}

/**
 * Chooses the people on the waitlist who are offered places, for a published event that is not over. It counts the free places of
 * these types that are on sale now.
 *
 * @param now in milliseconds of the clock
 * @param most how many people
 */
export async function chooseOffered(
  tx: ReadTx,
  event: EventDetails,
  typeIds: readonly string[],
  now: number,
  most: number,
): Promise<waitlist.Chosen[]> {
  const rooms = await roomsOf(tx, event.id, typeIds)
  return waitlist.chooseNext(tx, await limit(tx, event, rooms, now), most)
}

/**
 * Counts the people on the waitlist who would be notified if these tickets of a type were released.
 *
 * @param now in milliseconds of the clock
 */
export async function countServed(
  tx: ReadTx,
  eventId: string,
  freed: { typeId: string; quantity: number },
  now: number,
): Promise<number> {
  const links = await poolStore.listLinks(tx, eventId)
  const rooms = await roomsOf(tx, eventId, sharingWith(links, freed.typeId), freed)
  const event = await events.getDetails(tx, eventId)
  const areOffered = event.waitlist_mode === 'offer'
  const limited = areOffered ? await limit(tx, event, rooms, now) : rooms
  return (await waitlist.chooseNext(tx, limited)).length
}

/** Limits the rooms to types on sale. It leaves none if the event is not published or is over. */
async function limit(tx: ReadTx, event: EventDetails, rooms: Rooms, now: number): Promise<Rooms> {
  const types = (await store.listByEventOldestFirst(tx, event.id)).map(row => presentDetails(row, []))
  // The rooms tell whether there are free places, and people pay only once they accept an offer.
  const isOnSale = (type: Sold) => {
    const isFree = { isPayable: () => true }
    const state = sellabilityOf({ ...type, available: Number.POSITIVE_INFINITY }, event, isFree, now)
    return state === 'on_sale' || state === 'hidden'
  }
  const onSale = new Set(types.filter(isOnSale).map(({ id }) => id))
  return new Map([...rooms].filter(([id]) => onSale.has(id)))
}

/** Returns the free places of these types and of their pools. With `freed`, it adds places that are to be released. */
async function roomsOf(
  tx: ReadTx,
  eventId: string,
  typeIds: readonly string[],
  freed?: { typeId: string; quantity: number },
): Promise<Map<string, waitlist.Room[]>> {
  const wanted = new Set(typeIds)
  const pools = await poolStore.listByEvent(tx, eventId)
  const links = await poolStore.listLinks(tx, eventId)
  // Each pool is one object, so that notifying for one type leaves less to the others.
  const isFreed = (poolId: string) =>
    links.some(link => link.pool_id === poolId && link.registration_type_id === freed?.typeId)
  const more = freed?.quantity ?? 0
  const ofPools = new Map(
    pools.map(({ id, capacity, sold }) => [id, { free: capacity - sold + (isFreed(id) ? more : 0) }]),
  )
  const rooms = new Map<string, waitlist.Room[]>()
  for (const type of await store.listByEventOldestFirst(tx, eventId)) {
    if (!wanted.has(type.id)) continue
    const shared = links.flatMap(link =>
      link.registration_type_id === type.id ? [ofPools.get(link.pool_id) as waitlist.Room] : [],
    )
    const free = type.capacity - type.sold + (type.id === freed?.typeId ? more : 0)
    rooms.set(type.id, [{ free }, ...shared])
  }
  return rooms
}
