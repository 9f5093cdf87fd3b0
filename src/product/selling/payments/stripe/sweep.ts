import type Stripe from 'stripe'
import { DAY, SECOND } from '#base/time.ts'
import type { Database, ReadTx } from '#machinery/db/port.ts'
import * as disputeStore from '../dispute-store.ts'
import type { ProviderEventSink } from '../event-sink.ts'
import * as refundStore from '../refund-store.ts'
import * as store from '../store.ts'
import type { StripeAccounts } from './access.ts'
import { toDispute } from './disputes.ts'
import { toRefund } from './refunds.ts'

/** How far back refunds and disputes are compared, in seconds. A dispute is over after some two months. */
const BACK = (90 * DAY) / SECOND
const PAGE = 100

export interface SweepOptions {
  db: Database
  accounts: StripeAccounts
  sink: Pick<ProviderEventSink, 'refundChanged' | 'disputeChanged'>
}

/**
 * Compares the refunds and disputes at Stripe with ours, and has those noted that differ. It finds what no event has told of:
 * Stripe lists an event late or not at all, or keeps none that is older than a month. A list of a hundred costs one request, and
 * only what differs is read again.
 *
 * @throws ProcessorFault
 */
export async function sweep({ db, accounts, sink }: SweepOptions, accountId: string): Promise<void> {
  const created = { gte: Math.floor((await accounts.now(accountId)) / SECOND) - BACK }
  const differing = async <Listed extends { id: string }>(
    list: (stripe: Stripe, page: object) => Promise<{ data: Listed[]; has_more: boolean }>,
    differs: (tx: ReadTx, listed: Listed) => Promise<boolean>,
  ): Promise<string[]> => {
    const found: string[] = []
    for (let after: string | undefined; ; ) {
      const page = { created, limit: PAGE, ...(after && { starting_after: after }) }
      const { data, has_more: hasMore } = await accounts.ask(accountId, stripe => list(stripe, page))
      await db.read(accountId, async tx => {
        for (const listed of data) if (await differs(tx, listed)) found.push(listed.id)
      })
      after = data.at(-1)?.id
      if (!hasMore || after === undefined) return found
    }
  }
  const refunds = await differing((stripe, page) => stripe.refunds.list(page), refundDiffers)
  for (const id of refunds) await sink.refundChanged(accountId, id)
  const disputes = await differing((stripe, page) => stripe.disputes.list(page), disputeDiffers)
  for (const id of disputes) await sink.disputeChanged(accountId, id)
}

async function refundDiffers(tx: ReadTx, refund: Stripe.Refund): Promise<boolean> {
  const facts = toRefund(refund)
  const ours = await refundStore.findByProcessor(tx, facts.id)
  // What others have made at the same account is of no payment here.
  if (ours === undefined) return (await store.findByCharge(tx, facts.chargeId)) !== undefined
  return facts.state !== 'pending' && ours.status !== 'dropped' && ours.status !== facts.state
}

async function disputeDiffers(tx: ReadTx, dispute: Stripe.Dispute): Promise<boolean> {
  const { id, chargeId, status } = toDispute(dispute)
  const ours = await disputeStore.find(tx, id)
  if (ours === undefined) return (await store.findByCharge(tx, chargeId)) !== undefined
  return ours.status !== status
}
