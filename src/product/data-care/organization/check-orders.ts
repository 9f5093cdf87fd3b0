import { type Fault, type FaultAt, makeFault } from '../faults.ts'
import type { OrderRow } from '../orders/store.ts'
import { quantityOf } from '../registrations/placement.ts'
import { MAX_QUANTITY } from '../registrations/schemas.ts'
import type { RegistrationStatus } from '../registrations/store.ts'
import { faultyPlaces, isObject, listed } from './check.ts'
import { findLedgerFaults, findTwice } from './ledger-items.ts'
import { findPaymentFaults } from './payment-items.ts'
import {
  ENOUGH_FAULTS,
  type Organization,
  type OrganizationEvent,
  type OrganizationOrder,
  type OrganizationRegistration,
} from './schema.ts'

type Status = OrderRow['status']

/** What an order of each status has, and no other: the same as the CHECKs of the table. */
const OWN: Readonly<Record<Status, readonly (keyof OrganizationOrder)[]>> = {
  pending: ['waits_for', 'expires_at'],
  confirmed: ['confirmed_at'],
  failed: ['failed_for', 'failed_at'],
}
const STATUSES = Object.keys(OWN) as Status[]

/** What its registrations may be: each may be cancelled by itself, before and after. */
const LINES: Readonly<Record<Status, readonly RegistrationStatus[]>> = {
  pending: ['pending', 'cancelled'],
  confirmed: ['confirmed', 'cancelled', 'refunded'],
  failed: ['failed', 'cancelled'],
}

/** An order of the file, with what its registrations come to. */
interface Known {
  place: string
  item: OrganizationOrder
  lines: number
  tickets: number
  total: number
  /** Its registrations. */
  items: OrganizationRegistration[]
  /** Whether one of them has a fault in what is counted. */
  isDoubtful: boolean
  /** The same of what its money is held against. */
  isMoneyDoubtful: boolean
}

interface Looked {
  /** The paths that have a fault already, at their end or further down. */
  faulty: ReadonlySet<string>
  /** By reference. */
  orders: ReadonlyMap<string, Known>
  /** Whether these are all: none has a reference that cannot be read. */
  areAll: boolean
}

/**
 * Everything in which orders of a file contradict themselves, and their registrations them.
 *
 * @param file as the schema gives it, well-formed or not
 * @param faults of its form: what has one is not looked at again
 */
export function* findOrderFaults(file: unknown, faults: readonly FaultAt[]): Generator<FaultAt> {
  // Then the lists of the file are not whole, and what seems to be missing may be there.
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
  const orders = new Map<string, Known>()
  let areAll = !faulty.has(`${path}.orders`) || Array.isArray(event.orders)
  for (const [index, item] of listed(event.orders)) {
    const place = `${path}.orders.${index}`
    if (!isObject<OrganizationOrder>(item) || faulty.has(`${place}.reference`)) areAll = false
    else if (!orders.has(item.reference)) {
      orders.set(item.reference, {
        place,
        item,
        items: [],
        lines: 0,
        tickets: 0,
        total: 0,
        isDoubtful: false,
        isMoneyDoubtful: false,
      })
    }
    if (!isObject<OrganizationOrder>(item)) continue
    yield* findStatusFaults(item, place, faulty)
    if (!faulty.has(`${place}.ledger`)) yield* findTwice(item, place, moved)
    if (!faulty.has(place)) yield* findPaymentFaults(item, place, moved)
  }
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

/** Counts a registration to its order, too. */
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
    return
  }
  const order = orders.get(item.order)
  if (order === undefined) {
    if (areAll) yield at('order', makeFault('noOrder'))
    return
  }
  const isSound = (field: string) => !faulty.has(`${place}.${field}`)
  const areCounted = isSound('attendees') && isSound('quantity') && isSound('amount_total')
  order.lines++
  order.items.push(item)
  if (!areCounted || !isSound('processor_fee') || !isSound('status')) order.isMoneyDoubtful = true
  if (areCounted) {
    order.tickets += quantityOf(item)
    order.total += item.amount_total
  } else order.isDoubtful = true
  const { status } = order.item
  if (isSound('status') && !faulty.has(`${order.place}.status`)) {
    const fault = makeFault('besideOrder', { status })
    if (!LINES[status].includes(item.status)) yield at('status', fault)
    else if (item.status === 'cancelled' && status !== 'confirmed' && item.never_confirmed === false)
      yield at('never_confirmed', fault)
  }
  if (isSound('attendees')) for (const fault of findPriceFaults(item, isSound)) yield at(...fault)
}

const SOLD = ['price', 'discount', 'tax', 'tax_basis_points'] as const

/** What is said of the prices of a registration's tickets. */
function* pricesOf({ attendees }: OrganizationRegistration): Generator<[number, (typeof SOLD)[number]]> {
  for (const [index, ticket] of attendees?.entries() ?? []) {
    for (const field of SOLD) if (ticket[field] !== null) yield [index, field]
  }
}

function* findPriceFaults(
  { attendees, amount_subtotal: subtotal, amount_total: total }: OrganizationRegistration,
  isSound: (field: string) => boolean,
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
  if (isSound('amount_subtotal') && subtotal !== null && subtotal !== full) {
    yield ['amount_subtotal', makeFault('notTheSum', { sum: full, of: 'tickets' })]
  }
  if (isSound('amount_total') && total !== paid) {
    yield ['amount_total', makeFault('notTheSum', { sum: paid, of: 'tickets' })]
  }
}

function* findSumFaults(
  { place, item, lines, tickets, total, isDoubtful }: Known,
  faulty: ReadonlySet<string>,
): Generator<FaultAt> {
  if (lines === 0) yield { path: `${place}.reference`, fault: makeFault('noRegistrations') }
  if (tickets > MAX_QUANTITY) {
    yield { path: `${place}.reference`, fault: makeFault('tooManyTickets', { max: MAX_QUANTITY }) }
  }
  if (lines === 0 || isDoubtful || faulty.has(`${place}.amount_total`) || item.amount_total === total) return
  yield { path: `${place}.amount_total`, fault: makeFault('notTheSum', { sum: total, of: 'registrations' }) }
}
