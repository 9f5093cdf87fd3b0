import * as v from 'valibot'
import { authorsSchema, contactSchema, MAX_NOTE } from '../abstracts/schemas.ts'
import { abstractStatuses } from '../abstracts/states.ts'
import { MAX_BASIS_POINTS, receiptFields, sellerFields } from '../accounts/schemas.ts'
import { codeFields } from '../codes/schemas.ts'
import { eventFields, pageFields } from '../events/schemas.ts'
import { eventStatuses, eventVisibilities } from '../events/states.ts'
import { says } from '../faults.ts'
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
} from '../fields.ts'
import { MAX_AMOUNT } from '../money.ts'
import { invoiceFields } from '../orders/invoice.ts'
import { orderStatuses } from '../orders/schemas.ts'
import { questionFields } from '../questions/schemas.ts'
import { saleFields, typeFields } from '../registration-types/schemas.ts'
import { buyerSchema, MAX_QUANTITY, MAX_REFERENCE, MAX_SEAT } from '../registrations/schemas.ts'
import { languages, registrationStatuses } from '../registrations/states.ts'
import { endpointTypes, endpointUrl } from '../webhooks/endpoints.ts'
import { emailTextsSchema } from './email-texts.ts'
import { ledgerSchema } from './ledger-items.ts'
import { failedFor, waitsFor } from './order-states.ts'
import { paymentSchema } from './payment-items.ts'
import { receiptItem } from './receipt-items.ts'

/** The organization file: amounts in minor units, instants in milliseconds once it is read. */

const MAX_POSITION = 1_000_000
const MAX_CODE = 80
const MAX_ABSTRACT = 20_000
const MAX_KEYWORDS = 1000
const MAX_FILE_NAME = 255

const maybeInstant = v.nullish(instant, null)
const maybeAmount = v.nullish(amount, null)
const quantity = integer(1, MAX_QUANTITY)

function arrayOf<const Item extends v.GenericSchema>(item: Item) {
  return v.optional(endingEarly(v.array(item, says('array'))), () => [])
}

/** How many faults a list may have before the rest of it is not looked at: a file may have millions of them. */
export const ENOUGH_FAULTS = 1000

/** valibot looks at every item, or ends with the first that is wrong. */
function endingEarly<List extends v.GenericSchema & { item: v.GenericSchema }>(list: List): List {
  const run: v.GenericSchema['~run'] = (dataset, { ...config }) => {
    let found = 0
    const look: v.GenericSchema['~run'] = (item, itsConfig) => {
      const result = list.item['~run'](item, itsConfig)
      found += result.issues?.length ?? 0
      if (found >= ENOUGH_FAULTS) config.abortEarly = true
      return result
    }
    return { ...list, item: { ...list.item, '~run': look } }['~run'](dataset, config)
  }
  return { ...list, '~run': run }
}

/** What is left out keeps its value on an account that exists. */
const account = closedObject({
  name: name(),
  email,
  timezone: v.optional(timezone),
  currency: v.optional(currency),
  slug: v.optional(v.nullable(slug)),
  legal_name: v.optional(sellerFields.legal_name),
  address: v.optional(sellerFields.address),
  tax_id: v.optional(sellerFields.tax_id),
  imprint_url: v.optional(sellerFields.imprint_url),
  privacy_url: v.optional(sellerFields.privacy_url),
  receipt_prefix: v.optional(receiptFields.receipt_prefix),
  receipt_years: v.optional(receiptFields.receipt_years),
  tax_exemption: v.optional(receiptFields.tax_exemption),
  service_fee: v.optional(
    closedObject({
      basis_points: v.optional(integer(0, MAX_BASIS_POINTS), 0),
      per_ticket: v.optional(amount, 0),
    }),
  ),
})

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
  /** Left out, it keeps its value, and a new type comes after the others. */
  position: v.optional(integer(0, MAX_POSITION)),
  /** And so do these; a new type has what one has that nobody said more of. */
  min_per_order: v.optional(saleFields.min_per_order),
  max_per_order: v.optional(saleFields.max_per_order),
  hidden: v.optional(saleFields.hidden),
  tax_basis_points: v.optional(saleFields.tax_basis_points),
})

