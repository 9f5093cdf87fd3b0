import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { wrapDatabase } from '#machinery/db/wrap-database.ts'
import { applyFile } from '#product/data-care/organization/apply.ts'
import { applyInBatches } from '#product/data-care/organization/batches.ts'
import { readOrganization } from '#product/data-care/organization/read.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { assertRefused, commandLine } from '#test/faces/cli/turnout.ts'
import { openDatabase } from '#test/support/engine.ts'
import { organization, registration } from '#test/support/organization.ts'

const UPDATE = '--update-history'
const made = '2026-10-01T10:00:00.000Z'
const given = '2026-11-02T10:00:00.000Z'
const paid = { amount_total: 5000, created_at: made }
const refund = { status: 'refunded', refunded_amount: 2000, refunded_at: given }

type Rows = Record<string, unknown>[]

/** Makes an event of ten places, all of them sold, and of one who waits. */
async function soldOut(t: TestContext) {
  const cli = commandLine(t)
  const file = (changes: Record<string, object> = {}, more: object[] = [], capacity = 10) => {
    const one = (reference: string, own: object = {}) =>
      registration(reference, { ...paid, ...own, ...changes[reference] })
    return cli.write(
      'organization.json',
      organization({
        event: {
          registration_types: [{ name: 'Standard', price: 5000, capacity }],
          registrations: [one('two', { quantity: 2 }), one('one'), one('rest', { quantity: 7 }), ...more],
          waitlist: [
            { reference: 'w', registration_type: 'Standard', name: 'Wes', email: 'wes@example.org' },
          ],
        },
        webhooks: [{ url: 'https://example.org/hook', types: ['registration.cancelled'] }],
      }),
    )
  }
  const applied = await cli.json('apply', file())
  const withDb = async <T>(work: (db: Database) => Promise<T>): Promise<T> => {
    const db = await openDatabase(cli.data, cli.clock)
    try {
      return await work(db)
    } finally {
      await db.close()
    }
  }
  return {
    ...cli,
    file,
    applied,
    withDb,
    read: (sql: string) => withDb(db => db.read(INSTANCE, tx => tx.all(sql))) as Promise<Rows>,
    sold: async () => (await cli.json('event', 'list')).data[0].sold as number,
    exported: async (reference: string) => {
      const rows = (await cli.json('export')).events[0].registrations as Rows
      return rows.find(row => row.reference === reference) as Record<string, unknown>
    },
    check: () => cli.json('check'),
  }
}

