import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { forecastSending, inMails } from '#product/selling/guest-mails/forecast-sending.ts'
import { startSending } from '#product/selling/guest-mails/send-tickets.ts'
import { organizationToday, prepareDataFolder } from '#test/support/data-folder.ts'
import { damageOf, openTestDatabase } from '#test/support/engine.ts'
import { registration } from '#test/support/organization.ts'
import { startJobs } from '#test/support/start-jobs.ts'
import { eventually } from '#test/support/webhooks.ts'

const GUESTS = 600
/** Each of them has two registrations, and so two tickets in one mail. */
const TWICE = 50

/** Prepares an event whose guests were imported, and a job that sends them their tickets. */
async function prepare(t: TestContext) {
  const { data, accountId, eventId } = await prepareDataFolder(t)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  const guests = Array.from({ length: GUESTS + TWICE }, (_, n) =>
    registration(`g${n}`, {
      buyer: { name: `Guest ${n % GUESTS}`, email: `g${n % GUESTS}@example.org` },
    }),
  )
  await applyOrganization(db, organizationToday(guests), { clock: Date.now })
  const { tickets } = await forecastSending(db, accountId, { event_id: eventId })
  const mails = inMails(tickets, false)
  assert.deepEqual([tickets.length, mails.length], [GUESTS + TWICE, GUESTS])
  const { id } = await db.write(accountId, tx =>
    startSending(tx, eventId, { mails, again: false, by: 'cli' }),
  )
  const read = () =>
    db.read(INSTANCE, tx =>
      tx.all<{ recipient: string; details: string }>(
        "SELECT recipient, details FROM emails WHERE kind = 'guest_tickets'",
      ),
    )
  const readJob = () => db.read(accountId, tx => jobs.get(tx, id))
  /** Lets a server do the rest of it. @returns the tickets in the mails, and to how many people these are */
  const finish = async (ahead: number) => {
    await startJobs(t, data, ahead)
    await eventually('the end', async () => (await readJob()).state === 'done', 30_000)
    const mails = await read()
    const tickets = mails.flatMap(({ details }) => (JSON.parse(details) as { tickets: string[] }).tickets)
    return { mails: mails.length, people: new Set(mails.map(({ recipient }) => recipient)).size, tickets }
  }
  return { data, db, accountId, eventId, read, finish }
}

test('tickets whose sending is killed in the middle are sent on by the next server: each mail once, each ticket in one', {
  timeout: 120_000,
}, async t => {
  const { data, db, accountId, eventId, read, finish } = await prepare(t)
  for (const [round, written] of [40, 200, 400].entries()) {
    const server = await startJobs(t, data, round * jobs.LEASE)
    await eventually('some of it', async () => (await read()).length > written, 20_000)
    await setTimeout(Math.random() * 5)
    server.kill()
    await server.ended
  }
  const { mails, people, tickets } = await finish(4 * jobs.LEASE)
  assert.deepEqual([mails, people], [GUESTS, GUESTS])
  assert.equal(tickets.length, GUESTS + TWICE)
  assert.equal(new Set(tickets).size, GUESTS + TWICE)
  const again = await forecastSending(db, accountId, { event_id: eventId })
  assert.deepEqual(inMails(again.tickets, false), [])
  assert.deepEqual(await damageOf(data), [])
})

test('a server that kept how far it is first would miss people, and one that keeps it apart from the mails sends none twice', {
  timeout: 120_000,
}, async t => {
  const missing = await prepare(t)
  await (await startJobs(t, missing.data, 0, 'lost')).ended
  const lost = await missing.finish(2 * jobs.LEASE)
  assert.ok(lost.people < GUESTS, `${lost.people} people`)
  const apart = await prepare(t)
  await (await startJobs(t, apart.data, 0, 'causeless')).ended
  const repeated = await apart.finish(2 * jobs.LEASE)
  assert.deepEqual([repeated.mails, repeated.people], [GUESTS, GUESTS])
})
