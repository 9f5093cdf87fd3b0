import { readInList } from '#machinery/db/in-list.ts'
import type { Page } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { TicketPrice } from '#product/guests/attendees/rules.ts'
import type { Recorded } from '#product/selling/ledger/rules.ts'
import type { LedgerRow } from '#product/selling/ledger/store.ts'
import type { OrderRow } from '#product/selling/orders/store.ts'
import type { PartPaid } from './payment-items.ts'

/** Lists the items that are kept as they are, with the key of each and what a file says about it, in the file's own names. */
const KEPT = {
  waitlist_entries: {
    key: 'reference',
    columns: `(SELECT t.name FROM registration_types t WHERE t.id = i.registration_type_id) AS registration_type,
      i.name, i.email, i.quantity, i.created_at, i.notified_at`,
  },
  abstracts: {
    key: 'code',
    columns: `i.title, i.abstract, i.keywords, i.authors, i.contact, i.file_name, i.status, i.decision_note, i.decided_at,
      i.submitted_at`,
  },
  orders: {
    key: 'reference',
    columns: `i.status, i.waits_for, i.failed_for, i.buyer_name, i.buyer_email, i.language, i.currency, i.amount_total, i.terms,
      i.buyer_company, i.buyer_address, i.buyer_vat_id, i.created_at, i.expires_at, i.confirmed_at, i.failed_at`,
  },
} as const

export type KeptTable = keyof typeof KEPT

export interface KeptRow {
  id: string
  key: string
  [column: string]: string | number | null
}

/** Lists those items that the event has already. */
export function listKept(
  tx: ReadTx,
  table: KeptTable,
  eventId: string,
  keys: readonly string[],
): Promise<KeptRow[]> {
  const { key, columns } = KEPT[table]
  return readInList(
    tx,
    keys,
    [tx.accountId, eventId],
    // The account is compared on the event. Beside the key it would lead the planner to the index of a list.
    list => `SELECT i.id, i.${key} AS key, ${columns} FROM events e JOIN ${table} i ON i.event_id = e.id
       WHERE e.account_id = $1 AND e.id = $2 AND i.${key} IN ${list}`,
  )
}

/** An order as a file has it, with its position. */
export type ListedOrder = Omit<
  OrderRow,
  'account_id' | 'event_id' | 'buyer_email_key' | 'form_id' | 'secret_version' | 'placed_from' | 'standing'
>

/** Returns a page of the orders of an event, oldest first. */
export function listOrders(tx: ReadTx, eventId: string, { limit, after }: Page): Promise<ListedOrder[]> {
  return tx.all(
    `SELECT o.id, o.reference, o.status, o.waits_for, o.failed_for, o.buyer_name, o.buyer_email, o.language, o.currency,
       o.amount_total, o.terms, o.expires_at, o.confirmed_at, o.failed_at, o.created_at, o.buyer_company, o.buyer_address,
       o.buyer_vat_id, o.verified_at
     FROM orders o WHERE o.account_id = $1 AND o.event_id = $2 AND (o.created_at, o.id) > ($3, $4)
     ORDER BY o.created_at, o.id LIMIT $5`,
    [tx.accountId, eventId, after?.created_at ?? Number.MIN_SAFE_INTEGER, after?.id ?? '', limit],
  )
}

/** Returns the ledger entries of these orders by the id of the order, oldest first. */
export async function listMoved(tx: ReadTx, orderIds: readonly string[]): Promise<Map<string, MovedRow[]>> {
  const rows = await readInList<MovedRow>(
    tx,
    orderIds,
    [tx.accountId],
    list => `SELECT l.order_id, l.kind, l.entry_id, l.method, l.amount, l.moved_at FROM ledger_entries l
       WHERE l.account_id = $1 AND l.order_id IN ${list}`,
  )
  const moved = groupByOrder(rows)
  for (const entries of moved.values()) entries.sort(inOrder)
  return moved
}

