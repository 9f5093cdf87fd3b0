import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRegistration } from '../support/requests.ts'
import { startWithOrganization } from '../support/server.ts'

test('a page of the longest answers is cut before it fills the memory, and the walk still gives every row', async t => {
  const server = await startWithOrganization(t)
  const answers = Object.fromEntries(Array.from({ length: 100 }, (_, key) => [`k${key}`, 'x'.repeat(5000)]))
  for (let count = 0; count < 20; count++) {
    const { status } = await server.client.post('/registrations', newRegistration(server, { answers }))
    assert.equal(status, 201)
  }
  const page = await server.client.get('/registrations?limit=100')
  assert.ok(page.text.length < 5_000_000, `${page.text.length} characters`)
  assert.equal(page.body.has_more, true)
  const rows = await server.client.walk('/registrations?limit=100')
  assert.equal(new Set(rows.map(({ id }) => id)).size, 20)
})
