import * as v from 'valibot'
import { amountUpTo, closedObject, currency, instant, integer, label, oneOf, slug } from '../fields.ts'
import { MAX_AMOUNT } from '../money.ts'
import { receiptKinds, snapshotSchema } from '../receipts/schemas.ts'
import { MAX_QUANTITY, MAX_REFERENCE } from '../registrations/schemas.ts'

const MAX_NUMBER = 2_147_483_647
const MAX_ID = 200

/** A receipt or credit note of an organization file: beside its events, as its number is one of the whole account. */
export const receiptItem = closedObject({
  kind: oneOf(receiptKinds),
  number: integer(1, MAX_NUMBER),
  /** The slug of the event. */
  event: slug,
  /** The reference of the order. */
  order: label(MAX_REFERENCE),
  /** Of a credit note: the number of its receipt. */
  of: v.nullish(integer(1, MAX_NUMBER), null),
  /** Of a credit note that cancels another: the number of that. */
  cancels: v.nullish(integer(1, MAX_NUMBER), null),
  /** What a receipt is of, and what a credit note is of, as the database names them. */
  payment: v.nullish(label(MAX_ID), null),
  refund: v.nullish(label(MAX_ID), null),
  amount: amountUpTo(MAX_AMOUNT * MAX_QUANTITY),
  currency,
  erased_at: v.nullish(instant, null),
  snapshot: snapshotSchema,
})

export type OrganizationReceipt = v.InferOutput<typeof receiptItem>
