import type { WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import * as ledger from '../ledger/rules.ts'
import { DAY, HOUR, MINUTE } from '../time.ts'
import { delayAfter } from './payment-facts.ts'
import type { StepOptions } from './payment-steps.ts'
import { type Call, hasProcessor, type NewRefund, type Processor, ProcessorFault } from './processor.ts'
import * as store from './refund-store.ts'
import * as refunds from './refunds.ts'

const KEY_LASTS = 23 * HOUR
/** How long until a refund is asked for again that the processor refuses, or may not be asked for, in milliseconds. */
const STUCK = [15 * MINUTE, 15 * MINUTE, 15 * MINUTE, HOUR, HOUR, 4 * HOUR, 12 * HOUR, DAY]

/** Takes refunds on, each by a step that can be taken again. */
export class RefundSteps {
  readonly #options: Pick<StepOptions, 'db' | 'clock' | 'processors'>

  constructor(options: Pick<StepOptions, 'db' | 'clock' | 'processors'>) {
    this.#options = options
  }

  /** Never throws for what a processor does. @throws what the database throws */
  async take(row: store.RefundRow): Promise<void> {
    const { method } = row
    if (!hasProcessor(method) || row.charge_id === null) return
    try {
      const processor = this.#options.processors.get(method)
      if (processor === undefined) throw new ProcessorFault('denied')
      const facts =
        row.processor_id === null
          ? await this.#send(row, row.charge_id, processor)
          : await processor.readRefund(row.account_id, row.processor_id)
      if (facts === undefined) return
      await this.#options.db.write(row.account_id, async tx => {
        await refunds.note(tx, row.account_id, method, facts, undefined)
      })
    } catch (error) {
      if (!(error instanceof ProcessorFault)) throw error
      await this.#fault(row, error)
    }
  }

  async #send(row: store.RefundRow, chargeId: string, processor: Processor) {
    const { account_id: accountId, id: refundId, payment_id: paymentId, currency, amount } = row
    const wanted = { refundId, paymentId, chargeId, currency, amount }
    const call = await this.#keepCall(row, wanted, processor)
    if (call === undefined) return undefined
    const isOld = call.isSpent === true || this.#options.clock() - call.at > KEY_LASTS
    if (!isOld) return processor.refund(accountId, call)
    const found = await processor.findRefund(accountId, wanted, call.at - HOUR)
    // One that has failed is no answer to the call: it is of a try before, or is made once more.
    if (found !== undefined && found.state !== 'failed') return found
    await this.#change(row, { call: null, next_look_at: this.#options.clock() })
    return undefined
  }

  /** @returns undefined for one that is not to be sent: nothing goes back by itself of what is disputed */
  async #keepCall(row: store.RefundRow, wanted: NewRefund, processor: Processor): Promise<Call | undefined> {
    if (row.call !== null) return JSON.parse(row.call) as Call
    const { db, clock } = this.#options
    if (row.order_id !== null) {
      const orderId = row.order_id
      const entries = await db.read(tx => ledger.list(tx, row.account_id, { orderId }))
      const ofPayment = entries.filter(({ payment_id }) => payment_id === row.payment_id)
      if (ledger.balanceOf(ofPayment).disputed > 0) {
        await this.#change(row, { trouble: 'disputed', next_look_at: null })
        return undefined
      }
    }
    const parameters = await processor.prepareRefund(row.account_id, wanted)
    const call: Call = { key: newUuid(), at: clock(), parameters }
    await this.#change(row, { call: JSON.stringify(call) })
    return call
  }

  async #fault(row: store.RefundRow, { kind, code }: ProcessorFault): Promise<void> {
    await this.#options.db.write(row.account_id, async tx => {
      const refund = await store.find(tx, row.account_id, row.id)
      if (refund === undefined || refund.ended_at !== null) return
      const looks = refund.looks + 1
      const isStuck = kind === 'refused' || kind === 'denied'
      const next_look_at = tx.clock() + (isStuck ? stuckAfter(refund.looks) : delayAfter(looks))
      const isSpent = kind === 'failed' && refund.processor_id === null && refund.call !== null
      const call = isSpent
        ? JSON.stringify({ ...(JSON.parse(refund.call as string) as Call), isSpent })
        : // What was refused is asked for anew: the answer may be kept under the key.
          kind === 'refused' && refund.processor_id === null
          ? null
          : refund.call
      const trouble = isStuck ? (code ?? kind) : refund.trouble
      await store.update(tx, refund, { looks, call, trouble, next_look_at }, await tx.now())
    })
  }

  async #change(row: store.RefundRow, changes: store.RefundChanges): Promise<void> {
    await this.#options.db.write(row.account_id, async (tx: WriteTx) => {
      const refund = await store.find(tx, row.account_id, row.id)
      if (refund !== undefined) await store.update(tx, refund, changes, await tx.now())
    })
  }
}

function stuckAfter(looks: number): number {
  return STUCK[Math.min(looks, STUCK.length - 1)] as number
}
