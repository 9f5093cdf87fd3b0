import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import { reserveSlot } from '#machinery/mail/pacing.ts'
import * as emails from '#machinery/mail/rules.ts'
import type { Method } from '#product/selling/payments/processor.ts'
import { openScriptedShop } from '#test/support/scripted-shop.ts'

/** Opens a shop, and reads who is mailed what there is to pay. */
async function openMailing(t: TestContext) {
  const shop = await openScriptedShop(t)
  const { db, accountId, choose, order, write, newest, clock } = shop
  /** Returns the milliseconds until each mail goes, the oldest first. */
  const delaysOf = async (id: string) => {
    const mails = await db.read(accountId, tx => emails.list(tx, { subjectId: id }, { limit: 50 }))
    return mails
      .filter(({ kind }) => kind === 'payment_due')
      .map(({ next_attempt_at: next }) => (next ?? 0) - clock())
      .sort((one, other) => one - other)
  }
  const begin = async () => (await order({ Standard: 1 }, { method: 'transfer' })).id
  const ways: Method[] = ['door', 'transfer']
  let chosen = 0
  /** Chooses the method that the order does not have. */
  const change = async (id: string) => {
    clock.advance(1)
    const method = ways[chosen++ % 2] as Method
    const other = (await newest(id)).method === method ? (ways[chosen++ % 2] as Method) : method
    return choose(id, other)
  }
  /** Sets the network of an order, of which so many buyers were mailed before. */
  const setNetwork = (id: string, mailed: number) =>
    write(async tx => {
      await tx.run('UPDATE orders SET placed_from = $2 WHERE id = $1', [id, 'near'])
      const turns = { networks: ['near'], paces: ['buyers' as const], subjectId: 'another' }
      for (let n = 0; n < mailed; n++) await reserveSlot(tx, turns)
    })
  return { ...shop, delaysOf, begin, change, setNetwork }
}

test('an order has its buyer mailed three times an hour what there is to pay, however often a way is chosen; another order is told of its own', async t => {
  const { delaysOf, begin, change, newest, clock, states } = await openMailing(t)
  const start = clock()
  const id = await begin()
  for (const times of [2, 3, 3, 3]) {
    await change(id)
    assert.equal((await delaysOf(id)).length, times)
  }
  // Its page has what no mail says: the way is changed all the same.
  const before = await newest(id)
  await change(id)
  const after = await newest(id)
  assert.notEqual(after.id, before.id)
  assert.deepEqual(
    [after.status, before.status === 'pending', await states(id)],
    ['pending', true, 'pending'],
  )
  assert.equal((await delaysOf(await begin())).length, 1)

  // The first counts for an hour, to its last millisecond.
  clock.advance(start + HOUR - clock() - 1)
  await change(id)
  assert.deepEqual([clock() - start, (await delaysOf(id)).length], [HOUR, 3])
  await change(id)
  assert.deepEqual([clock() - start, (await delaysOf(id)).length], [HOUR + 1, 4])
})

test('of one network sixty buyers an hour are mailed what there is to pay; the next is mailed in their turn', async t => {
  const { delaysOf, begin, change, setNetwork, clock } = await openMailing(t)
  const [last, next, elsewhere] = [await begin(), await begin(), await begin()]
  await setNetwork(last, 59)
  await setNetwork(next, 0)
  for (const id of [last, next, elsewhere]) await change(id)
  for (const id of [last, elsewhere]) assert.ok((await delaysOf(id)).every(due => due <= 0))
  const dues = await delaysOf(next)
  assert.equal(dues.length, 2)
  assert.ok((dues[1] as number) > HOUR - MINUTE && (dues[1] as number) <= HOUR)
  clock.advance(HOUR)
  assert.ok((await delaysOf(next)).every(due => due <= 0))
})

test('where the turns of a day are taken, no mail says what there is to pay, and the payment is begun all the same', async t => {
  const { delaysOf, begin, change, setNetwork, newest, clock } = await openMailing(t)
  const id = await begin()
  await setNetwork(id, 60 * (DAY / HOUR + 1))
  const chosen = await change(id)
  assert.equal((await delaysOf(id)).length, 1)
  assert.deepEqual([(await newest(id)).id, chosen.status], [chosen.id, 'pending'])
  clock.advance(HOUR)
  await change(id)
  assert.equal((await delaysOf(id)).length, 2)
})
