import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, INSTANCE, type InstanceWriteTx } from '#machinery/db/port.ts'
import { testClock } from '#test/support/clock.ts'
import { openTestDatabase } from '#test/support/engine.ts'

// What every engine promises. The suite runs on each.

async function open(t: Parameters<typeof openTestDatabase>[0]) {
  const clock = testClock()
  const db = await openTestDatabase(t, { clock })
  return { db, clock }
}

function addUser(tx: InstanceWriteTx, id: string, changes: { email?: string } = {}): Promise<number> {
  const { email = `${id}@example.org` } = changes
  return tx.run(
    `INSERT INTO users (id, email, email_key, name, password_hash, operator, language, created_at, updated_at)
     VALUES ($1, $2, $2, $1, '', 0, 'en', 0, 0)`,
    [id, email],
  )
}

async function usersOf(db: Database): Promise<string[]> {
  const rows = await db.read(INSTANCE, tx => tx.all<{ id: string }>('SELECT id FROM users ORDER BY id'))
  return rows.map(({ id }) => id)
}

test('a write is seen by each read that comes after its answer', async t => {
  const { db } = await open(t)
  for (let round = 0; round < 20; round++) {
    await db.write(INSTANCE, tx => addUser(tx, `user-${round}`))
    assert.equal((await usersOf(db)).length, round + 1)
  }
})

test('a large write that gives its turn to others shows nothing until it is whole, and no other write comes in between', async t => {
  const { db } = await open(t)
  const seen: string[][] = []
  let isOver = false
  const reading = (async () => {
    while (!isOver) seen.push(await usersOf(db))
  })()
  const sum = () => db.write(INSTANCE, tx => tx.one<{ n: number }>('SELECT count(*) AS n FROM users'))
  const add = (from: number, error?: Error) =>
    db.write(INSTANCE, async tx => {
      for (let at = from; at < from + 300; at++) {
        await addUser(tx, `user-${at}`)
        await tx.giveTurn()
      }
      if (error !== undefined) throw error
    })
  const counted = await Promise.all([sum(), add(0), sum()])
  isOver = true
  await reading
  assert.deepEqual(
    [...new Set(seen.map(({ length }) => length))].filter(length => length % 300 !== 0),
    [],
  )
  assert.deepEqual([counted[0]?.n, counted[2]?.n], [0, 300])
  await assert.rejects(add(300, new Error('no')), /^Error: no$/)
  assert.equal((await usersOf(db)).length, 300)
})

test('a write that throws changes nothing, and those beside it are as if it had never been', async t => {
  const { db } = await open(t)
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c', 'd', 'e'].map(id =>
      db.write(INSTANCE, async tx => {
        await addUser(tx, id)
        if (id === 'c') throw new Error('no')
        return id
      }),
    ),
  )
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual(await usersOf(db), ['a', 'b', 'd', 'e'])
})

test('a statement that fails ends its write, even if the work goes on, and no other', async t => {
  const { db } = await open(t)
  await db.write(INSTANCE, tx => addUser(tx, 'a'))
  const outcomes = await Promise.allSettled([
    db.write(INSTANCE, tx => addUser(tx, 'b')),
    db.write(INSTANCE, async tx => {
      await addUser(tx, 'c')
      await addUser(tx, 'd', { email: 'a@example.org' })
    }),
    db.write(INSTANCE, tx => addUser(tx, 'e')),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(await usersOf(db), ['a', 'b', 'e'])
})

test('an attempt that throws is undone, whatever comes before and after it, and attempts may be within others', async t => {
  const { db } = await open(t)
  await db.write(INSTANCE, async tx => {
    await assert.rejects(
      tx.attempt(async () => {
        await addUser(tx, 'first')
        throw new Error('no')
      }),
      /no/,
    )
    await addUser(tx, 'a')
    await tx.attempt(async () => {
      await addUser(tx, 'b')
      await assert.rejects(tx.attempt(() => addUser(tx, 'c', { email: 'a@example.org' })))
      await addUser(tx, 'd')
    })
    await addUser(tx, 'e')
  })
  assert.deepEqual(await usersOf(db), ['a', 'b', 'd', 'e'])
})

test('an instant is that of its transaction, never before an earlier one, and a write that is undone does not take it along', async t => {
  const { db, clock } = await open(t)
  const first = await db.write(INSTANCE, async tx => [await tx.now(), await tx.now()])
  assert.equal(first[0], first[1])
  clock.advance(-60_000)
  const [later] = await Promise.all([
    db.write(INSTANCE, tx => tx.now()),
    assert.rejects(
      db.write(INSTANCE, async tx => {
        await tx.now()
        throw new Error('no')
      }),
    ),
  ])
  assert.equal(later, first[0])
  assert.equal(await db.write(INSTANCE, async tx => tx.clock()), clock())
  const latest = 'SELECT latest_write_at AS at FROM instance'
  assert.equal((await db.read(INSTANCE, tx => tx.one<{ at: number }>(latest)))?.at, first[0])
})

test('an instant is that of the clock again once a write has set the latest one back', async t => {
  const { db, clock } = await open(t)
  const now = clock()
  clock.advance(1_000_000)
  await db.write(INSTANCE, tx => tx.now())
  clock.advance(-1_000_000)
  const taken = await db.write(INSTANCE, async tx => {
    await tx.run('UPDATE instance SET latest_write_at = $1 WHERE id = 1', [now])
    return tx.now()
  })
  assert.equal(taken, now)
  assert.equal(await db.write(INSTANCE, tx => tx.now()), now)
})

test('the number of a commit is higher than that of each before it, and what the write keeps has it', async t => {
  const { db } = await open(t)
  const number = 'SELECT write_number AS number FROM instance'
  const numbers: number[] = []
  for (let round = 0; round < 5; round++) {
    const within = await db.write(INSTANCE, async tx => {
      await tx.now()
      return (await tx.one<{ number: number }>(number))?.number as number
    })
    const after = await db.read(INSTANCE, tx => tx.one<{ number: number }>(number))
    assert.equal(after?.number, within)
    numbers.push(within)
  }
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].sort((one, other) => one - other),
  )
})

