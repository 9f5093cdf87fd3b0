import type { Database } from '../../db/port.ts'
import { newUuid } from '../../ids.ts'
import { type Clock, HOUR } from '../../time.ts'
import * as orphans from '../orphans.ts'
import { type Call, type Processor, ProcessorFault } from '../processor.ts'

/** For how long a key of a call is sent again: Stripe forgets them after a day. */
const KEY_LASTS = 23 * HOUR
/** That are asked for at once. */
const BATCH = 100

/** Gives back what a person has asked for of payments without an order, each by steps that can be taken again. @throws ProcessorFault */
export async function refundOrphans(
  { db, clock, processor }: { db: Database; clock: Clock; processor: Processor },
  accountId: string,
): Promise<void> {
  const note = (sessionId: string, became: orphans.Refunding) =>
    db.write(accountId, tx => orphans.noteRefund(tx, accountId, sessionId, became))
  for (const { sessionId, refund, call: kept } of await db.read(tx =>
    orphans.listRequested(tx, accountId, BATCH),
  )) {
    const parameters = await processor.prepareRefund(accountId, refund)
    const call: Call = kept ?? { key: newUuid(), at: clock(), parameters }
    if (kept === undefined) await note(sessionId, { call })
    const isOld = call.isSpent === true || clock() - call.at > KEY_LASTS
    try {
      const facts = isOld
        ? await processor.findRefund(accountId, refund, call.at - HOUR)
        : await processor.refund(accountId, call)
      await note(sessionId, facts === undefined ? { call: null } : { facts })
    } catch (error) {
      if (!(error instanceof ProcessorFault)) throw error
      if (error.kind === 'failed') await note(sessionId, { call: { ...call, isSpent: true } })
      if (error.kind !== 'refused') throw error
      await note(sessionId, { refusedFor: error.code ?? 'refused' })
    }
  }
}
