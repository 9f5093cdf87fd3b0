import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { Client } from '#test/support/client.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

test('a key is shown by the answer to its form alone, works, and the form makes no second one', async t => {
  const { member, accountId, app, db, log } = await startDashboard(t)
  const owner = await member('owner')
  const form = await (await owner.open(`/manage/a/${accountId}/keys`)).follow('New key')
  form.fill({ Name: 'Door <i>scanner</i>', 'Read events': true })
  const shown = await form.press('Make the key')
  assert.equal(shown.status, 200)
  const key = shown.field('Key').value
  assert.match(key, /^svc_\w{36}$/)
  assert.equal(shown.headers['cache-control'], 'no-store')
  assert.equal(shown.headers['set-cookie'], undefined)
  const client = new Client(app.url, key)
  t.after(() => client.close())
  assert.equal((await client.get('/events')).status, 200)
  assert.equal((await client.get('/registrations')).status, 403)

  const again = await form.press('Make the key')
  assert.equal(again.heading, 'API keys')
  assert.match(again.messages.join(), /shown only once/)
  const made = await db.read(accountId, tx => keys.list(tx))
  assert.equal(made.filter(({ name }) => name.startsWith('Door')).length, 1)
  const page = await again.follow('Door <i>scanner</i>')
  assert.match(page.text, /Read events and their ticket types/)
  const stored = await db.read(INSTANCE, async tx => [
    ...(await tx.all('SELECT * FROM form_receipts')),
    ...(await tx.all('SELECT * FROM access_log')),
  ])
  for (const text of [again.html, page.html, JSON.stringify(stored), JSON.stringify(log)]) {
    assert.ok(!text.includes(key))
  }
})

test('a key needs a name, something that it may do, and an end that is to come: what was typed stays', async t => {
  const { member, accountId, db } = await startDashboard(t)
  const owner = await member('owner')
  const count = async () => (await db.read(accountId, tx => keys.list(tx))).length
  const before = await count()
  const form = await owner.open(`/manage/a/${accountId}/keys/new`)
  const empty = await form.fill({ 'Requests a minute': 'many' }).press('Make the key')
  assert.equal(empty.status, 422)
  assert.match(empty.text, /3 things need another look/)
  const past = await empty
    .fill({ Name: 'k', 'Read events': true, 'Requests a minute': '5', 'Valid until': '2020-01-01T10:00' })
    .press('Make the key')
  assert.equal(past.status, 400)
  assert.match(past.text, /must end in the future/)
  assert.equal(past.field('Valid until').value, '2020-01-01T10:00')
  assert.equal(await count(), before)
})

test('a key is revoked by a page that asks', async t => {
  const { member, accountId, client, db } = await startDashboard(t)
  const owner = await member('owner')
  const list = await owner.open(`/manage/a/${accountId}/keys`)
  const asks = await (await list.follow('test')).follow('Revoke')
  assert.equal((await client.get('/events')).status, 200)
  const done = await asks.press('Revoke the key')
  assert.match(done.messages.join(), /“test” no longer works/)
  assert.equal((await client.get('/events')).status, 401)
  assert.match(done.rows().join(), /Revoked/)
  const [key] = await db.read(accountId, tx => keys.list(tx))
  const again = await owner.post(`/manage/a/${accountId}/keys/${key?.id}/revoke`)
  assert.equal(again.heading, 'API keys')
})

test('the keys in Spanish', async t => {
  const { member, accountId } = await startDashboard(t)
  const owner = await member('owner', { language: 'es' })
  const form = await owner.open(`/manage/a/${accountId}/keys/new`)
  const refused = await form.fill({ Nombre: 'k' }).press('Crear la clave')
  assert.match(refused.text, /Marca al menos uno/)
})
