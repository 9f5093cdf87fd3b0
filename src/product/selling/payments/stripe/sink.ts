import type Stripe from 'stripe'
import type { Database } from '../../db/port.ts'
import * as disputes from '../disputes.ts'
import type { Heard, Sink } from '../feed.ts'
import * as orphans from '../orphans.ts'
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
  /** Has a payment looked at by whoever settles. */
  look: (accountId: string, paymentId: string) => void
}

/** What is done about happenings at Stripe: each object is read there again. */
export class StripeSink implements Sink {
  readonly #options: SinkOptions

  constructor(options: SinkOptions) {
    this.#options = options
  }

  async lookAtSession(accountId: string, sessionId: string, paymentId: string | null): Promise<Heard> {
    const { db, look } = this.#options
    const payment = await db.read(
      async tx =>
        (await store.findBySession(tx, accountId, sessionId)) ??
        // One that was made when its answer was lost.
        (paymentId === null ? undefined : await store.find(tx, accountId, paymentId)),
    )
    if (payment === undefined) return this.#listOrphan(accountId, sessionId, paymentId)
    // What is settled changes by refunds and disputes alone; another session of the same payment may be one too many.
    if (payment.status !== 'confirmed' || payment.session_id !== sessionId) look(accountId, payment.id)
    return 'done'
  }

  /** Lists what was paid for an order that is not there any more. What others have made at the same Stripe account is theirs. */
  async #listOrphan(accountId: string, sessionId: string, paymentId: string | null): Promise<Heard> {
    if (paymentId === null) return 'unknown'
    const { db, accounts } = this.#options
    const read = await accounts.ask(accountId, stripe =>
      stripe.checkout.sessions.retrieve(sessionId, { expand: EXPANDED }),
    )
    if (read.metadata?.[METADATA.account] !== accountId) return 'unknown'
    const { state, chargeId, amount, currency, paidAt } = toSession(read)
    if (state !== 'paid' || paidAt === null) return 'unknown'
    await db.write(accountId, tx =>
      orphans.note(tx, accountId, { sessionId, chargeId, amount, currency, paidAt }),
    )
    return 'done'
  }

  async refundChanged(accountId: string, refundId: string): Promise<Heard> {
    const { db, processor } = this.#options
    const facts = await processor.readRefund(accountId, refundId)
    const payment = await this.#paymentOf(accountId, facts.chargeId)
    if (payment === 'later') return 'later'
    const orphan = facts.refundId
    if (payment === undefined && orphan === null) return 'unknown'
    await db.write(accountId, async tx => {
      await refunds.note(tx, accountId, 'stripe', facts, payment)
      if (payment === undefined && orphan !== null) await orphans.noteRefund(tx, accountId, orphan, { facts })
    })
    return 'done'
  }

  async disputeChanged(accountId: string, disputeId: string): Promise<Heard> {
    const { db, accounts } = this.#options
    const facts = toDispute(await accounts.ask(accountId, stripe => stripe.disputes.retrieve(disputeId)))
    const payment = await this.#paymentOf(accountId, facts.chargeId)
    if (payment === undefined) return 'unknown'
    if (payment === 'later') return 'later'
    await db.write(accountId, tx => disputes.note(tx, accountId, facts, payment))
    return 'done'
  }

  /** The payment that a charge is of; `later` where its money is not written down yet, which is asked for. */
  async #paymentOf(accountId: string, chargeId: string): Promise<store.PaymentRow | 'later' | undefined> {
    const { db, accounts, look } = this.#options
    const known = await db.read(tx => store.findByCharge(tx, accountId, chargeId))
    if (known !== undefined) return known
    const charge = await accounts.ask(
      accountId,
      (stripe): Promise<Stripe.Charge> => stripe.charges.retrieve(chargeId),
    )
    const { [METADATA.account]: owner, [METADATA.payment]: paymentId } = charge.metadata
    if (owner !== accountId || paymentId === undefined) return undefined
    const payment = await db.read(tx => store.find(tx, accountId, paymentId))
    if (payment === undefined || payment.received !== null) return payment
    look(accountId, payment.id)
    return 'later'
  }
}