test('values come back as numbers, texts and null, and a comparison is 1 or 0', async t => {
  const { db } = await open(t)
  const row = await db.read(INSTANCE, tx =>
    tx.one(
      `SELECT id = 1 AS yes, id = 2 AS no, EXISTS (SELECT 1 FROM users) AS none, count(*) AS count, sum(id) AS sum,
         max(heartbeat_at) AS empty, CAST($1 AS TEXT) AS text FROM instance GROUP BY id`,
      ['é\u{1f389} '],
    ),
  )
  assert.deepEqual(
    { ...(row as object) },
    { yes: 1, no: 0, none: 0, count: 1, sum: 1, empty: null, text: 'é\u{1f389} ' },
  )
})

test('a look for a text with the character NUL finds nothing, and what comes after it is done', async t => {
  const { db } = await open(t)
  const find = 'SELECT id FROM users WHERE id = $1'
  await db.write(INSTANCE, async tx => {
    await addUser(tx, 'a')
    assert.equal(await tx.one(find, ['a\0']), undefined)
    await addUser(tx, 'b')
  })
  const looks = ['\0', 'a', 'a\0', 'a\0b'].map(id =>
    db.read(INSTANCE, tx => tx.one<{ id: string }>(find, [id])),
  )
  assert.deepEqual(
    (await Promise.all(looks)).map(row => row?.id),
    [undefined, 'a', undefined, undefined],
  )
  assert.deepEqual(await usersOf(db), ['a', 'b'])
})

test('a text with the character NUL is written, as it is or with a sign that something was there', async t => {
  const { db } = await open(t)
  await db.write(INSTANCE, tx => addUser(tx, 'a\0b'))
  assert.match((await usersOf(db)).join(), /^a[\0\ufffd]b$/)
})

test('texts are in the order of their code points, and equal only where each is', async t => {
  const { db } = await open(t)
  const names = ['Z', 'a', 'É', 'é', 'zz', 'ß', '\u{ffee}', '\u{1f389}', ' a', 'A']
  await db.write(INSTANCE, async tx => {
    for (const name of names) await addUser(tx, name)
  })
  const byCodePoint = [...names].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  assert.deepEqual(await usersOf(db), byCodePoint)
})

test('many writes and reads at once end, and each write is there once', async t => {
  const { db } = await open(t)
  const ids = Array.from({ length: 300 }, (_, at) => `user-${String(at).padStart(3, '0')}`)
  const seen = await Promise.all(
    ids.map(async id => {
      await db.write(INSTANCE, tx => addUser(tx, id))
      return db.read(INSTANCE, tx => tx.one('SELECT 1 FROM users WHERE id = $1', [id]))
    }),
  )
  assert.ok(seen.every(row => row !== undefined))
  assert.deepEqual(await usersOf(db), ids)
})

