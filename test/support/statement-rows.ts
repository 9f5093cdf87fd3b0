import { newUuid } from '#base/ids.ts'
import { noMapping } from '#machinery/bank-files/mapping.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { UploadInput } from '#product/selling/bank-statements/schemas.ts'

export interface RowTexts {
  name: string
  text: string
}

/**
 * Adds the rows of a bank statement for an order: its payment, a refund that is owed, a line to decide, and a file whose columns
 * were not chosen yet.
 *
 * @returns the ids of the file's job, the payment, the refund and the line
 */
export async function addStatement(
  tx: WriteTx,
  orderId: string,
  { name, text }: RowTexts,
): Promise<{ file: string; payment: string; refund: string; line: string }> {
  const [file, payment, refund, line] = [newUuid(), newUuid(), newUuid(), newUuid()]
  const input: UploadInput = {
    ...{ name, size: 1, digest: 'd', columns: [name, text, 'Date'], sample: [[text, name, '2026-11-20']] },
    ...{ encoding_guessed: true, mapping: noMapping, unfit: [name], reading: null, counts: null, wrong: [] },
  }
  const now = await tx.now()
  await tx.run(
    `INSERT INTO payments (id, account_id, event_id, order_id, method, status, currency, amount, reference, looks, ended_at, created_at,
       updated_at)
     SELECT $3, account_id, event_id, id, 'transfer', 'cancelled', currency, 5000, 'RF18539007547034', 0, $4, $4, $4 FROM orders
     WHERE account_id = $1 AND id = $2`,
    [tx.accountId, orderId, payment, now],
  )
  await tx.run(
    `INSERT INTO refunds (id, account_id, event_id, order_id, payment_id, method, status, currency, amount, reason, looks, created_at,
       updated_at)
     SELECT $3, account_id, event_id, id, $4, 'transfer', 'requested', currency, 700, 'excess', 0, $5, $5 FROM orders
     WHERE account_id = $1 AND id = $2`,
    [tx.accountId, orderId, refund, payment, now],
  )
  await tx.run(
    `INSERT INTO jobs (id, account_id, event_id, kind, input, state, position, done, total, outcome, started_by, lease_until, created_at,
       updated_at) VALUES ($1, $2, NULL, 'statement.match', $3, 'stopped', NULL, 0, 2, NULL, 'cli', NULL, $4, $4)`,
    [file, tx.accountId, JSON.stringify(input), now],
  )
  await tx.run(
    `INSERT INTO statement_lines SELECT $3, account_id, $4, $5, 2, '2026-11-20', 5000, currency, $6, $7, NULL, 'unmatched', 'marked', NULL,
       $8, NULL, NULL, NULL, NULL, $9, $9 FROM orders WHERE account_id = $1 AND id = $2`,
    [tx.accountId, orderId, line, line.replaceAll('-', '').repeat(2), file, name, text, payment, now],
  )
  return { file, payment, refund, line }
}
