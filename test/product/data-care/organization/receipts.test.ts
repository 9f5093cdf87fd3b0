import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '#base/time.ts'
import { ERASED_NAME } from '#base/words.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { applyInBatches } from '#product/data-care/organization/batches.ts'
import { validateOrganization } from '#product/data-care/organization/read.ts'
import { eraseExpired } from '#product/selling/receipts/retention.ts'
import { collectOrganization } from '#test/support/organization.ts'
import { idsOf, openPaid } from '#test/support/paid.ts'
import { open } from './open.ts'

const ticket = { type: 'Standard', price: 5000, rate: 1900 }

/** Returns two receipts and two credit notes, in two events as they are exported. */
async function sold(t: Parameters<typeof open>[0]) {
  const orders = ['A', 'B', 'C'].map(reference => ({
    reference,
    tickets: [ticket],
    changes: { buyer_company: 'Hopper GmbH', buyer_address: 'Weg 1\nBerlin', buyer_vat_id: 'DE1' },
  }))
  const server = await openPaid(t, orders, { account: { receipt_prefix: 'ADA', tax_id: 'B1' } })
  await server.pay('B')
  await server.pay('A')
  await server.payBack('A', 're-1', 1000)
  await server.payBack('A', 're-2', 4000)
  const { account_id: accountId } = await idsOf(server.db, 'A')
  const text = async () =>
    JSON.stringify(await server.db.read(accountId, tx => collectOrganization(tx)), null, 2)
  return { ...server, accountId, text }
}

async function textOf(
  { db }: Pick<Awaited<ReturnType<typeof open>>, 'db'>,
  accountId: string,
): Promise<string> {
  return JSON.stringify(await db.read(accountId, tx => collectOrganization(tx)), null, 2)
}

test('receipts come with their orders as they are: with their numbers, dates and all that they say', async t => {
  const { text } = await sold(t)
  const file = await text()
  const exported = JSON.parse(file)
  type Item = { kind: string; number: number; order: string; of?: number; payment?: string; refund?: string }
  assert.deepEqual(
    exported.receipts.map(({ kind, number, order, of, payment, refund }: Item) => [
      ...[kind, number, order],
      of ?? payment,
      refund,
    ]),
    [
      ['receipt', 1, 'B', 'pay-B', undefined],
      ['receipt', 2, 'A', 'pay-A', undefined],
      ['credit_note', 1, 'A', 2, 're-1'],
      ['credit_note', 2, 'A', 2, 're-2'],
    ],
  )
  for (const isInBatches of [false, true]) {
    const other = await open(t)
    other.clock.set('2031-05-05T05:05:05.055Z')
    const { clock } = other
    const apply = () =>
      isInBatches
        ? applyInBatches(other.db, validateOrganization(JSON.parse(file)), {
            clock,
            size: { rows: 1, characters: 10 },
          })
        : other.apply(JSON.parse(file))
    const report = await apply()
    assert.equal(
      report.changes.filter(line => /^created (receipt ADA-R|credit note ADA-C)/.test(line)).length,
      4,
    )
    assert.equal(await textOf(other, report.account_id), file)
    assert.deepEqual(await findDamage(other.db), [])
    // The same again keeps all of it.
    const again = await apply()
    assert.deepEqual([again.created, again.updated, again.differences], [0, 0, []])
    assert.equal(await other.count('receipts'), 4)
  }
})

test('a credit note that was cancelled, its cancellation and the new one come as they are, also later', async t => {
  const server = await sold(t)
  const early = await open(t)
  await early.apply(JSON.parse(await server.text()))
  await server.cancelCredit('A', 're-2')
  await server.payBack('A', 're-2', 4000)
  const file = await server.text()
  const { receipts } = JSON.parse(file)
  assert.deepEqual(
    receipts
      .slice(3)
      .map(({ number, of, cancels, refund }: Record<string, unknown>) => [number, of, cancels, refund]),
    [
      [2, 2, undefined, 're-2'],
      [3, 2, 2, 're-2'],
      [4, 2, undefined, 're-2'],
    ],
  )
  const batched = await open(t)
  const size = { rows: 1, characters: 10 }
  const input = validateOrganization(JSON.parse(file))
  for (const _ of [1, 2]) await applyInBatches(batched.db, input, { clock: batched.clock, size })
  for (const other of [early, await open(t), batched]) {
    const { account_id: id } = await other.apply(JSON.parse(file))
    assert.equal(await textOf(other, id), file)
    assert.deepEqual(await findDamage(other.db), [])
  }
  const refused: [changes: object, message: string][] = [
    [{ cancels: 1 }, 'receipts.4.cancels is no credit note that this one can cancel.'],
    [{ cancels: 4 }, 'receipts.4.cancels is no credit note that this one can cancel.'],
    [{ cancels: null }, 'receipts.4.refund has another receipt already.'],
  ]
  for (const [changes, message] of refused) {
    const changed = JSON.parse(file)
    Object.assign(changed.receipts[4], changes)
    await assert.rejects(
      async () => await (await open(t)).apply(changed),
      (error: Error) => {
        assert.equal(error.message.split('\n')[0], message)
        return true
      },
    )
  }
})

