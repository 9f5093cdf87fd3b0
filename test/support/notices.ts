import type { TestContext } from 'node:test'
import type { Database } from '../../src/db/port.ts'
import { JobRunner } from '../../src/jobs/runner.ts'
import { openLog } from '../../src/log.ts'
import { reminderWatch } from '../../src/notices/reminder-watch.ts'
import { sendNotice } from '../../src/notices/send.ts'
import type { NewOrder } from '../../src/orders/place.ts'
import type { Clock } from '../../src/time.ts'
import { organization } from './organization.ts'
import { startWithOrganization } from './server.ts'
import { orderFree, startTicketMail, type Ticket } from './ticket-mail.ts'
import { eventually } from './webhooks.ts'

const log = openLog('error', { write: line => process.stderr.write(line) })

/** Does the jobs of notices, and says when all have ended. */
export function startNotices(t: Pick<TestContext, 'after'>, db: Database, clock: Clock) {
  const runner = new JobRunner({ db, clock, log, kinds: [sendNotice] })
  runner.start()
  t.after(() => runner.stop())
  const watch = reminderWatch({ db, clock, log })
  const open = "SELECT count(*) AS n FROM jobs WHERE state IN ('waiting', 'running')"
  const finish = () =>
    eventually(
      'the end of all jobs',
      async () => (await db.read(tx => tx.one<{ n: number }>(open)))?.n === 0,
      20_000,
    )
  /** As the server does each minute. */
  const sweep = async () => {
    await watch.look()
    await finish()
  }
  return { sweep, finish, stop: () => runner.stop() }
}

/** A published event that begins at 10:00 in Madrid, two days from now, with a server for mail. */
export async function startNoticed(t: TestContext, event: object = {}) {
  const file = organization({
    event: { starts_at: '2026-11-23T09:00:00Z', ends_at: '2026-11-23T17:00:00Z', ...event },
  })
  const server = await startWithOrganization(t, file)
  const { db, applied, clock, eventId, types } = server
  const of = { accountId: applied.account_id, eventId, typeId: types.Free as string }
  const { sweep, finish } = startNotices(t, db, clock)
  const mail = await startTicketMail(t, db, clock)
  const order = (buyer: string, tickets?: Ticket[], changes?: Partial<NewOrder>) =>
    orderFree(db, of, buyer, tickets, changes)
  return { ...server, ...of, mail, order, sweep, finish }
}
