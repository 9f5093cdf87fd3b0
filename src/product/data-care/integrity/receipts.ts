import type { Reader } from '#machinery/db/batches.ts'
import type { Snapshot } from '#product/selling/receipts/schemas.ts'
import { findSnapshotFault } from '#product/selling/receipts/verify-snapshot.ts'
import { walkReceipts } from './receipt-store.ts'

/** Finds receipts that do not add up. Their form was checked before. */
export async function* findBadReceipts(reader: Reader): AsyncGenerator<string> {
  for await (const receipts of walkReceipts(reader)) {
    for (const { id, kind, amount, snapshot } of receipts) {
      const stated = JSON.parse(snapshot) as Snapshot
      const fault = findSnapshotFault(stated, amount)
      if (fault !== undefined) yield `receipt ${id} ${fault}`
      else if ((kind === 'credit_note') !== (stated.corrects !== null)) {
        yield `receipt ${id} says that it corrects ${stated.corrects === null ? 'none' : 'another'}, and is a ${kind}`
      }
    }
  }
}
