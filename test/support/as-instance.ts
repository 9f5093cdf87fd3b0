import { AccountTransaction } from '#machinery/db/account-transaction.ts'
import type { InstanceReadTx, InstanceWriteTx, ReadTx, WriteTx } from '#machinery/db/port.ts'

/**
 * Returns the transaction of an account in a form that rules about people and instances take too, because a test does both in one.
 */
export function asInstance(tx: WriteTx): WriteTx & InstanceWriteTx
export function asInstance(tx: ReadTx): ReadTx & InstanceReadTx
export function asInstance(tx: ReadTx): ReadTx & InstanceReadTx {
  return Object.assign(tx, { of: (accountId: string) => new AccountTransaction(tx as WriteTx, accountId) })
}
