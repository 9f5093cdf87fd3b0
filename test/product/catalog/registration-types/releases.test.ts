import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { openShop } from '#test/support/payments.ts'

test('a write that gives back what somebody waits for fails as a whole where nobody offers it', async t => {
  const { data, clock, db, accountId, eventId, types, order, sold } = await openShop(t, {
    changes: { waitlist_mode: 'offer' },
  })
  const raw = await openTestDatabase(t, { data, clock })
  const { id } = await order({ Student: 5 })
  const fail = () => raw.write(accountId, tx => orders.fail(tx, id, 'withdrawn'))
  const wes = { name: 'Wes', email: 'wes@example.org', quantity: 2, language: 'en' } as const
  await db.write(accountId, tx => waitlist.join(tx, eventId, { ...wes, typeId: types.Student as string }))
  await assert.rejects(fail(), /Nobody offers what this write gives back/)
  assert.equal((await sold()).Student, 5)
  assert.equal((await db.read(accountId, tx => orders.get(tx, id))).status, 'pending')
})

test('what one write gives back of several types is offered once, before it ends, to those who wait longest', async t => {
  const { db, accountId, eventId, types, order, sold } = await openShop(t, {
    changes: { waitlist_mode: 'offer' },
    canPay: async () => true,
  })
  const { id } = await order({ Student: 5, Free: 20 - 5 })
  const join = (name: string, type: string, quantity: number) =>
    db.write(accountId, tx => {
      const typeId = types[type] as string
      const who = { typeId, name, email: `${name}@example.org`, quantity, language: 'en' } as const
      return waitlist.join(tx, eventId, who)
    })
  await join('Ann', 'Student', 3)
  await join('Bob', 'Student', 3)
  await join('Cyd', 'Student', 2)
  await db.write(accountId, async tx => {
    await registrationTypes.update(tx, eventId, types.Free as string, { capacity: 15 })
    await orders.fail(tx, id, 'withdrawn')
  })
  const listed = await db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 10 }))
  const offered = listed.filter(({ waits_for }) => waits_for === 'answer').map(({ buyer }) => buyer.name)
  assert.deepEqual(offered.sort(), ['Ann', 'Cyd'])
  assert.deepEqual(await sold(), { Standard: 0, Student: 5, Free: 0 })
})
