import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { organization, registration } from '#test/support/organization.ts'
import { open } from './open.ts'

const file = (name: string, type = name) =>
  organization({
    event: {
      title: ' Spring Meeting ',
      venue: '\tMain Hall\r\n',
      registration_types: [{ name, price: 0, capacity: 2 }],
      registrations: [registration('first', { registration_type: type })],
    },
  })

test('the names of an organization file are trimmed, and one type goes by its name with white space and without', async t => {
  const { db, apply, count } = await open(t)
  await apply(file(' Standard ', 'Standard'))
  const { changes } = await apply(file('Standard', '\u00a0Standard\n'))
  assert.deepEqual(changes, [])
  assert.equal(await count('registration_types'), 1)
  const kept = await db.read(INSTANCE, tx => tx.one('SELECT title, venue FROM events'))
  assert.deepEqual(kept, { title: 'Spring Meeting', venue: 'Main Hall' })
  const twice = organization({
    event: { registration_types: ['A', 'A '].map(name => ({ name, price: 0, capacity: 1 })) },
  })
  await assert.rejects(async () => apply(twice), /events\.0\.registration_types\.1\.name is there twice/)
})

test('a type whose name was kept with white space before names were trimmed is no second one', async t => {
  const { db, apply, count } = await open(t)
  await apply(file('Standard'))
  const rename = (name: string) =>
    db.write(INSTANCE, tx => tx.run('UPDATE registration_types SET name = $1', [name]))
  await rename('Standard ')
  for (const name of ['Standard ', 'Standard']) assert.deepEqual((await apply(file(name))).changes, [])
  // The same holds if the file names the type and does not have it.
  const { events } = file('Standard ')
  const [event] = events as [(typeof events)[0]]
  const more = { ...event, registration_types: [], registrations: [registration('second')] }
  await apply(organization({ event: more }))
  assert.deepEqual([await count('registration_types'), await count('registrations')], [1, 2])
  const type = await db.read(INSTANCE, tx => tx.one('SELECT name, sold FROM registration_types'))
  assert.deepEqual(type, { name: 'Standard ', sold: 2 })
})

test('of two types that differ by white space alone, each goes by the name that it has', async t => {
  const { db, apply, count } = await open(t)
  const types = [
    { name: 'A', price: 0, capacity: 1 },
    { name: 'B', price: 0, capacity: 5 },
  ]
  await apply(organization({ event: { registration_types: types } }))
  await db.write(INSTANCE, tx => tx.run("UPDATE registration_types SET name = 'A ' WHERE name = 'B'"))
  const changed = organization({ event: { registration_types: [{ name: 'A', price: 0, capacity: 2 }] } })
  await apply(changed)
  assert.equal(await count('registration_types'), 2)
  const rows = await db.read(INSTANCE, tx =>
    tx.all('SELECT name, capacity FROM registration_types ORDER BY capacity'),
  )
  assert.deepEqual(rows, [
    { name: 'A', capacity: 2 },
    { name: 'A ', capacity: 5 },
  ])
})

test('the history of a registration is completed also where the name of its type is older than the trimming', async t => {
  const { db, apply } = await open(t)
  const paid = (changes: object = {}) =>
    organization({
      event: {
        registration_types: [{ name: 'Standard', price: 5000, capacity: 2 }],
        registrations: [registration('first', { amount_total: 5000, ...changes })],
      },
    })
  await apply(paid())
  await db.write(INSTANCE, tx => tx.run("UPDATE registration_types SET name = 'Standard '"))
  await db.write(INSTANCE, tx => tx.run("UPDATE registrations SET buyer_name = 'Grace '"))
  assert.deepEqual((await apply(paid())).differences, [])
  await apply(paid({ status: 'refunded' }), { updateHistory: true })
  assert.deepEqual(await db.read(INSTANCE, tx => tx.one('SELECT sold FROM registration_types')), { sold: 0 })
})
