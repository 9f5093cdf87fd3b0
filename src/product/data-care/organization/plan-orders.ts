import { newUuid } from '#base/ids.ts'
import type { EventRow } from '#product/catalog/events/store.ts'
import type { Existing } from './existing.ts'
import type { Places } from './places.ts'
import type { Refusals } from './refusals.ts'
import type { OrganizationEvent, OrganizationOrder, OrganizationRegistration } from './schema.ts'
import type { Uncertain } from './uncertain.ts'

export interface PlannedOrder {
  change: 'created' | 'kept'
  id: string
  item: OrganizationOrder
  /** The fields in which the file differs from the database, which keeps its own. */
  differs: readonly string[]
}

export interface PlannedOrders {
  orders: PlannedOrder[]
  /** The ids of the new orders, by reference. */
  orderIds: ReadonlyMap<string, string>
}

interface Around {
  /** Where the file has the event and its items. */
  places: Places
  uncertain: Uncertain | undefined
  moved: ReadonlySet<string>
  /** Collects everything that is impossible. */
  refusals: Refusals
}

interface Coming {
  change: 'created' | 'updated' | 'kept'
  item: OrganizationRegistration
}

/**
 * Plans the orders of the file. An order comes with all of its registrations or exists with them. An existing order stays as it
 * is, so that nothing is added to what somebody has ordered.
 */
export function planOrders(
  existing: ReadonlyMap<string, Existing> | undefined,
  file: Pick<OrganizationEvent, 'orders'>,
  event: Pick<EventRow, 'currency'>,
  registrations: readonly Coming[],
  { places, uncertain, moved, refusals }: Around,
): PlannedOrders {
  const orderIds = new Map<string, string>()
  const orders = file.orders.map((item): PlannedOrder => {
    const was = existing?.get(item.reference)
    if (was !== undefined) return { change: 'kept', id: was.id, item, differs: was.differs }
    const { currency } = item
    if (currency !== null && currency !== event.currency && !uncertain?.currency) {
      refusals.add(
        `${places.of('orders', item)}.currency`,
        `is ${currency}, and the event is in ${event.currency}`,
      )
    }
    for (const [at, { kind, id }] of item.ledger?.entries() ?? [])
      if (moved.has(`${kind} ${id}`))
        refusals.add(`${places.of('orders', item)}.ledger.${at}.id`, 'is of another order already')
    if (item.payment !== null && moved.has(`reference ${item.payment.reference}`))
      refusals.add(`${places.of('orders', item)}.payment.reference`, 'is of another order already')
    const id = newUuid()
    orderIds.set(item.reference, id)
    return { change: 'created', id, item, differs: [] }
  })
  for (const { change, item } of registrations) {
    if (item.order === null) continue
    const refuse = (message: string) =>
      refusals.add(`${places.of('registrations', item)}.order`, `is "${item.order}", which is ${message}`)
    if (change === 'created' && existing?.has(item.order)) {
      refuse('there already, without this registration')
    }
    if (change !== 'created' && orderIds.has(item.order)) {
      refuse('new, and the registration is there already')
    }
  }
  return { orders, orderIds }
}
