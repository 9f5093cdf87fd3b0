import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { giveOn } from '#product/selling/exchanges/give-on.ts'
import { verify } from '#product/selling/orders/verification.ts'
import { openShop } from '#test/support/payments.ts'
import { refundsOf } from '#test/support/refunds.ts'

const GRACE = { name: 'Grace', email: 'grace@example.org' }

async function start(t: TestContext, changes = {}) {
  const shop = await openShop(t, { changes: { give_on: true, ...changes } })
  const { db, accountId, get } = shop
  const give = async (orderId: string, ticketId: string, holder = GRACE) => {
    const { registrations } = await get(orderId)
    const line = registrations.find(({ attendees }) => attendees.some(({ id }) => id === ticketId))
    const of = { registrationId: line?.id as string, ticketId }
    const { made } = await db.write(accountId, tx => giveOn(tx, of, holder))
    return made.attendees[0]?.id as string
  }
  /** Returns the mails, as kind and recipient, but for those that an order brings. */
  const told = async () => {
    const rows = await db.read(INSTANCE, tx =>
      tx.all<{ kind: string; recipient: string }>(
        'SELECT kind, recipient FROM emails ORDER BY created_at, id',
      ),
    )
    return rows
      .filter(({ kind }) => kind !== 'order_confirmed')
      .map(({ kind, recipient }) => `${kind} ${recipient}`)
  }
  return { ...shop, ...refundsOf(shop), give, told }
}

test('a holder gives a ticket on: somebody else has one with a new code, each is mailed, and no money moves', async t => {
  const { buy, ticketsOf, give, told, get, damage, balance, sold } = await start(t)
  const { id } = await buy({ Standard: 1 }, { email: 'ada@example.org' })
  const [old] = await ticketsOf(id)
  const second = await give(id, old as string)
  assert.deepEqual(await told(), ['ticket grace@example.org', 'ticket_given_on ada@example.org'])
  await give(id, second, { name: 'Mary', email: 'mary@example.org' })
  assert.deepEqual((await told()).slice(2), ['ticket mary@example.org', 'ticket_given_on grace@example.org'])
  const [, , newest] = (await get(id)).registrations
  assert.deepEqual(
    [newest?.attendees[0]?.name, newest?.attendees[0]?.email, newest?.buyer.email],
    ['Mary', 'mary@example.org', 'ada@example.org'],
  )
  assert.equal((await sold()).Standard, 1)
  assert.equal((await balance({ orderId: id })).left, 5000)
  assert.deepEqual(await damage(), [])
})

test('as long as an order is not verified, nobody but its buyer is mailed; then the new holder is', async t => {
  const { order, ticketsOf, give, told, db, accountId } = await start(t)
  const { id } = await order({ Free: 1 }, { method: undefined, email: 'ada@example.org' })
  const [old] = await ticketsOf(id)
  const second = await give(id, old as string)
  assert.deepEqual(await told(), ['ticket_given_on ada@example.org'])
  await give(id, second, { name: 'Mary', email: 'mary@example.org' })
  assert.deepEqual(await told(), ['ticket_given_on ada@example.org'], 'Grace never heard of her ticket')
  await db.write(accountId, tx => verify(tx, id, 'buyer'))
  assert.deepEqual((await told()).slice(1), ['ticket mary@example.org'])
})

test('without the switch, and from the instant that names are locked, nothing is given on', async t => {
  const names_locked_at = Date.parse('2026-12-01T10:00:00Z')
  const { buy, ticketsOf, give, clock, damage } = await start(t, { names_locked_at })
  const { id } = await buy({ Standard: 1 })
  const [old] = await ticketsOf(id)
  clock.set('2026-12-01T09:59:59.999Z')
  const second = await give(id, old as string)
  clock.set('2026-12-01T10:00:00Z')
  await assert.rejects(give(id, second), { code: 'too_late' })
  assert.deepEqual(await damage(), [])

  const off = await start(t, { give_on: false })
  const bought = await off.buy({ Standard: 1 })
  const [ticket] = await off.ticketsOf(bought.id)
  await assert.rejects(off.give(bought.id, ticket as string), { code: 'not_found' })
})

test('an order sends tickets to 40 new holders a day, and gives no more on until then', async t => {
  const { order, ticketsOf, give, db, accountId } = await start(t)
  const { id } = await order({ Free: 1 }, { method: undefined })
  await db.write(accountId, tx => verify(tx, id, 'buyer'))
  let [last] = (await ticketsOf(id)) as [string]
  for (let n = 0; n < 40; n++) last = await give(id, last, { name: 'N', email: `n${n}@example.org` })
  await assert.rejects(give(id, last), { code: 'too_many_mails' })
})