for (const mode of [[], ['--in-batches']]) {
  test(`${UPDATE} ${mode} completes fees and refunds, voids the tickets and gives their places back`, async t => {
    const { json, turnout, data, file, read, sold, exported, check } = await soldOut(t)
    const path = file({ two: { ...refund, processor_fee: 120 }, one: { processor_fee: 60 } })
    const lines = [
      'updated registration two of spring-meeting (status, processor_fee, refunded_amount, refunded_at)',
      'updated registration one of spring-meeting (processor_fee)',
    ]
    const before = await json('export')
    const report = await json('apply', path, ...mode)
    assert.deepEqual([report.changes, report.updated], [[], 0])
    assert.deepEqual(report.differences, [
      'registration two of spring-meeting keeps status, processor_fee, refunded_amount, refunded_at as in the database: the file says otherwise (--update-history completes status, processor_fee, refunded_amount, refunded_at)',
      'registration one of spring-meeting keeps processor_fee as in the database: the file says otherwise (--update-history completes processor_fee)',
    ])
    const dry = await json('apply', path, UPDATE, '--dry-run')
    assert.deepEqual([dry.changes, dry.differences, dry.updated], [lines, [], 2])
    assert.deepEqual(await json('export'), before)

    const { out } = await turnout('apply', path, UPDATE, ...mode, '--data', data)
    assert.deepEqual(out.split('\n').slice(0, 2), lines)
    assert.match(out.split('\n')[2] as string, /^0 created, 2 updated, 6 kept in account /)
    const two = await exported('two')
    assert.deepEqual(
      [two.status, two.processor_fee, two.refunded_amount, two.refunded_at, two.confirmed_at, two.quantity],
      ['refunded', 120, 2000, given, made, 2],
    )
    const one = await exported('one')
    assert.deepEqual([one.status, one.processor_fee, one.refunded_at], ['confirmed', 60, null])
    assert.equal(await sold(), 8)
    assert.deepEqual(
      await read(
        'SELECT r.reference, a.voided, count(*) AS tickets FROM attendees a JOIN registrations r ON r.id = a.registration_id GROUP BY r.reference, a.voided ORDER BY r.reference',
      ),
      [
        { reference: 'one', voided: 0, tickets: 1 },
        { reference: 'rest', voided: 0, tickets: 7 },
        { reference: 'two', voided: 1, tickets: 2 },
      ],
    )
    // The change is history, so nobody is notified of it.
    assert.deepEqual(await read("SELECT type FROM webhook_events WHERE type <> 'ping'"), [])
    assert.equal((await check()).ok, true)

    const again = await json('apply', path, UPDATE, ...mode)
    assert.deepEqual([again.changes, again.differences], [[], []])
    assert.equal(await sold(), 8)
  })

  test(`a refund of ${UPDATE} ${mode} gives back no place of a ticket that was void before`, async t => {
    const { turnout, data, file, sold, check, withDb, applied } = await soldOut(t)
    await withDb(db =>
      db.write(applied.account_id, async tx => {
        await tx.run(
          `UPDATE attendees SET voided = 1 WHERE position = 0 AND registration_id =
             (SELECT id FROM registrations WHERE reference = 'rest')`,
        )
        await tx.run('UPDATE registration_types SET sold = sold - 1')
      }),
    )
    assert.deepEqual([await sold(), (await check()).errors], [9, []])
    const bring = (quantity: number) => [registration('new', { ...paid, quantity })]
    const rest = { rest: { ...refund, quantity: 7 } }
    assertRefused(
      await turnout('apply', file(rest, bring(8)), UPDATE, ...mode, '--data', data),
      /has a capacity of 10, 3 tickets are sold, and the file brings 8 more/,
    )
    assert.equal((await turnout('apply', file(rest, bring(7)), UPDATE, ...mode, '--data', data)).code, 0)
    assert.deepEqual([await sold(), (await check()).errors], [10, []])
  })

  test(`a refund of ${UPDATE} ${mode} makes room for what the same file brings, and for no more`, async t => {
    const { json, turnout, data, file, sold, check } = await soldOut(t)
    const more = (quantity: number) => [registration('new', { ...paid, quantity })]
    const bring = (quantity: number) =>
      turnout('apply', file({ two: refund }, more(quantity)), UPDATE, ...mode, '--data', data)
    const before = await json('export')
    assertRefused(
      await bring(3),
      /^error: events\.0\.registration_types\.0\.capacity is too small: "Standard" has a capacity of 10, 8 tickets are sold, and the file brings 3 more\.\n$/,
    )
    assert.deepEqual(await json('export'), before)
    // Without the flag nothing is given back.
    assertRefused(
      await turnout('apply', file({ two: refund }, more(2)), '--data', data, ...mode),
      /10 tickets are sold, and the file brings 2 more/,
    )
    const { code, err } = await bring(2)
    assert.deepEqual([code, err], [0, ''])
    assert.equal(await sold(), 10)
    assert.equal((await check()).ok, true)
  })
}

