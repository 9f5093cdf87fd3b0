import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as store from './store.ts'

/** A form that a person sent, with its one-time id. The id is undefined for a form that may be sent twice. */
export interface SentOnce {
  userId: string
  formId: string | undefined
}

/** Returns the location that the form led to, if it was already carried out. */
export async function find(tx: ReadTx, { userId, formId }: SentOnce): Promise<string | undefined> {
  if (formId === undefined) return undefined
  return (await store.find(tx, userId, formId))?.location
}

/** Stores the location that the form leads to, in the transaction that carries it out. */
export async function keep(
  tx: WriteTx,
  { userId, formId, location }: SentOnce & { location: string },
): Promise<void> {
  if (formId === undefined) return
  await store.insert(tx, { accountId: tx.accountId, userId, formId, location }, await tx.now())
}
