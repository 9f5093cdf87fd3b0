import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ERASED_EMAIL, ERASED_NAME } from '#base/words.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import { amend } from '#product/guests/registrations/amendment.ts'
import { giveOn } from '#product/selling/exchanges/give-on.ts'
import { exchangeTicket } from '#product/selling/exchanges/rules.ts'
import { currentTickets } from '#product/selling/orders/exchanged.ts'
import { openShop } from '#test/support/payments.ts'
import { openRows } from '#test/support/rows.ts'
import { tracesOf } from '#test/support/traces.ts'

const QUINTA = 'quinta@example.org'
const MARY = { name: 'Mary Marigold', email: 'mary@example.org' }
const ZOE = { name: 'Zoe Zebra', email: 'zoe@example.org' }
const CLARA = { name: 'Clara Cloud', email: 'clara@example.org' }

/** Opens a shop in which Quinta has bought two tickets under her own name. */
async function open(t: TestContext) {
  const shop = await openShop(t, { changes: { give_on: true } })
  const { db, accountId, data, buy, get, types } = shop
  const rows = await openRows(t, data)
  const { id, registrations } = await buy({ Standard: 2 }, { email: QUINTA })
  const [line] = registrations
  const [first, second] = line?.attendees ?? []
  assert.ok(line && first && second)
  const own = { id: first.id, name: 'Quinta Quagga', email: QUINTA }
  const other = { id: second.id, name: second.name, email: null }
  await db.write(accountId, tx => amend(tx, line.id, { buyer: line.buyer, attendees: [own, other] }))
  const current = async (at: number) => {
    const found = currentTickets(await get(id))[at]
    assert.ok(found)
    return found
  }
  const placeOf = async (at: number) => {
    const { ticket, line } = await current(at)
    return { registrationId: line.id, ticketId: ticket.id }
  }
  const actor = { accountId, who: 'cli', requestId: null, address: null }
  return {
    ...{ ...shop, id, current, traces: (pattern: RegExp) => tracesOf(rows, pattern) },
    exchange: async (at: number, type: string) => {
      const { ticket } = await current(at)
      const of = { ...(await placeOf(at)), typeId: types[type] as string, back: 0 }
      const holder = { name: ticket.name, email: ticket.email }
      await db.write(accountId, tx => exchangeTicket(tx, { ...of, holder }))
    },
    give: async (at: number, holder: { name: string; email: string }) => {
      const of = await placeOf(at)
      await db.write(accountId, tx => giveOn(tx, of, holder))
    },
    erase: (email: string) => erasePerson(db, actor, email),
    money: async () => {
      const order = await get(id)
      const lines = order.registrations.map(line => [line.status, line.amount_total, line.quantity])
      return { lines, prices: order.prices, exchanged: order.exchangedFor, sold: await shop.sold() }
    },
  }
}

test('who is erased after an exchange is gone on both sides of it, and money, places and the exchange stay', async t => {
  const { exchange, erase, traces, money, current, damage, get, id } = await open(t)
  await exchange(0, 'Student')
  const last = (await get(id)).registrations.length
  assert.equal(last, 2)
  const before = await money()
  const { ticket } = await current(1)
  assert.equal(ticket.name, 'Quinta Quagga')
  assert.ok((await traces(/[Qq]uinta|[Qq]uagga/)).length > 5)
  const { registrations, tickets } = await erase(QUINTA)
  assert.deepEqual([registrations, tickets], [2, 2])
  assert.deepEqual(await traces(/[Qq]uinta|[Qq]uagga/), [])
  const after = (await current(1)).ticket
  assert.deepEqual({ ...ticket, name: ERASED_NAME, email: null }, after, 'its code still admits')
  assert.deepEqual(await money(), before)
  assert.deepEqual(await damage(), [])
})

test('of a ticket that was given on twice, each person is erased alone: who had it before, who has it, and the buyer', async t => {
  const { give, erase, traces, money, current, damage, get, id } = await open(t)
  await give(0, MARY)
  await give(1, ZOE)
  await give(1, CLARA)
  const before = await money()
  const { ticket } = await current(1)
  assert.equal(ticket.name, CLARA.name)
  const [mary, zoe, clara, quinta] = [
    /[Mm]ary|Marigold/,
    /[Zz]oe|Zebra/,
    /[Cc]lara|Cloud/,
    /[Qq]uinta|Quagga/,
  ]
  const all = [mary, zoe, clara, quinta] as const
  const left = async () => Promise.all(all.map(async each => (await traces(each)).length > 0))
  assert.deepEqual(await left(), [true, true, true, true])

  await erase(ZOE.email)
  assert.deepEqual(await left(), [true, false, true, true], 'who had it in between')
  assert.deepEqual((await current(1)).ticket, ticket)
  await erase(QUINTA)
  assert.deepEqual(await left(), [true, false, true, false], 'the buyer')
  assert.equal((await get(id)).buyer.email, ERASED_EMAIL)
  assert.deepEqual((await current(1)).ticket, ticket)
  await erase(CLARA.email)
  assert.deepEqual(await left(), [true, false, false, false], 'who has it')
  assert.deepEqual((await current(1)).ticket, { ...ticket, name: ERASED_NAME, email: null })
  assert.deepEqual(await money(), before)
  assert.deepEqual(await damage(), [])
})
