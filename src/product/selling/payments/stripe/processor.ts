import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { MINUTE, SECOND } from '#base/time.ts'
import {
  type Call,
  type NewRefund,
  type NewSession,
  type Processor,
  ProcessorFault,
  type ProcessorRefund,
  type RefundedCharge,
  type Session,
} from '../processor.ts'
import type { StripeAccounts } from './access.ts'
import { canTake, fromStripe } from './amounts.ts'
import { isReplayed } from './faults.ts'
import { REFUND_EXPANDED, refundParametersOf, toRefund } from './refunds.ts'
import { EXPANDED, METADATA, parametersOf, toSession } from './sessions.ts'

/** How far our clock may be from Stripe's when something is searched by its time, in milliseconds. */
const CLOCKS_PART = 10 * MINUTE
const PAGE = 100
/** The most pages that are searched for an object of ours. */
const MOST_PAGES = 200

/** Takes payments by Stripe's hosted Checkout, so no card number ever comes here. */
export class StripeProcessor implements Processor {
  readonly #accounts: StripeAccounts

  constructor(accounts: StripeAccounts) {
    this.#accounts = accounts
  }

  can(currency: string, amount: number): boolean {
    return canTake(currency, amount)
  }

  async prepare(accountId: string, session: NewSession): Promise<Call['parameters']> {
    return parametersOf(accountId, session, await this.#accounts.now(accountId))
  }

  async start(accountId: string, { key, parameters }: Call): Promise<Session> {
    const made = await this.#accounts.ask(accountId, stripe =>
      stripe.checkout.sessions.create(parameters as unknown as Stripe.Checkout.SessionCreateParams, {
        idempotencyKey: key,
      }),
    )
    // A repeated answer is the first one, and the session may have been paid since.
    return isReplayed(made.lastResponse.headers) ? this.read(accountId, made.id) : presentSession(made)
  }

  async find(accountId: string, paymentId: string, since: number): Promise<Session | undefined> {
    const created = { gte: secondsBefore(since) }
    const id = await findIn(
      page => this.#accounts.ask(accountId, ({ checkout }) => checkout.sessions.list({ created, ...page })),
      ({ metadata }) => metadata?.[METADATA.payment] === paymentId,
    )
    return id === undefined ? undefined : this.read(accountId, id)
  }

  async read(accountId: string, sessionId: string): Promise<Session> {
    const session = await this.#accounts.ask(accountId, stripe =>
      stripe.checkout.sessions.retrieve(sessionId, { expand: EXPANDED }),
    )
    return presentSession(session)
  }

  async expire(accountId: string, sessionId: string): Promise<Session> {
    try {
      await this.#accounts.ask(accountId, stripe =>
        // Each call has another key. Otherwise a refusal while the session was being paid would be repeated for a day.
        stripe.checkout.sessions.expire(sessionId, {}, { idempotencyKey: randomUUID() }),
      )
    } catch (error) {
      // The session was paid, or has ended by itself. Reading it shows which.
      if (!(error instanceof ProcessorFault) || error.kind !== 'refused') throw error
      const session = await this.read(accountId, sessionId)
      if (session.state === 'open') throw error
      return session
    }
    return this.read(accountId, sessionId)
  }

  async prepareRefund(accountId: string, refund: NewRefund): Promise<Call['parameters']> {
    return refundParametersOf(accountId, refund)
  }

  async refund(accountId: string, { key, parameters }: Call): Promise<ProcessorRefund> {
    const made = await this.#accounts.ask(accountId, stripe =>
      stripe.refunds.create(parameters as unknown as Stripe.RefundCreateParams, { idempotencyKey: key }),
    )
    return isReplayed(made.lastResponse.headers)
      ? this.readRefund(accountId, made.id)
      : toRefund(checked(made, 'refund'))
  }

  async findRefund(
    accountId: string,
    { chargeId, refundId }: NewRefund,
    since: number,
  ): Promise<ProcessorRefund | undefined> {
    const of = { charge: chargeId, created: { gte: secondsBefore(since) } }
    const id = await findIn(
      page => this.#accounts.ask(accountId, ({ refunds }) => refunds.list({ ...of, ...page })),
      ({ metadata }) => metadata?.[METADATA.refund] === refundId,
    )
    return id === undefined ? undefined : this.readRefund(accountId, id)
  }

  async readRefund(accountId: string, id: string): Promise<ProcessorRefund> {
    const refund = await this.#accounts.ask(accountId, stripe =>
      stripe.refunds.retrieve(id, { expand: REFUND_EXPANDED }),
    )
    return toRefund(checked(refund, 'refund'))
  }

  async readRefundedCharge(accountId: string, chargeId: string): Promise<RefundedCharge> {
    const refunds: ProcessorRefund[] = []
    await findIn(
      page =>
        this.#accounts.ask(accountId, stripe =>
          stripe.refunds.list({
            charge: chargeId,
            expand: REFUND_EXPANDED.map(field => `data.${field}`),
            ...page,
          }),
        ),
      refund => {
        refunds.push(toRefund(checked(refund, 'refund')))
        return false
      },
    )
    // It is read after its refunds, so a refund that was made in between is not taken for money that is left.
    const charge = await this.#accounts.ask(accountId, stripe => stripe.charges.retrieve(chargeId))
    const { amount_captured: captured, amount_refunded: refunded, currency } = checked(charge, 'charge')
    return { left: fromStripe(captured - refunded, currency), refunds }
  }
}

function presentSession(session: Stripe.Checkout.Session): Session {
  return toSession(checked(session, 'checkout.session'))
}

/** Returns the answer if it has the right kind. It does not trust what answers in Stripe's place, as a proxy may. */
function checked<T extends { object: string }>(answer: T, object: T['object']): T {
  if (answer.object !== object) throw new ProcessorFault('silent', 'unreadable')
  return answer
}

function secondsBefore(since: number): number {
  return Math.floor((since - CLOCKS_PART) / SECOND)
}

interface Page<T> {
  data: T[]
  has_more: boolean
}

/**
 * Returns the id of the object that is meant, from a list of Stripe's.
 *
 * @throws ProcessorFault; busy if the object may be beyond the last page that it reads
 */
async function findIn<T extends { id: string }>(
  ask: (page: { limit: number; starting_after?: string }) => Promise<Page<T>>,
  isMeant: (each: T) => boolean,
): Promise<string | undefined> {
  let after: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { data, has_more } = await ask({ limit: PAGE, ...(after && { starting_after: after }) })
    const found = data.find(isMeant)
    if (found !== undefined) return found.id
    after = data.at(-1)?.id
    if (!has_more || after === undefined) return undefined
  }
  throw new ProcessorFault('busy', 'too_many_to_look_through')
}
