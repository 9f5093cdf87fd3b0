import { isDeepStrictEqual } from 'node:util'
import { newUuid } from '../ids.ts'
import { findUnsound } from '../receipts/proof.ts'
import type { ReceiptKind, Snapshot } from '../receipts/schemas.ts'
import type { PlannedEvent } from './plan-event.ts'
import type { OrganizationReceipt } from './receipt-items.ts'
import { type CurrentReceipts, keyOf } from './receipt-store.ts'
import type { Refusals } from './refusals.ts'

export interface PlannedReceipt {
  change: 'created' | 'kept'
  id: string
  item: OrganizationReceipt
  orderId: string
  eventId: string
  ofId: string | null
  /** Of the credit note that it cancels. */
  cancelsId: string | null
}

/**
 * The receipts of the file. Their numbers stay, as they are printed: they go on from those that the account has, without a gap,
 * or are the same receipts. So an account that has made receipts of its own takes none of another server.
 */
export function planReceipts(
  current: CurrentReceipts,
  file: readonly OrganizationReceipt[],
  events: readonly PlannedEvent[],
  refusals: Refusals,
): PlannedReceipt[] {
  const planner = new Planner(current, events, refusals)
  const indexes = new Map(file.map((item, index) => [item, index]))
  for (const item of inNumericOrder(file)) planner.add(item, `receipts.${indexes.get(item)}`)
  return planner.planned
}

/** Receipts before credit notes, each by their numbers. */
export function inNumericOrder(file: readonly OrganizationReceipt[]): OrganizationReceipt[] {
  return [...file].sort((one, other) =>
    one.kind === other.kind ? one.number - other.number : one.kind === 'receipt' ? -1 : 1,
  )
}

class Planner {
  readonly planned: PlannedReceipt[] = []
  readonly #current: CurrentReceipts
  readonly #refusals: Refusals
  /** By slug: its id, and those of its orders by reference. */
  readonly #events: ReadonlyMap<string, { id: string; currency: string; orders: ReadonlyMap<string, string> }>
  readonly #next: Record<ReceiptKind, number>
  readonly #byNumber = new Map<string, PlannedReceipt>()
  /** By payment or refund: what stands of it, as the file says; null where that was cancelled. */
  readonly #standing = new Map<string, string | null>()
  /** What credit notes leave of a receipt, by its id. */
  readonly #left = new Map<string, number>()

