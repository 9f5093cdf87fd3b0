import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnyReadTx, INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startWithOrganization } from '#test/support/server.ts'

test('a check has some megabytes of texts in memory at a time, however long each is', async t => {
  const answers = Object.fromEntries(Array.from({ length: 100 }, (_, key) => [`k${key}`, 'x'.repeat(5000)]))
  const registrations = Array.from({ length: 50 }, (_, number) => registration(`r${number}`, { answers }))
  const { applied, db } = await startWithOrganization(t, organization({ event: { registrations } }))
  await db.write(INSTANCE, async tx => {
    for (let number = 0; number < 20; number++) {
      const id = `evt_${String(number).padStart(32, '0')}`
      const envelope = { id, type: 'ping', data: { object: { object: 'x', text: 'x'.repeat(1_300_000) } } }
      const body = JSON.stringify(envelope)
      await tx.run('INSERT INTO webhook_events VALUES ($1, $2, $3, $4, 1, 1)', [
        id,
        applied.account_id,
        'ping',
        body,
      ])
      await tx.run("INSERT INTO idempotent_responses VALUES ($1, $2, '', 201, $3, 1, 1)", [
        applied.account_id,
        id,
        body,
      ])
    }
  })
  const lengths: number[] = []
  const noted = (tx: AnyReadTx) => ({
    one: tx.one.bind(tx),
    async all<Row>(sql: string, params: never[]) {
      const rows = await tx.all<Row>(sql, params)
      lengths.push(JSON.stringify(rows).length)
      return rows
    },
  })
  assert.deepEqual(
    await findDamage({
      catalog: db.catalog,
      read: (owner, work) => db.read(owner, tx => work(Object.assign(Object.create(tx), noted(tx)))),
    }),
    [],
  )
  const sum = lengths.reduce((all, length) => all + length)
  assert.ok(sum > 2 * 20 * 1_300_000 + 50 * 500_000, `${sum} characters`)
  assert.ok(Math.max(...lengths) < 10_000_000, `${Math.max(...lengths)} characters at a time`)
})
