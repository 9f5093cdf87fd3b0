import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as cancellations from '../../src/cancellations/rules.ts'
import * as imports from '../../src/imports/rules.ts'
import { readTable } from '../../src/imports/table.ts'
import * as jobs from '../../src/jobs/rules.ts'
import * as users from '../../src/users/rules.ts'
import { retryFailed } from '../../src/webhooks/retry-all.ts'
import * as webhooks from '../../src/webhooks/rules.ts'
import { startDashboard } from '../support/dashboard.ts'
import { newRegistration } from '../support/requests.ts'
import { eventually } from '../support/webhooks.ts'

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
  await db.write(accountId, tx => imports.check(tx, accountId, upload.id, choice))
  const checked = () => db.read(tx => jobs.get(tx, accountId, upload.id))
  await eventually('the check', async () => (await checked()).state === 'done')
  const { cancel, endpoint, retry } = await db.write(accountId, async tx => {
    const cancel = await cancellations.start(tx, accountId, eventId, { ids: [guest], isTold: true, by })
    await imports.start(tx, accountId, upload.id, by)
    const given = { url: 'https://example.org/hook', types: [] }
    const endpoint = await webhooks.addEndpoint(tx, accountId, given)
    const retry = await retryFailed(tx, accountId, endpoint.id, { since: 0, total: null, by })
    const member = await users.findMembership(tx, accountId, user.id)
    await users.removeMember(tx, accountId, member?.id as string)
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
    const told = await eventually('its end', ended)
    assert.match(told.text, /Whoever started it may not do that any more\. Start it again yourself\./, path)
    assert.match((await spanish.open(path)).text, /Quien lo empezó ya no puede hacerlo/, path)
  }
  assert.equal((await client.get(`/registrations/${guest}`)).body.status, 'confirmed')
  assert.equal((await client.get('/registrations')).body.data.length, 1)
  const again = await (await owner.open(pages[1] as string)).follow('Import 1 ')
  await again.press('Import 1 ')
  await eventually('the guest', async () => (await client.get('/registrations')).body.data.length === 2)
})
