import { findCandidates } from '../../src/bank-statements/candidates.ts'
import { cleanSome, hasToClean } from '../../src/bank-statements/cleaning.ts'
import { foresee } from '../../src/bank-statements/preview.ts'
import * as lines from '../../src/bank-statements/rules.ts'
import * as uploads from '../../src/bank-statements/uploads.ts'
import type { Database } from '../../src/db/port.ts'
import { seenOf } from '../../src/orders/basket.ts'
import { listByOrder, placeOrder } from '../../src/payments/rules.ts'
import { sourceOf } from '../../src/tables/lines.ts'
import { type Clock, DAY } from '../../src/time.ts'
import { csvOf, mapping, matchBatch } from './bank-statements.ts'

/** What is done with bank statements, each of it once. */
export async function readStatements(
  db: Database,
  clock: Clock,
  { accountId, eventId, typeId }: { accountId: string; eventId: string; typeId: string },
): Promise<void> {
  const actor = { accountId, who: 'cli', requestId: null, address: null }
  const seen = seenOf({ total: 1_000, event: { currency: 'EUR', terms: null } })
  const buyer = { name: 'Lin', email: 'statement@example.org' }
  const { id } = await db.write(accountId, tx =>
    placeOrder(
      tx,
      accountId,
      eventId,
      {
        ...{ formId: 'statement', buyer, language: 'en', answers: {}, seen },
        lines: [{ typeId, tickets: [{ name: 'Bob', email: null }] }],
      },
      { method: 'door', processors: new Map(), signed: [] },
    ),
  )
  const [payment] = await db.read(tx => listByOrder(tx, accountId, id))
  const day = new Date(clock()).toISOString().slice(5, 10)
  const bring = async (...booked: { amount: string; text: string }[]) => {
    const file = csvOf(booked.map(line => ({ day, ...line })))
    const { job, isReady } = await uploads.upload(db, actor, sourceOf(file), 'bank.csv')
    if (!isReady) await uploads.choose(db, actor, job.id, mapping)
    await db.read(tx => foresee(tx, accountId, job.id, { limit: 5, now: clock() }))
    await db.write(accountId, tx => uploads.start(tx, accountId, job.id, 'cli'))
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
    const [found] = await db.read(tx => lines.listLines(tx, accountId, state, page))
    await db.read(tx => lines.listLines(tx, accountId, state, { ...page, after: found?.position }))
    return found?.resource as NonNullable<typeof found>['resource']
  }
  const part = await first('matched')
  await db.write(accountId, tx => lines.unmatch(tx, accountId, part.id))
  await db.read(async tx => {
    await findCandidates(tx, accountId, part, 'lin', 5)
    await lines.countUnmatched(tx, accountId, 5)
    await uploads.listLatest(tx, accountId, 5)
  })
  await db.write(accountId, async tx => {
    await lines.match(tx, accountId, part.id, payment?.id as string)
    await hasToClean(tx, accountId, clock() + 100 * DAY)
    while ((await cleanSome(tx, accountId, clock() + 100 * DAY)) > 0);
  })
}
