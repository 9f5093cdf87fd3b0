import type { ReadTx } from '#machinery/db/port.ts'
import type { Content, MailToSend, Part } from '#machinery/mail/kind.ts'
import { Format } from '#machinery/web/format.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import type { AboutEvent } from '#product/selling/orders/about.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import { titleOf } from '#product/selling/receipts/receipt-text.ts'
import type { Receipt } from '#product/selling/receipts/schemas.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import { describeInstant } from './event-time.ts'
import { inColumns, oneLine } from './plain-lines.ts'
import { readStatement, type Statement, type StatementLine } from './statement.ts'

/** What surrounds a statement. */
interface Surrounding {
  order: Pick<OrderDetails, 'waits_for' | 'expires_at'>
  event: Pick<EventDetails, 'timezone'>
  /** The time zone of the seller, in which receipts are dated. */
  timezone: string
  language: Language
  /** The reason why there is no tax, as receipts print it. */
  exemption: string | null
  /** Whether another part says how to pay. */
  saysHowToPay?: boolean
  /** Whether the money that is due was sent already and takes its time, so that nobody is asked for it again. */
  isUnderWay?: boolean
  /** The receipts that the letter encloses, as their titles. */
  enclosed?: readonly string[]
  /** What stands above the table, in the same block. */
  head?: readonly Part[]
}

/** A row of the table. */
interface Row {
  key: string
  label: string
  /** What stands below the label in small letters. */
  notes: string[]
  /** What one costs. A letter without HTML has a column for it, and HTML says it below the label if there are several. */
  price?: { amount: string; note: string | null }
  amount: string
  isSum?: boolean
}

/** Reads the statement of an order, and returns the part of a letter that shows it. */
export async function readStatementPart(
  tx: ReadTx,
  order: OrderDetails,
  { event, account }: Pick<AboutEvent, 'event' | 'account'>,
  language: Language,
  more: Pick<Surrounding, 'saysHowToPay' | 'isUnderWay' | 'enclosed' | 'head'> = {},
): Promise<Part> {
  const { timezone, tax_exemption: exemption } = account
  const around = { order, event, timezone, exemption, language, ...more }
  return showStatement(await readStatement(tx, order), around)
}

/** Does the same for a mail that encloses nothing else. */
export async function encloseStatement(
  tx: ReadTx,
  { language }: Pick<MailToSend, 'language'>,
  of: Pick<AboutEvent, 'event' | 'account'> & { order: OrderDetails },
): Promise<Pick<Content, 'parts'>> {
  return { parts: [await readStatementPart(tx, of.order, of, language)] }
}

/** Returns the part of a letter that lists what was ordered, what it comes to with its taxes, and what was paid or is to be. */
function showStatement(statement: Statement, around: Surrounding): Part {
  const { enclosed = [], head = [], language } = around
  const { orderMail: say } = textsIn(language)
  const rows = [...lineRows(statement, around), ...(statement.isFree ? [] : sumRows(statement, around))]
  const sentences = [
    ...payingSentences(statement, around),
    ...(enclosed.length === 0 ? [] : [say.attached(enclosed.join(', '))]),
  ]
  return {
    html: (
      <div key="statement" class="part" style="margin:24px 0 0;padding:24px 0 0;border-top:1px solid #dfe3ea">
        {head.map(part => part.html)}
        <table
          role="presentation"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          style="border-collapse:collapse"
        >
          {rows.map(row => (
            <tr key={row.key}>
              <td style={`padding:4px 12px 4px 0;vertical-align:top${row.isSum ? ';font-weight:600' : ''}`}>
                <bdi>{row.label}</bdi>
                {notesOf(row).map(note => (
                  <div key={note} class="quiet" style="font-size:14px;font-weight:400;color:#4d5564">
                    {note}
                  </div>
                ))}
              </td>
              {!statement.isFree && (
                <td
                  align="right"
                  style={`padding:4px 0;vertical-align:top;text-align:right;white-space:nowrap${row.isSum ? ';font-weight:600' : ''}`}
                >
                  {row.amount}
                </td>
              )}
            </tr>
          ))}
        </table>
        {sentences.map(sentence => (
          <p key={sentence} style="margin:8px 0 0">
            {sentence}
          </p>
        ))}
      </div>
    ),
    text: [
      ...head.map(part => part.text),
      [inColumns(rows.flatMap(plainRows)), ...sentences].join('\n'),
    ].join('\n\n'),
  }
}

