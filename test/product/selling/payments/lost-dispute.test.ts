import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE, type ReadTx } from '#machinery/db/port.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import * as decisions from '#product/selling/payments/dispute-decisions.ts'
import * as disputes from '#product/selling/payments/disputes.ts'
import { readRefundable } from '#product/selling/payments/refundable.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import { inBooks } from '#product/selling/receipts/schemas.ts'
import { openLivedShop } from '#test/support/lived/shop.ts'

const taken = { amount: -5000, fee: 2000 }

/** Opens a shop with an order of a standard ticket for 50.00 and a student's for 20.00, of which the bank took 50.00 back. */
async function openDisputed(t: TestContext) {
  const shop = await openLivedShop(t)
  const { db, accountId, buy, dispute, ticketsOf } = shop
  const orderId = await buy({ Standard: 1, Student: 1 })
  await dispute(orderId, 'needs_response', [taken])
  const read = <Result>(work: (tx: ReadTx) => Promise<Result>) => db.read(accountId, work)
  const [opened] = await read(tx => disputes.listByOrder(tx, orderId))
  const id = opened?.id as string
  const decide = async (ticketIds: readonly string[], isNotified = true) =>
    db.write(accountId, async tx =>
      decisions.voidTickets(tx, id, await readRefundable(tx, { orderId }), { ticketIds, isNotified }),
    )
  const keep = () => db.write(accountId, tx => decisions.keepTickets(tx, id))
  const find = async () => (await read(tx => disputes.listByOrder(tx, orderId)))[0]
  const toDecide = async () => (await read(tx => disputes.listToDecide(tx, 10))).map(one => one.id)
  const credits = async () =>
    (await read(tx => receipts.listByOrder(tx, orderId))).filter(({ kind }) => kind === 'credit_note')
  /** The sum of all receipts, and what the ledger has. */
  const books = async () => {
    const all = await read(tx => receipts.listByOrder(tx, orderId))
    const { left } = ledger.balanceOf(await read(tx => ledger.list(tx, { orderId })))
    return [all.reduce((sum, receipt) => sum + inBooks(receipt, receipt.total), 0), left]
  }
  const lose = () => dispute(orderId, 'lost', [taken])
  const win = () => dispute(orderId, 'won', [taken, { amount: 5000, fee: 0 }])
  const kinds = async () =>
    (
      await db.read(INSTANCE, tx =>
        tx.all<{ kind: string }>('SELECT kind FROM emails ORDER BY created_at, id'),
      )
    ).map(({ kind }) => kind)
  return {
    ...{ ...shop, orderId, read, decide, keep, find, toDecide, credits, books, lose, win, kinds },
    tickets: await ticketsOf(orderId),
  }
}

test('a lost dispute waits for a decision: voided tickets admit nobody, and the credit note is of what the bank took', async t => {
  const shop = await openDisputed(t)
  const { toDecide, decide, find, credits, books, tickets, lose, read, orderId, damage, kinds } = shop
  assert.deepEqual(await toDecide(), [], 'nobody decides before the bank does')
  await assert.rejects(decide(tickets.slice(0, 1)), { code: 'dispute_decided' })
  await lose()
  assert.deepEqual(await toDecide(), [(await find())?.id])
  assert.deepEqual(await books(), [7000, 2000], 'until then the receipt has more than the ledger')
  const before = await kinds()

  const note = await decide(tickets.slice(0, 1))
  assert.equal(note?.total, 5000)
  assert.deepEqual(note?.paid.method, 'dispute')
  assert.deepEqual(
    note?.taxes.map(({ basis_points, gross }) => [basis_points, gross]),
    [[1900, 5000]],
    'the tax of the ticket that is void is taken back',
  )
  assert.deepEqual(await books(), [2000, 2000])
  assert.equal((await find())?.decision, 'voided')
  assert.deepEqual(await toDecide(), [])
  const { registrations } = await read(tx => orders.getDetails(tx, orderId))
  const voidOf = (id: string) =>
    registrations.flatMap(({ attendees }) => attendees).find(each => each.id === id)?.voided
  assert.deepEqual(tickets.map(voidOf), [true, false])
  assert.deepEqual(await read(tx => refunds.listByOrder(tx, orderId)), [], 'the buyer has the money already')
  assert.deepEqual((await kinds()).slice(before.length), ['order_cancelled'])
  assert.deepEqual(await damage(), [])

  await assert.rejects(decide(tickets.slice(1)), { code: 'dispute_decided' })
  assert.equal((await credits()).length, 1, 'there is one credit note')
})

