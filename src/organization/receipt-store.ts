import { readInList } from '../db/in-list.ts'
import type { ReadTx } from '../db/port.ts'
import type { ReceiptKind } from '../receipts/schemas.ts'
import type { OrganizationReceipt } from './receipt-items.ts'

export interface ExportedReceipt {
  kind: ReceiptKind
  number: number
  event: string
  reference: string
  of_number: number | null
  payment_id: string | null
  refund_id: string | null
  amount: number
  currency: string
  erased_at: number | null
  snapshot: string
}

/** All of an account: receipts, then credit notes, each by number. */
export function listReceipts(tx: ReadTx, accountId: string): Promise<ExportedReceipt[]> {
  return tx.all(
    `SELECT x.kind, x.number, e.slug AS event, o.reference, y.number AS of_number, x.payment_id, x.refund_id, x.amount,
       x.currency, x.erased_at, x.snapshot FROM receipts x JOIN events e ON e.id = x.event_id
     JOIN orders o ON o.id = x.order_id LEFT JOIN receipts y ON y.id = x.of_id
     WHERE x.account_id = $1 ORDER BY x.kind DESC, x.number`,
    [accountId],
  )
}

/** A receipt that is there already. */
export interface KnownReceipt {
  id: string
  kind: ReceiptKind
  number: number
  payment_id: string | null
  refund_id: string | null
  snapshot: string
}

export interface CurrentReceipts {
  /** The last number of each kind. */
  latest: Readonly<Record<ReceiptKind, number>>
  /** By kind and number, and by payment or refund: of those that the file names. */
  byNumber: ReadonlyMap<string, KnownReceipt>
  bySource: ReadonlyMap<string, KnownReceipt>
}

export const NO_RECEIPTS: CurrentReceipts = {
  latest: { receipt: 0, credit_note: 0 },
  byNumber: new Map(),
  bySource: new Map(),
}

export const keyOf = ({ kind, number }: { kind: string; number: number }) => `${kind} ${number}`

const SELECT = 'SELECT x.id, x.kind, x.number, x.payment_id, x.refund_id, x.snapshot FROM receipts x'

/** What an account has of the receipts of a file. */
export async function readReceipts(
  tx: ReadTx,
  accountId: string,
  file: readonly OrganizationReceipt[],
): Promise<CurrentReceipts> {
  if (file.length === 0) return NO_RECEIPTS
  const rows = await tx.all<{ kind: ReceiptKind; latest: number }>(
    'SELECT x.kind, max(x.number) AS latest FROM receipts x WHERE x.account_id = $1 GROUP BY x.kind',
    [accountId],
  )
  const latest = { ...NO_RECEIPTS.latest, ...Object.fromEntries(rows.map(row => [row.kind, row.latest])) }
  const known: KnownReceipt[] = []
  const find = async (
    column: 'number' | 'payment_id' | 'refund_id',
    values: readonly (string | number)[],
  ) => {
    const found = await readInList<KnownReceipt>(
      tx,
      values,
      [accountId],
      list => `${SELECT} WHERE x.account_id = $1 AND x.${column} IN ${list}`,
    )
    known.push(...found)
  }
  const given = (field: 'payment' | 'refund') => file.flatMap(item => item[field] ?? [])
  const numbers = file.flatMap(({ of, number }) => (of === null ? [number] : [number, of]))
  await find('number', [...new Set(numbers)])
  await find('payment_id', given('payment'))
  await find('refund_id', given('refund'))
  return {
    latest,
    byNumber: new Map(known.map(row => [keyOf(row), row])),
    bySource: new Map(known.map(row => [row.payment_id ?? `refund ${row.refund_id}`, row])),
  }
}
