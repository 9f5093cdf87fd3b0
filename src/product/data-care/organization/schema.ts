import * as v from 'valibot'
import { says } from '#base/faults.ts'
import {
  amount,
  amountUpTo,
  answers,
  closedObject,
  currency,
  email,
  instant,
  integer,
  label,
  listOf,
  name,
  oneOf,
  slug,
  text,
  timezone,
  yesOrNo,
} from '#base/fields.ts'
import { MAX_AMOUNT } from '#base/money.ts'
import { MAX_LEGAL_TEXT } from '#product/administration/accounts/legal.ts'
import { endpointTypes, endpointUrl } from '#product/administration/webhooks/endpoints.ts'
import { codeFields } from '#product/catalog/codes/schemas.ts'
import { eventFields, pageFields } from '#product/catalog/events/schemas.ts'
import { seriesFields } from '#product/catalog/events/series-schemas.ts'
import { eventStatuses, eventVisibilities } from '#product/catalog/events/states.ts'
import { colourSchema } from '#product/catalog/looks/schemas.ts'
import { entryFields, saleFields, typeFields } from '#product/catalog/registration-types/schemas.ts'
import { questionFields } from '#product/guests/questions/schemas.ts'
import { MAX_QUANTITY, MAX_REFERENCE, MAX_SEAT } from '#product/guests/registrations/schemas.ts'
import { registrationStatuses } from '#product/guests/registrations/states.ts'
import { invoiceFields } from '#product/selling/orders/invoice.ts'
import { orderStatuses } from '#product/selling/orders/schemas.ts'
import { languages } from '#texts/languages.ts'
import { abstractSchema } from './abstract-items.ts'
import { accountSchema } from './account-items.ts'
import { arrayOf } from './array-of.ts'
import { emailTextsSchema } from './email-texts.ts'
import { ledgerSchema } from './ledger-items.ts'
import { failedFor, waitsFor } from './order-states.ts'
import { paymentSchema } from './payment-items.ts'
import { reviewerSchema, submitterSchema } from './people-items.ts'
import { callSchema, reviewSchema } from './programme-items.ts'
import { receiptItem } from './receipt-items.ts'
import { timetableSchema } from './timetable-items.ts'

/** The organization file has amounts in minor units, and instants in milliseconds once it is read. */

const MAX_POSITION = 1_000_000

/** The check for web addresses in people's names happens with their items. */
const buyer = closedObject({ name: name(), email })
const maybeInstant = v.nullish(instant, null)
const maybeAmount = v.nullish(amount, null)
const quantity = integer(1, MAX_QUANTITY)

const registrationType = closedObject({
  name: name(),
  description: v.optional(typeFields.description, null),
  price: amount,
  capacity: typeFields.capacity,
  active: v.optional(yesOrNo, true),
  sales_start: maybeInstant,
  sales_end: maybeInstant,
  valid_from: maybeInstant,
  valid_until: maybeInstant,
  /** If it is left out, it keeps its value, and a new type comes after the others. */
  position: v.optional(integer(0, MAX_POSITION)),
  /** If these are left out, they keep their values too, and a new type has the usual defaults. */
  min_per_order: v.optional(saleFields.min_per_order),
  max_per_order: v.optional(saleFields.max_per_order),
  hidden: v.optional(saleFields.hidden),
  tax_basis_points: v.optional(saleFields.tax_basis_points),
  kind: v.optional(saleFields.kind),
  open_price: v.optional(saleFields.open_price),
  entries: v.optional(entryFields.entries),
  reentry: v.optional(entryFields.reentry),
})

const pool = closedObject({
  name: name(),
  capacity: typeFields.capacity,
  registration_types: arrayOf(name()),
})

/** Null, or leaving it out, means all types. */
const typeNames = v.nullish(v.array(name(), says('array')), null)

