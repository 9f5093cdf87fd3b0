import * as accounts from '../accounts/rules.ts'
import type { AccountDetails } from '../accounts/schemas.ts'
import type { Position } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { newUuid } from '../ids.ts'
import * as orders from '../orders/rules.ts'
import { Problem } from '../problem.ts'
import { toIso } from '../time.ts'
import { contentsOfPayment, contentsOfRefund, partiesOf, sellerOf, soldTickets } from './contents.ts'
import { presentReceipt, printedNumber, type Receipt, type Snapshot } from './schemas.ts'
import * as store from './store.ts'

/** Money that came. */
export interface Paid {
  orderId: string
  paymentId: string
  /** Minor units of the order's currency. */
  amount: number
  /** When it came, in milliseconds. */
  at: number
  /** One of `methods` in the texts of receipts; any other is printed as it is. */
  method: string
}

/** Money that went back. */
export interface PaidBack {
  orderId: string
  paymentId: string
  refundId: string
  /** Minor units of the order's currency. */
  amount: number
  /** When it went, in milliseconds. */
  at: number
  /** As above; left out, how it came. */
  method?: string | undefined
  /** The ids of the tickets that it is for: their rates are those of the tax that is taken back. */
  tickets?: readonly string[] | undefined
}

/**
 * Makes the receipt of a payment, in the transaction that confirms it: one that is undone takes no number. The same payment again
 * gives the receipt that it has. Its date is that of the write, so that a later number never has an earlier one.
 *
 * @returns undefined for an amount of 0, of which there is nothing to say
 * @throws Problem not_found
 */
export async function issue(tx: WriteTx, accountId: string, paid: Paid): Promise<Receipt | undefined> {
  const { orderId, paymentId, amount, at, method } = paid
  const made = await store.findOf(tx, accountId, 'payment_id', paymentId)
  if (made !== undefined) return presentReceipt(made)
  if (amount <= 0) return undefined
  const order = await orders.getDetails(tx, accountId, orderId)
  const account = await accounts.getDetails(tx, accountId)
  const event = await events.getDetails(tx, accountId, order.event_id)
  const sums = contentsOfPayment(soldTickets(order), amount)
  const of = {
    ...({ kind: 'receipt', of_id: null, cancels_id: null, payment_id: paymentId, refund_id: null } as const),
    ...{ order_id: orderId, event_id: event.id, amount, currency: order.currency },
  }
  return insert(tx, account, of, {
    ...partiesOf(account, event, order),
    ...{ corrects: null, ...sums, paid: { method, at: toIso(at) } },
    exemption: sums.tax === 0 ? account.tax_exemption : null,
  })
}

/**
 * Makes the credit note of a refund that is done, in the transaction that says so: it names its receipt, and says of each rate
 * what is taken back. Whatever the parts, they never come to more than the receipt, nor in the end to less. The same refund
 * again gives the credit note that it has, unless that was cancelled.
 *
 * @returns undefined where the payment has no receipt, as money that was sent straight back; or nothing of it is left
 */
export async function credit(tx: WriteTx, accountId: string, back: PaidBack): Promise<Receipt | undefined> {
  const { orderId, paymentId, refundId, amount, at } = back
  const made = await store.findOf(tx, accountId, 'refund_id', refundId)
  if (made !== undefined) return presentReceipt(made)
  const row = await store.findOf(tx, accountId, 'payment_id', paymentId)
  if (row === undefined || row.order_id !== orderId) return undefined
  const receipt = presentReceipt(row)
  const credits = (await store.listCredits(tx, accountId, receipt.id)).map(presentReceipt)
  const left = receipt.total - credits.reduce((sum, { total }) => sum + total, 0)
  const taken = Math.min(amount, left)
  if (taken <= 0) return undefined
  const order = await orders.getDetails(tx, accountId, orderId)
  const tickets = back.tickets && soldTickets(order).filter(({ id }) => back.tickets?.includes(id))
  const { buyer, event, order: reference, language, number, issued_at, exemption } = receipt
  const account = await accounts.getDetails(tx, accountId)
  const of = {
    ...({ kind: 'credit_note', of_id: receipt.id, cancels_id: null, payment_id: null } as const),
    refund_id: refundId,
    ...{ order_id: orderId, event_id: receipt.event_id, amount: taken, currency: receipt.currency },
  }
  return insert(tx, account, of, {
    ...{ language, buyer, event, order: reference, exemption },
    // Who takes it back is who sells now; what was sold, and to whom, the receipt says.
    ...sellerOf(account),
    corrects: { number, issued_at },
    ...contentsOfRefund(receipt, credits, taken, tickets),
    paid: { method: back.method ?? receipt.paid.method, at: toIso(at) },
  })
}

