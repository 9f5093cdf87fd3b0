import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as events from '#product/catalog/events/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'

const entries = (page: ReadPage) =>
  [...page.document.querySelectorAll('.nav > .wide a')].map(each => (each.textContent ?? '').trim())

const sent = {
  ...{ code: 'A-1', title: 'On organs', abstract: 'Pipes.', submitted_at: '2026-10-01T10:00:00Z' },
  ...{
    authors: [{ name: 'Lin', email: 'lin@example.org' }],
    contact: { name: 'Lin', email: 'lin@example.org' },
  },
}

test('a new event shows no abstracts until they are switched on in its settings, and their page stays where it is', async t => {
  const { member, accountId, eventId } = await startDashboard(t)
  const owner = await member('owner')
  const path = `/manage/e/${eventId}`
  assert.ok(!entries(await owner.open(path)).includes('Abstracts'))
  assert.equal((await owner.open(`${path}/abstracts`)).status, 200)
  const created = await (await owner.open(`/manage/a/${accountId}/new-event`))
    .fill({ Name: 'Another' })
    .press('Create')
  assert.ok(!entries(created).includes('Abstracts'))
  const settings = await owner.open(`${path}/settings`)
  assert.equal(settings.field('This event has a call for abstracts').checked, false)
  await settings.fill({ 'This event has a call for abstracts': true }).press('Save')
  assert.ok(entries(await owner.open(path)).includes('Abstracts'))
  const chair = await member('chair')
  assert.deepEqual(entries(await chair.open(path)), ['Overview', 'Abstracts'])
  const again = await owner.open(`${path}/settings`)
  await again.fill({ 'This event has a call for abstracts': false }).press('Save')
  assert.deepEqual(entries(await chair.open(path)), ['Overview'])
})

test('a file that brings abstracts switches them on, unless it says otherwise, and one without leaves them as they are', async t => {
  const { db, apply, accountId, eventId } = await startDashboard(t)
  const isOn = async () => {
    const event = await db.read(accountId, tx => events.getDetails(tx, eventId))
    return event.takes_abstracts
  }
  assert.equal(await isOn(), false)
  await apply(organization({ event: { abstracts: [sent], takes_abstracts: false } }))
  assert.equal(await isOn(), false)
  await apply(organization({ event: { abstracts: [sent] } }))
  assert.equal(await isOn(), true)
  await apply(organization())
  assert.equal(await isOn(), true)
})