const question = closedObject({
  key: questionFields.key,
  label: questionFields.label,
  help: v.optional(questionFields.help, null),
  kind: v.optional(questionFields.kind, 'text'),
  choices: v.optional(questionFields.choices, () => []),
  required: v.optional(yesOrNo, false),
  asked_for: v.optional(questionFields.asked_for, 'order'),
  for_reviewers: v.optional(questionFields.for_reviewers, false),
  registration_types: typeNames,
  /** If it is left out, it keeps its value, and a new question comes after the others. */
  position: v.optional(integer(0, MAX_POSITION)),
  retired: v.optional(yesOrNo, false),
})

const code = closedObject({
  code: codeFields.code,
  percent: v.optional(codeFields.percent, null),
  amount: v.optional(codeFields.amount, null),
  registration_types: typeNames,
  valid_from: maybeInstant,
  valid_until: maybeInstant,
  max_tickets: v.optional(codeFields.max_tickets, null),
  active: v.optional(yesOrNo, true),
  note: v.optional(codeFields.note, null),
})

const attendee = closedObject({
  name: v.nullish(name(), null),
  email: v.nullish(email, null),
  seat: v.nullish(text(MAX_SEAT), null),
  answers: v.nullish(answers, null),
  code: v.nullish(codeFields.code, null),
  /** The price that the ticket of an order was sold for. */
  price: maybeAmount,
  discount: maybeAmount,
  tax: maybeAmount,
  /** If it is left out, it is the rate of the type. */
  tax_basis_points: v.nullish(saleFields.tax_basis_points, null),
  checked_in_at: maybeInstant,
})

const order = closedObject({
  reference: label(MAX_REFERENCE),
  status: v.nullish(oneOf(orderStatuses), 'confirmed'),
  waits_for: v.nullish(oneOf(waitsFor), null),
  failed_for: v.nullish(oneOf(failedFor), null),
  buyer,
  buyer_company: v.nullish(invoiceFields.company, null),
  buyer_address: v.nullish(invoiceFields.address, null),
  buyer_vat_id: v.nullish(invoiceFields.vat_id, null),
  language: v.nullish(oneOf(languages), 'en'),
  /** If it is left out, it is the currency of the event. */
  currency: v.nullish(currency, null),
  amount_total: v.nullish(amountUpTo(MAX_AMOUNT * MAX_QUANTITY), 0),
  /** They may be those of the account, which are longer than an event's own. */
  terms: v.nullish(v.nullable(text(MAX_LEGAL_TEXT)), null),
  created_at: maybeInstant,
  expires_at: maybeInstant,
  confirmed_at: maybeInstant,
  failed_at: maybeInstant,
  unverified: v.nullish(yesOrNo, false),
  /** If it is left out, the ledger follows from the order's registrations. */
  ledger: v.nullish(ledgerSchema, null),
  payment: v.nullish(paymentSchema, null),
})

const registration = closedObject({
  reference: label(MAX_REFERENCE),
  /** The reference of the order that it is a line of. */
  order: v.nullish(label(MAX_REFERENCE), null),
  registration_type: name(),
  status: v.nullish(oneOf(registrationStatuses), 'confirmed'),
  buyer,
  quantity: v.nullish(quantity, null),
  amount_subtotal: v.nullish(amountUpTo(MAX_AMOUNT * MAX_QUANTITY), null),
  amount_total: v.nullish(amount, 0),
  processor_fee: maybeAmount,
  refunded_amount: maybeAmount,
  answers: v.nullish(answers, null),
  language: v.nullish(oneOf(languages), 'en'),
  created_at: maybeInstant,
  confirmed_at: maybeInstant,
  cancelled_at: maybeInstant,
  refunded_at: maybeInstant,
  never_confirmed: v.nullish(yesOrNo, false),
  /** The ticket of its order whose place it took: the registration, and which of its tickets, from 1. */
  exchanged_for: v.nullish(
    closedObject({ registration: label(MAX_REFERENCE), ticket: integer(1, MAX_QUANTITY) }),
    null,
  ),
  /** The reference of the ticket that an extra without an order stands beside. */
  beside: v.nullish(label(MAX_REFERENCE), null),
  attendees: v.nullish(listOf(attendee, MAX_QUANTITY), null),
})

const waitlistEntry = closedObject({
  reference: label(MAX_REFERENCE),
  registration_type: name(),
  name: name(),
  email,
  quantity: v.nullish(quantity, 1),
  created_at: maybeInstant,
  notified_at: maybeInstant,
})

