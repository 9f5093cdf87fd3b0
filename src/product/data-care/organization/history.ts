import type { VersionedRow } from '#product/guests/registrations/store.ts'
import type { OrganizationRegistration } from './schema.ts'

/** Lists the fields in which a file says how a payment ended. That may become known long after the registration was imported. */
export const HISTORY = ['status', 'processor_fee', 'refunded_amount', 'refunded_at', 'cancelled_at'] as const

/** Holds a registration as it was when it was read. */
export interface Was extends Omit<VersionedRow, 'answers'> {
  /** The positions of the tickets that are void already. Their places were given back then. */
  voided: readonly number[]
}

export type History = Pick<VersionedRow, (typeof HISTORY)[number]>

/** Holds the history that a registration will have. */
export interface Completion {
  was: Was
  history: History
  fields: readonly string[]
  /** How many tickets become void and give their places back. */
  released: number
}

/**
 * Completes the fee and the refund of a registration that a file brought. What the file leaves open stays. A confirmed
 * registration may become refunded, as if it had been imported so. The file cannot change what the API made.
 *
 * @returns undefined if there is nothing to complete
 */
export function completeHistory(item: OrganizationRegistration, was: Was): Completion | undefined {
  if (was.reference === was.id) return undefined
  const history = historyOf(item, was)
  const fields = HISTORY.filter(field => history[field] !== was[field])
  if (fields.length === 0) return undefined
  const released = history.status === was.status ? 0 : was.quantity - was.voided.length
  return { was, history, fields, released }
}

/** Returns whether more would be refunded than was paid. */
export function isMoreThanPaid({ was, history }: Completion): boolean {
  return (history.refunded_amount ?? 0) > was.amount_total
}

function historyOf(item: OrganizationRegistration, was: Was): History {
  const processor_fee = item.processor_fee ?? was.processor_fee
  if (item.status !== 'refunded' || (was.status !== 'confirmed' && was.status !== 'refunded')) {
    const { status, refunded_amount, refunded_at, cancelled_at } = was
    return { status, processor_fee, refunded_amount, refunded_at, cancelled_at }
  }
  return {
    status: 'refunded',
    processor_fee,
    refunded_amount: item.refunded_amount ?? was.refunded_amount ?? was.amount_total,
    refunded_at: item.refunded_at ?? was.refunded_at ?? was.created_at,
    cancelled_at: was.status === 'confirmed' ? item.cancelled_at : was.cancelled_at,
  }
}
