import * as v from 'valibot'
import { email, emailKey, label, oneOf, uuid } from '#base/fields.ts'
import { field } from '#base/resource.ts'
import * as rules from '#product/guests/registrations/rules.ts'
import {
  cancelledRegistrationExample,
  newRegistrationExample,
  newRegistrationSchema,
  type Registration,
  registrationExample,
  registrationSchema,
} from '#product/guests/registrations/schemas.ts'
import { search } from '#product/guests/registrations/search.ts'
import { registrationStatuses } from '#product/guests/registrations/states.ts'
import { searchWords } from '#product/guests/registrations/word-search.ts'
import * as cancellation from '#product/selling/orders/cancellation.ts'
import { answerPage, listExample, listQuery, listSchema } from '../lists.ts'
import { readRoute, searchRoute, writeRoute } from '../route.ts'

/** The longest e-mail has this many characters. */
const searchText = v.pipe(label(254), v.trim())

export const listRegistrations = searchRoute({
  path: '/registrations',
  operationId: 'listRegistrations',
  tag: 'Registrations',
  summary: 'List registrations',
  description: 'The registrations of the account with their attendees, newest first.',
  scope: 'registrations:read',
  query: listQuery({
    event_id: v.optional(field(uuid, 'Only registrations of this event.')),
    status: v.optional(field(oneOf(registrationStatuses), 'Only registrations in this state.')),
    email: v.optional(
      field(
        email,
        'Only those of this buyer: the whole e-mail; its case, and the form of its domain, do not matter.',
      ),
    ),
    q: v.optional(
      field(
        searchText,
        'Only those that this finds: words, or the beginnings of words, of the names and e-mails of buyer and attendees, all ' +
          'of them somewhere; case and accents do not matter. An e-mail is that of the buyer or of an attendee: the whole ' +
          'one where somebody has it, else its beginning up to somewhere after the `@`; both, where very many have its ' +
          'words and no buyer has it. A reference, an id or the code of a ticket finds just what has it, where this passes ' +
          'the other filters. A registration is found by its first 500 different words, those of the buyer first. A page ' +
          'may have fewer rows than `limit`, or none, though more follow: where tens of thousands have each of the words ' +
          'and few have them all, or few of these are that e-mail or pass the other filters. See ' +
          '`has_more`.',
      ),
    ),
  }),
  answer: {
    status: 200,
    description: 'A page.',
    schema: listSchema(registrationSchema),
    example: listExample(registrationExample),
  },
  errors: ['invalid_cursor'],
  handle: (reader, call) => {
    const { event_id, status, email: address, q } = call.query
    const buyer_email_key = address && emailKey(address)
    const filters = { event_id, status, buyer_email_key, q }
    if (q !== undefined) {
      const wanted = { text: q, event_id, status, buyer_email_key }
      return answerPage(call, 'registrations', filters, page =>
        searchWords(reader, call.accountId, wanted, page),
      )
    }
    if (buyer_email_key !== undefined && (event_id ?? status) !== undefined) {
      const wanted = { event_id, status, buyer_email_key }
      return answerPage(call, 'registrations', filters, page => search(reader, call.accountId, wanted, page))
    }
    const indexed = buyer_email_key === undefined ? { event_id, status } : { buyer_email_key }
    return reader.read(call.accountId, tx =>
      answerPage(call, 'registrations', filters, page => rules.list(tx, indexed, page)),
    )
  },
})

export const createRegistration = writeRoute({
  path: '/registrations',
  operationId: 'createRegistration',
  tag: 'Registrations',
  summary: 'Import a registration',
  description:
    'Creates a confirmed registration without charging anybody: a guest, or one that moves over from another system. Its ' +
    'tickets are in the answer. Capacity is reserved atomically and is never oversold: when too little is left, nothing is ' +
    'registered, and the answer is 409 `sold_out`. Neither the sales window nor the state of the event hinders it. Emits ' +
    '`registration.created`.\n\nSend an `Idempotency-Key`, so that a repeated request cannot register anybody twice.',
  scope: 'registrations:write',
  // Capacity and words are kept by conditions and keys; new keys of answers, and the event's first ticket key, come alone.
  isGuarded: true,
  body: newRegistrationSchema,
  bodyExample: newRegistrationExample,
  answer: {
    status: 201,
    description: 'The registration.',
    schema: registrationSchema,
    example: registrationExample,
  },
  errors: ['not_found', 'sold_out'],
  action: 'registration.create',
  target: 'registration',
  targetOf: (registration: Registration) => registration.id,
  prepare: (reader, { accountId, body }) => rules.prepare(reader, accountId, body),
  handle: (tx, call, signed) => rules.create(tx, call.body, signed),
})

export const getRegistration = readRoute({
  path: '/registrations/{id}',
  operationId: 'getRegistration',
  tag: 'Registrations',
  summary: 'Read a registration',
  description: 'One registration, with its attendees and their tickets.',
  scope: 'registrations:read',
  answer: {
    status: 200,
    description: 'The registration.',
    schema: registrationSchema,
    example: registrationExample,
  },
  errors: ['not_found'],
  handle: (tx, call) => rules.get(tx, call.params.id),
})

export const cancelRegistration = writeRoute({
  path: '/registrations/{id}/cancel',
  operationId: 'cancelRegistration',
  tag: 'Registrations',
  summary: 'Cancel a registration',
  description:
    'Cancels an unpaid registration: voids its tickets, releases its capacity and notifies the waitlist. A paid one is ' +
    'refunded from the dashboard instead. Takes no body, or `{}`. Emits `registration.cancelled`.',
  scope: 'registrations:write',
  answer: {
    status: 200,
    description: 'The cancelled registration.',
    schema: registrationSchema,
    example: cancelledRegistrationExample,
  },
  errors: ['not_found', 'refund_required', 'already_cancelled', 'not_cancellable'],
  action: 'registration.cancel',
  target: 'registration',
  handle: (tx, call) => cancellation.cancelRegistration(tx, call.params.id),
})
