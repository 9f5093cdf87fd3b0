import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as v from 'valibot'
import { INSTANCE } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { amend, amendmentEntry } from '#product/guests/registrations/amendment.ts'
import { getDetails } from '#product/guests/registrations/details.ts'
import { amendmentSchema } from '#product/guests/registrations/schemas.ts'
import { timeline } from '#product/guests/registrations/timeline.ts'
import { organization } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

async function start(t: TestContext) {
  const server = await startWithOrganization(t)
  const { applied, client, db } = server
  const accountId = applied.account_id
  const attendees = [
    { name: 'Grace Hopper', email: 'grace@example.org', seat: 'A1' },
    { name: 'Ada Lovelace' },
  ]
  const answers = { diet: 'vegan', size: 'M' }
  const { body: made } = await client.post('/registrations', newRegistration(server, { attendees, answers }))
  const amendIt = (changes: unknown, of = accountId) => {
    const actor = { accountId: of, who: 'user:ada', requestId: null, address: null }
    const input = v.parse(amendmentSchema, changes)
    return recordedWrite(db, actor, tx => amend(tx, made.id, input), amendmentEntry(made.id))
  }
  const find = async (q: string) =>
    (await client.get(`/registrations?q=${encodeURIComponent(q)}`)).body.data.length as number
  return { ...server, accountId, made, amendIt, find }
}

test('an amendment changes what is given and nothing else, and the search follows it', async t => {
  const { client, db, clock, accountId, made, amendIt, find } = await start(t)
  clock.advance(60_000)
  const { registration, changed } = await amendIt({
    buyer: { name: 'Grace', email: 'hopper@navy.example' },
    attendees: [{ id: made.attendees[0].id, name: 'Joan Clarke', email: null, seat: 'B2' }],
    answers: { size: null, diet: 'vegetarian', shoe: '38' },
    language: 'es',
    note: 'Comes by train',
  })
  const body = (await client.get(`/registrations/${made.id}`)).body
  assert.deepEqual(body, {
    ...made,
    buyer: { name: 'Grace', email: 'hopper@navy.example' },
    answers: { diet: 'vegetarian', shoe: '38' },
    attendees: [{ ...made.attendees[0], name: 'Joan Clarke', email: null, seat: 'B2' }, made.attendees[1]],
  })
  assert.deepEqual(
    [registration.note, registration.language, registration.reference, registration.erased_at],
    ['Comes by train', 'es', made.id, null],
  )
  assert.deepEqual(changed, [
    'buyer.email',
    'language',
    'note',
    'answers.size',
    'answers.diet',
    'answers.shoe',
    'attendees.0.name',
    'attendees.0.email',
    'attendees.0.seat',
  ])
  for (const [text, count] of [
    ['joan clarke', 1],
    ['hopper@navy.example', 1],
    ['lovelace', 1],
    ['hopper grace', 1],
    ['grace@example.org', 0],
  ] as const) {
    assert.equal(await find(text), count, text)
  }
  assert.deepEqual(await findDamage(db), [])
  const [entry] = await db.read(accountId, tx => accessLog.list(tx, 1))
  assert.deepEqual([entry?.action, entry?.details], ['registration.amend', { fields: changed }])
  assert.ok(!JSON.stringify(entry).includes('Joan'))
})

test('an amendment that says what is so already writes nothing, not even that it was tried', async t => {
  const { db, accountId, made, amendIt } = await start(t)
  const before = await db.read(accountId, tx => accessLog.list(tx, 10))
  const { changed } = await amendIt({
    buyer: made.buyer,
    attendees: made.attendees.map(({ id, name }: { id: string; name: string }) => ({ id, name })),
    answers: made.answers,
    note: null,
  })
  assert.deepEqual(changed, [])
  assert.deepEqual(await db.read(accountId, tx => accessLog.list(tx, 10)), before)
})

test('a ticket of another registration, a registration of another account, and too many answers are refused whole', async t => {
  const server = await start(t)
  const { apply, client, db, accountId, made, amendIt } = server
  const other = (await client.post('/registrations', newRegistration(server))).body
  const stray = { buyer: { name: 'X' }, attendees: [{ id: other.attendees[0].id, name: 'X' }] }
  await assert.rejects(amendIt(stray), { code: 'not_found', param: 'attendees.0.id' })
  const many = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`k${at}`, '']))
  await assert.rejects(amendIt({ buyer: { name: 'X' }, answers: many }), {
    code: 'invalid_parameter',
    param: 'answers',
  })
  await assert.rejects(amendIt({ answers: { shoe: 7 } }), { code: 'invalid_parameter', param: 'answers' })
  const { account_id: stranger } = await apply(organization({ email: 'bob@example.org' }))
  await assert.rejects(amendIt({ buyer: { name: 'X' } }, stranger), { code: 'not_found' })
  await assert.rejects(
    db.read(stranger, tx => getDetails(tx, made.id)),
    { code: 'not_found' },
  )
  assert.deepEqual((await client.get(`/registrations/${made.id}`)).body, made)
  assert.deepEqual((await client.get(`/registrations/${other.id}`)).body, other)
  assert.deepEqual(await findDamage(db), [])
  assert.equal((await db.read(accountId, tx => getDetails(tx, made.id))).note, null)
})

test('the timeline of a registration has who did what to it and its tickets, newest first, and nothing of others', async t => {
  const server = await start(t)
  const { client, db, clock, applied, accountId, made, amendIt } = server
  const [first] = made.attendees
  clock.advance(1_000)
  await client.post('/registrations', newRegistration(server))
  await amendIt({ note: 'Comes by train' })
  clock.advance(1_000)
  await client.post('/check-ins', { attendee_id: first.id })
  clock.advance(1_000)
  const actor = { accountId, who: 'user:ada', requestId: null, address: null }
  const undo = checkIns.undoEntry(first.id, 'By mistake')
  await recordedWrite(db, actor, tx => checkIns.undo(tx, first.id), undo)
  clock.advance(1_000)
  await client.post('/check-ins', { attendee_id: first.id })
  clock.advance(1_000)
  await client.post(`/registrations/${made.id}/cancel`)
  await client.post(`/registrations/${made.id}/cancel`)

  const items = await db.read(accountId, tx => timeline(tx, made.id))
  const [key] = await db.read(INSTANCE, tx => tx.all<{ id: string }>('SELECT id FROM api_keys'))
  const door = `key:${key?.id}`
  assert.deepEqual(
    items.map(item => [item.kind === 'entry' ? item.action : item.kind, item.actor]),
    [
      ['cancelled', door],
      ['registration.cancel', door],
      ['checked_in', door],
      ['check_in.undo', 'user:ada'],
      ['registration.amend', 'user:ada'],
      ['confirmed', null],
      ['created', door],
    ],
  )
  const [, refused, , undone, amended] = items
  assert.ok(refused?.kind === 'entry' && refused.code === 'already_cancelled')
  assert.ok(undone?.kind === 'entry' && undone.reason === 'By mistake')
  assert.ok(amended?.kind === 'entry' && amended.fields.join() === 'note')
  const details = await db.read(accountId, tx => getDetails(tx, made.id))
  assert.deepEqual(
    details.check_ins.map(({ attendee_id, source }) => [attendee_id, source]),
    [[first.id, 'api']],
  )
  await assert.rejects(
    db.read(applied.account_id, tx => timeline(tx, first.id)),
    { code: 'not_found' },
  )
})