const pool = closedObject({
  name: name(),
  capacity: typeFields.capacity,
  registration_types: arrayOf(name()),
})

/** Null, as left out: all types. */
const typeNames = v.nullish(v.array(name(), says('array')), null)

const question = closedObject({
  key: questionFields.key,
  label: questionFields.label,
  help: v.optional(questionFields.help, null),
  kind: v.optional(questionFields.kind, 'text'),
  choices: v.optional(questionFields.choices, () => []),
  required: v.optional(yesOrNo, false),
  asked_for: v.optional(questionFields.asked_for, 'order'),
  registration_types: typeNames,
  /** Left out, it keeps its value, and a new question comes after the others. */
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
  /** What the ticket of an order was sold for. */
  price: maybeAmount,
  discount: maybeAmount,
  tax: maybeAmount,
  /** Left out, it is that of the type. */
  tax_basis_points: v.nullish(saleFields.tax_basis_points, null),
  checked_in_at: maybeInstant,
})

const order = closedObject({
  reference: label(MAX_REFERENCE),
  status: v.nullish(oneOf(orderStatuses), 'confirmed'),
  waits_for: v.nullish(oneOf(waitsFor), null),
  failed_for: v.nullish(oneOf(failedFor), null),
  buyer: buyerSchema,
  buyer_company: v.nullish(invoiceFields.company, null),
  buyer_address: v.nullish(invoiceFields.address, null),
  buyer_vat_id: v.nullish(invoiceFields.vat_id, null),
  language: v.nullish(oneOf(languages), 'en'),
  /** Left out, it is that of the event. */
  currency: v.nullish(currency, null),
  amount_total: v.nullish(amountUpTo(MAX_AMOUNT * MAX_QUANTITY), 0),
  terms: v.nullish(pageFields.terms, null),
  created_at: maybeInstant,
  expires_at: maybeInstant,
  confirmed_at: maybeInstant,
  failed_at: maybeInstant,
  /** Left out, it is what its registrations say. */
  ledger: v.nullish(ledgerSchema, null),
  payment: v.nullish(paymentSchema, null),
})

const registration = closedObject({
  reference: label(MAX_REFERENCE),
  /** The reference of the order that it is a line of. */
  order: v.nullish(label(MAX_REFERENCE), null),
  registration_type: name(),
  status: v.nullish(oneOf(registrationStatuses), 'confirmed'),
  buyer: buyerSchema,
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

const abstract = closedObject({
  code: label(MAX_CODE),
  title: name(),
  abstract: text(MAX_ABSTRACT),
  keywords: v.nullish(text(MAX_KEYWORDS), null),
  authors: authorsSchema,
  contact: contactSchema,
  file_name: v.nullish(label(MAX_FILE_NAME), null),
  status: v.nullish(oneOf(abstractStatuses), 'submitted'),
  decision_note: v.nullish(text(MAX_NOTE), null),
  decided_at: maybeInstant,
  submitted_at: maybeInstant,
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
  /** Left out, these keep their values. */
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
  /** Those that are left out keep their value. */
  email_texts: v.optional(emailTextsSchema, () => ({})),
  registration_types: arrayOf(registrationType),
  pools: arrayOf(pool),
  questions: arrayOf(question),
  codes: arrayOf(code),
  orders: arrayOf(order),
  registrations: arrayOf(registration),
  waitlist: arrayOf(waitlistEntry),
  abstracts: arrayOf(abstract),
})

const webhook = closedObject({
  url: endpointUrl,
  types: endpointTypes,
  /** Left out, it keeps its value on an endpoint that exists. */
  enabled: v.optional(yesOrNo),
})

export const organizationSchema = closedObject({
  account,
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
