import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { repeatEvent } from '#product/data-care/duplication/repeat.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { sendToKilled, signIn } from '#test/support/killed-form.ts'
import { seller } from '#test/support/people/organizer.ts'

const BOUND = { timeout: 180_000 }
/** 200 lines, a day each, from tomorrow on. */
const PASTED = Array.from({ length: 200 }, (_, day) =>
  new Date(Date.now() + (day + 2) * DAY).toISOString().slice(0, 10),
).join('\n')

async function prepare(t: TestContext) {
  const folder = await prepareDataFolder(t)
  const { data, accountId } = folder
  const db = await openTestDatabase(t, { data, clock: Date.now })
  await db.write(accountId, tx => accounts.update(tx, seller))
  return { ...folder, db, session: await signIn(db, accountId) }
}

/** Reads what there is of a series: its events by their states, whatever belongs to them, and what was recorded. */
function readState(db: Database) {
  return db.read(INSTANCE, async tx => {
    const count = async (sql: string) =>
      Number((await tx.one<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`))?.n)
    return {
      series: await count('series'),
      dates: await count('events WHERE series_id IS NOT NULL'),
      drafts: await count("events WHERE status = 'draft'"),
      published: await count("events WHERE status = 'published'"),
      types: await count('registration_types'),
      recorded: await count("access_log WHERE action IN ('event.repeat', 'series.publish')"),
      receipts: await count('form_receipts'),
    }
  })
}

const ALONE = { series: 0, dates: 0, drafts: 0, published: 1, types: 1, recorded: 0, receipts: 0 }
const MADE = { series: 1, dates: 201, drafts: 200, published: 1, types: 201, recorded: 1, receipts: 1 }

/** Makes 200 drafts at a server that is killed at it, and again at the next. */
async function repeatAtKilled(t: TestContext, env: Record<string, string>) {
  const folder = await prepare(t)
  return sendToKilled(t, folder, {
    env,
    open: async reader =>
      (await reader.open(`/manage/e/${folder.eventId}/repeat`))
        .fill({ 'On dates of your own': PASTED })
        .press('Show the dates'),
    press: 'Make the drafts',
    read: () => readState(folder.db),
  })
}

for (const [when, env, left] of [
  ['once the series is there, and none of its dates', { KILL_AT: 'after INSERT INTO series' }, ALONE],
  ['at the hundredth of 200 drafts', { KILL_AT: 'after INSERT INTO events', KILL_NUMBER: '100' }, ALONE],
  [
    'once the last ticket type is there',
    { KILL_AT: 'after INSERT INTO registration_types', KILL_NUMBER: '200' },
    ALONE,
  ],
  ['before anything is recorded', { KILL_AT: 'before INSERT INTO access_log' }, ALONE],
  ['once all is written, and nothing committed', { KILL_AT: 'after INSERT INTO form_receipts' }, ALONE],
  ['after the commit', { KILL_AT: 'committed', KILL_OF: 'INSERT INTO series' }, MADE],
  ['before the answer', { KILL_AT: 'synced', KILL_OF: 'INSERT INTO series' }, MADE],
] as const) {
  test(
    `a server that is killed ${when} has made all 200 drafts or none, and the same form makes them once`,
    BOUND,
    async t => {
      const found = await repeatAtKilled(t, env)
      assert.deepEqual([found.left, found.damage], [left, []])
      assert.deepEqual([found.status, found.made, found.madeAgain], [200, MADE, MADE])
      assert.equal(found.leadsTo[0], found.leadsTo[1])
      assert.deepEqual(found.damageAfter, [])
    },
  )
}

test('drafts that are made in two transactions would be seen', BOUND, async t => {
  const statement = 'INSERT INTO events'
  const env = { KILL_AT: `after ${statement}`, KILL_NUMBER: '100', COMMIT_AFTER: statement }
  const found = await repeatAtKilled(t, env)
  assert.notDeepEqual(found.left, ALONE)
  assert.notDeepEqual(found.made, MADE)
})

/** Publishes 200 drafts at a server that is killed at it, and again at the next. */
async function publishAtKilled(t: TestContext, env: Record<string, string>) {
  const folder = await prepare(t)
  const { db, accountId, eventId } = folder
  const { series } = await db.write(accountId, tx =>
    repeatEvent(tx, eventId, {
      name: 'Tours',
      starts: Array.from({ length: 200 }, (_, day) => Date.now() + (day + 2) * DAY),
    }),
  )
  return sendToKilled(t, folder, {
    env,
    open: reader => reader.open(`/manage/a/${accountId}/series/${series.id}/publish`),
    press: 'Publish 200 drafts',
    read: () => readState(db),
  })
}

const DRAFTS = { ...MADE, recorded: 0, receipts: 0 }
const PUBLISHED = { ...MADE, drafts: 0, published: 201 }
const SET = 'UPDATE events SET title'

for (const [when, env, left] of [
  ['at the hundredth of 200 dates', { KILL_AT: `after ${SET}`, KILL_NUMBER: '100' }, DRAFTS],
  ['once all is written, and nothing committed', { KILL_AT: 'after INSERT INTO form_receipts' }, DRAFTS],
  ['after the commit', { KILL_AT: 'committed', KILL_OF: SET }, PUBLISHED],
  ['before the answer', { KILL_AT: 'synced', KILL_OF: SET }, PUBLISHED],
] as const) {
  test(
    `a server that is killed ${when} has published all of a series or none, and the same form does it once`,
    BOUND,
    async t => {
      const found = await publishAtKilled(t, env)
      assert.deepEqual([found.left, found.damage], [left, []])
      assert.deepEqual([found.status, found.made, found.madeAgain], [200, PUBLISHED, PUBLISHED])
      assert.equal(found.leadsTo[0], found.leadsTo[1])
      assert.deepEqual(found.damageAfter, [])
    },
  )
}

test('dates that are published in two transactions would be seen', BOUND, async t => {
  const env = { KILL_AT: `after ${SET}`, KILL_NUMBER: '100', COMMIT_AFTER: SET }
  const found = await publishAtKilled(t, env)
  assert.notDeepEqual(found.left, DRAFTS)
  assert.notDeepEqual(found.left, PUBLISHED)
})

const GUESTS = 3

/** Reads what there is of an announcement: how many dates have it as a draft and as sent, and what is written of it. */
function readSent(db: Database) {
  return db.read(INSTANCE, async tx => {
    const count = async (sql: string) =>
      Number((await tx.one<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`))?.n)
    return {
      drafts: await count('announcements WHERE sent_at IS NULL'),
      sent: await count('announcements WHERE sent_at IS NOT NULL'),
      jobs: await count('jobs'),
      recorded: await count("access_log WHERE action = 'announcement.send'"),
    }
  })
}

