import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import type { NewOrder } from '#product/selling/orders/place.ts'
import { organization } from './organization.ts'
import { startWithOrganization } from './server.ts'
import { orderFree, startTicketMail, type Ticket } from './ticket-mail.ts'

/** Starts with a published event that begins at 10:00 in Madrid, two days from now, and with a mail server. */
export async function startNoticed(t: TestContext, event: object = {}) {
  const file = organization({
    event: { starts_at: '2026-11-23T09:00:00Z', ends_at: '2026-11-23T17:00:00Z', ...event },
  })
  const server = await startWithOrganization(t, file)
  const { app, db, applied, clock, eventId, types } = server
  const of = { accountId: applied.account_id, eventId, typeId: types.Free as string }
  const open = "SELECT count(*) AS n FROM jobs WHERE state IN ('waiting', 'running')"
  const finish = async () => {
    await app.settled('jobs')
    assert.equal((await db.read(INSTANCE, tx => tx.one<{ n: number }>(open)))?.n, 0)
  }
  /** Does what the server does each minute. */
  const sweep = async () => {
    await app.settled('reminders')
    await finish()
  }
  const mail = await startTicketMail(t, db, clock)
  const order = (buyer: string, tickets?: Ticket[], changes?: Partial<NewOrder>) =>
    orderFree(db, of, buyer, tickets, changes)
  return { ...server, ...of, mail, order, sweep, finish }
}