test('guarded writes side by side take no more than there is, and a key only once', async t => {
  const { db } = await open(t)
  await db.write(INSTANCE, tx => tx.run('UPDATE instance SET held_at = 0'))
  const PLACES = 40
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, (_, at) =>
      db.write(
        INSTANCE,
        async tx => {
          // Some come twice, and each comes only once.
          await addUser(tx, `user-${at % 150}`)
          const taken = await tx.run('UPDATE instance SET held_at = held_at + 1 WHERE held_at < $1', [PLACES])
          if (taken === 0) throw new Error('sold out')
        },
        { isGuarded: true },
      ),
    ),
  )
  const done = outcomes.filter(({ status }) => status === 'fulfilled').length
  assert.equal(done, PLACES)
  assert.equal((await usersOf(db)).length, PLACES)
})

test('a guarded write that comes to a decision of its own decides on what is committed, however many come at once', async t => {
  const { db } = await open(t)
  const count = 'SELECT count(*) AS count FROM users'
  const found = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      db.write(
        INSTANCE,
        async tx => {
          await tx.alone()
          const before = (await tx.one<{ count: number }>(count))?.count as number
          if (before < 10) await addUser(tx, `user-${at}`)
          return before
        },
        { isGuarded: true },
      ),
    ),
  )
  assert.equal((await usersOf(db)).length, 10)
  assert.deepEqual(
    [...new Set(found)].sort((one, other) => one - other),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
})

test('a refusal beside others that nothing was changed for is told, and they are done', async t => {
  const { db } = await open(t)
  const runs = new Map<number, number>()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) =>
      db.write(
        INSTANCE,
        async tx => {
          runs.set(at, (runs.get(at) ?? 0) + 1)
          if ((await tx.run("UPDATE users SET name = 'x' WHERE id = 'nobody'")) === 0 && at % 2 === 0)
            throw new Error('nobody')
          await addUser(tx, `user-${at}`)
        },
        { isGuarded: true },
      ),
    ),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 10)
  assert.equal((await usersOf(db)).length, 10)
  // A refusal must not make everybody run again.
  assert.deepEqual([...new Set(runs.values())], [1])
})

test('staged rows are inserted in their order, with the instant of the write and what is added, and leave out those that are there', async t => {
  const { db } = await open(t)
  await db.write(INSTANCE, tx => addUser(tx, 'b'))
  const row = (id: string) => ({
    ...{ id, email: id, email_key: id, name: id, password_hash: '', operator: 0, language: 'en' },
    ...{ created_at: Number.MIN_SAFE_INTEGER, updated_at: 5 },
  })
  const staged = await db.stage({ users: ['a', 'b', 'c'].map(row), accounts: [] })
  const now = await db.write(INSTANCE, async tx => {
    assert.equal(await tx.insertStaged(staged, 'users', { operator: 1 }), 2)
    assert.equal(await tx.insertStaged(staged, 'accounts'), 0)
    return tx.now()
  })
  await db.discard(staged)
  const rows = await db.read(INSTANCE, tx =>
    tx.all("SELECT id, operator, created_at, updated_at FROM users WHERE id <> 'b' ORDER BY id"),
  )
  assert.deepEqual(
    rows.map(row => ({ ...(row as object) })),
    ['a', 'c'].map(id => ({ id, operator: 1, created_at: now, updated_at: 5 })),
  )
})

test('a commit is told of at once, and that of another process within a second', async t => {
  const clock = testClock()
  const { dataFolder } = await import('#test/support/blank-database.ts')
  const data = dataFolder(t)
  const db = await openTestDatabase(t, { data, clock })
  const other = await openTestDatabase(t, { data, clock })
  let told = 0
  db.onCommit(() => told++)
  await db.write(INSTANCE, tx => addUser(tx, 'a'))
  assert.ok(told >= 1)
  const before = told
  await other.write(INSTANCE, tx => addUser(tx, 'b'))
  const until = performance.now() + 20_000
  while (told === before && performance.now() < until) await new Promise(resolve => setTimeout(resolve, 20))
  assert.ok(told > before)
})

test('what was asked for before the end is done, and nothing after it', async t => {
  const { db } = await open(t)
  const asked = [db.write(INSTANCE, tx => addUser(tx, 'a')), db.read(INSTANCE, async () => 'read')]
  const closed = db.close()
  assert.deepEqual(await Promise.all(asked), [1, 'read'])
  await closed
  await assert.rejects(
    db.read(INSTANCE, async () => 1),
    /closed/,
  )
  await assert.rejects(
    db.write(INSTANCE, async () => 1),
    /closed/,
  )
})
