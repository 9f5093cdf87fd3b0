import * as v from 'valibot'
import { amountUpTo, closedObject, currency, instant, integer, label, oneOf, slug } from '#base/fields.ts'
import { MAX_AMOUNT } from '#base/money.ts'
import { MAX_QUANTITY, MAX_REFERENCE } from '#product/guests/registrations/schemas.ts'
import { receiptKinds, snapshotSchema } from '#product/selling/receipts/schemas.ts'

const MAX_NUMBER = 2_147_483_647
const MAX_ID = 200

/**
 * Describes a receipt or credit note of an organization file. It stands beside the events, because its number counts within the
 * whole account.
 */
export const receiptItem = closedObject({
  kind: oneOf(receiptKinds),
  number: integer(1, MAX_NUMBER),
  /** The slug of the event. */
  event: slug,
  /** The reference of the order. */
  order: label(MAX_REFERENCE),
  /** The number of the receipt that a credit note belongs to. */
  of: v.nullish(integer(1, MAX_NUMBER), null),
  /** The number of the credit note that this one cancels. */
  cancels: v.nullish(integer(1, MAX_NUMBER), null),
  /** A receipt is for a payment, and a credit note is for a refund. Both have the ids of the database. */
  payment: v.nullish(label(MAX_ID), null),
  refund: v.nullish(label(MAX_ID), null),
  amount: amountUpTo(MAX_AMOUNT * MAX_QUANTITY),
  currency,
  erased_at: v.nullish(instant, null),
  snapshot: snapshotSchema,
})

export type OrganizationReceipt = v.InferOutput<typeof receiptItem>
