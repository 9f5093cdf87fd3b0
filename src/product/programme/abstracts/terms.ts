import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as store from './store.ts'

/** What authors were told beside the decision about an abstract. Instants are in milliseconds. */
export type Terms = store.TermsRow

/** @returns undefined for an abstract that is not there */
export function findTerms(tx: ReadTx, id: string): Promise<Terms | undefined> {
  return store.findTerms(tx, id)
}

/** Keeps what authors are told. Whoever was reminded of another instant is reminded anew. */
export async function setTerms(tx: WriteTx, id: string, terms: Omit<Terms, 'event_id'>): Promise<void> {
  await store.setTerms(tx, id, terms, await tx.now())
}
