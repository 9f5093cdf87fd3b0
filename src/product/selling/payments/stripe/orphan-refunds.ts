import { newUuid } from '#base/ids.ts'
import { type Clock, HOUR } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import * as orphans from '../orphan-payments.ts'
import { type Call, KEY_LASTS, type Processor, ProcessorFault } from '../processor.ts'

/** How many are requested at once. */
const BATCH = 100

/** Refunds the payments without an order that a person has chosen, each by steps that can be repeated. @throws ProcessorFault */
export async function refundOrphanPayments(
  { db, clock, processor }: { db: Database; clock: Clock; processor: Processor },
  accountId: string,
): Promise<void> {
  const note = (sessionId: string, became: orphans.Refunding) =>
    db.write(accountId, tx => orphans.noteRefund(tx, sessionId, became))
  for (const { sessionId, refund, call: kept } of await db.read(accountId, tx =>
    orphans.listRequested(tx, BATCH),
  )) {
    const parameters = await processor.prepareRefund(accountId, refund)
    const made: Call = { key: newUuid(), at: clock(), parameters }
    const call = kept ?? (await db.write(accountId, tx => orphans.keepCall(tx, sessionId, made)))
    if (call === undefined) continue
    const noteCall = (became: Call | null) =>
      db.write(accountId, tx => orphans.noteCall(tx, sessionId, call, became))
    const isOld = call.isSpent === true || clock() - call.at > KEY_LASTS
    try {
      const facts = isOld
        ? await processor.findRefund(accountId, refund, call.at - HOUR)
        : await processor.refund(accountId, call)
      if (facts === undefined) await noteCall(null)
      else await note(sessionId, { facts })
    } catch (error) {
      if (!(error instanceof ProcessorFault)) throw error
      if (error.kind === 'failed') await noteCall({ ...call, isSpent: true })
      if (error.kind !== 'refused') throw error
      await note(sessionId, { refusedFor: error.code ?? 'refused' })
    }
  }
}
