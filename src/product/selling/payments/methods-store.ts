import type { ReadTx } from '#machinery/db/port.ts'

export interface MethodRow {
  method: 'stripe' | 'transfer'
  /** A JSON object, only for transfers. */
  bank: string | null
  trouble: string | null
}

/** Returns the connections by which an account takes money. */
export function list(tx: ReadTx): Promise<MethodRow[]> {
  return tx.all('SELECT c.method, c.bank, c.trouble FROM payment_connections c WHERE c.account_id = $1', [
    tx.accountId,
  ])
}
