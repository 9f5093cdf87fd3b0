import type { ProcessorRefund } from '#product/selling/payments/processor.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import type { openScriptedShop } from './scripted-shop.ts'
import type { Of, Stage } from './stage.ts'

const FAULTS = ['lost', 'deaf', 'broken', 'botched', 'busy', 'denied'] as const
const CALLS = ['prepare', 'start', 'find', 'read', 'expire', 'prepareRefund', 'refund', 'findRefund'] as const

/** Makes a stage of the scripted processor, where the server learns at once what happened. */
export function scriptedStage(shop: Awaited<ReturnType<typeof openScriptedShop>>): Stage {
  const { processor, write } = shop
  const tell = (facts: ProcessorRefund, of: Of) => write(tx => refunds.note(tx, 'test', facts, of))
  return {
    method: 'test',
    begin: async () => {
      processor.sessions.length = 0
      processor.refunds.length = 0
      processor.calls.length = 0
      processor.heal()
    },
    serve: life => ({
      processors: new Map([['test', life.processor(processor)]]),
      hear: async () => undefined,
      close: () => undefined,
    }),
    advance: async () => undefined,
    happen: async (kind, a, b) => {
      if (kind === 'fault')
        processor.fault(
          CALLS[b % CALLS.length] as (typeof CALLS)[number],
          FAULTS[(a + b) % FAULTS.length] as 'lost',
        )
      else if (kind === 'fees') processor.fees = (['now', 'later', 'foreign'] as const)[b % 3] as 'now'
      else if (kind === 'course') processor.refundCourse = b % 2 === 0 ? 'pending' : 'done'
      else return false
      return true
    },
    pay: async (id, amount) => void processor.pay(id, amount === undefined ? {} : { amount }),
    payLater: async id => void processor.payLater(id),
    failLater: async id => void processor.failLater(id),
    decline: async () => undefined,
    close: async id => processor.close(id),
    refundThere: async (chargeId, amount, of) =>
      void (await tell(processor.refundThere(chargeId, amount), of)),
    failRefund: async (chargeId, of) => {
      const refund = processor.refunds.find(each => each.chargeId === chargeId && each.state !== 'failed')
      if (refund !== undefined) await tell(processor.endRefund(refund.id, 'failed'), of)
    },
    dispute: async () => undefined,
    end: async () => {
      processor.heal()
      processor.refundCourse = 'done'
      processor.fees = 'now'
      for (const [at, session] of processor.sessions.entries()) {
        if (session.state !== 'processing') continue
        if (at % 2 === 0) processor.pay(session.id)
        else processor.failLater(session.id)
      }
      for (const each of processor.refunds) if (each.state === 'pending') processor.endRefund(each.id, 'done')
      for (const each of processor.sessions)
        if (each.state === 'paid' && each.fee === null) processor.tellFee(each.id)
    },
    books: async () => ({ sessions: processor.sessions, refunds: processor.refunds, disputes: [] }),
    countCalls: async () => processor.calls.length,
  }
}
