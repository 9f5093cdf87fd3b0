/** How a line changes the balance. Those that the ledger has are named as there. */
export type PayoutLineKind =
  | 'payment'
  | 'refund'
  | 'refund_reversal'
  | 'dispute'
  | 'dispute_reversal'
  | 'fee'
  /** Money of an earlier payout that did not reach the bank. */
  | 'payout_return'
  | 'adjustment'

export type PayoutStatus = 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled'

/**
 * Whether the list of what a payout holds is there. `waiting`: it was not read yet. `manual`: somebody chose the amount, so the
 * processor itself does not know what it is of.
 */
export type PayoutList = 'waiting' | 'complete' | 'manual'

/** What a processor knows of a payout. Amounts are in minor units of ISO 4217. */
export interface PayoutFacts {
  id: string
  /** It is below 0 if the processor took the money from the bank account. */
  amount: number
  currency: string
  status: PayoutStatus
  /** When the bank is to have it, as `YYYY-MM-DD`. */
  arrivesOn: string
  /** Milliseconds. */
  madeAt: number
  isManual: boolean
}

/** What a processor knows of a change of its balance. Amounts are in minor units of the payout's currency. */
export interface PayoutLineFacts {
  id: string
  kind: PayoutLineKind
  /** As the processor calls it. */
  type: string
  /** It is below 0 if the money left the organizer. */
  amount: number
  /** It is below 0 if the fee came back. */
  fee: number
  /** The id of what has moved it, as the processor names that. */
  sourceId: string | null
  /** Milliseconds. */
  movedAt: number
}

/** What the key of an account may not read: its payouts, or what they hold. */
export type PayoutsDenied = 'payouts' | 'lines'