/**
 * Cancels the credit note of a refund that was done and has failed, in the transaction that says so: by another one in the same series,
 * which names it and takes back all that it says. What the receipt says stands again.
 *
 * @param at when the money was back, in milliseconds
 * @returns undefined where no credit note of the refund stands
 */
export async function cancelCredit(
  tx: WriteTx,
  accountId: string,
  refundId: string,
  at: number,
): Promise<Receipt | undefined> {
  const row = await store.findOf(tx, accountId, 'refund_id', refundId)
  if (row === undefined) return undefined
  const credited = presentReceipt(row)
  const { buyer, event, order, language, number, issued_at, exemption } = credited
  const { lines, rest, taxes, net, tax, total, paid } = credited
  const account = await accounts.getDetails(tx, accountId)
  const { of_id, order_id, event_id, amount, currency } = row
  const of = {
    ...({ kind: 'credit_note', of_id, cancels_id: row.id, payment_id: null, refund_id: refundId } as const),
    ...{ order_id, event_id, amount, currency },
  }
  return insert(tx, account, of, {
    ...{ language, buyer, event, order, exemption },
    ...sellerOf(account),
    corrects: { number, issued_at },
    ...{ lines, rest, taxes, net, tax, total },
    paid: { method: paid.method, at: toIso(at) },
  })
}

type Made = Omit<store.ReceiptRow, 'id' | 'account_id' | 'number' | 'issued_at' | 'snapshot'>

/** Gives it the next number of its kind, and freezes it. */
async function insert(
  tx: WriteTx,
  account: AccountDetails,
  of: Made,
  said: Omit<Snapshot, 'number' | 'issued_at'>,
): Promise<Receipt> {
  const number = await store.findNextNumber(tx, account.id, of.kind)
  const now = await tx.now()
  const printed = printedNumber(account.receipt_prefix, of.kind, number)
  const { timezone, language, seller, buyer, event, order, corrects, lines, rest, taxes, net, tax, total } =
    said
  const snapshot: Snapshot = {
    // In the order of its schema, as that of a receipt that a file brings.
    ...{ number: printed, issued_at: toIso(now), timezone, language, seller, buyer, event, order, corrects },
    ...{ lines, rest, taxes, net, tax, total, paid: said.paid, exemption: said.exemption },
  }
  const row = {
    ...{ ...of, id: newUuid(), account_id: account.id, number, issued_at: now },
    snapshot: JSON.stringify(snapshot),
  }
  await store.insert(tx, row)
  return presentReceipt(row)
}

/** When the first receipt of an account was issued, in milliseconds. */
export function findFirst(tx: ReadTx, accountId: string): Promise<number | undefined> {
  return store.findFirst(tx, accountId)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string, id: string): Promise<Receipt> {
  const row = await store.find(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found')
  return presentReceipt(row)
}

/** Receipts and credit notes of an order, oldest first. */
export async function listByOrder(tx: ReadTx, accountId: string, orderId: string): Promise<Receipt[]> {
  return (await store.listByOrder(tx, accountId, orderId)).map(presentReceipt)
}

/** A page of what was issued from one instant to another, in milliseconds; newest first. */
export interface PageOf extends store.Span {
  after: Position | undefined
  limit: number
}

/** @param after the position of the last of the page before, as `positionOf` gives it */
export async function listPage(
  tx: ReadTx,
  accountId: string,
  { from, until, after, limit }: PageOf,
): Promise<Receipt[]> {
  return (await store.listNewest(tx, accountId, { from, until }, { after, limit })).map(presentReceipt)
}

/** Where a receipt stands in such a list. */
export function positionOf({ issued_at, id }: Receipt): Position {
  return { created_at: Date.parse(issued_at), id }
}
