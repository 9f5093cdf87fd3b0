import type { Reader } from '../db/batches.ts'
import { findUnsound } from '../receipts/proof.ts'
import type { Snapshot } from '../receipts/schemas.ts'
import { walkReceipts } from './receipt-store.ts'

/** Receipts that do not add up. Their form is looked at before. */
export async function* findBadReceipts(reader: Reader): AsyncGenerator<string> {
  for await (const receipts of walkReceipts(reader)) {
    for (const { id, kind, amount, snapshot } of receipts) {
      const said = JSON.parse(snapshot) as Snapshot
      const fault = findUnsound(said, amount)
      if (fault !== undefined) yield `receipt ${id} ${fault}`
      else if ((kind === 'credit_note') !== (said.corrects !== null)) {
        yield `receipt ${id} says that it corrects ${said.corrects === null ? 'none' : 'another'}, and is a ${kind}`
      }
    }
  }
}
