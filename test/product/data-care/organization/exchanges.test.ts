import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { exchangeTicket } from '#product/selling/exchanges/rules.ts'
import * as orderRules from '#product/selling/orders/rules.ts'
import { collectOrganization } from '#test/support/organization.ts'
import { open } from './open.ts'
import { ordered } from './ordered.ts'

type Opened = Awaited<ReturnType<typeof open>>

async function exportOf({ db }: Pick<Opened, 'db'>, accountId: string) {
  return db.read(accountId, tx => collectOrganization(tx))
}

/** Brings an order of two standard tickets and a free one, of which one is exchanged twice. */
async function exchanged(server: Opened) {
  const { account_id: accountId, events } = await server.apply(ordered())
  const { db } = server
  const eventId = events['spring-meeting']?.id as string
  const types = await db.read(accountId, tx => registrationTypes.listByEvent(tx, eventId))
  const idOf = (name: string) => types.find(type => type.name === name)?.id as string
  const orderId = await db.read(accountId, async tx => {
    const row = await tx.one<{ id: string }>("SELECT id FROM orders WHERE reference = '2345-WXYZ'")
    return row?.id as string
  })
  const read = () => db.read(accountId, tx => orderRules.getDetails(tx, orderId))
  const exchange = (registrationId: string, ticketId: string, type: string) =>
    db.write(accountId, tx =>
      exchangeTicket(tx, {
        ...{ registrationId, ticketId, typeId: idOf(type), back: 0 },
        holder: { name: 'Mary', email: 'mary@example.org' },
      }),
    )
  const [line] = (await read()).registrations
  const { made } = await exchange(line?.id as string, line?.attendees[1]?.id as string, 'Free')
  await exchange(made.id, made.attendees[0]?.id as string, 'Standard')
  const sold = async () =>
    (await db.read(accountId, tx => registrationTypes.listByEvent(tx, eventId))).map(
      type => `${type.name} ${type.sold}`,
    )
  return { accountId, read, sold }
}

test('exchanges are exported as the text that they are applied from: the old tickets are void, and take no place', async t => {
  const first = await open(t)
  const { accountId, sold } = await exchanged(first)
  const file = await exportOf(first, accountId)
  const text = JSON.stringify(file)
  assert.deepEqual(
    file.events?.[0]?.registrations?.flatMap(({ exchanged_for: former, registration_type: type }) =>
      former == null ? [] : [[type, former.ticket]],
    ),
    [
      ['Free', 2],
      ['Standard', 1],
    ],
  )
  const second = await open(t)
  const report = await second.apply(JSON.parse(text))
  assert.equal(JSON.stringify(await exportOf(second, report.account_id)), text)
  const eventId = report.events['spring-meeting']?.id as string
  const there = (
    await second.db.read(report.account_id, tx => registrationTypes.listByEvent(tx, eventId))
  ).map(type => `${type.name} ${type.sold}`)
  assert.deepEqual(there, await sold())
  for (const { db } of [first, second]) assert.deepEqual(await findDamage(db), [])
  const again = await second.apply(JSON.parse(text))
  assert.equal(again.account_id, report.account_id, 'the same file again changes nothing')
  assert.equal(JSON.stringify(await exportOf(second, report.account_id)), text)
})

test('a file is refused whose exchanges name no ticket of the order, one twice, or cost something', async t => {
  const server = await open(t)
  const of = (registration: string, ticket: number) => ({ exchanged_for: { registration, ticket } })
  const wrong = [
    [of('nowhere', 1)],
    [of('a', 3)],
    [of('b', 1)],
    [of('c', 1)],
    [of('a', 1), of('a', 1)],
    [{ ...of('a', 1), quantity: 2 }],
  ]
  for (const some of wrong) {
    const file = ordered() as { events: { registrations: Record<string, unknown>[] }[] }
    const lines = file.events[0]?.registrations ?? []
    const b = lines.find(({ reference }) => reference === 'b') as Record<string, unknown>
    const { quantity = 1, ...more } = some[0] as { quantity?: number }
    Object.assign(b, more, {
      attendees: Array.from({ length: quantity }, () => (b.attendees as object[])[0]),
    })
    if (some[1] !== undefined) lines.push({ ...b, ...some[1], reference: 'b2' })
    await assert.rejects(async () => server.apply(file), /exchanged_for/, JSON.stringify(some))
  }
})

test('a ticket that took the place of one that is valid, of another order or of none, or for money, is damage', async t => {
  const last = 'id = (SELECT max(id) FROM registrations WHERE exchanged_for IS NOT NULL)'
  const damages = [
    `UPDATE registrations SET exchanged_for = 'gone' WHERE ${last}`,
    `UPDATE registrations SET exchanged_for = (SELECT a.id FROM attendees a WHERE a.registration_id = registrations.id) WHERE ${last}`,
    `UPDATE registrations SET exchanged_for = (SELECT a.id FROM attendees a JOIN registrations o ON o.id = a.registration_id
       WHERE o.order_id <> registrations.order_id AND a.voided = 1 LIMIT 1) WHERE ${last}`,
    `UPDATE attendees SET voided = 0 WHERE id = (SELECT exchanged_for FROM registrations WHERE ${last})`,
    `UPDATE registrations SET quantity = 2 WHERE ${last}`,
    `UPDATE registrations SET amount_total = 1 WHERE ${last}`,
  ]
  for (const damage of damages) {
    const server = await open(t)
    await exchanged(server)
    assert.deepEqual(await findDamage(server.db), [])
    assert.equal(await server.db.write(INSTANCE, tx => tx.run(damage)), 1, damage)
    const found = (await findDamage(server.db)).filter(each => each.includes('took the place of ticket'))
    assert.equal(found.length, 1, damage)
    assert.doesNotMatch(found.join(), /Mary|example\.org/)
  }
})