for (const rows of [undefined, 1, 1000]) {
  const mode = rows === undefined ? 'one write' : `batches of ${rows}`
  test(`a file that refunds, lowers the capacity and brings more is applied in ${mode}`, async t => {
    const { file, withDb, clock, read, sold, check, json } = await soldOut(t)
    const apply = (capacity: number) =>
      withDb(db => {
        const more = [registration('new', { ...paid, created_at: '2020-01-01T00:00:00Z' })]
        const parsed = readOrganization(readFileSync(file({ two: refund, one: refund }, more, capacity)))
        const options = { clock, updateHistory: true }
        return rows === undefined
          ? applyFile(db, parsed, options)
          : applyInBatches(db, parsed, { ...options, size: { rows, characters: 1_000_000 } })
      })
    const before = await json('export')
    await assert.rejects(apply(7), { param: 'events.0.registration_types.0.capacity' })
    assert.deepEqual(await json('export'), before)
    const { changes, updated, created } = await apply(8)
    assert.deepEqual(
      [...changes, updated, created],
      [
        'updated registration type Standard of spring-meeting (capacity)',
        'updated registration two of spring-meeting (status, refunded_amount, refunded_at)',
        'updated registration one of spring-meeting (status, refunded_amount, refunded_at)',
        'created registration new of spring-meeting',
        3,
        1,
      ],
    )
    assert.equal(await sold(), 8)
    assert.deepEqual(await read("SELECT capacity FROM registration_types WHERE name = 'Standard'"), [
      { capacity: 8 },
    ])
    assert.equal((await check()).ok, true)
    assert.deepEqual((await apply(8)).changes, [])
  })
}

test('of many batches those with refunds come first, as the others need their room', async t => {
  const { file, withDb, clock, sold, check } = await soldOut(t)
  const more = ['a', 'b'].map(reference => registration(reference, { created_at: '2020-01-01T00:00:00Z' }))
  const parsed = readOrganization(readFileSync(file({ two: { ...refund, processor_fee: 1 } }, more)))
  const report = await withDb(db =>
    applyInBatches(db, parsed, { clock, updateHistory: true, size: { rows: 1, characters: 1_000_000 } }),
  )
  assert.deepEqual(report.changes, [
    'updated registration two of spring-meeting (status, processor_fee, refunded_amount, refunded_at)',
    'created registration a of spring-meeting',
    'created registration b of spring-meeting',
  ])
  assert.deepEqual(report.differences, [])
  assert.equal(await sold(), 10)
  assert.equal((await check()).ok, true)
})

test('what the file leaves open stays, and has the default of one that is brought in so', async t => {
  const { json, file, exported } = await soldOut(t)
  await json('apply', file({ one: { status: 'refunded' } }), UPDATE)
  const one = await exported('one')
  assert.deepEqual([one.refunded_amount, one.refunded_at, one.cancelled_at], [5000, made, null])
  const cases: [object, string[]][] = [
    [{ status: 'refunded' }, []],
    [{ status: 'refunded', refunded_amount: 4000 }, ['refunded_amount']],
    [{ status: 'refunded', processor_fee: 9 }, ['processor_fee']],
    [{ status: 'refunded', refunded_at: given }, ['refunded_at']],
  ]
  for (const [changes, fields] of cases) {
    const { changes: lines } = await json('apply', file({ one: changes }), UPDATE)
    assert.deepEqual(
      lines,
      fields.map(field => `updated registration one of spring-meeting (${field})`),
    )
  }
  const after = await exported('one')
  assert.deepEqual([after.refunded_amount, after.processor_fee, after.refunded_at], [4000, 9, given])
})

