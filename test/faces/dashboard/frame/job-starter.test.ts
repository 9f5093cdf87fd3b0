import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as users from '#product/administration/users/rules.ts'
import { retryFailed } from '#product/administration/webhooks/retry-all.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import * as imports from '#product/guests/imports/rules.ts'
import { readTable } from '#product/guests/imports/table.ts'
import * as cancellations from '#product/selling/event-cancellation/rules.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { newRegistration } from '#test/support/requests.ts'
import { onceSettled } from '#test/support/settled.ts'

test('the page of a job whose starter was removed says so, in each language, and another may start it again', async t => {
  const at = await startDashboard(t)
  const { db, accountId, eventId, types, client } = at
  const { id: guest } = (await client.post('/registrations', newRegistration({ eventId, types }))).body
  const owner = await at.member('owner')
  const spanish = await at.member('manager', { email: 'es@example.org', language: 'es' })
  const { user } = await at.member('manager')
  const by = `user:${user.id}`
  const origin = { requestId: null, address: null }
  const table = await readTable(Buffer.from('Name,Email\nGrace,grace@example.org\n'))
  const upload = await imports.upload(db, { accountId, who: 'cli', ...origin }, eventId, table)
  const columns = ['name', 'email']
  const choice = { columns, registrationTypeId: types.Standard as string, by: 'cli' }
  await db.write(accountId, tx => imports.check(tx, upload.id, choice))
  const checked = () => db.read(accountId, tx => jobs.get(tx, upload.id))
  await onceSettled(at, 'jobs', 'the check', async () => (await checked()).state === 'done')
  const { cancel, endpoint, retry } = await db.write(accountId, async tx => {
    const cancel = await cancellations.start(tx, eventId, { ids: [guest], notified: 'nobody', by })
    await imports.start(tx, upload.id, by)
    const given = { url: 'https://example.org/hook', types: [] }
    const endpoint = await webhooks.addEndpoint(tx, given)
    const retry = await retryFailed(tx, endpoint.id, { since: 0, total: null, by })
    const member = await users.findMembership(tx, user.id)
    await users.removeMember(tx, member?.id as string)
    return { cancel, endpoint, retry }
  })
  const event = `/manage/e/${eventId}`
  const pages = [
    `${event}/jobs/${cancel.id}`,
    `${event}/guests/import/${upload.id}`,
    `/manage/a/${accountId}/webhooks/${endpoint.id}/retries/${retry.id}`,
  ]
  for (const path of pages) {
    const ended = () => owner.open(path).then(page => !/http-equiv="refresh"/.test(page.html) && page)
    const page = await onceSettled(at, 'jobs', 'its end', ended)
    assert.match(page.text, /Whoever started it may not do that any more\. Start it again yourself\./, path)
    assert.match((await spanish.open(path)).text, /Quien lo empezó ya no puede hacerlo/, path)
  }
  assert.equal((await client.get(`/registrations/${guest}`)).body.status, 'confirmed')
  assert.equal((await client.get('/registrations')).body.data.length, 1)
  const again = await (await owner.open(pages[1] as string)).follow('Import 1 ')
  await again.press('Import 1 ')
  await at.app.settled('jobs')
  assert.equal((await client.get('/registrations')).body.data.length, 2)
})
