import type Stripe from 'stripe'
import { find } from './books.ts'
import { DAY } from './clock.ts'
import { type Endpoint, endpoint, listPage, within } from './endpoint.ts'
import { missing, refused } from './errors.ts'
import { expand, flag, listOf, oneOf, page, range, text } from './parameters.ts'

/** Events are kept for 30 days. https://docs.stripe.com/api/events */
const EVENTS_KEPT = 30 * DAY

const EVENT_LIST = {
  ...page,
  created: range,
  delivery_success: flag,
  type: text(),
  types: listOf(text(), 20),
}

export const readEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v1/account',
    permission: 'connected_account_read',
    expands: null,
    parameters: expand,
    run({ books: { account } }): Stripe.Account {
      return {
        id: account.id,
        object: 'account',
        business_profile: null,
        charges_enabled: true,
        country: account.country,
        default_currency: account.currency,
        details_submitted: true,
        email: null,
        payouts_enabled: true,
        settings: null,
        type: 'standard',
      }
    },
  }),
  endpoint({
    method: 'GET',
    path: '/v1/payment_intents/:id',
    permission: 'payment_intent_read',
    expands: 'payment_intent',
    parameters: { ...expand, client_secret: text() },
    run: ({ books, id }) => find(books, 'intents', id, 'intent'),
  }),
  endpoint({
    method: 'POST',
    path: '/v1/payment_intents/:id/cancel',
    permission: 'payment_intent_write',
    expands: 'payment_intent',
    parameters: {
      ...expand,
      cancellation_reason: oneOf(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']),
    },
    run({ books, id }): Stripe.PaymentIntent {
      const { status } = find(books, 'intents', id, 'intent')
      if (status === 'succeeded' || status === 'canceled') {
        throw refused(
          `You cannot cancel this PaymentIntent because it has a status of ${status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_reauthorization, requires_confirmation, requires_action, processing.`,
          'payment_intent_unexpected_state',
        )
      }
      throw refused(
        'You cannot cancel this PaymentIntent because it was created by a Checkout Session. Expire the Checkout Session instead.',
        'payment_intent_unexpected_state',
      )
    },
  }),
  endpoint({
    method: 'GET',
    path: '/v1/charges/:id',
    permission: 'charge_read',
    expands: 'charge',
    parameters: expand,
    run: ({ books, id }) => find(books, 'charges', id, 'id'),
  }),
  endpoint({
    method: 'GET',
    path: '/v1/charges',
    permission: 'charge_read',
    expands: 'charge',
    parameters: { ...page, created: range, customer: text(), payment_intent: text(), transfer_group: text() },
    run: ({ books, given }) =>
      listPage(
        '/v1/charges',
        books.charges.values(),
        given,
        charge =>
          within(charge.created, given.created) &&
          (given.payment_intent === undefined || charge.payment_intent === given.payment_intent) &&
          given.customer === undefined &&
          given.transfer_group === undefined,
        (id, param) => missing('charge', id, param, false, books.live),
      ),
  }),
  endpoint({
    method: 'GET',
    path: '/v1/balance_transactions/:id',
    permission: 'balance_read',
    expands: 'balance_transaction',
    parameters: expand,
    run: ({ books, id }) => find(books, 'transactions', id, 'id'),
  }),
  endpoint({
    method: 'GET',
    path: '/v1/disputes/:id',
    permission: 'dispute_read',
    expands: 'dispute',
    parameters: expand,
    run: ({ books, id }) => find(books, 'disputes', id, 'dispute'),
  }),
  endpoint({
    method: 'GET',
    path: '/v1/disputes',
    permission: 'dispute_read',
    expands: 'dispute',
    parameters: { ...page, charge: text(), created: range, payment_intent: text() },
    run: ({ books, given }) =>
      listPage(
        '/v1/disputes',
        books.disputes.values(),
        given,
        dispute =>
          within(dispute.created, given.created) &&
          (given.charge === undefined || dispute.charge === given.charge) &&
          (given.payment_intent === undefined || dispute.payment_intent === given.payment_intent),
        (id, param) => missing('dispute', id, param, false, books.live),
      ),
  }),
  endpoint({
    method: 'GET',
    path: '/v1/events/:id',
    permission: 'event_read',
    expands: null,
    parameters: expand,
    run({ books, id }) {
      const event = find(books, 'events', id, 'id')
      if (event.created > books.now() - EVENTS_KEPT) return event
      throw missing('event', id, 'id', false, books.live)
    },
  }),
  endpoint({
    method: 'GET',
    path: '/v1/events',
    permission: 'event_read',
    expands: null,
    parameters: EVENT_LIST,
    run({ books, given }) {
      const kept = books.listedEvents().filter(event => event.created > books.now() - EVENTS_KEPT)
      if (given.type !== undefined && given.types !== undefined) {
        throw refused('You may only specify one of these parameters: type, types.')
      }
      const wanted = given.types ?? (given.type === undefined ? [] : [given.type])
      return listPage(
        '/v1/events',
        kept,
        given,
        event =>
          within(event.created, given.created) &&
          (wanted.length === 0 || wanted.some(type => matches(event.type, type))),
        (id, param) => missing('event', id, param, false, books.live),
      )
    },
  }),
]

/** `type` may be a group, as `charge.*`. https://docs.stripe.com/api/events/list */
function matches(type: string, wanted: string): boolean {
  return wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted
}
