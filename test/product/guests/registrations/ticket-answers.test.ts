import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import { amend } from '#product/guests/registrations/amendment.ts'
import type { Placement } from '#product/guests/registrations/placement.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { organization } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

const grace = { name: 'Grace', email: 'grace@example.org' }
const ann = { name: 'Ann', email: 'ann@example.org' }
// JSON.parse makes `__proto__` an own key, which a literal does not.
const shirts: Record<string, string> = JSON.parse('{"shirt": "M", "__proto__": "kept"}')

async function start(t: TestContext) {
  const standard = { name: 'Standard', price: 5000, capacity: 400 }
  const server = await startWithOrganization(t, organization({ event: { registration_types: [standard] } }))
  const { applied, db, eventId, types } = server
  const { account_id: accountId } = applied
  const place = (changes: Partial<Placement>) =>
    db.write(accountId, async tx => {
      const event = await events.get(tx, eventId)
      const type = await registrationTypes.get(tx, eventId, types.Standard as string)
      const common = { source: 'checkout', buyer: grace, amount_total: 0, status: 'confirmed' } as const
      return registrations.place(tx, { ...common, ...changes, event, type })
    })
  return { ...server, accountId, place }
}

test('each ticket has the answers of its own, which the API tells last, and a check-in does not tell', async t => {
  const { client, eventId, types, place } = await start(t)
  const placed = await place({
    answers: { diet: 'vegan' },
    attendees: [{ ...ann, answers: shirts }, { name: 'Bob' }],
  })
  const got = (await client.get(`/registrations/${placed.id}`)).body
  assert.deepEqual(got, JSON.parse(JSON.stringify(placed)))
  assert.deepEqual(
    got.attendees.map((ticket: { answers: object }) => JSON.stringify(ticket.answers)),
    ['{"shirt":"M","__proto__":"kept"}', '{}'],
  )
  assert.equal(Object.keys(got.attendees[0]).at(-1), 'answers')
  assert.deepEqual((await client.get('/registrations')).body.data, [got])

  const { body: imported } = await client.post('/registrations', newRegistration({ eventId, types }))
  assert.deepEqual(imported.attendees[0].answers, {})
  const { body: checkIn } = await client.post('/check-ins', { attendee_id: got.attendees[0].id })
  assert.equal('answers' in checkIn.attendee, false)
})

test("in the report a ticket's answer fills the column of its key, and goes before that of the order", async t => {
  const { client, eventId, place } = await start(t)
  await place({
    answers: { diet: 'vegan', shirt: 'L' },
    attendees: [{ ...ann, answers: shirts }, { name: 'Bob' }],
  })
  const report = await client.get(`/reports/registrations?event_id=${eventId}`)
  const columns = ['answer:__proto__', 'answer:diet', 'answer:shirt']
  assert.deepEqual(report.body.columns.slice(-3), columns)
  const cells = report.body.data.map((row: Record<string, unknown>) => columns.map(name => row[name]))
  assert.deepEqual(cells, [
    ['kept', 'vegan', 'M'],
    [null, 'vegan', 'L'],
  ])
  const csv = await client.get(`/reports/registrations?event_id=${eventId}&format=csv`)
  assert.match(csv.text, /"kept","vegan","M"\r\n[^\r]*"","vegan","L"\r\n$/)
})

test('long answers of tickets make pages shorter, are in the report whole, and have a bound', async t => {
  const { client, eventId, place } = await start(t)
  const long = (letter: string) => ({ cv: letter.repeat(5000), letter: letter.repeat(5000) })
  const ids: string[] = []
  for (let number = 0; number < 6; number++) {
    const holders = Array.from({ length: 50 }, () => ({ name: 'Ann', answers: long('e') }))
    ids.unshift((await place({ attendees: holders })).id)
  }
  const found: string[] = []
  const sizes: number[] = []
  for (let cursor = ''; ; ) {
    const { body } = await client.get(`/registrations?limit=100${cursor}`)
    found.push(...body.data.map(({ id }: { id: string }) => id))
    sizes.push(body.data.length)
    for (const { attendees } of body.data) assert.deepEqual(attendees[49].answers, long('e'))
    if (!body.has_more) break
    cursor = `&starting_after=${body.next_cursor}`
  }
  assert.deepEqual([found, sizes], [ids, [2, 2, 2]])
  const report = await client.get(`/reports/registrations?event_id=${eventId}`)
  assert.equal(report.body.data.length, 300)
  assert.equal(report.body.data[299]['answer:letter'], long('e').letter)

  const tooLong = Array.from({ length: 51 }, () => ({ name: 'Ann', answers: long('e') }))
  await assert.rejects(place({ attendees: tooLong }), { code: 'invalid_parameter', param: 'attendees' })
  const keys = Object.fromEntries(Array.from({ length: 499 }, (_, at) => [`k${at}`, '']))
  await assert.rejects(place({ attendees: [{ name: 'Ann', answers: keys }] }), { param: 'answers' })
})

test('an amendment changes answers of a ticket by their keys, and leaves the others', async t => {
  const { db, accountId, place } = await start(t)
  const { id, attendees } = await place({ attendees: [{ ...ann, answers: shirts }, { name: 'Bob' }] })
  const [ticket] = attendees
  const change = { id: ticket?.id as string, answers: { shirt: null, size: 'XL' } }
  const { registration, changed } = await db.write(accountId, tx => amend(tx, id, { attendees: [change] }))
  assert.deepEqual(changed, ['attendees.0.answers.shirt', 'attendees.0.answers.size'])
  const answers = registration.attendees.map(each => JSON.stringify(each.answers))
  assert.deepEqual(answers, ['{"__proto__":"kept","size":"XL"}', '{}'])
  const same = await db.write(accountId, tx => amend(tx, id, { attendees: [change] }))
  assert.deepEqual(same.changed, [])
})

test('an erased person keeps no answers of tickets, and everybody else does', async t => {
  const { db, accountId, place } = await start(t)
  const { id } = await place({
    attendees: [
      { ...ann, answers: shirts },
      { name: 'Bob', answers: shirts },
    ],
  })
  const actor = { accountId, who: 'cli', requestId: null, address: null }
  await erasePerson(db, actor, 'ann@example.org')
  const { attendees } = await db.read(accountId, tx => registrations.get(tx, id))
  assert.deepEqual(
    attendees.map(({ name, answers }) => [name === 'Bob', JSON.stringify(answers)]),
    [
      [false, '{}'],
      [true, JSON.stringify(shirts)],
    ],
  )
})