const event = closedObject({
  slug,
  title: name(),
  starts_at: maybeInstant,
  ends_at: maybeInstant,
  timezone: v.optional(timezone),
  venue: v.nullish(name(), null),
  city: v.nullish(name(), null),
  currency: v.optional(currency),
  status: v.optional(oneOf(eventStatuses), 'published'),
  visibility: v.optional(v.nullable(oneOf(eventVisibilities)), 'public'),
  requires_approval: v.optional(yesOrNo, false),
  /** Fields that are left out keep their values. */
  description: v.optional(eventFields.description),
  address: v.optional(pageFields.address),
  online_url: v.optional(pageFields.online_url),
  contact_email: v.optional(pageFields.contact_email),
  terms: v.optional(pageFields.terms),
  names_locked_at: v.optional(pageFields.names_locked_at),
  cancel_until: v.optional(pageFields.cancel_until),
  cancel_refund_basis_points: v.optional(pageFields.cancel_refund_basis_points),
  payment_days: v.optional(pageFields.payment_days),
  withdrawal_excluded: v.optional(pageFields.withdrawal_excluded),
  waitlist_mode: v.optional(pageFields.waitlist_mode),
  waitlist_hours: v.optional(pageFields.waitlist_hours),
  reminder: v.optional(pageFields.reminder),
  approval_days: v.optional(pageFields.approval_days),
  payment_ways: v.optional(pageFields.payment_ways),
  decision_mails: v.optional(pageFields.decision_mails),
  /** A file that brings abstracts switches them on unless it says otherwise. */
  takes_abstracts: v.optional(pageFields.takes_abstracts),
  give_on: v.optional(pageFields.give_on),
  badge_layout: v.optional(pageFields.badge_layout),
  accent: v.optional(v.nullable(colourSchema)),
  /** The slug of a series that the file has. Null makes it a date of none. */
  series: v.optional(v.nullable(slug)),
  /** Since when the dashboard's list leaves the event out. */
  archived_at: v.optional(v.nullable(instant)),
  /** Texts that are left out keep their values. */
  email_texts: v.optional(emailTextsSchema, () => ({})),
  registration_types: arrayOf(registrationType),
  pools: arrayOf(pool),
  questions: arrayOf(question),
  codes: arrayOf(code),
  orders: arrayOf(order),
  registrations: arrayOf(registration),
  waitlist: arrayOf(waitlistEntry),
  reviewers: arrayOf(reviewerSchema),
  abstracts: arrayOf(abstractSchema),
  submitters: arrayOf(submitterSchema),
  /** An event that has one keeps it if it is left out. */
  call: v.optional(callSchema),
  review: v.optional(reviewSchema),
  /** It comes to an event that has none. One that is there stays as it is. */
  programme: v.optional(timetableSchema),
})

const webhook = closedObject({
  url: endpointUrl,
  types: endpointTypes,
  /** If it is left out, it keeps its value on an existing endpoint. */
  enabled: v.optional(yesOrNo),
})

export const organizationSchema = closedObject({
  account: accountSchema,
  /** A series that is left out keeps what it has. */
  series: arrayOf(closedObject(seriesFields)),
  events: arrayOf(event),
  webhooks: arrayOf(webhook),
  receipts: arrayOf(receiptItem),
})
export type OrganizationInput = v.InferInput<typeof organizationSchema>
export type Organization = v.InferOutput<typeof organizationSchema>
export type OrganizationEvent = Organization['events'][number]
export type OrganizationType = OrganizationEvent['registration_types'][number]
export type OrganizationPool = OrganizationEvent['pools'][number]
export type OrganizationOrder = OrganizationEvent['orders'][number]
export type OrganizationRegistration = OrganizationEvent['registrations'][number]
export type OrganizationAbstract = OrganizationEvent['abstracts'][number]
export type OrganizationReviewer = OrganizationEvent['reviewers'][number]
export type OrganizationSubmitter = OrganizationEvent['submitters'][number]
export type OrganizationSubmission = OrganizationSubmitter['submissions'][number]
