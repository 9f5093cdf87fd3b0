import type Stripe from 'stripe'
import { checkCurrency, checkTotal } from './amounts.ts'
import { type Books, type Cause, find } from './books.ts'
import { HOUR, MINUTE } from './clock.ts'
import { type Endpoint, endpoint, listPage, within } from './endpoint.ts'
import { invalid, missing, notBuilt, refused } from './errors.ts'
import { expand, object, oneOf, page, range, text, type Values } from './parameters.ts'
import { SESSION_CREATE } from './session-parameters.ts'

/** Seconds from its creation after which a session may expire. */
export const EXPIRY = { least: 30 * MINUTE, most: 24 * HOUR }

type Given = Values<typeof SESSION_CREATE>

/** Returns what a session costs, in the one currency that all its lines have. */
function totalOf({ line_items: lines, currency }: Given): { total: number; currency: string } {
  for (const [at, { price_data: price }] of lines.entries()) {
    checkCurrency(price.currency, `line_items[${at}][price_data][currency]`)
  }
  const first = lines[0]?.price_data.currency ?? ''
  const other = lines.findIndex(line => line.price_data.currency !== (currency ?? first))
  if (other >= 0) {
    throw invalid('All line items of a Checkout Session must have the same currency.', `line_items[${other}]`)
  }
  const total = lines.reduce((sum, line) => sum + line.price_data.unit_amount * line.quantity, 0)
  return { total, currency: first }
}

function expiryOf(given: Given, now: number): number {
  const { expires_at: at = now + EXPIRY.most } = given
  if (at < now + EXPIRY.least) {
    throw refused(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      undefined,
      'expires_at',
    )
  }
  if (at > now + EXPIRY.most) {
    throw refused(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      undefined,
      'expires_at',
    )
  }
  return at
}

function checkSession(given: Given): void {
  const { mode, automatic_tax: tax, invoice_creation: invoice, ui_mode: shown = 'hosted_page' } = given
  if (mode !== 'payment') throw notBuilt(`Checkout Sessions of mode ${mode}`)
  if (shown !== 'hosted_page') throw notBuilt(`ui_mode ${shown}`)
  if (tax?.enabled) throw notBuilt('automatic tax')
  if (invoice?.enabled) throw notBuilt('invoices')
}

/** Returns the methods that a buyer is offered: those of the account, as far as the session allows them. */
function methodsOf(
  { account }: Books,
  { allowed_payment_method_types: allowed, excluded_payment_method_types: excluded = [] }: Given,
): string[] {
  const without = new Set<string>(excluded)
  const offered = account.methods.filter(
    method => !without.has(method) && (allowed ?? [method]).some(one => one === method),
  )
  if (offered.length > 0) return offered
  throw refused(
    'No valid payment method types for this Checkout Session. Please ensure that you have activated payment methods compatible with your chosen currency in your dashboard (https://dashboard.stripe.com/settings/payment_methods), or change the payment method types that you allow.',
  )
}