test('tickets that are left valid keep their receipt, and may be voided later all the same', async t => {
  const { lose, keep, find, toDecide, credits, books, decide, tickets, damage, kinds } = await openDisputed(t)
  await lose()
  const before = (await kinds()).length
  await keep()
  assert.equal((await find())?.decision, 'kept')
  assert.deepEqual([await toDecide(), await credits(), await books()], [[], [], [7000, 2000]])
  assert.equal((await kinds()).length, before, 'nobody is mailed')
  assert.deepEqual(await damage(), [], 'the difference is said to be one')
  await decide(tickets, false)
  assert.deepEqual([(await credits()).length, await books()], [1, [2000, 2000]])
  assert.equal((await kinds()).length, before)
  assert.deepEqual(await damage(), [])
})

test('a credit note alone is made where all tickets were voided before, and of no more than earlier ones have left', async t => {
  const shop = await openDisputed(t)
  const { lose, decide, tickets, ask, orderId, credits, books, damage, db, accountId } = shop
  await lose()
  await ask(orderId, { ticketIds: tickets })
  assert.equal((await decide([]))?.total, 5000)
  assert.deepEqual(await books(), [2000, 2000])
  const { id: paymentId } = await shop.newest(orderId)
  const more = { orderId, paymentId, refundId: 'du_other', amount: 5000, at: shop.clock() }
  const last = await db.write(accountId, tx => receipts.credit(tx, more))
  assert.equal(last?.total, 2000, 'a credit note of what is left')
  assert.equal((await credits()).length, 2)
  assert.deepEqual(await damage(), [])
})

test('a bank that turns its mind: the credit note is cancelled, and lost once more it is decided once more', async t => {
  const shop = await openDisputed(t)
  const { lose, win, decide, tickets, credits, books, find, toDecide, damage, keep, dispute, orderId } = shop
  await lose()
  await decide(tickets.slice(0, 1))
  await win()
  assert.equal((await find())?.decision, null)
  assert.deepEqual(
    (await credits()).map(({ cancels_id, total }) => [cancels_id !== null, total]),
    [
      [false, 5000],
      [true, 5000],
    ],
  )
  assert.deepEqual(await books(), [7000, 7000])
  assert.deepEqual(await toDecide(), [])
  await assert.rejects(keep(), { code: 'dispute_decided' })
  assert.deepEqual(await damage(), [])
  await win()
  assert.equal((await credits()).length, 2, 'the same news again changes nothing')
  await dispute(orderId, 'lost', [taken, { amount: 5000, fee: 0 }, { amount: -5000, fee: 0 }])
  assert.equal((await toDecide()).length, 1)
  await decide([])
  assert.equal((await credits()).length, 3)
  assert.deepEqual(await damage(), [])
})

test('what a decision leaves half done is found by the check', async t => {
  const { lose, decide, tickets, damage, db, accountId, find } = await openDisputed(t)
  await lose()
  await decide(tickets.slice(0, 1))
  const id = (await find())?.id
  const set = (sql: string) => db.write(accountId, tx => tx.run(sql, [tx.accountId]))
  await set("UPDATE disputes SET decision = 'kept' WHERE account_id = $1")
  assert.match((await damage()).join(), /stands, and the tickets of its dispute were not voided/)
  await set("UPDATE disputes SET decision = 'voided' WHERE account_id = $1")
  assert.deepEqual(await damage(), [])
  await set("DELETE FROM receipts WHERE account_id = $1 AND kind = 'credit_note'")
  assert.match((await damage()).join(), new RegExp(`lost dispute ${id} were voided without a credit note`))
})
