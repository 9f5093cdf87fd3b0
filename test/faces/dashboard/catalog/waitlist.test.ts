import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { newRegistration } from '#test/support/requests.ts'

const waiting = (reference: string, changes: object = {}) => ({
  reference,
  registration_type: 'Standard',
  name: `Waits ${reference}`,
  email: `${reference}@example.org`,
  ...changes,
})

async function start(
  t: TestContext,
  entries = [waiting('one'), waiting('two', { registration_type: 'Free' })],
) {
  const file = organization({ event: { waitlist: entries } })
  const server = await startDashboard(t, file)
  const { db, accountId, eventId } = server
  const all = () => db.read(accountId, tx => waitlist.listByEvent(tx, eventId))
  return { ...server, all, path: `/manage/e/${eventId}/waitlist` }
}

test('the waitlist says who waits for what, how many, since when and who was told', async t => {
  const long = `<b>${'ي'.repeat(190)}`
  const server = await start(t, [waiting('one', { quantity: 2 }), waiting('two', { name: long })])
  const { member, path, client, clock } = server
  const made = await client.post('/registrations', newRegistration(server, { quantity: 98 }))
  clock.advance(1000)
  const finance = await member('finance')
  assert.deepEqual((await finance.open(path)).rows().length, 2)
  await client.post(`/registrations/${made.body.id}/cancel`)
  const [first, second] = (await finance.open(path)).rows()
  assert.match(
    first as string,
    /^Waits oneone@example\.orgStandard · 2 tickets21 Nov 2026, [\d:]+Told 21 Nov, [\d:]+$/,
  )
  assert.ok(second?.startsWith(long))
})

test('who waits for one type is shown alone, and a type that there is not filters nothing', async t => {
  const { member, path, types } = await start(t)
  const manager = await member('manager')
  const page = await manager.open(path)
  const filtered = await page.fill({ Ticket: types.Free as string }).press('Apply')
  assert.deepEqual(filtered.rows().length, 1)
  assert.match(filtered.rows()[0] as string, /^Waits two/)
  assert.equal((await filtered.follow('Ticket: Free')).rows().length, 2)
  assert.equal((await manager.open(`${path}?type=none`)).rows().length, 2)
})

test('a long waitlist comes in pages, the longest waiting first, and a wrong cursor is told', async t => {
  const many = Array.from({ length: 60 }, (_, at) => waiting(`w-${at}`))
  const { member, path, all } = await start(t, many)
  const manager = await member('manager')
  const first = await manager.open(path)
  const second = await first.follow('Next')
  const shown = [...first.rows(), ...second.rows()].map(row => /Waits (w-\d+?)w-/.exec(row)?.[1])
  assert.deepEqual(
    shown,
    (await all()).map(({ reference }) => reference),
  )
  assert.equal((await second.follow('First')).rows().length, 50)
  assert.equal((await manager.open(`${path}?after=forged`)).status, 400)
})

test('somebody is taken off after a question, once, and the access log says it without a name', async t => {
  const { member, path, all, db, accountId } = await start(t)
  const manager = await member('manager')
  const confirmation = await (await manager.open(path)).follow('Remove… Waits one')
  assert.equal(confirmation.heading, 'Take Waits one off the waitlist?')
  assert.match(confirmation.text, /for 1 ticket “Standard” is lost/)
  assert.equal((await all()).length, 2, 'asking removes nobody')
  for (const _ of ['once', 'twice']) {
    const done = await confirmation.press('Take off the waitlist')
    assert.equal(done.heading, 'Waitlist')
    assert.equal(done.rows().length, 1)
  }
  const entries = await db.read(accountId, tx => accessLog.list(tx, 10))
  const [entry, ...more] = entries.filter(({ action }) => action === 'waitlist.remove')
  assert.deepEqual([entry?.actor, more.length], [`user:${manager.user.id}`, 0])
  assert.doesNotMatch(JSON.stringify(entry?.details), /Waits|@/)
})

test('an empty waitlist says what it is for, in Spanish too', async t => {
  const { member, path } = await start(t, [])
  assert.match((await (await member('manager')).open(path)).text, /Nobody waits/)
  const spanish = await member('owner', { language: 'es' })
  assert.match((await spanish.open(path)).text, /No espera nadie/)
})

test('other roles and accounts get 403 and 404, finance only reads, and nothing changes', async t => {
  const { member, path, all, apply } = await start(t)
  const [one] = await all()
  const remove = `${path}/${one?.id}/remove`
  const other = await apply(organization({ email: 'bob@example.org' }))
  const stranger = await member('owner', { email: 'o@example.org', accountId: other.account_id })
  for (const role of ['door', 'chair', 'reviewer'] as const) {
    assert.equal((await (await member(role)).open(path)).status, 403)
  }
  const finance = await member('finance')
  assert.doesNotMatch((await finance.open(path)).text, /Remove/)
  assert.equal((await finance.post(remove)).status, 403)
  for (const address of [path, remove]) assert.equal((await stranger.open(address)).status, 404)
  assert.equal((await stranger.post(remove)).status, 404)
  const theirs = `/manage/e/${other.events['spring-meeting']?.id}/waitlist/${one?.id}/remove`
  assert.equal((await stranger.post(theirs)).status, 404)
  assert.equal((await all()).length, 2)
})
