import * as v from 'valibot'
import { says } from '../faults.ts'
import * as fields from '../fields.ts'
import { MAX_AMOUNT } from '../money.ts'
import { MAX_QUANTITY, MAX_REFERENCE } from '../registrations/schemas.ts'
import { languages } from '../registrations/states.ts'
import { parseInstant, toIso } from '../time.ts'
import type { ReceiptRow } from './store.ts'

/** A credit note takes back a receipt, or a part of it, or cancels another credit note. */
export const receiptKinds = ['receipt', 'credit_note'] as const
export type ReceiptKind = (typeof receiptKinds)[number]

/** More than any order comes to, in minor units. */
const MOST = MAX_AMOUNT * MAX_QUANTITY
const amount = fields.amountUpTo(MOST)
const basisPoints = fields.integer(0, 10_000)
/** As it is kept, too. */
const instant = v.pipe(
  v.string(says('string')),
  v.check(isKeptInstant, says('instant', { example: '2026-12-01T09:00:00.000Z' })),
)

function isKeptInstant(text: string): boolean {
  const parsed = parseInstant(text)
  return parsed !== undefined && toIso(parsed) === text
}

/** As they were: what was taken once, is kept. */
const words = (max: number) => fields.text(max)
const maybe = (max: number) => v.nullable(words(max))

const line = fields.closedObject({
  /** Of the type. */
  name: words(200),
  quantity: fields.integer(1, MAX_QUANTITY),
  unit_price: amount,
  /** Taken off each. */
  discount: amount,
  /** Of all of them, with tax. */
  amount,
  tax_basis_points: basisPoints,
})

const share = fields.closedObject({ basis_points: basisPoints, net: amount, tax: amount, gross: amount })

/**
 * All that a receipt says, frozen when it is made. Amounts in minor units, those of a credit note too: it says that they are taken
 * back, or stand again where it cancels another; prices include their tax.
 */
export const snapshotSchema = fields.closedObject({
  /** As it is printed: no other of the account has it. */
  number: words(30),
  issued_at: instant,
  /** Of the account: its dates are said in it. */
  timezone: fields.timezone,
  /** Of the order. */
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
  /** What was sold, and when it takes place: the date of supply. */
  event: fields.closedObject({
    title: words(200),
    starts_at: v.nullable(instant),
    ends_at: v.nullable(instant),
    timezone: fields.timezone,
  }),
  /** What people name the order by. */
  order: words(MAX_REFERENCE),
  /** The receipt that a credit note is of, or the credit note that it cancels. */
  corrects: v.nullable(fields.closedObject({ number: words(30), issued_at: instant })),
  lines: v.array(line, says('array')),
  /** What of the total is in no line: of a payment or a refund that is not for whole tickets. */
  rest: fields.integer(-MOST, MOST),
  /** By rate. */
  taxes: v.array(share, says('array')),
  net: amount,
  tax: amount,
  total: amount,
  /** How it was paid, or paid back, and when. */
  paid: fields.closedObject({ method: maybe(50), at: instant }),
  /** Where no tax is in it: why. */
  exemption: maybe(300),
})

export type Snapshot = v.InferOutput<typeof snapshotSchema>
export type ReceiptLine = Snapshot['lines'][number]

/** A receipt or a credit note. */
export interface Receipt extends Snapshot {
  id: string
  account_id: string
  kind: ReceiptKind
  /** Of the receipt that a credit note is of. */
  of_id: string | null
  /** Of the credit note that one cancels. */
  cancels_id: string | null
  order_id: string
  event_id: string
  payment_id: string | null
  refund_id: string | null
  /** Minor units: what is paid, or paid back. */
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

/** What a receipt or credit note is to whoever sums up: an amount as it stands in the books, in minor units. */
export function inBooks({ kind, cancels_id }: Receipt, amount: number): number {
  return kind === 'credit_note' && cancels_id === null ? -amount : amount
}

const LETTERS = { receipt: 'R', credit_note: 'C' } as const

/**
 * The number as it is printed: `R-000042`, `FEST-C-000007`. Receipts and credit notes have a series each, as Spanish law asks of
 * credit notes (Real Decreto 1619/2012, article 6.1.a) and German practice takes as well (UStAE 14.5 (10) and (11)).
 */
export function printedNumber(prefix: string | null, kind: ReceiptKind, number: number): string {
  return `${prefix === null ? '' : `${prefix}-`}${LETTERS[kind]}-${String(number).padStart(6, '0')}`
}
