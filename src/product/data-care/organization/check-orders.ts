import { type Fault, type FaultAt, makeFault } from '#base/faults.ts'
import { quantityOf } from '#product/guests/registrations/placement.ts'
import { MAX_QUANTITY } from '#product/guests/registrations/schemas.ts'
import type { RegistrationStatus } from '#product/guests/registrations/store.ts'
import type { OrderRow } from '#product/selling/orders/store.ts'
import { ENOUGH_FAULTS } from './array-of.ts'
import { findBesideFaults } from './beside-items.ts'
import { faultyPlaces, isObject, listed } from './check.ts'
import { findExchangeFaults, type PlacedLine } from './exchanged-tickets.ts'
import { findDuplicates, findLedgerFaults } from './ledger-items.ts'
import { findPaymentFaults } from './payment-items.ts'
import type {
  Organization,
  OrganizationEvent,
  OrganizationOrder,
  OrganizationRegistration,
} from './schema.ts'

type Status = OrderRow['status']

/** Lists the fields that an order has only in one status. They match the CHECKs of the table. */
const OWN: Readonly<Record<Status, readonly (keyof OrganizationOrder)[]>> = {
  pending: ['waits_for', 'expires_at'],
  confirmed: ['confirmed_at'],
  failed: ['failed_for', 'failed_at'],
}
const STATUSES = Object.keys(OWN) as Status[]

/** Lists the statuses that the registrations of an order may have. Each may be cancelled on its own, before and after. */
const LINES: Readonly<Record<Status, readonly RegistrationStatus[]>> = {
  pending: ['pending', 'cancelled'],
  confirmed: ['confirmed', 'cancelled', 'refunded'],
  failed: ['failed', 'cancelled'],
}

/** Holds an order of the file, with the sums of its registrations. */
interface CheckedOrder {
  place: string
  item: OrganizationOrder
  lines: number
  tickets: number
  total: number
  /** Its registrations. */
  items: OrganizationRegistration[]
  /** The same, each with its place. */
  placed: PlacedLine[]
  /** Whether one of them has a fault in what is counted. */
  isUncertain: boolean
  /** Whether one of them has a fault in what its money is compared with. */
  isMoneyDoubtful: boolean
}

interface Looked {
  /** The paths that have a fault already, at their end or further down. */
  faulty: ReadonlySet<string>
  /** The orders by reference. */
  orders: ReadonlyMap<string, CheckedOrder>
  /** Whether these are all orders, as every reference can be read. */
  areAll: boolean
}

/**
 * Finds every contradiction within the orders of a file, and between them and their registrations.
 *
 * @param file the file as the schema gives it, well-formed or not
 * @param faults the faults of its form; what has one is not checked again
 */
export function* findOrderFaults(file: unknown, faults: readonly FaultAt[]): Generator<FaultAt> {
  // With so many faults the lists of the file are incomplete, and what seems to be missing may be there.
  if (faults.length >= ENOUGH_FAULTS || !isObject<Organization>(file)) return
  const faulty = faultyPlaces(faults)
  const moved = new Set<string>()
  for (const [index, event] of listed(file.events)) {
    if (isObject<OrganizationEvent>(event)) yield* findFaults(event, `events.${index}`, faulty, moved)
  }
}

function* findFaults(
  event: OrganizationEvent,
  path: string,
  faulty: ReadonlySet<string>,
  moved: Set<string>,
): Generator<FaultAt> {
  const orders = new Map<string, CheckedOrder>()
  let areAll = !faulty.has(`${path}.orders`) || Array.isArray(event.orders)
  for (const [index, item] of listed(event.orders)) {
    const place = `${path}.orders.${index}`
    if (!isObject<OrganizationOrder>(item) || faulty.has(`${place}.reference`)) areAll = false
    else if (!orders.has(item.reference)) {
      orders.set(item.reference, {
        place,
        item,
        items: [],
        placed: [],
        lines: 0,
        tickets: 0,
        total: 0,
        isUncertain: false,
        isMoneyDoubtful: false,
      })
    }
    if (!isObject<OrganizationOrder>(item)) continue
    yield* findStatusFaults(item, place, faulty)
    if (!faulty.has(`${place}.ledger`)) yield* findDuplicates(item, place, moved)
    if (!faulty.has(place)) yield* findPaymentFaults(item, place, moved)
  }
  yield* findBesideFaults(event, path, faulty)
  const looked = { faulty, orders, areAll }
  let areAllLines = !faulty.has(`${path}.registrations`) || Array.isArray(event.registrations)
  for (const [index, item] of listed(event.registrations)) {
    const place = `${path}.registrations.${index}`
    if (!isObject<OrganizationRegistration>(item) || faulty.has(`${place}.order`)) areAllLines = false
    else yield* findLineFaults(item, place, looked)
  }
  if (!areAllLines) return
  for (const order of orders.values()) {
    yield* findSumFaults(order, faulty)
    const { item, items, place, isMoneyDoubtful } = order
    if (!isMoneyDoubtful && !faulty.has(place)) yield* findLedgerFaults(item, items, place)
    if (!order.isUncertain) yield* findExchangeFaults(order.placed, faulty)
  }
}

