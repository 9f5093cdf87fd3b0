import type Stripe from 'stripe'
import type { Accounts } from './accounts.ts'
import type { Books } from './books.ts'
import { newCharge, newIntent, type PaidBy, settleCharge } from './money-objects.ts'
import { DELAYED } from './session-parameters.ts'
import { details, expireSessions } from './sessions.ts'

export interface Payment {
  /** The type of payment method. The default is the first that is offered. */
  method?: string
  /** Pays by a method that the session does not offer, which no buyer can. */
  evenIfNotOffered?: boolean
  email?: string
  name?: string
  /** The amount that is paid instead of what the session asked for. */
  amount?: number
}

interface Found {
  books: Books
  session: Stripe.Checkout.Session
}

/** Does what buyers do on Stripe's page, and what becomes of it there. */
export class Buyers {
  private readonly accounts: Accounts

  constructor(accounts: Accounts) {
    this.accounts = accounts
  }

  find(sessionId: string): Found {
    for (const books of this.accounts.allBooks()) {
      expireSessions(books)
      const session = books.sessions.get(sessionId)
      if (session) return { books, session }
    }
    throw new Error(`there is no session ${sessionId}`)
  }

  private open(sessionId: string): Found {
    const found = this.find(sessionId)
    if (found.session.status === 'open') return found
    throw new Error(`the session is ${found.session.status}, so its page takes no payment`)
  }

  /** Pays at once. */
  pay(sessionId: string, payment: Payment = {}): void {
    const { books, session } = this.open(sessionId)
    if (payment.amount !== undefined) {
      session.amount_total = payment.amount
      session.amount_subtotal = payment.amount
    }
    const by = paidBy(session, payment, false)
    if (session.amount_total === 0) {
      complete(books, session, by, 'no_payment_required')
      return
    }
    const intent = intentOf(books, session)
    const charge = addCharge(books, intent, by, 'succeeded')
    if (books.account.fees === 'at once') settleCharge(books, charge)
    intent.status = 'succeeded'
    intent.amount_received = intent.amount
    intent.last_payment_error = null
    books.emit('charge.succeeded', charge)
    books.emit('payment_intent.succeeded', intent)
    complete(books, session, by, 'paid')
  }

  /** Tries to pay, in vain: the session stays open for another try. */
  decline(sessionId: string, payment: Payment = {}): void {
    const { books, session } = this.open(sessionId)
    const intent = intentOf(books, session)
    fail(books, intent, addCharge(books, intent, paidBy(session, payment, false), 'failed'))
  }

  /** Pays by a method that answers days later: the session is complete and not paid. */
  payLater(sessionId: string, payment: Payment = {}): void {
    const { books, session } = this.open(sessionId)
    const by = paidBy(session, payment, true)
    const intent = intentOf(books, session)
    const charge = addCharge(books, intent, by, 'pending')
    intent.status = 'processing'
    books.emit('charge.pending', charge)
    books.emit('payment_intent.processing', intent)
    complete(books, session, by, 'unpaid')
  }

  /** The money of a later payment has come. */
  succeedLater(sessionId: string): void {
    const { books, session, intent, charge } = this.processing(sessionId)
    Object.assign(charge, { status: 'succeeded', paid: true, captured: true, amount_captured: charge.amount })
    if (books.account.fees === 'at once') settleCharge(books, charge)
    intent.status = 'succeeded'
    intent.amount_received = intent.amount
    books.emit('charge.succeeded', charge)
    books.emit('payment_intent.succeeded', intent)
    session.payment_status = 'paid'
    books.emit('checkout.session.async_payment_succeeded', session)
  }

  /** The money of a later payment will not come. The session stays complete, and unpaid. */
  failLater(sessionId: string): void {
    const { books, session, intent, charge } = this.processing(sessionId)
    charge.status = 'failed'
    fail(books, intent, charge)
    books.emit('checkout.session.async_payment_failed', session)
  }

  private processing(sessionId: string) {
    const { books, session } = this.find(sessionId)
    const intent = books.intents.get(String(session.payment_intent))
    const charge = books.charges.get(String(intent?.latest_charge))
    if (intent?.status === 'processing' && charge) return { books, session, intent, charge }
    throw new Error('no payment of this session is under way')
  }
}

/** Whether a method answers days later. */
export const isDelayed = (method: string) => DELAYED.includes(method)

function paidBy(
  session: Stripe.Checkout.Session,
  { method, email, name, evenIfNotOffered = false }: Payment,
  later: boolean,
): PaidBy {
  const offered = session.payment_method_types.filter(type => isDelayed(type) === later)
  const chosen = method ?? offered[0] ?? (evenIfNotOffered ? (later ? 'sepa_debit' : 'card') : undefined)
  if (chosen === undefined || (!evenIfNotOffered && !offered.includes(chosen))) {
    throw new Error(
      `the session offers ${session.payment_method_types}, so nobody can pay by ${chosen ?? 'such a method'}`,
    )
  }
  return {
    method: chosen,
    email: email ?? session.customer_email ?? 'buyer@example.org',
    name: name ?? null,
  }
}

/** The payment intent of a session: it comes with the first attempt, and stays for the others. */
function intentOf(books: Books, session: Stripe.Checkout.Session): Stripe.PaymentIntent {
  const existing = books.intents.get(String(session.payment_intent))
  if (existing) {
    existing.amount = session.amount_total ?? existing.amount
    return existing
  }
  const made = newIntent(books, session, session.amount_total ?? 0)
  books.intents.set(made.id, made)
  session.payment_intent = made.id
  books.emit('payment_intent.created', made)
  return made
}

function addCharge(
  books: Books,
  intent: Stripe.PaymentIntent,
  by: PaidBy,
  status: Stripe.Charge.Status,
): Stripe.Charge {
  const charge = newCharge(books, intent, by, status)
  books.charges.set(charge.id, charge)
  intent.latest_charge = charge.id
  intent.payment_method = charge.payment_method
  return charge
}

function fail(books: Books, intent: Stripe.PaymentIntent, charge: Stripe.Charge): void {
  charge.failure_code = 'card_declined'
  charge.failure_message = 'Your card was declined.'
  intent.status = 'requires_payment_method'
  intent.payment_method = null
  intent.last_payment_error = {
    type: 'card_error',
    charge: charge.id,
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  }
  books.emit('charge.failed', charge)
  books.emit('payment_intent.payment_failed', intent)
}

function complete(
  books: Books,
  session: Stripe.Checkout.Session,
  by: PaidBy,
  status: Stripe.Checkout.Session.PaymentStatus,
): void {
  session.status = 'complete'
  session.payment_status = status
  session.url = null
  session.customer_details = details(by.email, by.name)
  books.emit('checkout.session.completed', session)
}
