import type { OrderRow } from '#product/selling/orders/store.ts'

/** This lists all states. An export could contain a state that is missing here, and the file could not be applied. */
const waiting: Readonly<Record<NonNullable<OrderRow['waits_for']>, true>> = {
  approval: true,
  answer: true,
  payment: true,
}
const failing: Readonly<Record<NonNullable<OrderRow['failed_for']>, true>> = {
  declined: true,
  undecided: true,
  unpaid: true,
  withdrawn: true,
  turned_down: true,
  lapsed: true,
  cancelled: true,
}

export const waitsFor = Object.keys(waiting) as (keyof typeof waiting)[]
export const failedFor = Object.keys(failing) as (keyof typeof failing)[]
