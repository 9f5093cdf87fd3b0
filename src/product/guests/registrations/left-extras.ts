import type { Reader } from '#machinery/db/batches.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as store from './left-extras-store.ts'

/** One read looks at the orders of this many registrations. */
const READ = 200

/**
 * Lists the extras that no ticket would be left beside if these registrations were cancelled. An extra is bought only beside a
 * ticket, so whoever cancels all tickets of an order means its extras too, and so does who cancels a ticket that has some without
 * an order. It reads nothing more for an event without extras.
 */
export async function findLeftExtras(
  reader: Reader,
  accountId: string,
  { eventId, ids }: { eventId: string; ids: readonly string[] },
): Promise<store.LeftRow[]> {
  const extras = await reader.read(accountId, tx => registrationTypes.listExtras(tx, eventId))
  if (extras.size === 0) return []
  const cancelled = new Set(ids)
  const seen = new Set<string>()
  const left: store.LeftRow[] = []
  for (let at = 0; at < ids.length; at += READ) {
    const some = ids.slice(at, at + READ)
    const lines = await reader.read(accountId, async tx => {
      const beside = await store.listStandingWithoutOrder(tx, some)
      left.push(...beside.filter(({ id }) => !cancelled.has(id)))
      const orders = await store.listOrders(tx, some)
      const fresh = [...new Set(orders.map(({ order_id }) => order_id))].filter(id => !seen.has(id))
      for (const id of fresh) seen.add(id)
      return store.listStandingLines(tx, fresh)
    })
    for (const ofOrder of Map.groupBy(lines, ({ order_id }) => order_id).values()) {
      const tickets = ofOrder.filter(({ is_extra }) => is_extra === 0)
      const isLast = tickets.length > 0 && tickets.every(({ id }) => cancelled.has(id))
      if (isLast) left.push(...ofOrder.filter(({ id, is_extra }) => is_extra === 1 && !cancelled.has(id)))
    }
  }
  return left.sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** An extra that stays beside a ticket that goes, with how many of it are not void. */
export type StayingExtra = Pick<store.StandingExtraRow, 'id' | 'type' | 'count'>

/** Lists the extras beside a ticket that stay if it is cancelled, in the order of the lines. An extra has none. */
export async function listStaying(tx: ReadTx, id: string): Promise<StayingExtra[]> {
  const rows = (await store.listStandingBeside(tx, id)).filter(({ count }) => count > 0)
  rows.sort((one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1))
  return rows.map(({ id, type, count }) => ({ id, type, count }))
}