function* findStatusFaults(
  item: OrganizationOrder,
  place: string,
  faulty: ReadonlySet<string>,
): Generator<FaultAt> {
  if (faulty.has(`${place}.status`)) return
  const { status } = item
  for (const owner of STATUSES) {
    for (const field of OWN[owner]) {
      const isGiven = item[field] !== null
      if (isGiven === (status === owner) || faulty.has(`${place}.${field}`)) continue
      const fault = makeFault(isGiven ? 'notOfOrder' : 'requiredOfOrder', { status })
      yield { path: `${place}.${field}`, fault }
    }
  }
}

/** Finds the faults of a registration, and adds the registration to its order. */
function* findLineFaults(
  item: OrganizationRegistration,
  place: string,
  { faulty, orders, areAll }: Looked,
): Generator<FaultAt> {
  const at = (field: string, fault: Fault) => ({ path: `${place}.${field}`, fault })
  if (item.order === null) {
    const prices = faulty.has(`${place}.attendees`) ? [] : pricesOf(item)
    for (const [index, field] of prices) {
      yield at(`attendees.${index}.${field}`, makeFault('ofOrdersAlone'))
    }
    if (item.exchanged_for != null && !faulty.has(`${place}.exchanged_for`))
      yield at('exchanged_for', makeFault('notExchanged'))
    return
  }
  const order = orders.get(item.order)
  if (order === undefined) {
    if (areAll) yield at('order', makeFault('noOrder'))
    return
  }
  const isValid = (field: string) => !faulty.has(`${place}.${field}`)
  const areCounted = isValid('attendees') && isValid('quantity') && isValid('amount_total')
  order.lines++
  order.items.push(item)
  order.placed.push({ item, place })
  if (!areCounted || !isValid('processor_fee') || !isValid('status')) order.isMoneyDoubtful = true
  if (areCounted) {
    order.tickets += quantityOf(item)
    order.total += item.amount_total
  } else order.isUncertain = true
  const { status } = order.item
  if (isValid('status') && !faulty.has(`${order.place}.status`)) {
    const fault = makeFault('besideOrder', { status })
    if (!LINES[status].includes(item.status)) yield at('status', fault)
    else if (item.status === 'cancelled' && status !== 'confirmed' && item.never_confirmed === false)
      yield at('never_confirmed', fault)
  }
  if (isValid('attendees')) for (const fault of findPriceFaults(item, isValid)) yield at(...fault)
}

const SOLD = ['price', 'discount', 'tax', 'tax_basis_points'] as const

/** Yields the prices that the tickets of a registration state. */
function* pricesOf({ attendees }: OrganizationRegistration): Generator<[number, (typeof SOLD)[number]]> {
  for (const [index, ticket] of attendees?.entries() ?? []) {
    for (const field of SOLD) if (ticket[field] !== null) yield [index, field]
  }
}

function* findPriceFaults(
  { attendees, amount_subtotal: subtotal, amount_total: total }: OrganizationRegistration,
  isValid: (field: string) => boolean,
): Generator<[string, Fault]> {
  if (attendees === null) {
    yield ['attendees', makeFault('ofEachTicket')]
    return
  }
  let [full, paid, isCounted] = [0, 0, true]
  for (const [index, { price, discount, tax }] of attendees.entries()) {
    for (const [field, value] of Object.entries({ price, discount, tax })) {
      if (value === null) yield [`attendees.${index}.${field}`, makeFault('ofEachTicket')]
    }
    if (price === null || discount === null || tax === null) {
      isCounted = false
      continue
    }
    if (discount > price) {
      isCounted = false
      yield [`attendees.${index}.discount`, makeFault('moreThan', { field: 'price' })]
    } else if (tax > price - discount) {
      yield [`attendees.${index}.tax`, makeFault('moreThan', { field: 'price less discount' })]
    }
    full += price
    paid += price - discount
  }
  if (!isCounted) return
  if (isValid('amount_subtotal') && subtotal !== null && subtotal !== full) {
    yield ['amount_subtotal', makeFault('notTheSum', { sum: full, of: 'tickets' })]
  }
  if (isValid('amount_total') && total !== paid) {
    yield ['amount_total', makeFault('notTheSum', { sum: paid, of: 'tickets' })]
  }
}

function* findSumFaults(
  { place, item, lines, tickets, total, isUncertain }: CheckedOrder,
  faulty: ReadonlySet<string>,
): Generator<FaultAt> {
  if (lines === 0) yield { path: `${place}.reference`, fault: makeFault('noRegistrations') }
  if (tickets > MAX_QUANTITY) {
    yield { path: `${place}.reference`, fault: makeFault('tooManyTickets', { max: MAX_QUANTITY }) }
  }
  if (lines === 0 || isUncertain || faulty.has(`${place}.amount_total`) || item.amount_total === total) return
  yield { path: `${place}.amount_total`, fault: makeFault('notTheSum', { sum: total, of: 'registrations' }) }
}