/** Returns the open payments of these orders for which money has come, by the id of the order. */
export async function listPartPaid(tx: ReadTx, orderIds: readonly string[]): Promise<Map<string, PartPaid>> {
  const rows = await readInList<
    Omit<PartPaid, 'came'> & { order_id: string; entry_id: string; moved_at: number }
  >(
    tx,
    orderIds,
    [tx.accountId],
    list => `SELECT p.order_id, p.method, p.reference, p.amount, p.created_at, l.entry_id, l.moved_at
       FROM payments p JOIN orders o ON o.id = p.order_id
       JOIN ledger_entries l ON l.account_id = p.account_id AND l.order_id = p.order_id AND l.payment_id = p.id
         AND l.kind = 'payment'
       WHERE p.account_id = $1 AND p.order_id IN ${list} AND o.waits_for = 'payment' AND p.ended_at IS NULL AND p.received > 0`,
  )
  const paid = new Map<string, PartPaid>()
  rows.sort((one, other) => one.moved_at - other.moved_at || (one.entry_id < other.entry_id ? -1 : 1))
  for (const { order_id, entry_id, moved_at: _, ...row } of rows)
    paid.set(order_id, { ...row, came: [...(paid.get(order_id)?.came ?? []), entry_id] })
  return paid
}

/** Finds which references of payments an account has already. Each is returned with the prefix `reference`. */
export async function findReferences(tx: ReadTx, references: readonly string[]): Promise<string[]> {
  const rows = await readInList<{ reference: string }>(
    tx,
    references,
    [tx.accountId],
    list => `SELECT p.reference FROM payments p WHERE p.account_id = $1 AND p.reference IN ${list}`,
  )
  return rows.map(({ reference }) => `reference ${reference}`)
}

/** Finds which of this money an account has already, each item as its kind and id. */
export async function findMoved(
  tx: ReadTx,
  items: readonly { kind: string; id: string }[],
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const kind of new Set(items.map(item => item.kind))) {
    const ids = items.filter(item => item.kind === kind).map(({ id }) => id)
    const rows = await readInList<{ entry_id: string }>(
      tx,
      ids,
      [tx.accountId, kind],
      list =>
        `SELECT l.entry_id FROM ledger_entries l WHERE l.account_id = $1 AND l.kind = $2 AND l.entry_id IN ${list}`,
    )
    for (const { entry_id } of rows) found.add(`${kind} ${entry_id}`)
  }
  return found
}

type MovedRow = Pick<LedgerRow, 'kind' | 'entry_id' | 'method' | 'amount' | 'moved_at'> & {
  order_id: string
}

function inOrder(one: MovedRow, other: MovedRow): number {
  const name = ({ kind, entry_id }: MovedRow) => `${kind} ${entry_id}`
  return one.moved_at - other.moved_at || (name(one) < name(other) ? -1 : 1)
}

/** Returns the amounts of the lines of these orders, by the id of the order. */
export async function listMoney(
  tx: ReadTx,
  orderIds: readonly string[],
): Promise<Map<string, (Recorded & { order_id: string })[]>> {
  return groupByOrder(
    await readInList<Recorded & { order_id: string }>(
      tx,
      orderIds,
      [tx.accountId],
      list => `SELECT r.id, r.event_id, r.order_id, r.currency, r.amount_total, r.processor_fee, r.refunded_amount,
         r.confirmed_at, r.refunded_at FROM registrations r WHERE r.account_id = $1 AND r.order_id IN ${list}`,
    ),
  )
}

function groupByOrder<Row extends { order_id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.order_id)
    if (group === undefined) groups.set(row.order_id, [row])
    else group.push(row)
  }
  return groups
}

interface Line {
  id: string
  reference: string
}

/** Returns the references of the orders to which these registrations belong, by the id of the registration. */
export async function findLines(
  tx: ReadTx,
  registrationIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await readInList<Line>(
    tx,
    registrationIds,
    [tx.accountId],
    // CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
    list => `SELECT r.id, o.reference FROM registrations r JOIN orders o ON o.id = r.order_id WHERE r.id IN ${list}
       AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

/** Returns the prices at which the tickets of these registrations were sold, by the id of the ticket. */
export async function listPrices(
  tx: ReadTx,
  registrationIds: readonly string[],
): Promise<Map<string, TicketPrice>> {
  const rows = await readInList<TicketPrice & { id: string }>(
    tx,
    registrationIds,
    [tx.accountId],
    list => `SELECT a.id, a.price, a.discount, a.tax, a.tax_basis_points FROM attendees a
       JOIN registrations r ON r.id = a.registration_id WHERE a.registration_id IN ${list} AND a.price IS NOT NULL
       AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
  return new Map(rows.map(({ id, ...price }) => [id, price]))
}
