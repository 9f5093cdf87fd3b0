import type { TicketPrice } from '../attendees/rules.ts'
import { readInList } from '../db/in-list.ts'
import type { ReadTx } from '../db/port.ts'
import type { Recorded } from '../ledger/rules.ts'
import type { LedgerRow } from '../ledger/store.ts'
import type { OrderRow } from '../orders/store.ts'
import type { PartPaid } from './payment-items.ts'

/** Of items that are kept as they are: what each is known by, and what a file says of it, as the file calls it. */
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

/** Those items of an event that are there already. */
export function listKept(
  tx: ReadTx,
  table: KeptTable,
  accountId: string,
  eventId: string,
  keys: readonly string[],
): Promise<KeptRow[]> {
  const { key, columns } = KEPT[table]
  return readInList(
    tx,
    keys,
    [accountId, eventId],
    // The account is asked of the event: beside the key it would lead the planner to the index of a list.
    list => `SELECT i.id, i.${key} AS key, ${columns} FROM events e JOIN ${table} i ON i.event_id = e.id
       WHERE e.account_id = $1 AND e.id = $2 AND i.${key} IN ${list}`,
  )
}

/** An order, as a file has it. */
export type ListedOrder = Omit<
  OrderRow,
  'id' | 'account_id' | 'event_id' | 'buyer_email_key' | 'form_id' | 'secret_version' | 'standing'
>

/** The orders of an event, oldest first. */
export function listOrders(tx: ReadTx, accountId: string, eventId: string): Promise<ListedOrder[]> {
  return tx.all(
    `SELECT o.reference, o.status, o.waits_for, o.failed_for, o.buyer_name, o.buyer_email, o.language, o.currency,
       o.amount_total, o.terms, o.expires_at, o.confirmed_at, o.failed_at, o.created_at, o.buyer_company, o.buyer_address,
       o.buyer_vat_id
     FROM orders o WHERE o.account_id = $1 AND o.event_id = $2 ORDER BY o.created_at, o.id`,
    [accountId, eventId],
  )
}

/** What has moved for the orders of an event, by their reference, the oldest first. */
export async function listMoved(
  tx: ReadTx,
  accountId: string,
  eventId: string,
): Promise<Map<string, MovedRow[]>> {
  const rows = await tx.all<MovedRow>(
    `SELECT o.reference, l.kind, l.entry_id, l.method, l.amount, l.moved_at
     FROM orders o JOIN ledger_entries l ON l.account_id = o.account_id AND l.order_id = o.id
     WHERE o.account_id = $1 AND o.event_id = $2`,
    [accountId, eventId],
  )
  const moved = groupByReference(rows)
  for (const entries of moved.values()) entries.sort(inOrder)
  return moved
}

/** The open payments of an event that something came for, by the reference of their order. */
export async function listPartPaid(
  tx: ReadTx,
  accountId: string,
  eventId: string,
): Promise<Map<string, PartPaid>> {
  const rows = await tx.all<Omit<PartPaid, 'came'> & { order: string; entry_id: string; moved_at: number }>(
    `SELECT o.reference AS "order", p.method, p.reference, p.amount, p.created_at, l.entry_id, l.moved_at
     FROM orders o JOIN payments p ON p.account_id = o.account_id AND p.order_id = o.id
     JOIN ledger_entries l ON l.account_id = o.account_id AND l.order_id = o.id AND l.payment_id = p.id AND l.kind = 'payment'
     WHERE o.account_id = $1 AND o.event_id = $2 AND o.waits_for = 'payment' AND p.ended_at IS NULL AND p.received > 0`,
    [accountId, eventId],
  )
  const paid = new Map<string, PartPaid>()
  rows.sort((one, other) => one.moved_at - other.moved_at || (one.entry_id < other.entry_id ? -1 : 1))
  for (const { order, entry_id, moved_at: _, ...row } of rows)
    paid.set(order, { ...row, came: [...(paid.get(order)?.came ?? []), entry_id] })
  return paid
}

