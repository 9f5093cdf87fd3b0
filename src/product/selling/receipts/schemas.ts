import * as v from 'valibot'
import { says } from '#base/faults.ts'
import * as fields from '#base/fields.ts'
import { MAX_AMOUNT } from '#base/money.ts'
import { parseInstant, toIso } from '#base/time.ts'
import { MAX_QUANTITY, MAX_REFERENCE } from '#product/guests/registrations/schemas.ts'
import { languages } from '#texts/languages.ts'
import type { ReceiptRow } from './store.ts'

/** A credit note takes back all or part of a receipt, or cancels another credit note. */
export const receiptKinds = ['receipt', 'credit_note'] as const
export type ReceiptKind = (typeof receiptKinds)[number]

/** The amount that no order exceeds, in minor units. */
const MOST = MAX_AMOUNT * MAX_QUANTITY
const amount = fields.amountUpTo(MOST)
const basisPoints = fields.integer(0, 10_000)
/** An instant in the form in which it is stored. */
const instant = v.pipe(
  v.string(says('string')),
  v.check(isKeptInstant, says('instant', { example: '2026-12-01T09:00:00.000Z' })),
)

function isKeptInstant(text: string): boolean {
  const parsed = parseInstant(text)
  return parsed !== undefined && toIso(parsed) === text
}

/** Receipts keep texts as they were, so a text that was accepted once stays valid. */
const words = (max: number) => fields.text(max)
const maybe = (max: number) => v.nullable(words(max))

const line = fields.closedObject({
  /** The name of the registration type. */
  name: words(200),
  quantity: fields.integer(1, MAX_QUANTITY),
  unit_price: amount,
  /** The discount on each ticket. */
  discount: amount,
  /** The amount of the whole line, with tax. */
  amount,
  tax_basis_points: basisPoints,
})

const share = fields.closedObject({ basis_points: basisPoints, net: amount, tax: amount, gross: amount })

/**
 * Everything that a receipt says, frozen when it is made. Amounts are in minor units and never negative, so a credit note's
 * amounts mean that they are taken back, or stand again if it cancels another. Prices include their tax.
 */
export const snapshotSchema = fields.closedObject({
  /** The number as it is printed. It is unique in the account. */
  number: words(30),
  issued_at: instant,
  /** The time zone of the account, in which dates are stated. */
  timezone: fields.timezone,
  /** The language of the order. */
  language: fields.oneOf(languages),
  seller: fields.closedObject({
    name: words(200),
    address: maybe(500),
    tax_id: maybe(50),
  }),
  buyer: fields.closedObject({
    name: words(200),
    company: maybe(200),
    address: maybe(500),
    vat_id: maybe(50),
  }),
  /** What was sold, and when it takes place, which is the date of supply. */
  event: fields.closedObject({
    title: words(200),
    starts_at: v.nullable(instant),
    ends_at: v.nullable(instant),
    timezone: fields.timezone,
  }),
  /** The reference that people name the order by. */
  order: words(MAX_REFERENCE),
  /** The receipt that a credit note takes back, or the credit note that it cancels. */
  corrects: v.nullable(fields.closedObject({ number: words(30), issued_at: instant })),
  lines: v.array(line, says('array')),
  /** The part of the total that is in no line: of a payment or a refund that is not for whole tickets. */
  rest: fields.integer(-MOST, MOST),
  /** The amounts of each tax rate. */
  taxes: v.array(share, says('array')),
  net: amount,
  tax: amount,
  total: amount,
  /** How and when it was paid, or paid back. */
  paid: fields.closedObject({ method: maybe(50), at: instant }),
  /** The reason why no tax is in it, if there is none. */
  exemption: maybe(300),
  /** It is there if this is a simplified invoice, as it lacks the address of the buyer. Older ones do not say so. */
  simplified: v.optional(fields.yesOrNo),
})

export type Snapshot = v.InferOutput<typeof snapshotSchema>
export type ReceiptLine = Snapshot['lines'][number]

/** A receipt or a credit note. */
export interface Receipt extends Snapshot {
  id: string
  account_id: string
  kind: ReceiptKind
  /** The id of the receipt that a credit note takes back. */
  of_id: string | null
  /** The id of the credit note that this one cancels. */
  cancels_id: string | null
  order_id: string
  event_id: string
  payment_id: string | null
  refund_id: string | null
  /** Minor units that are paid, or paid back. */
  amount: number
  currency: string
}

export function presentReceipt(row: ReceiptRow): Receipt {
  const { id, account_id, kind, of_id, cancels_id, order_id, event_id, payment_id, refund_id } = row
  const { amount, currency } = row
  return {
    ...(JSON.parse(row.snapshot) as Snapshot),
    ...{
      id,
      account_id,
      kind,
      of_id,
      cancels_id,
      order_id,
      event_id,
      payment_id,
      refund_id,
      amount,
      currency,
    },
  }
}

/**
 * Returns an amount as it stands in the books, in minor units. A credit note's amount is negative, unless it cancels another one.
 */
export function inBooks({ kind, cancels_id }: Receipt, amount: number): number {
  return kind === 'credit_note' && cancels_id === null ? -amount : amount
}

const LETTERS = { receipt: 'R', credit_note: 'C' } as const

/**
 * Returns the number as it is printed, such as `R-000042` or `FEST-C-000007`. Receipts and credit notes have a series each, as
 * Spanish law asks of credit notes (Real Decreto 1619/2012, article 6.1.a) and German practice does as well (UStAE 14.5 (10) and
 * (11)).
 */
export function printedNumber(prefix: string | null, kind: ReceiptKind, number: number): string {
  return `${prefix === null ? '' : `${prefix}-`}${LETTERS[kind]}-${String(number).padStart(6, '0')}`
}
