import type { ReadTx } from '../db/port.ts'

export interface WayRow {
  method: 'stripe' | 'transfer'
  /** A JSON object, of transfers. */
  bank: string | null
  trouble: string | null
}

/** What takes money for an account. */
export function list(tx: ReadTx, accountId: string): Promise<WayRow[]> {
  return tx.all('SELECT c.method, c.bank, c.trouble FROM payment_connections c WHERE c.account_id = $1', [
    accountId,
  ])
}