test('a later file goes on with its numbers, and who was made anonymous here stays so', async t => {
  const server = await sold(t)
  const other = await open(t)
  const { account_id: accountId } = await other.apply(JSON.parse(await server.text()))
  await other.db.write(accountId, tx => eraseExpired(tx, other.clock() + 12 * 366 * DAY, 10))
  await server.pay('C')
  const { changes } = await other.apply(JSON.parse(await server.text()))
  assert.deepEqual(changes, ['created receipt ADA-R-000003'])
  const names = await other.db.read(INSTANCE, tx =>
    tx.all<{ snapshot: string }>('SELECT snapshot FROM receipts ORDER BY kind DESC, number'),
  )
  assert.deepEqual(
    names.map(({ snapshot }) => JSON.parse(snapshot).buyer.name),
    [ERASED_NAME, ERASED_NAME, 'Grace', ERASED_NAME, ERASED_NAME],
  )
  assert.deepEqual(await findDamage(other.db), [])
})

test('receipts of two servers are not mixed: a file whose numbers are not the next, or are others’, is refused whole', async t => {
  const server = await sold(t)
  const file = await server.text()
  const receipts = JSON.parse(file).receipts
  const other = await openPaid(t, [
    { reference: 'A', tickets: [ticket] },
    { reference: 'Q', tickets: [ticket] },
  ])
  await other.pay('Q')
  await assert.rejects(other.apply(JSON.parse(file)), {
    message: 'receipts.0.number is another one in the database: receipts of two servers cannot be mixed.',
  })
  assert.equal(await other.count('orders'), 2)
  const refused: [change: (file: { receipts: (typeof receipts)[number][] }) => void, message: string][] = [
    [file => file.receipts.shift(), 'receipts.0.number is not 1, the next of its kind.'],
    [file => (file.receipts[1].number = 1), 'receipts.1.number is that of another one in the file.'],
    [file => (file.receipts[0].event = 'x'), 'receipts.0.event is "x", which the file does not have.'],
    [
      file => (file.receipts[0].order = 'x'),
      'receipts.0.order is "x", which the event of the file does not have.',
    ],
    [file => (file.receipts[0].currency = 'USD'), 'receipts.0.currency is not EUR, as its event is.'],
    [file => delete file.receipts[0].payment, 'receipts.0.payment has to be given for a receipt.'],
    [file => (file.receipts[0].refund = 'x'), 'receipts.0.refund is not said of a receipt.'],
    [file => (file.receipts[1].payment = 'pay-B'), 'receipts.1.payment has another receipt already.'],
    [file => (file.receipts[2].of = 9), 'receipts.2.of is no receipt that credit note 1 can be of.'],
    [file => (file.receipts[0].amount = 1), 'receipts.0.snapshot says 5000, and is of 1.'],
    [
      file => {
        file.receipts[2] = { ...file.receipts[0], ...file.receipts[2], snapshot: file.receipts[0].snapshot }
        Object.assign(file.receipts[2], { amount: 5000, payment: null })
      },
      'receipts.3.of is no receipt that credit note 2 can be of.',
    ],
    [
      file => (file.receipts[0].snapshot.lines[0].amout = 1),
      'receipts.0.snapshot.lines.0.amout is not known.',
    ],
  ]
  for (const [change, message] of refused) {
    const changed = JSON.parse(file)
    change(changed)
    const empty = await open(t)
    await assert.rejects(
      async () => empty.apply(changed),
      (error: Error) => {
        assert.equal(error.message.split('\n')[0], message)
        return true
      },
    )
    assert.equal(await empty.count('accounts'), 0)
  }
})
