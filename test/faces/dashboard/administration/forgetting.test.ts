import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

const DAYS = 'Forget guests so many days after the end of an event'

test('settings say after how many days guests are forgotten, and the privacy notice says the same', async t => {
  const { member, accountId, db } = await startDashboard(t)
  const owner = await member('owner')
  const settings = `/manage/a/${accountId}/settings`
  const days = async () => (await db.read(accountId, tx => accounts.getDetails(tx))).forget_after_days
  const page = await owner.open(`${settings}/personal-data`)
  assert.equal(page.field(DAYS).value, '')
  for (const wrong of ['29', '3651', '1.5', 'x']) {
    const refused = await page.fill({ [DAYS]: wrong }).press('Save')
    assert.equal(refused.status, 422, wrong)
    assert.match(refused.text, /Enter a whole number from 30 to 3650/)
  }
  const saved = await page.fill({ [DAYS]: '365' }).press('Save')
  assert.equal(saved.field(DAYS).value, '365')
  assert.equal(await days(), 365)
  const spanish = await member('owner', { email: 'eva@example.org', language: 'es' })
  const draft = async (reader = owner) => (await reader.open(`${settings}/legal`)).text
  assert.match(await draft(), /Orders, tickets, check-ins and waitlists: 365 days after the end of the event/)
  assert.match(await draft(spanish), /listas de espera: 365 días después del final del evento/)
  await saved.fill({ [DAYS]: '' }).press('Save')
  assert.equal(await days(), null)
  assert.match(await draft(), /until when, such as a year after the event/)
  // The log says that it was changed, and the one who may not change settings sees nothing of it.
  const log = await db.read(INSTANCE, tx =>
    tx.all<{ details: string }>("SELECT details FROM access_log WHERE action = 'account.update'"),
  )
  assert.deepEqual(
    log.map(({ details }) => JSON.parse(details).changed),
    [['forget_after_days'], ['forget_after_days']],
  )
  const door = await member('door')
  assert.equal((await door.open(`${settings}/personal-data`)).status, 403)
})

test('the settings say which events the saved days mean today, and whether it has begun', async t => {
  const { member, accountId, db, clock } = await startDashboard(t)
  const path = `/manage/a/${accountId}/settings/personal-data`
  clock.set('2027-03-31T12:00:00Z')
  const owner = await member('owner')
  const page = await owner.open(path)
  assert.doesNotMatch(page.text, /What this means today/)
  const saved = await page.fill({ [DAYS]: '30' }).press('Save')
  assert.match(saved.text, /events that ended before 1 Mar 2027 are due\..*Nobody is forgotten yet/)
  await db.write(accountId, tx => accounts.noteForgetTold(tx))
  const told = await owner.open(path)
  assert.match(told.text, /The owners were mailed on 31 Mar 2027, and it begins on 7 Apr 2027\./)
  clock.set('2027-04-08T12:00:00Z')
  const begun = await (await member('owner', { email: 'eva@example.org' })).open(path)
  assert.match(begun.text, /ended before 9 Mar 2027 are due\..*They are forgotten each night\./)
  assert.equal((await begun.follow('See the past events')).heading, 'Events')
})