test('other states, other fields and what the API made are kept, and told', async t => {
  const { json, file, applied, withDb, exported, sold } = await soldOut(t)
  const { account_id: accountId, events } = applied
  const input = {
    event_id: events['spring-meeting'].id,
    registration_type_id: events['spring-meeting'].registration_types.Standard,
    buyer: { name: 'Grace', email: 'grace@example.org' },
  }
  const update = async (path: string) => {
    const { changes, differences } = await json('apply', path, UPDATE)
    return { changes, differences }
  }
  const say = (reference: string, fields: string) =>
    `registration ${reference} of spring-meeting keeps ${fields} as in the database: the file says otherwise`
  await json('apply', file({}, [], 12))
  const api = await withDb(db => db.write(accountId, tx => registrations.create(tx, input)))
  const item = registration(api.resource.id, { ...refund, refunded_amount: 0, processor_fee: 5 })
  assert.deepEqual(await update(file({}, [item], 12)), {
    changes: [],
    differences: [say(api.resource.id, 'status, processor_fee, refunded_amount, refunded_at')],
  })
  assert.equal((await exported(api.resource.id)).status, 'confirmed')

  const changes = {
    ...refund,
    buyer: { name: 'Bob', email: 'bob@example.org' },
    amount_subtotal: 1,
    quantity: 3,
  }
  assert.deepEqual(await update(file({ two: changes }, [], 12)), {
    changes: ['updated registration two of spring-meeting (status, refunded_amount, refunded_at)'],
    differences: [say('two', 'buyer, quantity, amount_subtotal')],
  })
  // It takes back its own two places, whatever the file says: 10 + 1 of the API.
  assert.equal(await sold(), 9)
  assert.deepEqual(await update(file({ one: { status: 'cancelled', cancelled_at: given } }, [], 12)), {
    changes: [],
    differences: [say('two', 'status'), say('one', 'status, cancelled_at')],
  })
  assert.deepEqual(
    [(await exported('one')).status, (await exported('two')).status],
    ['confirmed', 'refunded'],
  )
  assert.equal(await sold(), 9)
})

test('more than was paid is not given back, and the whole file is refused', async t => {
  const { turnout, json, data, file } = await soldOut(t)
  const before = await json('export')
  const path = file({
    one: { processor_fee: 1 },
    two: { ...refund, amount_total: 9000, refunded_amount: 6000 },
  })
  for (const mode of [[], ['--dry-run'], ['--in-batches']]) {
    assertRefused(
      await turnout('apply', path, UPDATE, ...mode, '--data', data),
      /^error: events\.0\.registrations\.0\.refunded_amount is more than the 5000 that were paid, in minor units\.\n$/,
    )
  }
  // The program recommends no flag for a change that it would refuse.
  const hints = (await json('apply', path)).differences.map((line: string) => line.split(' (')[1])
  assert.deepEqual(hints, [undefined, '--update-history completes processor_fee)'])
  assert.deepEqual(await json('export'), before)
})

test('one that was cancelled meanwhile is planned anew, and gives its places back once', async t => {
  const { applyBetween, sold, exported, check } = await withMeanwhile(t)
  const report = await applyBetween()
  assert.deepEqual(report.differences, [
    'registration free of spring-meeting keeps status, refunded_at as in the database: the file says otherwise',
  ])
  assert.equal((await exported('free')).status, 'cancelled')
  assert.equal(await sold(), 10)
  assert.equal((await check()).ok, true)
})

/** Applies a refund, in the middle of which somebody cancels the registration through the API. */
async function withMeanwhile(t: TestContext) {
  const cli = await soldOut(t)
  const free = (changes: object) => [registration('free', { created_at: made, quantity: 3, ...changes })]
  const { account_id: accountId, events } = await cli.json('apply', cli.file({}, free({}), 13))
  const id = events['spring-meeting'].registrations.free
  const path = cli.file({}, free({ status: 'refunded', refunded_at: given }), 13)
  const applyBetween = () =>
    cli.withDb(async db => {
      let cancelled = false
      const between = wrapDatabase(db, {
        write: async (owner, work) => {
          if (!cancelled) await db.write(accountId, tx => registrations.cancel(tx, id))
          cancelled = true
          return db.write(owner, work)
        },
      })
      const file = readOrganization(readFileSync(path))
      return applyFile(between, file, { clock: cli.clock, updateHistory: true })
    })
  return { ...cli, applyBetween }
}
