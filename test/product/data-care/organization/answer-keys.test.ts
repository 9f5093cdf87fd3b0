import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewOrganization } from '#product/data-care/organization/apply.ts'
import { applyInBatches } from '#product/data-care/organization/batches.ts'
import { validateOrganization } from '#product/data-care/organization/read.ts'
import { registerAnswerKeys } from '#product/guests/registrations/answer-keys.ts'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { assertEmpty, open } from './open.ts'

/** Registrations with 50 answers each, all under keys of their own. */
function answered(count: number, from = 0) {
  return Array.from({ length: count }, (_, number) => {
    const keys = Array.from({ length: 50 }, (_, at) => [`k${(from + number) * 50 + at}`, ''])
    return registration(`r${from + number}`, { answers: Object.fromEntries(keys) })
  })
}

const tooMany = (path: string) => ({
  code: 'invalid_parameter',
  param: path,
  message: `${path} must leave the event with at most 500 different keys.`,
})

test('a file with a 501st key is refused where it stands, before anything is written and in a preview', async t => {
  const server = await open(t)
  const events = [{ slug: 'second', title: 'Second', registration_types: [], registrations: [] as object[] }]
  // The oldest of them is not the first: it is the order of the file that counts.
  const one = registration('one', { answers: { one: '' }, created_at: '2026-01-01T00:00:00Z' })
  const file = organization({ event: { registrations: [...answered(10), one] }, events })
  const refused = tooMany('events.0.registrations.10.answers')
  const preview = (db?: typeof server.db) => previewOrganization(db, validateOrganization(file), server.clock)
  await assert.rejects(preview(), refused)
  await assert.rejects(preview(server.db), refused)
  await assert.rejects(server.apply(file), refused)
  await assertEmpty(server)
  assert.equal(await server.count('answer_keys'), 0)
})

test('the keys that the event has count, those of registrations that are kept do not again', async t => {
  const { apply, count } = await open(t)
  await apply(organization({ event: { registrations: answered(9) } }))
  assert.equal(await count('answer_keys'), 450)
  const more = [...answered(10), ...answered(1, 3).map(item => ({ ...item, reference: 'known' }))]
  await assert.rejects(
    apply(organization({ event: { registrations: [...more, registration('x', { answers: { x: '' } })] } })),
    tooMany('events.0.registrations.11.answers'),
  )
  assert.equal(await count('registrations'), 9)
  assert.equal((await apply(organization({ event: { registrations: more } }))).created, 2)
  assert.equal(await count('answer_keys'), 500)
})

test('the keys that a file brings are columns of the report, and count for the API', async t => {
  const answers = JSON.parse('{"__proto__": "a", "diet": "b"}')
  const file = organization({ event: { registrations: [...answered(9), registration('p', { answers })] } })
  const server = await startWithOrganization(t, file)
  const { body } = await server.client.get(`/reports/registrations?event_id=${server.eventId}`)
  const columns = body.columns.filter((name: string) => name.startsWith('answer:'))
  assert.equal(columns.length, 452)
  assert.ok(columns.includes('answer:__proto__'))
  const post = async (from: number, to: number) => {
    const given = Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`n${from + at}`, '']))
    return (await server.client.post('/registrations', newRegistration(server, { answers: given }))).status
  }
  assert.deepEqual([await post(0, 49), await post(0, 48), await post(48, 49)], [400, 201, 400])
})

test('a file that comes in batches is refused before the first, and each batch brings its keys', async t => {
  const { db, clock, count } = await open(t)
  const bring = (registrations: object[]) => {
    const file = validateOrganization(organization({ event: { registrations } }))
    return applyInBatches(db, file, { clock, size: { rows: 4, characters: 1_000_000 } })
  }
  await assert.rejects(bring(answered(11)), tooMany('events.0.registrations.10.answers'))
  assert.equal(await count('accounts'), 0)
  assert.equal((await bring(answered(10))).created, 14)
  assert.equal(await count('answer_keys'), 500)
})

test('keys that a server has taken since the file was planned count too', async t => {
  const { apply, count, db } = await open(t)
  const { account_id: accountId, events } = await apply(
    organization({ event: { registrations: answered(9) } }),
  )
  const stage = db.stage.bind(db)
  t.mock.method(db, 'stage', async (...rows: Parameters<typeof stage>) => {
    const eventId = events['spring-meeting']?.id as string
    await db.write(accountId, tx => registerAnswerKeys(tx, eventId, ['taken']))
    return stage(...rows)
  })
  const file = organization({ event: { registrations: answered(10) } })
  await assert.rejects(apply(file), tooMany('events.0.registrations.9.answers'))
  assert.deepEqual([await count('registrations'), await count('answer_keys')], [9, 451])
})