/** Which references of payments an account has already, each as `reference` and it. */
export async function findReferences(
  tx: ReadTx,
  accountId: string,
  references: readonly string[],
): Promise<string[]> {
  const rows = await readInList<{ reference: string }>(
    tx,
    references,
    [accountId],
    list => `SELECT p.reference FROM payments p WHERE p.account_id = $1 AND p.reference IN ${list}`,
  )
  return rows.map(({ reference }) => `reference ${reference}`)
}

/** Which of this money an account has already, each as its kind and id. */
export async function findMoved(
  tx: ReadTx,
  accountId: string,
  items: readonly { kind: string; id: string }[],
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const kind of new Set(items.map(item => item.kind))) {
    const ids = items.filter(item => item.kind === kind).map(({ id }) => id)
    const rows = await readInList<{ entry_id: string }>(
      tx,
      ids,
      [accountId, kind],
      list =>
        `SELECT l.entry_id FROM ledger_entries l WHERE l.account_id = $1 AND l.kind = $2 AND l.entry_id IN ${list}`,
    )
    for (const { entry_id } of rows) found.add(`${kind} ${entry_id}`)
  }
  return found
}

type MovedRow = Pick<LedgerRow, 'kind' | 'entry_id' | 'method' | 'amount' | 'moved_at'> & {
  reference: string
}

function inOrder(one: MovedRow, other: MovedRow): number {
  const name = ({ kind, entry_id }: MovedRow) => `${kind} ${entry_id}`
  return one.moved_at - other.moved_at || (name(one) < name(other) ? -1 : 1)
}

/** What the lines of an event's orders say of money, by the reference of the order. */
export async function listMoney(
  tx: ReadTx,
  accountId: string,
  eventId: string,
): Promise<Map<string, (Recorded & { reference: string })[]>> {
  return groupByReference(
    await tx.all<Recorded & { reference: string }>(
      `SELECT o.reference, r.id, r.event_id, r.order_id, r.currency, r.amount_total, r.processor_fee, r.refunded_amount,
         r.confirmed_at, r.refunded_at
       FROM orders o JOIN registrations r ON r.account_id = o.account_id AND r.order_id = o.id
       WHERE o.account_id = $1 AND o.event_id = $2`,
      [accountId, eventId],
    ),
  )
}

function groupByReference<Row extends { reference: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.reference)
    if (group === undefined) groups.set(row.reference, [row])
    else group.push(row)
  }
  return groups
}

/** The references of the orders of which registrations of an event are lines, by registration. */
export async function listLines(
  tx: ReadTx,
  accountId: string,
  eventId: string,
): Promise<Map<string, string>> {
  const rows = await tx.all<Line>(
    `SELECT r.id, o.reference FROM orders o JOIN registrations r ON r.account_id = o.account_id AND r.order_id = o.id
     WHERE o.account_id = $1 AND o.event_id = $2`,
    [accountId, eventId],
  )
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

interface Line {
  id: string
  reference: string
}

/** The same of these registrations alone. */
export async function findLines(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await readInList<Line>(
    tx,
    registrationIds,
    [accountId],
    // CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
    list => `SELECT r.id, o.reference FROM registrations r JOIN orders o ON o.id = r.order_id WHERE r.id IN ${list}
       AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

/** What the tickets of an event's orders were sold for, by ticket. */
export async function listPrices(
  tx: ReadTx,
  accountId: string,
  eventId: string,
): Promise<Map<string, TicketPrice>> {
  const rows = await tx.all<TicketPrice & { id: string }>(
    `SELECT a.id, a.price, a.discount, a.tax, a.tax_basis_points FROM orders o
     JOIN registrations r ON r.account_id = o.account_id AND r.order_id = o.id JOIN attendees a ON a.registration_id = r.id
     WHERE o.account_id = $1 AND o.event_id = $2 AND a.price IS NOT NULL`,
    [accountId, eventId],
  )
  return new Map(rows.map(({ id, ...price }) => [id, price]))
}
