import type { ReadTx, WriteTx } from '../db/port.ts'
import * as store from './store.ts'

/** A form of a person, by its one-time id; undefined for a form that may well be sent twice. */
export interface SentOnce {
  userId: string
  formId: string | undefined
}

/** Where the form has led, if it was carried out. */
export async function find(
  tx: ReadTx,
  accountId: string,
  { userId, formId }: SentOnce,
): Promise<string | undefined> {
  if (formId === undefined) return undefined
  return (await store.find(tx, accountId, userId, formId))?.location
}

/** Keeps where the form leads, in the transaction that carries it out. */
export async function keep(
  tx: WriteTx,
  accountId: string,
  { userId, formId, location }: SentOnce & { location: string },
): Promise<void> {
  if (formId === undefined) return
  await store.insert(tx, { accountId, userId, formId, location }, await tx.now())
}
