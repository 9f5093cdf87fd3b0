import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '#base/time.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

test('a clock that ran a week ahead and was set right again does not shut the door', async t => {
  const server = await startWithOrganization(t)
  const { body } = await server.client.post('/registrations', newRegistration(server))
  server.clock.advance(7 * DAY)
  await server.client.post('/registrations', newRegistration(server))
  server.clock.advance(-7 * DAY)
  const answer = await server.client.post('/check-ins', { attendee_id: body.attendees[0].id })
  assert.equal(answer.status, 201, answer.text)
})
