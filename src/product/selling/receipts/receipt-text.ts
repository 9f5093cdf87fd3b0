import { Format } from '#machinery/web/format.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import type { Texts } from '#texts/texts.ts'
import { inBooks, type Receipt } from './schemas.ts'

/** What a receipt says, in the words of its language. Its page and its file say the same. */
export interface ReceiptText {
  language: Language
  /** It says whether this is a receipt, an invoice or a credit note. */
  kind: string
  number: string
  seller: Party
  buyer: Party
  facts: ReceiptFact[]
  columns: { name: string; quantity: string; price: string; rate: string; amount: string }
  lines: ReceiptTextLine[]
  /** The net amount and the tax of each rate. It is null if the receipt says why there is no tax. */
  rates: { columns: [rate: string, net: string, tax: string, gross: string]; rows: string[][] } | null
  total: ReceiptFact
  notes: string[]
}

export interface ReceiptFact {
  label: string
  value: string
}

export interface Party {
  label: string
  lines: string[]
}

export interface ReceiptTextLine {
  name: string
  /** It stands below the name in small letters. */
  note: string | null
  quantity: string
  price: string
  rate: string
  amount: string
}

/** Returns the text of a receipt. A credit note has amounts below zero, and one that cancels another has them above. */
export function receiptText(receipt: Receipt): ReceiptText {
  const { language, timezone, currency, kind, corrects, tax, exemption } = receipt
  const { receipts: words } = textsIn(language)
  const format = new Format(language, timezone)
  const isBack = kind === 'credit_note'
  const isCancelling = receipt.cancels_id !== null
  const money = (amount: number) => format.money(inBooks(receipt, amount), currency)
  const rate = (basisPoints: number) => words.rate(format.number(basisPoints / 100))
  // A seller who charges no tax states no rate either.
  const isExempt = tax === 0 && exemption !== null
  const facts: (ReceiptFact | null)[] = [
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
    kind: titleOf(receipt, language),
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
    notes: tax === 0 ? (exemption ?? '').split('\n').filter(isFilled) : [words.includesTax],
  }
}

/** Returns what a receipt is called in a language: one with the tax number of the seller is an invoice. */
export function titleOf({ kind, cancels_id, seller, simplified }: Receipt, language: Language): string {
  const { title } = textsIn(language).receipts
  if (cancels_id !== null) return title.cancellation
  if (kind === 'credit_note') return title.credit_note
  if (seller.tax_id === null) return title.receipt
  return simplified === true ? title.simplified : title.invoice
}

const isFilled = (text: string) => text.trim() !== ''

/** Returns when the event takes place, in the event's time zone. */
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
  return [name, ...(address ?? '').split('\n'), tax_id === null ? '' : words.taxId(tax_id)].filter(isFilled)
}

function buyerLines(
  { buyer: { name, company, address, vat_id } }: Receipt,
  words: Texts['receipts'],
): string[] {
  const who = company === null ? [name] : [company, words.attention(name)]
  return [...who, ...(address ?? '').split('\n'), vat_id === null ? '' : words.vatId(vat_id)].filter(isFilled)
}

function restLines(
  { rest, kind, lines }: Receipt,
  { rest: words }: Texts['receipts'],
  money: (amount: number) => string,
): ReceiptTextLine[] {
  if (rest === 0) return []
  const less = kind === 'credit_note' ? words.lessBack : words.lessPaid
  const name = lines.length === 0 && kind === 'credit_note' ? words.part : rest < 0 ? less : words.morePaid
  return [{ name, note: null, quantity: '', price: '', rate: '', amount: money(rest) }]
}
