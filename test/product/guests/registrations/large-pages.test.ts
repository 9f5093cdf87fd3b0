import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

const MEBIBYTE = 1024 * 1024
const roomy = [{ name: 'Standard', price: 5000, capacity: 100_000 }]

function startWith(t: TestContext, registrations: object[]) {
  return startWithOrganization(t, organization({ event: { registration_types: roomy, registrations } }))
}

const many = (count: number, changes: (number: number) => object) =>
  Array.from({ length: count }, (_, number) => registration(`r${number}`, changes(number)))

test('a page of the longest answers is cut before it fills the memory, and the walk still gives every row', async t => {
  const server = await startWithOrganization(t)
  const answers = Object.fromEntries(Array.from({ length: 100 }, (_, key) => [`k${key}`, 'x'.repeat(5000)]))
  for (let count = 0; count < 20; count++) {
    const { status } = await server.client.post('/registrations', newRegistration(server, { answers }))
    assert.equal(status, 201)
  }
  const page = await server.client.get('/registrations?limit=100')
  assert.ok(page.text.length < 1.01 * MEBIBYTE, `${page.text.length} characters`)
  assert.equal(page.body.has_more, true)
  const rows = await server.client.walk('/registrations?limit=100')
  assert.equal(new Set(rows.map(({ id }) => id)).size, 20)
  for (const row of rows) assert.deepEqual(row.answers, answers)
})

test('a page of many tickets is cut by its bytes of JSON, and the walk gives each row once with all its tickets', async t => {
  const holder = {
    name: '\u{1f3ab}'.repeat(200),
    email: `${'a'.repeat(60)}@example.org`,
    seat: '\u0001'.repeat(50),
  }
  const { client } = await startWith(
    t,
    many(60, number => ({
      quantity: 100,
      attendees: Array.from({ length: 100 }, () => (number % 2 === 0 ? holder : { name: 'Guest' })),
    })),
  )
  const sizes: number[] = []
  const rows = await client.walk('/registrations?limit=100', ({ text }) => {
    sizes.push(Buffer.byteLength(text))
  })
  assert.equal(new Set(rows.map(({ id }) => id)).size, 60)
  assert.ok(rows.every(({ attendees }) => attendees.length === 100))
  assert.ok(Math.max(...sizes) < 1.01 * MEBIBYTE, `${Math.max(...sizes)} bytes`)
  // A page is not smaller than it has to be either.
  assert.ok(Math.min(...sizes.slice(0, -1)) > 0.8 * MEBIBYTE, `${sizes}`)
})

test('an ordinary page comes whole: a hundred registrations with one ticket, with five, with ten', async t => {
  for (const quantity of [1, 5, 10]) {
    const answers = Object.fromEntries(
      Array.from({ length: 10 }, (_, key) => [`question ${key}`, 'An answer.'.repeat(3)]),
    )
    const { client } = await startWith(
      t,
      many(100, () => ({ quantity, answers })),
    )
    const { body, text } = await client.get('/registrations?limit=100')
    assert.deepEqual([body.data.length, body.has_more, body.next_cursor], [100, false, ''], `${text.length}`)
  }
})

test('a registration that is larger than a page is a page of its own', async t => {
  const answers = Object.fromEntries(
    Array.from({ length: 100 }, (_, key) => [`k${key}`, '\u{1f3ab}'.repeat(5000)]),
  )
  const { client } = await startWith(
    t,
    many(3, number => (number === 1 ? { answers } : {})),
  )
  const lengths: number[] = []
  const rows = await client.walk('/registrations?limit=100', ({ body }) => {
    lengths.push(body.data.length)
  })
  assert.equal(rows.length, 3)
  assert.ok(lengths.length >= 2 && lengths.every(length => length >= 1), `${lengths}`)
  for (const row of rows) assert.deepEqual(row, (await client.get(`/registrations/${row.id}`)).body)
})

test('a page that is cut ends where an ordinary page of that size would', async t => {
  const { client } = await startWith(
    t,
    many(30, () => ({ quantity: 100 })),
  )
  const one = await client.walk('/registrations?limit=100')
  const other = await client.walk('/registrations?limit=7')
  assert.deepEqual(one, other)
  assert.equal(one.length, 30)
})
