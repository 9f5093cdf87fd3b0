import type Stripe from 'stripe'
import type { Accounts } from './accounts.ts'
import type { Books } from './books.ts'
import { DAY } from './clock.ts'
import { moveMoney, settleCharge } from './money-objects.ts'
import { type RefundCourse, type RefundWish, refundCharge, takeMoney } from './refunds.ts'

export interface DisputeWish {
  /** The disputed amount. The default is the full charge. */
  amount?: number
  reason?: string
  /** A question only, that takes no money: an early warning. */
  inquiry?: boolean
}

/** Does what happens to an account outside its API: at Stripe's dashboard, at banks and card issuers. */
export class Dashboard {
  private readonly accounts: Accounts
  private readonly courses = new Map<string, RefundCourse>()

  constructor(accounts: Accounts) {
    this.accounts = accounts
  }

  /** Sets the course of the refunds of an account that are requested from now on. */
  setRefundCourse(account: string, course: RefundCourse): void {
    this.courses.set(account, course)
  }

  readonly courseOf = (books: Books): RefundCourse => this.courses.get(books.account.id) ?? 'succeeded'

  private first<T>(look: (books: Books) => T | undefined, what: string): { books: Books; found: T } {
    for (const books of this.accounts.allBooks()) {
      const found = look(books)
      if (found !== undefined) return { books, found }
    }
    throw new Error(`there is no ${what}`)
  }

  /** Finds the charge of a session or a payment intent, or by its own id. */
  chargeOf(id: string): { books: Books; found: Stripe.Charge } {
    return this.first(books => {
      const intent = books.intents.get(String(books.sessions.get(id)?.payment_intent ?? id))
      return books.charges.get(String(intent?.latest_charge ?? id))
    }, `charge of ${id}`)
  }

  /** Says what the fee of a payment was, where fees come later: the charge gains its balance transaction. */
  tellFee(id: string): void {
    const { books, found } = this.chargeOf(id)
    if (found.balance_transaction !== null) throw new Error('the fee of this charge is known')
    settleCharge(books, found)
    books.emit('charge.updated', found, { before: { balance_transaction: null } })
  }

  /** Makes a refund as the organizer does at Stripe's dashboard. */
  refund(id: string, wish: RefundWish = {}): Stripe.Refund {
    const { books, found } = this.chargeOf(id)
    return refundCharge(books, found, wish, { course: this.courseOf(books) })
  }

  /** Completes a pending refund, or one that waited for the buyer. */
  finishRefund(id: string): void {
    const { books, found } = this.first(each => each.refunds.get(id), `refund ${id}`)
    if (found.status !== 'pending' && found.status !== 'requires_action') {
      throw new Error(`the refund is ${found.status}`)
    }
    const before = { status: found.status }
    found.status = 'succeeded'
    delete found.pending_reason
    if (found.balance_transaction === null) takeMoney(books, found)
    emitRefund(books, found, before)
  }

  /** Lets a refund fail, which may happen days after it was `succeeded`. Its amount comes back to the balance. */
  failRefund(id: string, reason = 'expired_or_canceled_card'): void {
    const { books, found } = this.first(each => each.refunds.get(id), `refund ${id}`)
    if (found.status === 'failed') throw new Error('the refund has failed before')
    const before = { status: found.status }
    found.status = 'failed'
    found.failure_reason = reason
    delete found.pending_reason
    const charge = books.charges.get(String(found.charge))
    if (charge) {
      charge.amount_refunded -= found.amount
      charge.refunded = false
    }
    if (found.balance_transaction !== null) {
      found.failure_balance_transaction = moveMoney(books, {
        amount: found.amount,
        currency: found.currency,
        source: found.id,
        type: 'refund_failure',
        category: 'refund_failure',
        description: 'REFUND FAILURE',
      }).id
    }
    emitRefund(books, found, before)
    books.emit('refund.failed', found)
  }

  /** A buyer goes to the bank. Unless it is an inquiry, the money and a fee are withdrawn. */
  dispute(id: string, { amount, reason = 'fraudulent', inquiry = false }: DisputeWish = {}): Stripe.Dispute {
    const { books, found: charge } = this.chargeOf(id)
    const dispute = newDispute(books, charge, amount ?? charge.amount, reason, inquiry)
    books.disputes.set(dispute.id, dispute)
    charge.disputed = true
    books.emit('charge.dispute.created', dispute)
    // The rule is that of https://support.stripe.com/questions/pending-refunds-due-to-insufficient-funds-or-stripe-balance
    for (const refund of books.refunds.values()) {
      const waits =
        refund.charge === charge.id && refund.status === 'pending' && refund.balance_transaction === null
      if (waits && !inquiry) this.failRefund(refund.id, 'charge_for_pending_refund_disputed')
    }
    if (!inquiry) this.withdrawFunds(dispute.id)
    return dispute
  }

  withdrawFunds(id: string): void {
    const { books, found } = this.first(each => each.disputes.get(id), `dispute ${id}`)
    const moved = this.moveDisputed(books, found, -found.amount, 'dispute', books.account.disputeFee)
    found.balance_transactions.push(moved)
    found.is_charge_refundable = false
    if (found.status === 'warning_needs_response') found.status = 'needs_response'
    books.emit('charge.dispute.funds_withdrawn', found)
  }

  /** The money comes back; the fee for the dispute does not. */
  reinstateFunds(id: string): void {
    const { books, found } = this.first(each => each.disputes.get(id), `dispute ${id}`)
    found.balance_transactions.push(this.moveDisputed(books, found, found.amount, 'dispute_reversal', 0))
    books.emit('charge.dispute.funds_reinstated', found)
  }

  closeDispute(id: string, outcome: 'lost' | 'warning_closed' | 'won'): void {
    const { books, found } = this.first(each => each.disputes.get(id), `dispute ${id}`)
    const before = { status: found.status }
    found.status = outcome
    books.emit('charge.dispute.updated', found, { before })
    books.emit('charge.dispute.closed', found)
    if (outcome === 'won' && found.balance_transactions.length === 1) this.reinstateFunds(id)
  }

  private moveDisputed(
    books: Books,
    { id, charge, currency }: Stripe.Dispute,
    amount: number,
    category: string,
    fee: number,
  ) {
    return moveMoney(books, {
      amount,
      currency,
      source: id,
      type: 'adjustment',
      category,
      description: `${amount < 0 ? 'Chargeback withdrawal' : 'Chargeback reversal'} for ${charge}`,
      fee,
      feeFor: 'Dispute fee',
    })
  }
}

function emitRefund(books: Books, refund: Stripe.Refund, before: object): void {
  books.emit('charge.refund.updated', refund, { before })
  books.emit('refund.updated', refund, { before })
}

function newDispute(
  books: Books,
  charge: Stripe.Charge,
  amount: number,
  reason: string,
  inquiry: boolean,
): Stripe.Dispute {
  return {
    id: books.id(charge.id.startsWith('ch_') ? 'du' : 'pdp'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: books.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {} as Stripe.Dispute.Evidence,
    evidence_details: {
      due_by: books.now() + 9 * DAY,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'manual',
    },
    intended_submission_method: null,
    is_charge_refundable: inquiry,
    livemode: books.live,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  }
}