  constructor(current: CurrentReceipts, events: readonly PlannedEvent[], refusals: Refusals) {
    this.#current = current
    this.#refusals = refusals
    this.#next = { receipt: current.latest.receipt + 1, credit_note: current.latest.credit_note + 1 }
    this.#events = new Map(
      events.map(({ row, orders }) => [
        row.slug,
        {
          ...{ id: row.id, currency: row.currency },
          orders: new Map(orders.map(({ id, item }) => [item.reference, id])),
        },
      ]),
    )
  }

  add(item: OrganizationReceipt, path: string): void {
    const fault = this.#findFault(item)
    if (fault !== undefined) this.#refusals.add(`${path}.${fault[0]}`, fault[1])
  }

  /** @returns undefined where it is planned */
  #findFault(item: OrganizationReceipt): [field: string, message: string] | undefined {
    const { kind, number, event: slug, order, amount } = item
    const key = keyOf(item)
    if (this.#byNumber.has(key)) return ['number', 'is that of another one in the file']
    const event = this.#events.get(slug)
    if (event === undefined) return ['event', `is "${slug}", which the file does not have`]
    const orderId = event.orders.get(order)
    if (orderId === undefined) return ['order', `is "${order}", which the event of the file does not have`]
    if (item.currency !== event.currency) return ['currency', `is not ${event.currency}, as its event is`]
    const source = this.#findSourceFault(item)
    if (source !== undefined) return source
    const unsound = amount === 0 ? 'says nothing' : findUnsound(item.snapshot, amount)
    if (unsound !== undefined) return ['snapshot', unsound]
    const cancelsId = this.#findCancelled(item)
    if (cancelsId === undefined) return ['cancels', 'is no credit note that this one can cancel']
    const ofId = this.#findReceipt(item)
    if (ofId === undefined) return ['of', `is no receipt that credit note ${number} can be of`]
    const known = this.#current.byNumber.get(key)
    if (known !== undefined && !isSame(JSON.parse(known.snapshot) as Snapshot, item.snapshot)) {
      return ['number', 'is another one in the database: receipts of two servers cannot be mixed']
    }
    if (known === undefined && number !== this.#next[kind]) {
      return ['number', `is not ${this.#next[kind]}, the next of its kind`]
    }
    if (known === undefined) this.#next[kind]++
    const id = known?.id ?? newUuid()
    const change = known === undefined ? 'created' : 'kept'
    const planned = { change, id, item, orderId, eventId: event.id, ofId, cancelsId } as const
    this.#byNumber.set(key, planned)
    this.#left.set(id, amount)
    this.planned.push(planned)
    return undefined
  }

  #findSourceFault(item: OrganizationReceipt): [string, string] | undefined {
    const { kind, payment, refund, cancels } = item
    const [field, source, other] =
      kind === 'receipt' ? (['payment', payment, refund] as const) : (['refund', refund, payment] as const)
    if (source === null) return [field, `has to be given for a ${kind}`]
    if (other !== null) return [field === 'payment' ? 'refund' : 'payment', `is not said of a ${kind}`]
    if (cancels !== null) return undefined
    const standing = this.#standingOf(item)
    const isKnown = this.#current.byNumber.has(keyOf(item))
    const isTaken = standing !== undefined && standing !== null && standing !== keyOf(item)
    const isOfFile = this.#standing.get(sourceOf(item)) !== undefined
    if (isTaken && (isOfFile || !isKnown)) return [field, 'has another receipt already']
    this.#standing.set(sourceOf(item), keyOf(item))
    return undefined
  }

  #standingOf(item: OrganizationReceipt): string | null | undefined {
    const ofFile = this.#standing.get(sourceOf(item))
    if (ofFile !== undefined) return ofFile
    const known = this.#current.bySource.get(sourceOf(item))
    return known && keyOf(known)
  }

  /** @returns null for what cancels nothing, undefined where that cannot be cancelled */
  #findCancelled(item: OrganizationReceipt): string | null | undefined {
    const { kind, number, cancels, amount } = item
    if (cancels === null) return null
    if (kind === 'receipt' || cancels >= number) return undefined
    const key = keyOf({ kind, number: cancels })
    const planned = this.#byNumber.get(key)
    const known = this.#current.byNumber.get(key)
    const of = planned?.item.refund ?? known?.refund_id
    const said = planned?.item.snapshot ?? (known && (JSON.parse(known.snapshot) as Snapshot))
    const isKnown = this.#current.byNumber.has(keyOf(item))
    const isStanding = this.#standingOf(item) === key || (isKnown && !this.#standing.has(sourceOf(item)))
    if (of !== item.refund || said?.total !== amount || !isStanding) return undefined
    this.#standing.set(sourceOf(item), null)
    return planned?.id ?? known?.id
  }

  /** @returns null for a receipt; of a credit note the id of its receipt, undefined where there is none or too little left of it */
  #findReceipt({ kind, of, cancels, amount }: OrganizationReceipt): string | null | undefined {
    if (kind === 'receipt') return of === null ? null : undefined
    if (of === null) return undefined
    const key = keyOf({ kind: 'receipt', number: of })
    const id = this.#byNumber.get(key)?.id ?? this.#current.byNumber.get(key)?.id
    const left = id === undefined ? undefined : this.#left.get(id)
    const taken = cancels === null ? amount : -amount
    if (id === undefined || (left !== undefined && left < taken)) return undefined
    if (left !== undefined) this.#left.set(id, left - taken)
    return id
  }
}

/** What it is of, as a key. */
function sourceOf({ payment, refund }: OrganizationReceipt): string {
  return payment ?? `refund ${refund}`
}

/** But for the buyer, who may have been made anonymous since. */
function isSame({ buyer: _, ...one }: Snapshot, { buyer: __, ...other }: Snapshot): boolean {
  return isDeepStrictEqual(one, other)
}