function plainRows({ label, notes, price, amount }: Row): string[][] {
  return [[label, price?.amount ?? '', amount], ...notes.map(note => [`  ${note}`])]
}

function notesOf({ price, notes }: Row): string[] {
  return price === undefined || price.note === null ? notes : [price.note, ...notes]
}

function lineRows({ lines, currency, isFree }: Statement, { language }: Surrounding): Row[] {
  const { orderMail: say } = textsIn(language)
  const format = new Format(language, 'UTC')
  const voidOf = ({ voided }: StatementLine) => (voided === 0 ? [] : [say.void(voided)])
  return lines.map((line, at) => {
    const label = say.line(format.number(line.quantity), oneLine(line.name))
    if (isFree) return { key: `${at}`, label, notes: voidOf(line), amount: '' }
    const amount = format.money(line.price, currency)
    return {
      ...{ key: `${at}`, label, notes: voidOf(line), amount: format.money(line.amount, currency) },
      price: { amount, note: line.quantity === 1 ? null : say.each(amount) },
    }
  })
}

function sumRows(statement: Statement, around: Surrounding): Row[] {
  const { order, event, language, timezone, exemption, isUnderWay } = around
  const { orderMail: say, receipts: words } = textsIn(language)
  const format = new Format(language, timezone)
  const { discount, total, taxes, moved, coming, stays, due, currency } = statement
  const money = (amount: number) => format.money(amount, currency)
  const shares = taxes.map(({ basis_points, tax }) =>
    `${words.rate(format.number(basis_points / 100))} ${money(tax)}`.replaceAll(' ', '\u00a0'),
  )
  const taxNotes =
    shares.length > 0 ? [say.taxIncluded(shares)] : exemption === null ? [] : [oneLine(exemption)]
  const movedRows = moved.map(({ kind, amount, at, method }, n) => {
    const what = say.moved[kind](format.date(at))
    const by = Object.hasOwn(words.methods, method) ? say.by(what, words.methods[method] as string) : what
    return { key: `moved ${n}`, label: by, notes: [], amount: money(amount) }
  })
  const wentBack = coming > 0 || moved.some(({ kind }) => kind !== 'paid')
  const until = order.expires_at === null ? '' : describeInstant(event, order.expires_at, language)
  return [
    ...(discount > 0 ? [{ key: 'discount', label: say.discount, notes: [], amount: money(-discount) }] : []),
    { key: 'total', label: say.total, notes: taxNotes, amount: money(total), isSum: true },
    ...movedRows,
    ...(coming > 0 ? [{ key: 'coming', label: say.coming, notes: [], amount: money(-coming) }] : []),
    ...(wentBack ? [{ key: 'stays', label: say.stays, notes: [], amount: money(stays), isSum: true }] : []),
    ...(due > 0
      ? [
          {
            key: 'due',
            label: isUnderWay ? say.underWay : say.due(until),
            notes: [],
            amount: money(due),
            isSum: true,
          },
        ]
      : []),
  ]
}

function payingSentences(
  { isFree, due }: Statement,
  { order, language, saysHowToPay }: Surrounding,
): string[] {
  const { orderMail, payment } = textsIn(language)
  if (isFree) return []
  if (order.waits_for === 'approval') return [payment.afterApproval]
  return due > 0 && saysHowToPay !== true ? [orderMail.payOnPage] : []
}

/** Returns the title and number of a receipt, in the language of a letter. */
export function nameReceipt(receipt: Receipt, language: Language): string {
  return textsIn(language).receipts.of(titleOf(receipt, language), receipt.number)
}
