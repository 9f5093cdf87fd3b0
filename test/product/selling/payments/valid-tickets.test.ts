import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figures } from '#product/reporting/figures/rules.ts'
import { refundOrder } from '#product/selling/payments/refunding.ts'
import { openShop } from '#test/support/payments.ts'

test('a ticket that was voided is sold no more, and stays what was bought on its day', async t => {
  const { db, accountId, eventId, types, buy } = await openShop(t)
  const { id: orderId, registrations } = await buy({ Standard: 3 })
  const [ticket] = registrations[0]?.attendees ?? []
  const wish = { orderId, ticketIds: [ticket?.id as string], amount: 5000, reason: 'organizer' as const }
  await db.write(accountId, tx => refundOrder(tx, { ...wish, note: null, isNotified: false }))
  const { types: shown, counted } = await figures(db, accountId, eventId)
  assert.equal(shown.find(({ name }) => name === 'Standard')?.sold, 2)
  assert.deepEqual(counted?.tickets[types.Standard as string], { confirmed: 3 })
  assert.deepEqual(
    counted?.sales.map(({ tickets, amounts }) => [tickets, amounts]),
    [[3, { EUR: 15_000 }]],
  )
})