function create(books: Books, given: Given, origin: string): Stripe.Checkout.Session {
  checkSession(given)
  const now = books.now()
  const { total, currency } = totalOf(given)
  const expires = expiryOf(given, now)
  checkTotal(total, currency, books.account.settlement)
  const id = books.id(`cs_${books.live ? 'live' : 'test'}`, 29)
  books.intentData.set(id, {
    metadata: given.payment_intent_data?.metadata ?? {},
    description: given.payment_intent_data?.description ?? null,
  })
  const session: Stripe.Checkout.Session = {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: given.adaptive_pricing?.enabled ?? true },
    after_expiration: null,
    allow_promotion_codes: given.allow_promotion_codes ?? null,
    allowed_payment_method_types: given.allowed_payment_method_types ?? null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: given.billing_address_collection ?? null,
    cancel_url: given.cancel_url ?? null,
    client_reference_id: given.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: given.customer_creation ?? 'if_required',
    customer_details: given.customer_email ? details(given.customer_email, null) : null,
    customer_email: given.customer_email ?? null,
    discounts: [],
    ...(given.excluded_payment_method_types
      ? { excluded_payment_method_types: given.excluded_payment_method_types }
      : {}),
    expires_at: expires,
    integration_identifier: given.integration_identifier ?? null,
    invoice: null,
    invoice_creation: null,
    livemode: books.live,
    locale: given.locale ?? null,
    managed_payments: null,
    metadata: given.metadata ?? {},
    mode: 'payment',
    origin_context: null,
    // Since 2022-08-01 there is none before the buyer's first attempt.
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: methodsOf(books, given),
    payment_status: total === 0 ? 'no_payment_required' : 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: given.submit_type ?? null,
    subscription: null,
    success_url: given.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${origin}/c/pay/${id}`,
    wallet_options: null,
  }
  books.sessions.set(id, session)
  books.nextExpiry = Math.min(books.nextExpiry, expires)
  return session
}

export function details(email: string | null, name: string | null): Stripe.Checkout.Session.CustomerDetails {
  return {
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: null,
  }
}

/** Ends an open session: nobody can pay it from now on. */
export function endSession(
  books: Books,
  session: Stripe.Checkout.Session,
  { cause, at }: { cause?: Cause; at?: number } = {},
): void {
  session.status = 'expired'
  session.url = null
  const happened = { ...(cause ? { cause } : {}), ...(at === undefined ? {} : { at }) }
  const intent =
    typeof session.payment_intent === 'string' ? books.intents.get(session.payment_intent) : undefined
  if (intent) {
    intent.status = 'canceled'
    intent.canceled_at = at ?? books.now()
    intent.cancellation_reason = 'expired'
    books.emit('payment_intent.canceled', intent, happened)
  }
  books.emit('checkout.session.expired', session, happened)
}

/** Ends the sessions whose time has come. */
export function expireSessions(books: Books): void {
  const now = books.now()
  if (now < books.nextExpiry) return
  books.nextExpiry = Number.POSITIVE_INFINITY
  for (const session of books.sessions.values()) {
    if (session.status !== 'open') continue
    if (session.expires_at <= now) endSession(books, session, { at: session.expires_at })
    else books.nextExpiry = Math.min(books.nextExpiry, session.expires_at)
  }
}

const SESSION_LIST = {
  ...page,
  created: range,
  customer: text(),
  customer_account: text(),
  customer_details: object({ email: text(800) }),
  payment_intent: text(),
  payment_link: text(),
  status: oneOf(['complete', 'expired', 'open']),
  subscription: text(),
}

export const sessionEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/v1/checkout/sessions',
    permission: 'checkout_session_write',
    expands: 'checkout.session',
    parameters: SESSION_CREATE,
    run: ({ books, given, origin }) => create(books, given, origin),
  }),
  endpoint({
    method: 'GET',
    path: '/v1/checkout/sessions',
    permission: 'checkout_session_read',
    expands: 'checkout.session',
    parameters: SESSION_LIST,
    run: ({ books, given }) =>
      listPage(
        '/v1/checkout/sessions',
        books.sessions.values(),
        given,
        session =>
          within(session.created, given.created) &&
          (given.status === undefined || session.status === given.status) &&
          (given.payment_intent === undefined || session.payment_intent === given.payment_intent) &&
          (given.customer_details?.email === undefined ||
            session.customer_details?.email === given.customer_details.email) &&
          [given.customer, given.customer_account, given.payment_link, given.subscription].every(
            none => none === undefined,
          ),
        (id, param) => missing('checkout.session', id, param, false, books.live),
      ),
  }),
  endpoint({
    method: 'GET',
    path: '/v1/checkout/sessions/:id',
    permission: 'checkout_session_read',
    expands: 'checkout.session',
    parameters: expand,
    run: ({ books, id }) => find(books, 'sessions', id, 'session'),
  }),
  endpoint({
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    permission: 'checkout_session_write',
    expands: 'checkout.session',
    parameters: expand,
    run({ books, id, cause }) {
      const session = find(books, 'sessions', id, 'session')
      if (session.status !== 'open') {
        throw refused(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
        )
      }
      endSession(books, session, { cause })
      return session
    },
  }),
]
