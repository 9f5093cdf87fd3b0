import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import SqliteConnection from 'better-sqlite3'
import { type AnyReadTx, DatabaseUnavailable, INSTANCE, type InstanceWriteTx } from '#machinery/db/port.ts'
import { openSqlite } from '#machinery/db/sqlite/database.ts'
import { testClock } from '#test/support/clock.ts'
import { INSERT, notes, openNotes, readNotes } from './notes.ts'

test('a write that throws leaves nothing behind', async t => {
  const { db } = openNotes(t)
  await assert.rejects(
    db.write(INSTANCE, async tx => {
      await tx.run(INSERT, ['half'])
      throw new Error('no')
    }),
    /^Error: no$/,
  )
  assert.deepEqual(await readNotes(db), [])
})

test('writes run one after another, in the order in which they came', async t => {
  const { db } = openNotes(t)
  const steps: string[] = []
  const write = (name: string) =>
    db.write(INSTANCE, async tx => {
      steps.push(`${name} begins`)
      await tx.run(INSERT, [name])
      await tx.all('SELECT 1')
      steps.push(`${name} ends`)
    })
  await Promise.all([write('a'), write('b'), write('c')])
  assert.deepEqual(steps, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('a failed attempt is undone, and what was written before and after it stays', async t => {
  const { db } = openNotes(t)
  await db.write(INSTANCE, async tx => {
    await tx.run(INSERT, ['before'])
    await assert.rejects(
      tx.attempt(async () => {
        await tx.run(INSERT, ['within'])
        throw new Error('refused')
      }),
      /refused/,
    )
    await tx.run(INSERT, ['after'])
  })
  assert.deepEqual(await readNotes(db), ['before', 'after'])
})

test('attempts within attempts keep what stands, and undo only what failed, wherever nothing was written before', async t => {
  const { db } = openNotes(t)
  const plans = allPlans(3)
  assert.ok(plans.length > 300, `${plans.length}`)
  for (const plan of plans) {
    const expected: string[] = []
    await db.write(INSTANCE, tx => tx.run('DELETE FROM notes'))
    await db.write(INSTANCE, tx => follow(tx, plan, expected))
    assert.deepEqual(await readNotes(db), expected, JSON.stringify(plan))
  }
})

test('an instant that a failed attempt took is the instant of the rest of the write, and is kept for the next', async t => {
  const clock = testClock()
  const { db } = openNotes(t, { clock })
  const instants: number[] = []
  await db.write(INSTANCE, async tx => {
    await assert.rejects(
      tx.attempt(async () => {
        instants.push(await tx.now())
        await tx.run(INSERT, ['refused'])
        throw new Error('refused')
      }),
      /refused/,
    )
    clock.advance(5000)
    instants.push(await tx.now())
    await tx.run(INSERT, ['why it was refused'])
  })
  clock.advance(-60_000)
  instants.push(await db.write(INSTANCE, tx => tx.now()))
  assert.deepEqual(instants, Array(3).fill(instants[0]))
  assert.deepEqual(await readNotes(db), ['why it was refused'])
})

test('a read is one snapshot, whatever another process commits meanwhile', async t => {
  const { db, path } = openNotes(t)
  const other = new SqliteConnection(path)
  t.after(() => other.close())
  await db.read(INSTANCE, async tx => {
    const before = await tx.one<{ count: number }>('SELECT count(*) AS count FROM notes')
    other.prepare('INSERT INTO notes (text) VALUES (?)').run('late')
    const after = await tx.one<{ count: number }>('SELECT count(*) AS count FROM notes')
    assert.deepEqual([before?.count, after?.count], [0, 0])
  })
  assert.deepEqual(await readNotes(db), ['late'])
})

test('a transaction that is used after its end says so', async t => {
  const { db } = openNotes(t)
  const leaked = await db.write(INSTANCE, async tx => ({ tx }))
  await assert.rejects(leaked.tx.run(INSERT, ['late']), /used after its end/)
  assert.deepEqual(await readNotes(db), [])
})

test('a write that waits for something else than its transaction is undone and says so', async t => {
  const { db } = openNotes(t)
  await assert.rejects(
    db.write(INSTANCE, async tx => {
      await tx.run(INSERT, ['held'])
      await new Promise(resolve => setTimeout(resolve, 5))
      await tx.run(INSERT, ['late'])
    }),
    /waited for something else/,
  )
  await db.write(INSTANCE, tx => tx.run(INSERT, ['next']))
  assert.deepEqual(await readNotes(db), ['next'])
})

test('a write that gives its turn away after a while lets others have theirs, and is still to await nothing else', async t => {
  const { db } = openNotes(t)
  let now = performance.now()
  t.mock.method(performance, 'now', () => now)
  const turns: string[] = []
  const write = db.write(INSTANCE, async tx => {
    for (const text of ['one', 'two', 'three']) {
      await tx.run(INSERT, [text])
      setImmediate(() => turns.push(text))
      await tx.giveTurn()
      assert.ok(!turns.includes(text), 'nobody has a turn before it was long')
      now += 5
      await tx.giveTurn()
      assert.ok(turns.includes(text))
    }
  })
  await write
  assert.deepEqual(await readNotes(db), ['one', 'two', 'three'])
  const waiting = db.write(INSTANCE, async tx => {
    await tx.run(INSERT, ['held'])
    now += 5
    await tx.giveTurn()
    await new Promise(resolve => setTimeout(resolve, 5))
    await tx.giveTurn()
  })
  await assert.rejects(waiting, /waited for something else/)
  const { tx } = await db.write(INSTANCE, async tx => ({ tx }))
  await assert.rejects(tx.giveTurn(), /used after its end/)
  assert.equal((await readNotes(db)).length, 3)
})

test('a write waits for a lock of another process without stopping the event loop', async t => {
  const { db, path } = openNotes(t)
  const other = new SqliteConnection(path)
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  let written = false
  const write = db
    .write(INSTANCE, tx => tx.run(INSERT, ['patient']))
    .then(() => {
      written = true
    })
  let turns = 0
  while (turns < 200) {
    await nextTurn()
    turns++
  }
  assert.equal(written, false)
  assert.deepEqual(await readNotes(db), [])
  other.exec('COMMIT')
  await write
  assert.deepEqual(await readNotes(db), ['patient'])
})

test('a write that waits too long for another process is unavailable, and the next one succeeds', async t => {
  const { db, path } = openNotes(t, { busyTimeout: 10 })
  const other = new SqliteConnection(path)
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  await assert.rejects(
    db.write(INSTANCE, tx => tx.run(INSERT, ['lost'])),
    DatabaseUnavailable,
  )
  other.exec('COMMIT')
  await db.write(INSTANCE, tx => tx.run(INSERT, ['kept']))
  assert.deepEqual(await readNotes(db), ['kept'])
})

test('writes that queue behind a lock of another process wait for it together, not one after another', async t => {
  const busyTimeout = 200
  const { db, path } = openNotes(t, { busyTimeout })
  const other = new SqliteConnection(path)
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  const startedAt = performance.now()
  const writes = Array.from({ length: 20 }, (_, number) =>
    db.write(INSTANCE, tx => tx.run(INSERT, [`${number}`])),
  )
  const outcomes = await Promise.allSettled(writes)
  assert.ok(performance.now() - startedAt < (busyTimeout * writes.length) / 2)
  assert.deepEqual(new Set(outcomes.map(({ status }) => status)), new Set(['rejected']))
  other.exec('COMMIT')
  assert.deepEqual(await readNotes(db), [])
})

test('a full disk gives up the whole write, even when the work swallows the error, and the next one succeeds', async t => {
  const { db, path } = openNotes(t)
  const big = 'x'.repeat(4_000_000)
  const limit = new SqliteConnection(path)
  const pages = limit.pragma('page_count', { simple: true }) as number
  limit.close()
  // max_page_count is SQLite's own full disk: the same SQLITE_FULL on the connection that writes.
  await db.write(INSTANCE, tx => tx.all(`PRAGMA max_page_count = ${pages + 20}`))
  await assert.rejects(
    db.write(INSTANCE, async tx => {
      await tx.run(INSERT, ['small'])
      await tx.attempt(() => tx.run(INSERT, [big])).catch(() => undefined)
      await tx.run(INSERT, ['after']).catch(() => undefined)
    }),
    DatabaseUnavailable,
  )
  assert.deepEqual(await readNotes(db), [])
  await db.write(INSTANCE, tx => tx.run(INSERT, ['room']))
  assert.deepEqual(await readNotes(db), ['room'])
})

test('the instant of a write never goes back, over a clock set back, a restart and a second process', async t => {
  const clock = testClock()
  const { db, path } = openNotes(t, { clock })
  const first = await db.write(INSTANCE, tx => tx.now())
  clock.advance(-60_000)
  assert.equal(await db.write(INSTANCE, tx => tx.now()), first)
  const other = openSqlite(path, { clock, schema: notes })
  assert.equal(await other.write(INSTANCE, tx => tx.now()), first)
  await other.close()
  clock.advance(120_000)
  assert.equal(await db.write(INSTANCE, tx => tx.now()), first + 60_000)
})

test('every connection leaves the sync to the group commit, and holds foreign keys', async t => {
  const { db } = openNotes(t)
  const settings = async (tx: AnyReadTx) => [
    await tx.one('PRAGMA synchronous'),
    await tx.one('PRAGMA foreign_keys'),
    await tx.one('PRAGMA journal_mode'),
  ]
  const expected = [{ synchronous: 1 }, { foreign_keys: 1 }, { journal_mode: 'wal' }]
  assert.deepEqual(await db.read(INSTANCE, settings), expected)
  assert.deepEqual(await db.write(INSTANCE, settings), expected)
})

test('closing waits for the writes that came before, and refuses those that come after', async t => {
  const { db, path } = openNotes(t)
  const write = db.write(INSTANCE, tx => tx.run(INSERT, ['last']))
  await db.close()
  await write
  await assert.rejects(
    db.write(INSTANCE, tx => tx.run(INSERT, ['late'])),
    DatabaseUnavailable,
  )
  const reopened = openSqlite(path, { clock: testClock(), schema: notes })
  t.after(() => reopened.close())
  assert.deepEqual(await readNotes(reopened), ['last'])
})

/** The steps of a write: each writes a line, or attempts a plan, which may fail at its end. */
type Plan = readonly ('write' | { attempt: Plan; fails: boolean })[]

/** Returns every plan of one step, and plans of two steps out of the first 24, with plans of `depth - 1` levels inside. */
function allPlans(depth: number): Plan[] {
  const inner = depth === 1 ? [] : allPlans(depth - 1)
  const steps = [
    'write' as const,
    ...inner.flatMap(attempt => [true, false].map(fails => ({ attempt, fails }))),
  ]
  const some = steps.slice(0, 24)
  return [[], ...steps.map(step => [step]), ...some.flatMap(first => some.map(second => [first, second]))]
}

/** Follows a plan in a write, and in `stands`, the lines that must stand after it. */
async function follow(tx: InstanceWriteTx, plan: Plan, stands: string[]): Promise<void> {
  for (const step of plan) {
    if (step === 'write') {
      const text = `line ${stands.length}`
      await tx.run(INSERT, [text])
      stands.push(text)
      continue
    }
    const before = stands.length
    const attempt = tx.attempt(async () => {
      await follow(tx, step.attempt, stands)
      if (step.fails) throw new Error('refused')
    })
    if (!step.fails) await attempt
    else {
      await assert.rejects(attempt, /refused/)
      stands.length = before
    }
  }
}