/** Sends an announcement to four dates at a server that is killed at it, and again at the next. */
async function announceAtKilled(t: TestContext, env: Record<string, string>) {
  const folder = await prepare(t)
  const { db, accountId, eventId } = folder
  const draft = await db.write(accountId, async tx => {
    const starts = Array.from({ length: GUESTS }, (_, day) => Date.now() + (day + 2) * DAY)
    const { made } = await repeatEvent(tx, eventId, { name: 'Tours', starts })
    for (const id of [eventId, ...made.map(event => event.id)]) {
      if (id !== eventId) await events.setStatus(tx, id, 'published')
      const type = await tx.one<{ id: string }>(
        'SELECT t.id FROM registration_types t WHERE t.event_id = $1',
        [id],
      )
      const buyer = { name: 'Grace', email: 'grace@example.org' }
      await registrations.create(tx, { event_id: id, registration_type_id: type?.id as string, buyer })
    }
    const audience = { group: 'confirmed', types: [], dates: 'all' } as const
    return announcements.create(tx, eventId, { subject: 'News', body: 'Hello', audience }, 'cli')
  })
  const found = await sendToKilled(t, folder, {
    env,
    open: reader => reader.open(`/manage/e/${eventId}/messages/announcements/${draft.id}/send`),
    press: 'Send 4 mails',
    read: () => readSent(db),
  })
  return { ...found, mails: await mailsOf(db) }
}

/** Waits until all mails are written, and counts them by their dates. */
async function mailsOf(db: Database) {
  for (let waited = 0; ; waited += 100) {
    const rows = await db.read(INSTANCE, tx =>
      tx.all<{ event_id: string; n: number }>(
        "SELECT event_id, count(*) AS n FROM emails WHERE kind = 'announcement' GROUP BY event_id",
      ),
    )
    const open = await db.read(INSTANCE, tx =>
      tx.all("SELECT id FROM jobs WHERE state IN ('waiting', 'running')"),
    )
    if (open.length === 0 || waited > 30_000) return rows.map(({ n }) => Number(n))
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

const WRITTEN = { drafts: 1, sent: 0, jobs: 0, recorded: 0 }
const SENT = { drafts: 0, sent: 4, jobs: 4, recorded: 4 }

for (const [when, env, left] of [
  [
    'once two of four dates have it',
    { KILL_AT: 'after INSERT INTO announcements', KILL_NUMBER: '2' },
    WRITTEN,
  ],
  ['once all is written, and nothing committed', { KILL_AT: 'after INSERT INTO form_receipts' }, WRITTEN],
  ['after the commit', { KILL_AT: 'committed', KILL_OF: 'INSERT INTO announcements' }, SENT],
] as const) {
  test(
    `a server that is killed ${when} sends an announcement to all dates or to none, and the same form to each once`,
    BOUND,
    async t => {
      const found = await announceAtKilled(t, env)
      assert.deepEqual([found.left, found.damage], [left, []])
      assert.deepEqual([found.status, found.made, found.madeAgain], [200, SENT, SENT])
      assert.deepEqual([found.mails, found.damageAfter], [[1, 1, 1, 1], []])
    },
  )
}

test('an announcement that is sent in two transactions would be seen', BOUND, async t => {
  const statement = 'INSERT INTO announcements'
  const env = { KILL_AT: `after ${statement}`, KILL_NUMBER: '2', COMMIT_AFTER: statement }
  const found = await announceAtKilled(t, env)
  assert.notDeepEqual(found.left, WRITTEN)
  assert.notDeepEqual(found.left, SENT)
})
