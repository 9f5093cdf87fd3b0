import { newUuid } from '#base/ids.ts'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import { delayAfter } from './payment-facts.ts'
import type { StepOptions } from './payment-steps.ts'
import {
  type Call,
  hasProcessor,
  isStored,
  KEY_LASTS,
  type NewRefund,
  type Processor,
  ProcessorFault,
  type RefundedCharge,
  readCall,
} from './processor.ts'
import * as store from './refund-store.ts'
import * as refunds from './refunds.ts'
import { compareRefused } from './refused-refund.ts'

/** How often a refund is requested that the processor refuses. After that somebody has to decide. */
const MOST_REFUSALS = 3
/** How long until a refund is requested again that the processor refuses or the key may not request, in milliseconds. */
const STUCK = [15 * MINUTE, 15 * MINUTE, 15 * MINUTE, HOUR, HOUR, 4 * HOUR, 12 * HOUR, DAY]

/** Advances refunds, each by a step that can be repeated. */
export class RefundSteps {
  readonly #options: Pick<StepOptions, 'db' | 'clock' | 'processors'>

  constructor(options: Pick<StepOptions, 'db' | 'clock' | 'processors'>) {
    this.#options = options
  }

  /** Advances a refund. It never throws for a fault of a processor. @throws what the database throws */
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
        await refunds.note(tx, method, facts, undefined)
      })
    } catch (error) {
      if (!(error instanceof ProcessorFault)) throw error
      const isRefused = error.kind === 'refused' && row.processor_id === null
      await this.#fault(row, error, isRefused ? await this.#readCharge(row, row.charge_id) : undefined)
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
    // A failed refund does not answer the call. It comes from an earlier try, or the call has to be made once more.
    if (found !== undefined && found.state !== 'failed') return found
    await this.#options.db.write(accountId, async tx => {
      const refund = await store.find(tx, refundId)
      if (refund === undefined || !isStored(refund.call, call)) return
      await store.update(tx, refund, { call: null, next_look_at: tx.clock() }, await tx.now())
    })
    return undefined
  }

  /**
   * Stores the call that pays back. If another server has stored one meanwhile, that one is sent, so that the money goes once.
   *
   * @returns undefined for a refund that is not to be sent, as it has ended, or disputed money does not go back by itself
   */
  async #keepCall(row: store.RefundRow, wanted: NewRefund, processor: Processor): Promise<Call | undefined> {
    const known = readCall(row.call)
    if (known !== undefined) return known
    const { db, clock } = this.#options
    if (row.order_id !== null) {
      const orderId = row.order_id
      const entries = await db.read(row.account_id, tx => ledger.list(tx, { orderId }))
      const ofPayment = entries.filter(({ payment_id }) => payment_id === row.payment_id)
      if (ledger.balanceOf(ofPayment).disputed > 0) {
        await this.#change(row, { trouble: 'disputed', next_look_at: null })
        return undefined
      }
    }
    const parameters = await processor.prepareRefund(row.account_id, wanted)
    const made: Call = { key: newUuid(), at: clock(), parameters }
    return db.write(row.account_id, async tx => {
      const refund = await store.find(tx, row.id)
      if (refund === undefined || refund.ended_at !== null || refund.processor_id !== null) return undefined
      const kept = readCall(refund.call) ?? made
      if (kept === made) await store.update(tx, refund, { call: JSON.stringify(made) }, await tx.now())
      return kept
    })
  }

  /** @returns undefined if the processor does not say */
  async #readCharge(
    { account_id: accountId, method }: store.RefundRow,
    chargeId: string,
  ): Promise<RefundedCharge | undefined> {
    const processor = hasProcessor(method) ? this.#options.processors.get(method) : undefined
    return processor?.readRefundedCharge(accountId, chargeId).catch(error => {
      if (!(error instanceof ProcessorFault)) throw error
      return undefined
    })
  }

  async #fault(
    row: store.RefundRow,
    { kind, code }: ProcessorFault,
    charge: RefundedCharge | undefined,
  ): Promise<void> {
    await this.#options.db.write(row.account_id, async tx => {
      const refund = await store.find(tx, row.id)
      if (refund === undefined || refund.ended_at !== null) return
      if (charge !== undefined && (await compareRefused(tx, refund, charge))) return
      // Those that it did not answer are no refusals.
      const attempts = kind === 'refused' && refund.trouble === null ? 1 : refund.looks + 1
      const isStuck = kind === 'refused' || kind === 'denied'
      const dueAt = tx.clock() + (isStuck ? stuckAfter(refund.looks) : delayAfter(attempts))
      const isSpent = kind === 'failed' && refund.processor_id === null && refund.call !== null
      const call = isSpent
        ? JSON.stringify({ ...(JSON.parse(refund.call as string) as Call), isSpent })
        : // After a refusal a new key is used, as the processor may repeat its answer under the old one.
          kind === 'refused' && refund.processor_id === null
          ? null
          : refund.call
      const trouble = isStuck ? (code ?? kind) : refund.trouble
      const now = await tx.now()
      const isGivenUp = kind === 'refused' && refund.processor_id === null && attempts >= MOST_REFUSALS
      const next = isGivenUp
        ? ({ status: 'failed', next_look_at: null, ended_at: now } as const)
        : { next_look_at: dueAt }
      await store.update(tx, refund, { looks: attempts, call, trouble, ...next }, now)
    })
  }

  async #change(row: store.RefundRow, changes: store.RefundChanges): Promise<void> {
    await this.#options.db.write(row.account_id, async (tx: WriteTx) => {
      const refund = await store.find(tx, row.id)
      if (refund !== undefined) await store.update(tx, refund, changes, await tx.now())
    })
  }
}

function stuckAfter(attempts: number): number {
  return STUCK[Math.min(attempts, STUCK.length - 1)] as number
}
