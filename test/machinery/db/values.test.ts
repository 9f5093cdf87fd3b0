import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValueReader } from '#machinery/db/batches.ts'
import type { Catalog } from '#machinery/db/port.ts'
import { findMisshapen, findMistyped } from '#machinery/db/values.ts'
import { collect } from '#product/data-care/integrity/sums.ts'
import { withRows } from '#test/support/rows.ts'
import { startWithOrganization } from '#test/support/server.ts'

/** Three times as many rows as are read at once. */
const ROWS = 3_000

/** A catalog as of an engine that keeps no value of another type, and walks by the primary key. */
const byKey: Catalog = {
  listTables: async () => [
    {
      name: 'answer_keys',
      columns: [
        { name: 'account_id', type: 'TEXT' },
        { name: 'event_id', type: 'TEXT' },
        { name: 'key', type: 'TEXT' },
        { name: 'created_at', type: 'BIGINT' },
      ],
      key: ['event_id', 'key'],
      row: "'of an event'",
    },
  ],
}

async function start(t: Parameters<typeof startWithOrganization>[0]) {
  const { applied, data, db, eventId } = await startWithOrganization(t)
  await withRows(data, async rows => {
    await rows.uncheck()
    await rows.transaction(() =>
      rows.runEach(
        'INSERT INTO answer_keys (account_id, event_id, key, created_at, updated_at) VALUES ($1, $2, $3, $4, 1)',
        Array.from({ length: ROWS }, (_, number) => [
          applied.account_id,
          eventId,
          String(number).padStart(6, '0'),
          number === 7 ? 253_402_300_800_000 : 1,
        ]),
      ),
    )
  })
  const reader: ValueReader = { read: (owner, work) => db.read(owner, work), catalog: byKey }
  return { reader }
}

test('each row is looked at once, in batches, by whatever key the engine names', async t => {
  const { reader } = await start(t)
  const seen: (string | number)[] = []
  const wrong = new Set(['000000', '000999', '001000', '002999'])
  const fits = (value: string | number) => {
    seen.push(value)
    return !wrong.has(String(value))
  }
  const found = await collect(
    findMisshapen(reader, { answer_keys: { key: { what: 'a key that is right', fits } } }),
  )
  assert.equal(seen.length, ROWS)
  assert.equal(new Set(seen).size, ROWS)
  assert.deepEqual(
    found,
    [...wrong].map(() => 'the key of row of an event of answer_keys is not a key that is right'),
  )
})

test('lengths and instants are held against their limits on an engine too whose values all have their types', async t => {
  const { reader } = await start(t)
  const form = { what: '', fits: () => true, longest: 5 }
  const late =
    'the created_at of row of an event of answer_keys is not within the instants of the years 0000 to 9999'
  assert.deepEqual(await collect(findMistyped(reader, {})), [late])
  const found = await collect(findMistyped(reader, { answer_keys: { key: form } }))
  assert.equal(found[0], 'the key of row of an event of answer_keys is not a text of at most 5 bytes')
})
