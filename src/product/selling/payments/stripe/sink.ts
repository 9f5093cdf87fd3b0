import type Stripe from 'stripe'
import type { Database } from '#machinery/db/port.ts'
import * as disputes from '../disputes.ts'
import type { ProviderEventResult, ProviderEventSink } from '../event-sink.ts'
import * as orphans from '../orphan-payments.ts'
import type { Processor } from '../processor.ts'
import * as refunds from '../refunds.ts'
import * as store from '../store.ts'
import type { StripeAccounts } from './access.ts'
import { toDispute } from './disputes.ts'
import { EXPANDED, METADATA, toSession } from './sessions.ts'

export interface SinkOptions {
  db: Database
  accounts: StripeAccounts
  processor: Processor
  /** Has the reconciler look at a payment. */
  look: (accountId: string, paymentId: string) => void
}

/** Handles what happens at Stripe. It reads each object there again. */
export class StripeSink implements ProviderEventSink {
  readonly #options: SinkOptions

  constructor(options: SinkOptions) {
    this.#options = options
  }

  async sessionChanged(
    accountId: string,
    sessionId: string,
    paymentId: string | null,
  ): Promise<ProviderEventResult> {
    const { db, look } = this.#options
    const payment = await db.read(
      accountId,
      async tx =>
        (await store.findBySession(tx, sessionId)) ??
        // The session was made, but its answer was lost.
        (paymentId === null ? undefined : await store.find(tx, paymentId)),
    )
    if (payment === undefined) return this.#listOrphan(accountId, sessionId, paymentId)
    // A settled payment changes only by refunds and disputes. Another session of the same payment may be one too many.
    if (payment.status !== 'confirmed' || payment.session_id !== sessionId) look(accountId, payment.id)
    return 'done'
  }

  /** Stores a payment for an order that is gone. It ignores what others have made at the same Stripe account. */
  async #listOrphan(
    accountId: string,
    sessionId: string,
    paymentId: string | null,
  ): Promise<ProviderEventResult> {
    if (paymentId === null) return 'unknown'
    const { db, accounts } = this.#options
    const read = await accounts.ask(accountId, stripe =>
      stripe.checkout.sessions.retrieve(sessionId, { expand: EXPANDED }),
    )
    if (read.metadata?.[METADATA.account] !== accountId) return 'unknown'
    const { state, chargeId, amount, currency, paidAt } = toSession(read)
    if (state !== 'paid' || paidAt === null) return 'unknown'
    await db.write(accountId, tx => orphans.note(tx, { sessionId, chargeId, amount, currency, paidAt }))
    return 'done'
  }

  async refundChanged(accountId: string, refundId: string): Promise<ProviderEventResult> {
    const { db, processor } = this.#options
    const facts = await processor.readRefund(accountId, refundId)
    const payment = await this.#paymentOf(accountId, facts.chargeId)
    if (payment === 'later') return 'later'
    const orphanPayment = facts.refundId
    if (payment === undefined && orphanPayment === null) return 'unknown'
    await db.write(accountId, async tx => {
      await refunds.note(tx, 'stripe', facts, payment)
      if (payment === undefined && orphanPayment !== null)
        await orphans.noteRefund(tx, orphanPayment, { facts })
    })
    return 'done'
  }

  async disputeChanged(accountId: string, disputeId: string): Promise<ProviderEventResult> {
    const { db, accounts } = this.#options
    const facts = toDispute(await accounts.ask(accountId, stripe => stripe.disputes.retrieve(disputeId)))
    const payment = await this.#paymentOf(accountId, facts.chargeId)
    if (payment === undefined) return 'unknown'
    if (payment === 'later') return 'later'
    await db.write(accountId, tx => disputes.note(tx, facts, payment))
    return 'done'
  }

  /**
   * Returns the payment that a charge belongs to. It returns `later` if the money is not recorded yet, and has the payment looked
   * at.
   */
  async #paymentOf(accountId: string, chargeId: string): Promise<store.PaymentRow | 'later' | undefined> {
    const { db, accounts, look } = this.#options
    const existing = await db.read(accountId, tx => store.findByCharge(tx, chargeId))
    if (existing !== undefined) return existing
    const charge = await accounts.ask(
      accountId,
      (stripe): Promise<Stripe.Charge> => stripe.charges.retrieve(chargeId),
    )
    const { [METADATA.account]: owner, [METADATA.payment]: paymentId } = charge.metadata
    if (owner !== accountId || paymentId === undefined) return undefined
    const payment = await db.read(accountId, tx => store.find(tx, paymentId))
    if (payment === undefined || payment.received !== null) return payment
    look(accountId, payment.id)
    return 'later'
  }
}
