import type { PayoutFacts, PayoutLineFacts, PayoutLineKind, PayoutList, PayoutsDenied } from './facts.ts'
import type { PayoutLineRow, PayoutRow } from './store.ts'

/** How the last reading of an account's payouts went. */
export interface PayoutReading {
  denied: PayoutsDenied | null
  /** When all was read that there was, in milliseconds. */
  readAt: number | null
}

/** A payout, as pages and files show it. Amounts are in minor units. */
export interface Payout extends Omit<PayoutFacts, 'isManual'> {
  list: PayoutList
  /** How many lines it holds, what they come to, and what the amount has more than that. They are null without a list. */
  lines: number | null
  net: number | null
  difference: number | null
  /** The booking of the bank that it was found in. */
  bankLine: { id: string; date: string } | null
}

export function presentPayout(row: PayoutRow): Payout {
  const { id, amount, currency, status, list, lines, net, difference, bank_line_id, bank_line_date } = row
  const isFound = bank_line_id !== null && bank_line_date !== null
  return {
    ...{ id, amount, currency, status, list, lines, net, difference },
    ...{ arrivesOn: row.arrives_on, madeAt: row.made_at },
    bankLine: isFound ? { id: bank_line_id, date: bank_line_date } : null,
  }
}

/** What a payout holds is shown in these groups. `foreign` has no order, refund or dispute here. */
export const payoutGroups = ['payments', 'refunds', 'disputes', 'fees', 'adjustments', 'foreign'] as const
export type PayoutGroup = (typeof payoutGroups)[number]

const GROUPS: Readonly<Record<PayoutLineKind, PayoutGroup>> = {
  payment: 'payments',
  refund: 'refunds',
  refund_reversal: 'refunds',
  dispute: 'disputes',
  dispute_reversal: 'disputes',
  fee: 'fees',
  payout_return: 'adjustments',
  adjustment: 'adjustments',
}

/** Returns the group of a line. Payments, refunds and disputes that are of nothing here are `foreign`. */
export function groupOf(kind: PayoutLineKind, isOurs: boolean): PayoutGroup {
  const group = GROUPS[kind]
  return isOurs || group === 'fees' || group === 'adjustments' ? group : 'foreign'
}

/** A line of a payout, with what it is of here. Amounts are in minor units of the payout's currency. */
export interface PayoutLine extends PayoutLineFacts {
  group: PayoutGroup
  net: number
  /** The order that it is of. It is null if there is none here. */
  order: { id: string; eventId: string; reference: string } | null
}

export function presentPayoutLine(row: PayoutLineRow): PayoutLine {
  const { id, kind, type, amount, fee, net, order_id, event_id, reference } = row
  const isOfOrder = order_id !== null && event_id !== null && reference !== null
  return {
    ...{ id, kind, type, amount, fee, net, sourceId: row.source_id, movedAt: row.moved_at },
    group: groupOf(kind, row.is_ours === 1),
    order: isOfOrder ? { id: order_id, eventId: event_id, reference } : null,
  }
}
