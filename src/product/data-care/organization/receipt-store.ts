import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx, Value } from '#machinery/db/port.ts'
import { type ReceiptKind, receiptKinds } from '#product/selling/receipts/schemas.ts'
import type { OrganizationReceipt } from './receipt-items.ts'

export interface ExportedReceipt {
  kind: ReceiptKind
  number: number
  event: string
  reference: string
  of_number: number | null
  cancels_number: number | null
  payment_id: string | null
  refund_id: string | null
  amount: number
  currency: string
  erased_at: number | null
  snapshot: string
}

/** Returns whether the account has issued a receipt. */
export async function hasReceipts(tx: ReadTx): Promise<boolean> {
  return (
    (await tx.one('SELECT 1 FROM receipts x WHERE x.account_id = $1 LIMIT 1', [tx.accountId])) !== undefined
  )
}

/** Reads all receipts of the account in batches, then all credit notes, each kind by number. */
export async function* readAllReceipts(tx: ReadTx, size: number): AsyncGenerator<ExportedReceipt[]> {
  for (const kind of receiptKinds) {
    for (let last = 0; ; ) {
      const rows = await tx.all<ExportedReceipt>(
        `SELECT x.kind, x.number, e.slug AS event, o.reference, y.number AS of_number, z.number AS cancels_number, x.payment_id,
         x.refund_id, x.amount, x.currency, x.erased_at, x.snapshot FROM receipts x JOIN events e ON e.id = x.event_id
       JOIN orders o ON o.id = x.order_id LEFT JOIN receipts y ON y.id = x.of_id
       LEFT JOIN receipts z ON z.id = x.cancels_id WHERE x.account_id = $1 AND x.kind = $2 AND x.number > $3
         ORDER BY x.number LIMIT $4`,
        [tx.accountId, kind, last, size],
      )
      if (rows.length > 0) yield rows
      if (rows.length < size) break
      last = rows.at(-1)?.number ?? last
    }
  }
}

/** Describes a receipt that exists already. */
export interface ExistingReceipt {
  id: string
  kind: ReceiptKind
  number: number
  payment_id: string | null
  refund_id: string | null
  snapshot: string
  /** 1 if it neither cancels another nor is cancelled. */
  stands: 0 | 1
}

export interface CurrentReceipts {
  /** The last number of each kind. */
  latest: Readonly<Record<ReceiptKind, number>>
  /** The receipts that the file names, by kind and number. The next field has those that stand, by payment or refund. */
  byNumber: ReadonlyMap<string, ExistingReceipt>
  bySource: ReadonlyMap<string, ExistingReceipt>
}

export const NO_RECEIPTS: CurrentReceipts = {
  latest: { receipt: 0, credit_note: 0 },
  byNumber: new Map(),
  bySource: new Map(),
}

export const keyOf = ({ kind, number }: { kind: string; number: number }) => `${kind} ${number}`

const SELECT = `SELECT x.id, x.kind, x.number, x.payment_id, x.refund_id, x.snapshot,
  CASE WHEN x.cancels_id IS NULL AND NOT EXISTS (SELECT 1 FROM receipts y WHERE y.cancels_id = x.id) THEN 1 ELSE 0 END AS stands
  FROM receipts x`

/** Reads what an account has of the receipts of a file. */
export async function readReceipts(
  tx: ReadTx,
  file: readonly OrganizationReceipt[],
): Promise<CurrentReceipts> {
  if (file.length === 0) return NO_RECEIPTS
  const rows = await tx.all<{ kind: ReceiptKind; latest: number }>(
    'SELECT x.kind, max(x.number) AS latest FROM receipts x WHERE x.account_id = $1 GROUP BY x.kind',
    [tx.accountId],
  )
  const latest = { ...NO_RECEIPTS.latest, ...Object.fromEntries(rows.map(row => [row.kind, row.latest])) }
  const existing: ExistingReceipt[] = []
  const add = async (values: readonly Value[], more: readonly Value[], textOf: (list: string) => string) => {
    for (const row of await readInList<ExistingReceipt>(tx, values, [tx.accountId, ...more], textOf))
      existing.push(row)
  }
  const numbers = {
    receipt: file.flatMap(({ kind, number, of }) => (kind === 'receipt' ? [number] : (of ?? []))),
    credit_note: file.flatMap(({ kind, number, cancels }) =>
      kind === 'credit_note' ? [number, ...(cancels === null ? [] : [cancels])] : [],
    ),
  }
  for (const kind of receiptKinds) {
    const ofNumbers = (list: string) =>
      `${SELECT} WHERE x.account_id = $1 AND x.kind = $2 AND x.number IN ${list}`
    await add([...new Set(numbers[kind])], [kind], ofNumbers)
  }
  for (const field of ['payment', 'refund'] as const) {
    const sources = file.flatMap(item => item[field] ?? [])
    await add(sources, [], list => `${SELECT} WHERE x.account_id = $1 AND x.${field}_id IN ${list}`)
  }
  return {
    latest,
    byNumber: new Map(existing.map(row => [keyOf(row), row])),
    bySource: new Map(
      existing
        .filter(({ stands }) => stands === 1)
        .map(row => [row.payment_id ?? `refund ${row.refund_id}`, row]),
    ),
  }
}
