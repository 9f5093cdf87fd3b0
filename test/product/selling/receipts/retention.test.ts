import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { ERASED_NAME } from '#base/words.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import type { Receipt } from '#product/selling/receipts/schemas.ts'
import { idsOf, openPaid } from '#test/support/paid.ts'
import { readSchema } from '#test/support/schema-tables.ts'

const orders = ['A', 'B'].map(reference => ({
  reference,
  tickets: [{ type: 'Standard', price: 5000, rate: 1900 }],
  changes: { buyer_company: 'Hopper GmbH', buyer_address: 'Weg 1', buyer_vat_id: 'DE1' },
}))

const NOBODY = { name: ERASED_NAME, company: null, address: null, vat_id: null }

test('who is erased is nowhere but in the receipts, and the credit note that comes later says what its receipt does', async t => {
  const { db, pay, payBack, damage } = await openPaid(t, orders)
  const receipt = (await pay('A')) as Receipt
  const { account_id: accountId } = receipt
  await erasePerson(db, { accountId, ...accessLog.COMMAND_LINE }, 'grace@example.org')
  const naming: string[] = []
  for (const { name } of readSchema()) {
    const rows = await db.read(INSTANCE, tx => tx.all(`SELECT * FROM ${name}`))
    if (/Grace|grace@|Hopper|Weg 1|DE1/.test(JSON.stringify(rows))) naming.push(name)
  }
  assert.deepEqual(naming, ['receipts'])
  assert.deepEqual(await db.read(accountId, tx => receipts.get(tx, receipt.id)), receipt)
  assert.deepEqual((await payBack('A', 're', 100))?.buyer, receipt.buyer)
  // A receipt of a later payment has nobody to name.
  assert.deepEqual((await pay('B'))?.buyer, NOBODY)
  assert.deepEqual(await damage(), [])
})

test('receipts name people for ten years after their calendar year, or as the account says, and then nobody', async t => {
  for (const [years, kept, over] of [
    [undefined, '2036-12-31T22:59:59.999Z', '2036-12-31T23:00:00.000Z'],
    [6, '2032-12-31T22:59:59.999Z', '2032-12-31T23:00:00.000Z'],
    [12, '2038-12-31T22:59:59.999Z', '2038-12-31T23:00:00.000Z'],
  ] as const) {
    const account = years === undefined ? {} : { receipt_years: years }
    const { db, clock, pay, payBack, damage } = await openPaid(t, orders, { account })
    // The year ends in Madrid, an hour before it does in UTC.
    clock.set('2026-12-31T22:59:59.999Z')
    const old = (await pay('A')) as Receipt
    await payBack('A', 're', 100)
    clock.set('2026-12-31T23:00:00.000Z')
    const next = (await pay('B')) as Receipt
    const { account_id: accountId } = await idsOf(db, 'A')
    const buyers = async () => {
      const read = (id: string) => db.read(accountId, tx => receipts.get(tx, id))
      return [(await read(old.id)).buyer, (await read(next.id)).buyer]
    }
    clock.set(kept)
    await cleanUp(db, clock, 30)
    assert.deepEqual(await buyers(), [old.buyer, next.buyer])
    clock.set(over)
    await cleanUp(db, clock, 30)
    assert.deepEqual(await buyers(), [NOBODY, next.buyer])
    const { buyer: _, ...rest } = await db.read(accountId, tx => receipts.get(tx, old.id))
    const { buyer: __, ...was } = old
    assert.deepEqual(rest, was)
    assert.doesNotMatch(
      JSON.stringify(
        await db.read(INSTANCE, tx => tx.all("SELECT snapshot FROM receipts WHERE kind = 'credit_note'")),
      ),
      /Grace|Hopper/,
    )
    assert.deepEqual(await damage(), [])
  }
})
