import { type Clock, DAY } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import { sourceOf } from '#machinery/tables/lines.ts'
import { findCandidates } from '#product/selling/bank-statements/candidates.ts'
import { cleaning } from '#product/selling/bank-statements/cleaning.ts'
import { foresee } from '#product/selling/bank-statements/preview.ts'
import * as lines from '#product/selling/bank-statements/rules.ts'
import * as uploads from '#product/selling/bank-statements/uploads.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { listByOrder, placeOrder } from '#product/selling/payments/rules.ts'
import { csvOf, mapping, matchBatch } from '../bank-statements.ts'

/** Does everything with bank statements, each of it once. */
export async function readStatements(
  db: Database,
  clock: Clock,
  { accountId, eventId, typeId }: { accountId: string; eventId: string; typeId: string },
): Promise<void> {
  const actor = { accountId, who: 'cli', requestId: null, address: null }
  const seen = agreementHash({ total: 1_000, event: { currency: 'EUR', terms: null } })
  const buyer = { name: 'Lin', email: 'statement@example.org' }
  const { id } = await db.write(accountId, tx =>
    placeOrder(
      tx,
      eventId,
      {
        ...{ formId: 'statement', buyer, language: 'en', answers: {}, agreement: seen },
        lines: [{ typeId, tickets: [{ name: 'Bob', email: null }] }],
      },
      { method: 'door', processors: new Map(), signed: [] },
    ),
  )
  const [payment] = await db.read(accountId, tx => listByOrder(tx, id))
  const day = new Date(clock()).toISOString().slice(5, 10)
  const bring = async (...booked: { amount: string; text: string }[]) => {
    const file = csvOf(booked.map(line => ({ day, ...line })))
    const { job, isReady } = await uploads.upload(db, actor, sourceOf(file), 'bank.csv')
    if (!isReady) await uploads.choose(db, actor, job.id, mapping)
    await db.read(accountId, tx => foresee(tx, job.id, { limit: 5, now: clock() }))
    await db.write(accountId, tx => uploads.start(tx, job.id, 'cli'))
    while (!(await matchBatch(db, accountId, job.id)));
  }
  await bring({ amount: '4.00', text: payment?.reference ?? '' }, { amount: '6.00', text: 'no idea' })
  await uploads.upload(
    db,
    actor,
    sourceOf(Buffer.from('Date,Amount,Purpose\n2026-11-20,5.00,x\n')),
    'other.csv',
  )
  const first = async (state: 'matched' | 'unmatched') => {
    const page = { limit: 1 }
    const [found] = await db.read(accountId, tx => lines.listLines(tx, state, page))
    await db.read(accountId, tx => lines.listLines(tx, state, { ...page, after: found?.position }))
    return found?.resource as NonNullable<typeof found>['resource']
  }
  const part = await first('matched')
  await db.write(accountId, tx => lines.unmatch(tx, part.id))
  await db.read(accountId, async tx => {
    await findCandidates(tx, part, 'lin', 5)
    await lines.countUnmatched(tx, 5)
    await uploads.listLatest(tx, 5)
  })
  await db.write(accountId, async tx => {
    await lines.match(tx, part.id, payment?.id as string)
    for (const each of cleaning) {
      if (each.owner !== 'account' || 'passSome' in each) continue
      const before = clock() + 100 * DAY
      await each.hasOld(tx, before)
      while ((await each.deleteSome(tx, before, { rows: 100, bytes: 100_000 })) > 0);
    }
  })
}
