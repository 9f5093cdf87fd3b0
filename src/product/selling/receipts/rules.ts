import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { toIso } from '#base/time.ts'
import type { Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import type { AccountDetails } from '#product/administration/accounts/schemas.ts'
import * as checkout from '#product/guests/registrations/checkout.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import { contentsOfPayment, contentsOfRefund, partiesOf, sellerOf, soldTickets } from './contents.ts'
import { presentReceipt, printedNumber, type Receipt, type Snapshot } from './schemas.ts'
import * as store from './store.ts'

/** Money that came in. */
export interface Paid {
  orderId: string
  /** That order, if it was read in this transaction. */
  order?: OrderDetails
  paymentId: string
  /** Minor units of the order's currency. */
  amount: number
  /** When the money came, in milliseconds. */
  at: number
  /** One of `methods` in the texts of receipts. Any other is printed as it is. */
  method: string
}

/** Money that went back. */
export interface PaidBack {
  orderId: string
  paymentId: string
  refundId: string
  /** Minor units of the order's currency. */
  amount: number
  /** When the money went, in milliseconds. */
  at: number
  /** A method as in `Paid`. Without it, the receipt's own method counts. */
  method?: string | undefined
  /** The ids of the tickets that the refund is for. Their rates decide which tax is taken back. */
  tickets?: readonly string[] | undefined
}

/**
 * Makes the receipt of a payment, in the transaction that confirms the payment. If that is undone, no number is taken. For the
 * same payment again, it returns the receipt that the payment has. The date is that of the write, so that a later number never
 * has an earlier date.
 *
 * @returns undefined for an amount of 0, which needs no receipt
 * @throws Problem not_found
 */
export async function issue(tx: WriteTx, paid: Paid): Promise<Receipt | undefined> {
  const { orderId, paymentId, amount, at, method } = paid
  const made = await store.findOf(tx, 'payment_id', paymentId)
  if (made !== undefined) return presentReceipt(made)
  if (amount <= 0) return undefined
  const order = paid.order ?? (await orders.getDetails(tx, orderId))
  const { event } = order
  const account = await accounts.getDetails(tx)
  const sums = contentsOfPayment(soldTickets(order), amount)
  const of = {
    ...({ kind: 'receipt', of_id: null, cancels_id: null, payment_id: paymentId, refund_id: null } as const),
    ...{ order_id: orderId, event_id: event.id, amount, currency: order.currency },
  }
  const parties = partiesOf(account, event, order)
  const isSimplified = parties.seller.tax_id !== null && parties.buyer.address === null
  return insert(tx, account, of, {
    ...(isSimplified ? { simplified: true as const } : {}),
    ...parties,
    ...{ corrects: null, ...sums, paid: { method, at: toIso(at) } },
    exemption: sums.tax === 0 ? account.tax_exemption : null,
  })
}

/**
 * Makes the credit note of a completed refund, in the transaction that completes it. The note names its receipt, and says how
 * much of each rate is taken back. However a receipt is split, its credit notes never exceed it, and in the end come to all of
 * it. For the same refund again, it returns the credit note that the refund has, unless that was cancelled.
 *
 * @returns undefined if the payment has no receipt, as for money that was sent straight back, or if nothing of the receipt is
 *   left
 */
export async function credit(tx: WriteTx, back: PaidBack): Promise<Receipt | undefined> {
  const { orderId, paymentId, refundId, amount, at } = back
  const made = await store.findOf(tx, 'refund_id', refundId)
  if (made !== undefined) return presentReceipt(made)
  const row = await store.findOf(tx, 'payment_id', paymentId)
  if (row === undefined || row.order_id !== orderId) return undefined
  const receipt = presentReceipt(row)
  const credits = (await store.listCredits(tx, receipt.id)).map(presentReceipt)
  const left = receipt.total - credits.reduce((sum, { total }) => sum + total, 0)
  const taken = Math.min(amount, left)
  if (taken <= 0) return undefined
  const ofTickets = async (ids: readonly string[]) =>
    soldTickets(await checkout.readLines(tx, orderId)).filter(({ id }) => ids.includes(id))
  const tickets = back.tickets && (await ofTickets(back.tickets))
  const { buyer, event, order: reference, language, number, issued_at, exemption } = receipt
  const account = await accounts.getDetails(tx)
  const of = {
    ...({ kind: 'credit_note', of_id: receipt.id, cancels_id: null, payment_id: null } as const),
    refund_id: refundId,
    ...{ order_id: orderId, event_id: receipt.event_id, amount: taken, currency: receipt.currency },
  }
  return insert(tx, account, of, {
    ...{ language, buyer, event, order: reference, exemption },
    // The account as it is now is the seller. What was sold, and to whom, comes from the receipt.
    ...sellerOf(account),
    corrects: { number, issued_at },
    ...contentsOfRefund(receipt, credits, taken, tickets),
    paid: { method: back.method ?? receipt.paid.method, at: toIso(at) },
  })
}

/**
 * Cancels the credit note of a refund that failed after it was done, in the transaction that notes the failure. It issues another
 * credit note in the same series, which names the first one and takes back all of it. The receipt stands as before.
 *
 * @param at when the money was back, in milliseconds
 * @returns undefined if no credit note of the refund stands
 */
export async function cancelCredit(tx: WriteTx, refundId: string, at: number): Promise<Receipt | undefined> {
  const row = await store.findOf(tx, 'refund_id', refundId)
  if (row === undefined) return undefined
  const credited = presentReceipt(row)
  const { buyer, event, order, language, number, issued_at, exemption } = credited
  const { lines, rest, taxes, net, tax, total, paid } = credited
  const account = await accounts.getDetails(tx)
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

type NewReceipt = Omit<store.ReceiptRow, 'id' | 'account_id' | 'number' | 'issued_at' | 'snapshot'>

/** Gives a receipt the next number of its kind, and freezes it. */
async function insert(
  tx: WriteTx,
  account: AccountDetails,
  of: NewReceipt,
  stated: Omit<Snapshot, 'number' | 'issued_at'>,
): Promise<Receipt> {
  const number = await store.findNextNumber(tx, of.kind)
  const now = await tx.now()
  const printed = printedNumber(account.receipt_prefix, of.kind, number)
  const { timezone, language, seller, buyer, event, order, corrects, lines, rest, taxes, net, tax, total } =
    stated
  const snapshot: Snapshot = {
    // The keys are in the order of the schema, as in a receipt that a file brings.
    ...{ number: printed, issued_at: toIso(now), timezone, language, seller, buyer, event, order, corrects },
    ...{ lines, rest, taxes, net, tax, total, paid: stated.paid, exemption: stated.exemption },
    ...(stated.simplified === true ? { simplified: true as const } : {}),
  }
  const row = {
    ...{ ...of, id: newUuid(), account_id: account.id, number, issued_at: now },
    snapshot: JSON.stringify(snapshot),
  }
  await store.insert(tx, row)
  return presentReceipt(row)
}

/** Returns when the first receipt of an account was issued, in milliseconds. */
export function findFirst(tx: ReadTx): Promise<number | undefined> {
  return store.findFirst(tx)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, id: string): Promise<Receipt> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return presentReceipt(row)
}

/** Returns the receipts and credit notes of an order, oldest first. */
export async function listByOrder(tx: ReadTx, orderId: string): Promise<Receipt[]> {
  return (await store.listByOrder(tx, orderId)).map(presentReceipt)
}

/**
 * Returns the receipts of an order that its buyer can use, oldest first. A receipt is left out that names nobody any more, and one
 * that credit notes took back as a whole.
 */
export async function listUsable(tx: ReadTx, orderId: string): Promise<Receipt[]> {
  const standing = (await store.listStanding(tx, orderId)).map(presentReceipt)
  const backOf = (id: string) =>
    standing.filter(({ of_id }) => of_id === id).reduce((sum, { total }) => sum + total, 0)
  return standing.filter(({ id, kind, total }) => kind === 'receipt' && backOf(id) < total)
}

/** A page of the receipts from one instant to another, in milliseconds, newest first. */
export interface PageOf extends store.Span {
  after: Position | undefined
  limit: number
}

/** @param after the position of the last receipt of the page before, as `positionOf` returns it */
export async function listPage(tx: ReadTx, { from, until, after, limit }: PageOf): Promise<Receipt[]> {
  return (await store.listNewest(tx, { from, until }, { after, limit })).map(presentReceipt)
}

/** Returns where a receipt stands in such a list. */
export function positionOf({ issued_at, id }: Receipt): Position {
  return { created_at: Date.parse(issued_at), id }
}
