import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as registrations from '#product/guests/registrations/rules.ts'
import { commandLine } from '#test/faces/cli/turnout.ts'
import { openDatabase } from '#test/support/engine.ts'
import { organization, registration } from '#test/support/organization.ts'
import { everything } from './everything.ts'

const MODES = [['--dry-run'], ['--in-batches'], []]

test('a registration that the file has otherwise than the database is told with its fields, and kept', async t => {
  const { turnout, write, data, json, clock } = commandLine(t)
  const paid = {
    amount_total: 5000,
    created_at: '2026-01-01T00:00:00Z',
    answers: { diet: 'vegan', hall: 'A' },
  }
  const bring = (changes: object = {}, holder: object = {}) =>
    write(
      'organization.json',
      organization({
        event: {
          registrations: [
            registration('same'),
            registration('one', { ...paid, attendees: [{ name: 'Ann', seat: 'A1', ...holder }], ...changes }),
          ],
        },
      }),
    )
  const { account_id: accountId, events } = await json('apply', bring())
  const before = await json('export')
  const cases: [changes: object, holder: object, fields: string, completable?: string][] = [
    [{ status: 'cancelled' }, {}, 'status'],
    [{ registration_type: 'Free', language: 'es' }, {}, 'registration_type, language'],
    [{ buyer: { name: 'Grace', email: 'g@example.org' } }, {}, 'buyer'],
    [
      { amount_total: 4000, amount_subtotal: 1, processor_fee: 7 },
      {},
      'amount_subtotal, amount_total, processor_fee',
      'processor_fee',
    ],
    [
      { created_at: '2026-01-02T00:00:00Z', confirmed_at: '2026-01-02T00:00:00Z' },
      {},
      'created_at, confirmed_at',
    ],
    [{ answers: { diet: 'vegan' } }, {}, 'answers'],
    [{}, { name: 'Bob' }, 'attendees'],
    [{}, { seat: null, email: 'ann@example.org' }, 'attendees'],
    [{ attendees: [{ name: 'Ann', seat: 'A1' }, { name: 'Bob' }] }, {}, 'attendees'],
    [{ attendees: null, quantity: 2 }, {}, 'quantity'],
    [
      {
        status: 'refunded',
        refunded_amount: 5,
        refunded_at: '2026-01-02T00:00:00Z',
        cancelled_at: '2026-01-02T00:00:00Z',
      },
      {},
      'status, refunded_amount, cancelled_at, refunded_at',
      'status, refunded_amount, cancelled_at, refunded_at',
    ],
  ]
  for (const [changes, holder, fields, completable] of cases) {
    const hint = completable === undefined ? '' : ` (--update-history completes ${completable})`
    for (const flags of MODES) {
      const { code, out } = await turnout('apply', bring(changes, holder), '--data', data, ...flags)
      assert.equal(code, 0)
      assert.equal(
        out.split('\n')[0],
        `registration one of spring-meeting keeps ${fields} as in the database: the file says otherwise${hint}`,
      )
      assert.match(out.split('\n')[1] as string, /^0 created, 0 updated, 6 kept in account /)
    }
  }
  // What the file leaves open, and the order of its answers, says nothing.
  const silent = [
    {},
    { created_at: null, attendees: null, answers: null },
    { answers: { hall: 'A', diet: 'vegan' } },
  ]
  for (const changes of silent) {
    const { differences, changes: lines } = await json('apply', bring(changes))
    assert.deepEqual([differences, lines], [[], []])
  }
  // The file cannot deny a check-in of the door.
  assert.deepEqual(
    (await json('apply', bring({}, { checked_in_at: '2026-11-21T08:00:00Z' }))).differences,
    [],
  )
  assert.deepEqual(await json('export'), before)
  assert.equal((await json('log', 'list')).data.length, 1)

  // A registration that was cancelled since stays cancelled, whatever the file says.
  const db = await openDatabase(data, clock)
  const same = events['spring-meeting'].registrations.same
  await db.write(accountId, tx => registrations.cancel(tx, same))
  await db.close()
  const { differences } = await json('apply', bring())
  assert.deepEqual(differences, [
    'registration same of spring-meeting keeps status as in the database: the file says otherwise',
  ])
})

test('a file that was brought in differs in nothing, however its registrations stand, and no more does an export', async t => {
  const { json, write } = commandLine(t)
  const path = write('organization.json', everything())
  assert.deepEqual((await json('apply', path)).differences, [])
  assert.deepEqual((await json('apply', path)).differences, [])
  const again = await json('apply', write('exported.json', await json('export')))
  assert.deepEqual([again.differences, again.changes], [[], []])
})

test('waiting entries and abstracts that differ are told too, and kept', async t => {
  const { json, write } = commandLine(t)
  const person = { name: 'Lin', email: 'lin@example.org' }
  const bring = (entry: object, paper: object) =>
    json(
      'apply',
      write(
        'organization.json',
        organization({
          event: {
            waitlist: [{ reference: 'w', registration_type: 'Free', ...person, ...entry }],
            abstracts: [
              { code: 'A', title: 'One', abstract: '', authors: [person], contact: person, ...paper },
            ],
          },
        }),
      ),
    )
  await bring({}, {})
  const before = await json('export')
  assert.deepEqual((await bring({}, {})).differences, [])
  const instant = '2026-01-01T00:00:00Z'
  const { differences, changes } = await bring(
    { registration_type: 'Standard', quantity: 2, notified_at: instant },
    {
      title: 'Two',
      authors: [person, person],
      contact: { ...person, phone: '1' },
      status: 'accepted',
      decided_at: instant,
    },
  )
  assert.deepEqual(differences, [
    'waiting entry w of spring-meeting keeps registration_type, quantity, notified_at as in the database: the file says otherwise',
    'abstract A of spring-meeting keeps title, authors, contact, status, decided_at as in the database: the file says otherwise',
  ])
  assert.deepEqual(changes, [])
  assert.deepEqual(await json('export'), before)
})
