import { isDeepStrictEqual } from 'node:util'
import { newUuid } from '#base/ids.ts'
import type { ReceiptKind, Snapshot } from '#product/selling/receipts/schemas.ts'
import { findSnapshotFault } from '#product/selling/receipts/verify-snapshot.ts'
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
  /** The id of the credit note that it cancels. */
  cancelsId: string | null
}

/**
 * Plans the receipts of the file. They keep their numbers, because these are printed. They continue the account's numbers without
 * a gap, or are the same receipts. So an account that has made receipts of its own accepts none from another server.
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

/** Sorts receipts before credit notes, each by their numbers. */
export function inNumericOrder(file: readonly OrganizationReceipt[]): OrganizationReceipt[] {
  return [...file].sort((one, other) =>
    one.kind === other.kind ? one.number - other.number : one.kind === 'receipt' ? -1 : 1,
  )
}

class Planner {
  readonly planned: PlannedReceipt[] = []
  readonly #current: CurrentReceipts
  readonly #refusals: Refusals
  /** The events by slug, each with its id and the ids of its orders by reference. */
  readonly #events: ReadonlyMap<string, { id: string; currency: string; orders: ReadonlyMap<string, string> }>
  readonly #next: Record<ReceiptKind, number>
  readonly #byNumber = new Map<string, PlannedReceipt>()
  /** The receipt or credit note that stands for a payment or refund, according to the file. It is null if that was cancelled. */
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

  /**
   * Plans a receipt.
   *
   * @returns the fault, or undefined if the receipt is planned
   */
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
    const fault = amount === 0 ? 'says nothing' : findSnapshotFault(item.snapshot, amount)
    if (fault !== undefined) return ['snapshot', fault]
    const cancelsId = this.#findCancelled(item)
    if (cancelsId === undefined) return ['cancels', 'is no credit note that this one can cancel']
    const ofId = this.#findReceipt(item)
    if (ofId === undefined) return ['of', `is no receipt that credit note ${number} can be of`]
    const existing = this.#current.byNumber.get(key)
    if (existing !== undefined && !isSame(JSON.parse(existing.snapshot) as Snapshot, item.snapshot)) {
      return ['number', 'is another one in the database: receipts of two servers cannot be mixed']
    }
    if (existing === undefined && number !== this.#next[kind]) {
      return ['number', `is not ${this.#next[kind]}, the next of its kind`]
    }
    if (existing === undefined) this.#next[kind]++
    const id = existing?.id ?? newUuid()
    const change = existing === undefined ? 'created' : 'kept'
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
    const isStored = this.#current.byNumber.has(keyOf(item))
    const isTaken = standing !== undefined && standing !== null && standing !== keyOf(item)
    const isOfFile = this.#standing.get(sourceOf(item)) !== undefined
    if (isTaken && (isOfFile || !isStored)) return [field, 'has another receipt already']
    this.#standing.set(sourceOf(item), keyOf(item))
    return undefined
  }

  #standingOf(item: OrganizationReceipt): string | null | undefined {
    const ofFile = this.#standing.get(sourceOf(item))
    if (ofFile !== undefined) return ofFile
    const existing = this.#current.bySource.get(sourceOf(item))
    return existing && keyOf(existing)
  }

  /**
   * Finds what a credit note cancels.
   *
   * @returns null if it cancels nothing; undefined if what it names cannot be cancelled
   */
  #findCancelled(item: OrganizationReceipt): string | null | undefined {
    const { kind, number, cancels, amount } = item
    if (cancels === null) return null
    if (kind === 'receipt' || cancels >= number) return undefined
    const key = keyOf({ kind, number: cancels })
    const planned = this.#byNumber.get(key)
    const existing = this.#current.byNumber.get(key)
    const of = planned?.item.refund ?? existing?.refund_id
    const stated = planned?.item.snapshot ?? (existing && (JSON.parse(existing.snapshot) as Snapshot))
    const isStored = this.#current.byNumber.has(keyOf(item))
    const isStanding = this.#standingOf(item) === key || (isStored && !this.#standing.has(sourceOf(item)))
    if (of !== item.refund || stated?.total !== amount || !isStanding) return undefined
    this.#standing.set(sourceOf(item), null)
    return planned?.id ?? existing?.id
  }

  /**
   * Finds the receipt of a credit note.
   *
   * @returns null for a receipt; the id of the receipt for a credit note, or undefined if there is none or too little left of it
   */
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

/** Returns the key of the payment or refund that a receipt is for. */
function sourceOf({ payment, refund }: OrganizationReceipt): string {
  return payment ?? `refund ${refund}`
}

/** Compares snapshots without the buyer, who may have been made anonymous since. */
function isSame({ buyer: _, ...one }: Snapshot, { buyer: __, ...other }: Snapshot): boolean {
  return isDeepStrictEqual(one, other)
}
