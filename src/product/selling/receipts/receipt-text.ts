import { Format } from '../web/format.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import type { Language } from '../web/texts/languages.ts'
import type { Texts } from '../web/texts/texts.ts'
import { inBooks, type Receipt } from './schemas.ts'

/** What a receipt says in the words of its language: the same on its page and in its file. */
export interface SaidReceipt {
  language: Language
  /** What it is: a receipt, an invoice, a credit note. */
  kind: string
  number: string
  seller: Party
  buyer: Party
  facts: Said[]
  columns: { name: string; quantity: string; price: string; rate: string; amount: string }
  lines: SaidLine[]
  /** What of it is net, and what is tax, by rate; null where it says why there is no tax. */
  rates: { columns: [rate: string, net: string, tax: string, gross: string]; rows: string[][] } | null
  total: Said
  notes: string[]
}

export interface Said {
  label: string
  value: string
}

export interface Party {
  label: string
  lines: string[]
}

export interface SaidLine {
  name: string
  /** Below the name, in small. */
  note: string | null
  quantity: string
  price: string
  rate: string
  amount: string
}

/** Amounts of a credit note are below zero; those of one that cancels another, above. */
export function sayReceipt(receipt: Receipt): SaidReceipt {
  const { language, timezone, currency, kind, seller, corrects, tax, exemption } = receipt
  const { receipts: words } = textsIn(language)
  const format = new Format(language, timezone)
  const isBack = kind === 'credit_note'
  const isCancelling = receipt.cancels_id !== null
  const money = (amount: number) => format.money(inBooks(receipt, amount), currency)
  const rate = (basisPoints: number) => words.rate(format.number(basisPoints / 100))
  // Who names no tax names no rate either.
  const isExempt = tax === 0 && exemption !== null
  const facts: (Said | null)[] = [
    { label: words.issued, value: format.date(receipt.issued_at) },
    corrects && {
      label: isCancelling ? words.cancels : words.corrects,
      value: words.correctsOf(corrects.number, format.date(corrects.issued_at)),
    },
    { label: words.event, value: receipt.event.title },
    { label: words.supply, value: supplyOf(receipt, words) },
    { label: words.order, value: receipt.order },
    {
      label: isCancelling ? words.cameBack : isBack ? words.paidBack : words.paid,
      value: paidOf(receipt, words, format),
    },
  ]
  return {
    ...{ language, number: receipt.number },
    kind: words.title[
      isCancelling ? 'cancellation' : isBack ? 'credit_note' : seller.tax_id === null ? 'receipt' : 'invoice'
    ],
    seller: { label: words.seller, lines: sellerLines(receipt, words) },
    buyer: { label: words.buyer, lines: buyerLines(receipt, words) },
    facts: facts.filter(fact => fact !== null),
    columns: {
      ...{ name: words.description, quantity: words.quantity, price: words.price },
      ...{ rate: isExempt ? '' : words.taxRate, amount: words.amount },
    },
    lines: [
      ...receipt.lines.map(line => ({
        name: line.name,
        note: line.discount === 0 ? null : words.less(format.money(line.discount, currency)),
        quantity: format.number(line.quantity),
        price: format.money(line.unit_price, currency),
        rate: isExempt ? '' : rate(line.tax_basis_points),
        amount: money(line.amount),
      })),
      ...restLines(receipt, words, money),
    ],
    rates: isExempt
      ? null
      : {
          columns: [words.taxRate, words.net, words.tax, words.gross],
          rows: receipt.taxes.map(share => [
            rate(share.basis_points),
            ...[share.net, share.tax, share.gross].map(money),
          ]),
        },
    total: { label: isBack && !isCancelling ? words.totalBack : words.total, value: money(receipt.total) },
    notes: tax === 0 ? (exemption ?? '').split('\n').filter(isSaid) : [words.includesTax],
  }
}

const isSaid = (text: string) => text.trim() !== ''

/** When what was sold takes place, as the clocks there show it. */
function supplyOf(
  { event: { starts_at, ends_at, timezone }, language }: Receipt,
  words: Texts['receipts'],
): string {
  if (starts_at === null) return words.dateOpen
  const there = new Format(language, timezone)
  return ends_at === null ? there.date(starts_at) : there.dates(starts_at, ends_at)
}

function paidOf({ paid: { method, at } }: Receipt, words: Texts['receipts'], format: Format): string {
  const date = format.date(at)
  if (method === null) return date
  return words.paidBy(date, Object.hasOwn(words.methods, method) ? (words.methods[method] as string) : method)
}

function sellerLines({ seller: { name, address, tax_id } }: Receipt, words: Texts['receipts']): string[] {
  return [name, ...(address ?? '').split('\n'), tax_id === null ? '' : words.taxId(tax_id)].filter(isSaid)
}

function buyerLines(
  { buyer: { name, company, address, vat_id } }: Receipt,
  words: Texts['receipts'],
): string[] {
  const who = company === null ? [name] : [company, words.attention(name)]
  return [...who, ...(address ?? '').split('\n'), vat_id === null ? '' : words.vatId(vat_id)].filter(isSaid)
}

function restLines(
  { rest, kind, lines }: Receipt,
  { rest: words }: Texts['receipts'],
  money: (amount: number) => string,
): SaidLine[] {
  if (rest === 0) return []
  const less = kind === 'credit_note' ? words.lessBack : words.lessPaid
  const name = lines.length === 0 && kind === 'credit_note' ? words.part : rest < 0 ? less : words.morePaid
  return [{ name, note: null, quantity: '', price: '', rate: '', amount: money(rest) }]
}
