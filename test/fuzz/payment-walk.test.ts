import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '#base/problem.ts'
import { exchangeTicket } from '#product/selling/exchanges/rules.ts'
import {
  anyExchangeWalk,
  anySeriesWalk,
  anyWalk,
  type Exchange,
  openSales,
} from '#test/support/sales-walk.ts'

// WALKS sets the number of walks, which differ each time; WALK_SEED walks a seed again that failed. A run of all tests uses a seed
// in whose walks everything happens.
const RUNS = Number(process.env.WALKS ?? 2_000)
const USUAL_SEED = 1_060_972_903
const anySeed = () => Math.floor(Math.random() * 2 ** 31)
const SEED = Number(process.env.WALK_SEED ?? (process.env.WALKS === undefined ? USUAL_SEED : anySeed()))

const HAPPENINGS = [
  ...['confirmed', 'unpaid', 'withdrawn', 'cancelled', 'died'],
  ...['late', 'twice', 'excess', 'line_cancelled', 'event_cancelled', 'organizer', 'processor', 'left'],
  ...['exchanged', 'exchanged again'],
]

test('whatever buyers, processor, clock and organizer do, and wherever the server dies, all money is somewhere, once', async t => {
  t.diagnostic(`seed ${SEED}, ${RUNS} runs`)
  const { walk, damage, seen } = await openSales(t)
  await fc.assert(
    fc.asyncProperty(anyWalk, async steps => {
      await walk(steps)
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: process.env.WALK_SHRINK === undefined },
  )
  assert.deepEqual(await damage(), [])
  t.diagnostic([...seen].sort().join(', '))
  // Walks in which nothing happens would show nothing.
  if (RUNS >= 1_000) for (const each of HAPPENINGS) assert.ok(seen.has(each), each)
})

const EXCHANGES = { numRuns: 300, seed: 1, endOnFailure: true }

test('of a series whose prices change on a date and the later ones after somebody has ordered, all money is somewhere, once', async t => {
  const { walk, damage, seen } = await openSales(t, { dates: 3 })
  await fc.assert(fc.asyncProperty(anySeriesWalk, walk), { ...EXCHANGES, numRuns: 150 })
  assert.deepEqual(await damage(), [])
  for (const each of ['repriced', 'confirmed', 'died', 'exchanged', 'difference', 'not_found'])
    assert.ok(seen.has(each), each)
})

/** What voids a ticket. */
const VOIDING = 'UPDATE attendees SET voided'

/** Exchanges a ticket, and leaves out of the write how the former one becomes void. */
const withoutVoiding: Exchange = (db, accountId, exchanging) =>
  db.write(accountId, tx =>
    exchangeTicket(
      new Proxy(tx, {
        get: (target, name: keyof typeof tx) => {
          const value = target[name]
          if (typeof value !== 'function') return value
          if (name !== 'run') return (value as (...args: unknown[]) => unknown).bind(target)
          return async (sql: string, params: never[]) =>
            sql.startsWith(VOIDING) ? 1 : target.run(sql, params)
        },
      }),
      exchanging,
    ),
  )

/** Each is found out by some of the walks that an exchange in one write passes. */
const BROKEN: [what: string, exchange: Exchange][] = [
  [
    'gives the difference back by the ticket that was exchanged, and not by the one that was sold',
    (db, accountId, exchanging) =>
      db.write(accountId, async tx => {
        const { refunds } = await exchangeTicket(tx, exchanging)
        for (const { id, amount } of refunds) {
          const parts = JSON.stringify({ [exchanging.ticketId]: amount })
          await tx.run('UPDATE refunds SET tickets = $2 WHERE id = $1', [id, parts])
        }
      }),
  ],
  [
    'voids the former ticket in a write of its own, which stays where the type is sold out',
    async (db, accountId, exchanging) => {
      const isSoldOut = (error: unknown) => error instanceof Problem && error.code === 'sold_out'
      const refused = await withoutVoiding(db, accountId, exchanging).catch((error: unknown) => error)
      const ids = [exchanging.registrationId, exchanging.ticketId]
      if (!(refused instanceof Error) || isSoldOut(refused))
        await db.write(accountId, tx => tx.run(`${VOIDING} = 1 WHERE registration_id = $1 AND id = $2`, ids))
      if (refused instanceof Error) throw refused
    },
  ],
  ['voids the former ticket in a write of its own, which never comes', withoutVoiding],
]

test('however tickets are exchanged beside refunds, each price goes back once, by the ticket that it was paid for', async t => {
  const { walk, damage, seen } = await openSales(t)
  await fc.assert(fc.asyncProperty(anyExchangeWalk, walk), EXCHANGES)
  assert.deepEqual(await damage(), [])
  for (const each of ['exchanged again', 'difference', 'difference again', 'sold_out'])
    assert.ok(seen.has(each), each)
})

for (const [what, exchange] of BROKEN) {
  test(`an exchange that ${what} is found out by those walks`, async t => {
    const { walk } = await openSales(t, { exchange })
    const found = await fc.check(fc.asyncProperty(anyExchangeWalk, walk), EXCHANGES)
    assert.equal((found.errorInstance as Error | undefined)?.name, 'AssertionError')
  })
}
