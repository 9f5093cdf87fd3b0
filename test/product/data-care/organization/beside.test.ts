import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { applyInBatches } from '#product/data-care/organization/batches.ts'
import { validateOrganization } from '#product/data-care/organization/read.ts'
import { collectOrganization, organization } from '#test/support/organization.ts'
import { open } from './open.ts'

type Opened = Awaited<ReturnType<typeof open>>

const buyer = { name: 'Grace', email: 'grace@example.org' }
const of = (reference: string, type: string, more: object = {}) => ({
  ...{ reference, registration_type: type, buyer, attendees: [{ name: 'Grace' }] },
  ...more,
})

/** The extra stands above its ticket, and is older: neither decides which comes first. */
const registrations = [
  of('dinner', 'Dinner', { beside: 'ticket', created_at: '2026-01-01T00:00:00Z' }),
  of('ticket', 'Guest', { created_at: '2026-02-01T00:00:00Z' }),
  of('shirt', 'Shirt', { beside: 'ticket' }),
  of('other', 'Guest'),
]

function fileOf(some: readonly object[] = registrations, more: object = {}) {
  const registration_types = [
    { name: 'Guest', price: 0, capacity: 10 },
    { name: 'Dinner', kind: 'extra', price: 0, capacity: 10 },
    { name: 'Shirt', kind: 'extra', price: 0, capacity: 10 },
  ]
  return organization({ event: { registration_types, registrations: some, ...more } })
}

const exportOf = ({ db }: Opened, accountId: string) => db.read(accountId, tx => collectOrganization(tx))

/** Returns which registration each extra stands beside, by their references. */
const besideIn = ({ db }: Opened) =>
  db.read(INSTANCE, tx =>
    tx.all<{ reference: string; ticket: string }>(
      `SELECT r.reference, f.reference AS ticket FROM registrations r JOIN registrations f ON f.id = r.beside ORDER BY r.reference`,
    ),
  )

const BOTH = [
  { reference: 'dinner', ticket: 'ticket' },
  { reference: 'shirt', ticket: 'ticket' },
]

async function holds(t: TestContext, server: Opened, accountId: string) {
  assert.deepEqual(await besideIn(server), BOTH)
  assert.deepEqual(await findDamage(server.db), [])
  const text = JSON.stringify(await exportOf(server, accountId))
  const second = await open(t)
  const report = await second.apply(JSON.parse(text))
  assert.deepEqual(await besideIn(second), BOTH)
  assert.equal(JSON.stringify(await exportOf(second, report.account_id)), text)
  assert.deepEqual(await findDamage(second.db), [])
  await second.apply(JSON.parse(text))
  assert.equal(JSON.stringify(await exportOf(second, report.account_id)), text, 'again it changes nothing')
}

test('what stands beside a ticket without an order is exported as the text that it is applied from', async t => {
  const server = await open(t)
  const { account_id: accountId } = await server.apply(fileOf())
  await holds(t, server, accountId)
})

test('in batches of one registration each, what stands beside a ticket comes after it', async t => {
  const server = await open(t)
  const { db, clock } = server
  const size = { rows: 1, characters: 1_000_000 }
  const { account_id: accountId } = await applyInBatches(db, validateOrganization(fileOf()), { clock, size })
  await holds(t, server, accountId)
})

test('an extra that a newer file brings stands beside the ticket that is there', async t => {
  const server = await open(t)
  const [dinner, ticket, shirt, other] = registrations
  await server.apply(fileOf([ticket, other] as object[]))
  assert.deepEqual(await besideIn(server), [])
  const { account_id: accountId } = await server.apply(fileOf([ticket, other, dinner, shirt] as object[]))
  await holds(t, server, accountId)
})

test('a file is refused whose extras stand beside no ticket, or which have an order', async t => {
  const server = await open(t)
  const [dinner, ticket, shirt] = registrations
  const wrong: Record<string, object[]> = {
    'beside nothing': [{ ...dinner, beside: 'nowhere' }],
    'beside itself': [{ ...dinner, beside: 'dinner' }],
    'beside an extra that has a ticket': [{ ...dinner, beside: 'shirt' }, shirt as object],
    'beside an extra alone': [
      { ...dinner, beside: 'shirt' },
      { ...shirt, beside: null },
    ],
    'a ticket beside a ticket': [{ ...dinner, registration_type: 'Guest' }],
  }
  for (const [name, some] of Object.entries(wrong)) {
    await assert.rejects(
      async () => server.apply(fileOf([ticket as object, ...some])),
      /registrations\.1\.beside/,
      name,
    )
  }
  const sold = { price: 0, discount: 0, tax: 0, tax_basis_points: 0 }
  const orders = [
    { reference: 'A', buyer, created_at: '2026-01-01T00:00:00Z', confirmed_at: '2026-01-01T00:00:00Z' },
  ]
  const ordered = (one: object | undefined) => ({
    ...one,
    order: 'A',
    attendees: [{ name: 'Grace', ...sold }],
  })
  for (const some of [
    [ticket, ordered(dinner)],
    [ordered(ticket), dinner],
  ]) {
    const file = fileOf(some as object[], { orders })
    await assert.rejects(async () => server.apply(file), /registrations\.1\.beside/)
  }
  assert.equal(await server.count('registrations'), 0)
})

test('an extra beside what is no ticket of its event and without an order is damage', async t => {
  const damages = [
    "beside = 'gone'",
    'beside = id',
    "beside = (SELECT id FROM registrations WHERE reference = 'shirt')",
    "beside = (SELECT id FROM registrations WHERE reference = 'elsewhere')",
    "registration_type_id = (SELECT t.id FROM registration_types t WHERE t.name = 'Guest' AND t.event_id = registrations.event_id)",
  ]
  for (const damage of damages) {
    const server = await open(t)
    const file = fileOf()
    const [event] = file.events as { slug: string; registrations: object[] }[]
    const second = { ...event, slug: 'second', registrations: [of('elsewhere', 'Guest')] }
    await server.apply({ ...file, events: [event, second] })
    assert.deepEqual(await findDamage(server.db), [])
    await server.db.write(INSTANCE, tx =>
      tx.run(`UPDATE registrations SET ${damage} WHERE reference = 'dinner'`),
    )
    const found = (await findDamage(server.db)).filter(one => JSON.stringify(one).includes('stands beside'))
    assert.equal(found.length, 1, damage)
    assert.doesNotMatch(JSON.stringify(found), /Grace|example\.org/)
  }
})
