import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#product/administration/accounts/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

test('a manager changes the settings, and what is refused stays as it was typed', async t => {
  const { member, accountId, apply, db } = await startDashboard(t)
  const other = await apply(organization({ email: 'bob@example.org' }))
  await db.write(other.account_id, tx => accounts.update(tx, { slug: 'taken' }))
  const manager = await member('manager')
  const form = await manager.open(`/manage/a/${accountId}/settings`)
  assert.equal(form.field('Percent').value, '2.5')
  assert.equal(form.field('For each ticket').value, '0.30')
  form.fill({ Name: 'Ada & Söhne', 'Link name': 'taken', Percent: '3,25', 'Time zone': 'Asia/Tokyo' })
  const taken = await form.press('Save')
  assert.equal(taken.status, 409)
  assert.match(taken.text, /Another one has this already/)
  assert.equal(taken.field('Name').value, 'Ada & Söhne')
  const reserved = await taken.fill({ 'Link name': 'manage' }).press('Save')
  assert.equal(reserved.status, 409)
  const wrong = await reserved.fill({ 'Link name': 'ada', Percent: '101', Currency: 'Euro' }).press('Save')
  assert.equal(wrong.status, 422)
  const saved = await wrong.fill({ Percent: '3,25', Currency: 'eur' }).press('Save')
  assert.match(saved.messages.join(), /settings are saved/)
  const { name, slug, timezone, currency, service_fee } = await db.read(accountId, tx =>
    accounts.getDetails(tx),
  )
  assert.deepEqual([name, slug, timezone, currency], ['Ada & Söhne', 'ada', 'Asia/Tokyo', 'EUR'])
  assert.deepEqual(service_fee, { basis_points: 325, per_ticket: 30 })
})

test('the settings of an organization have a tab for each topic, for members who have all of its events', async t => {
  const { member, accountId, eventId } = await startDashboard(t)
  const path = `/manage/a/${accountId}/settings`
  const owner = await member('owner')
  const general = await owner.open(path)
  const tabs = [...general.document.querySelectorAll('main .tabs a')]
  const topics = { General: 'Link name', 'Seller and legal': 'Legal name', 'Personal data': 'Years that' }
  assert.deepEqual(
    tabs.map(each => each.textContent?.trim()).filter(tab => tab !== 'Look' && tab !== 'Your own site'),
    Object.keys(topics),
  )
  for (const [topic, label] of Object.entries(topics)) {
    const tab = await general.follow(topic)
    assert.ok(tab.field(label).name, topic)
    assert.equal(tab.document.querySelector('.nav > .wide [aria-current]')?.textContent?.trim(), 'Settings')
    const saved = await tab.press('Save')
    assert.match(saved.messages.join(), /settings are saved/)
    assert.equal(saved.path, tab.path)
  }
  const limited = await member('manager', { email: 'limited@example.org', eventIds: [eventId] })
  for (const topic of ['', '/legal', '/personal-data'])
    assert.equal((await limited.open(path + topic)).status, 403, topic)
})

test('of two who change the settings at once, neither undoes what the other has changed alone', async t => {
  const { member, accountId, db } = await startDashboard(t)
  const [owner, manager] = [await member('owner'), await member('manager')]
  const path = `/manage/a/${accountId}/settings`
  const [first, second] = [await owner.open(path), await manager.open(path)]
  await first.fill({ Name: 'First', 'Time zone': 'UTC' }).press('Save')
  const conflict = await second.fill({ Name: 'Second', Percent: '1' }).press('Save')
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /Somebody changed this to “First”/)
  await conflict.press('Save')
  const { name, timezone, service_fee } = await db.read(accountId, tx => accounts.getDetails(tx))
  assert.deepEqual([name, timezone, service_fee.basis_points], ['Second', 'UTC', 100])
})

test('a fee is the amount that was read, also in another currency with other digits', async t => {
  const { member, accountId, db } = await startDashboard(t)
  const owner = await member('owner')
  const fee = async () => (await db.read(accountId, tx => accounts.getDetails(tx))).service_fee.per_ticket
  const form = await owner.open(`/manage/a/${accountId}/settings`)
  const refused = await form.fill({ Currency: 'JPY' }).press('Save')
  assert.equal(refused.status, 422, 'there is no 0.30 of a yen')
  assert.equal(await fee(), 30)
  await refused.fill({ Currency: 'KWD' }).press('Save')
  assert.equal(await fee(), 300)
})
