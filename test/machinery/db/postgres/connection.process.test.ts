import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DatabaseUnavailable } from '#machinery/db/port.ts'
import { Connection } from '#machinery/db/postgres/connection.ts'
import { ofPostgres, postgresOfFile } from '#test/support/postgres-server.ts'

const postgres = postgresOfFile()

/** Opens a session on a database of its own with the table `things`. */
async function openSession(t: TestContext, limits: { plans?: number } = {}): Promise<Connection> {
  const connection = await Connection.open(postgres().makeDatabase(), {
    lock: 1_000,
    answer: 5_000,
    ...limits,
  })
  t.after(() => connection.close())
  await connection.script('CREATE TABLE things (id BIGINT PRIMARY KEY, word TEXT)')
  return connection
}

const INSERT = 'INSERT INTO things (id, word) VALUES ($1, $2)'
const COUNT = 'SELECT count(*) AS n, bool_or(word IS NULL) AS is_empty FROM things'

/** Waits for all, and returns what each has come to: its rows, or the state of its failure. */
async function ends(answers: readonly Promise<{ rows: object[] }>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(answers)
  return settled.map(end => (end.status === 'fulfilled' ? end.value.rows : stateOf(end.reason)))
}

function stateOf(error: unknown): string | undefined {
  const { cause, code } = error as { cause?: { code?: string }; code?: string }
  return code ?? cause?.code
}

test(
  'what one turn asks for in a transaction is answered in its order, each with its own rows',
  ofPostgres,
  async t => {
    const connection = await openSession(t)
    for (let times = 1; times <= 3; times++) {
      const answers = [
        connection.query('BEGIN'),
        connection.query(INSERT, [times, null]),
        connection.query(COUNT),
        connection.query(`${INSERT} RETURNING word, id`, [times + 10, 'a\u{1F39F}']),
        connection.query('SELECT id FROM things WHERE id > $1 ORDER BY id DESC', [99]),
        connection.query('DELETE FROM things WHERE word = $1', ['none']),
        connection.query('COMMIT'),
      ]
      assert.deepEqual(await ends(answers), [
        [],
        [],
        [{ n: times * 2 - 1, is_empty: 1 }],
        [{ word: 'a\u{1F39F}', id: times + 10 }],
        [],
        [],
        [],
      ])
      const told = await Promise.all(answers)
      assert.deepEqual(
        told.map(({ command, rowCount }) => [command, rowCount]),
        [
          ...[
            ['BEGIN', null] as const,
            ['INSERT', 1] as const,
            ['SELECT', 1] as const,
            ['INSERT', 1] as const,
          ],
          ...[['SELECT', 0] as const, ['DELETE', 0] as const, ['COMMIT', null] as const],
        ],
      )
    }
  },
)

test(
  'behind a statement that fails all are refused, and those before it keep their answers',
  ofPostgres,
  async t => {
    const connection = await openSession(t)
    for (let times = 0; times < 3; times++) {
      const answers = await ends([
        connection.query('BEGIN'),
        connection.query(INSERT, [1, 'first']),
        connection.query('SELECT word FROM things'),
        connection.query(INSERT, [1, 'again']),
        connection.query('SELECT word AS other FROM things'),
        connection.query('COMMIT'),
      ])
      assert.deepEqual(answers, [[], [], [{ word: 'first' }], '23505', '25P02', '25P02'])
      await connection.query('ROLLBACK')
      assert.deepEqual((await connection.query(COUNT)).rows, [{ n: 0, is_empty: null }])
      // What was skipped is not taken for prepared.
      assert.deepEqual((await connection.query('SELECT word AS other FROM things')).rows, [])
    }
  },
)

test(
  'a transaction goes on after an undone part of it, also where the failure was not awaited',
  ofPostgres,
  async t => {
    const connection = await openSession(t)
    for (let times = 0; times < 3; times++) {
      void connection.query('BEGIN')
      void connection.query('SAVEPOINT part')
      const failed = connection.query(INSERT, [null, 'no key']).catch(stateOf)
      const undone = connection.query('ROLLBACK TO part')
      const kept = connection.query(INSERT, [times, 'kept'])
      assert.deepEqual(
        [await failed, (await undone).command, (await kept).rowCount],
        ['23502', 'ROLLBACK', 1],
      )
      await connection.query('COMMIT')
    }
    assert.deepEqual((await connection.query(COUNT)).rows, [{ n: 3, is_empty: 0 }])
  },
)

test('outside of a transaction each statement stands for itself', ofPostgres, async t => {
  const connection = await openSession(t)
  const answers = await ends([
    connection.query(INSERT, [1, 'one']),
    connection.query(INSERT, [1, 'again']),
    connection.query(INSERT, [2, 'two']),
    connection.query('SELECT id FROM things ORDER BY id'),
  ])
  assert.deepEqual(answers, [[], '23505', [], [{ id: 1 }, { id: 2 }]])
})

test(
  'whatever was on its way when the session is lost is unavailable, and so is what comes after',
  ofPostgres,
  async t => {
    const connection = await openSession(t)
    const [{ pid } = { pid: 0 }] = (await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))
      .rows
    const lost = ['BEGIN', 'SELECT pg_sleep(20)', COUNT, 'COMMIT'].map(text => connection.query(text))
    const settled = Promise.allSettled(lost)
    postgres().psql(`SELECT pg_terminate_backend(${pid})`)
    const reasons = (await settled).slice(1).map(end => (end.status === 'rejected' ? end.reason : end.value))
    for (const reason of reasons) assert.ok(reason instanceof DatabaseUnavailable, String(reason))
    await assert.rejects(connection.query(COUNT), DatabaseUnavailable)
  },
)

test('a plan that was made while a table was empty is not kept', ofPostgres, async t => {
  /** Looks while the table is empty, fills it, and looks again. @returns what the last look has read */
  const readAfterGrowth = async (plans: number): Promise<number> => {
    const connection = await openSession(t, { plans })
    await connection.script('CREATE INDEX by_word ON things (word)')
    await connection.script('VACUUM ANALYZE things')
    const look = async () => {
      const begun = [
        connection.query('BEGIN'),
        connection.query('SELECT word FROM things WHERE word = $1 AND id = $2', ['a', 7]),
      ]
      await Promise.all([...begun, connection.query('COMMIT')])
    }
    for (let times = 0; times < 10; times++) await look()
    await connection.script("INSERT INTO things (id, word) SELECT i, 'a' FROM generate_series(1, 3000) i")
    await connection.script('SELECT pg_stat_force_next_flush()')
    await connection.script('SELECT pg_stat_reset()')
    await look()
    await connection.script('SELECT pg_stat_force_next_flush()')
    const { rows } = await connection.query<{ read: number }>(
      "SELECT sum(idx_tup_read) AS read FROM pg_stat_user_indexes WHERE relname = 'things'",
    )
    return rows[0]?.read ?? 0
  }
  assert.equal(await readAfterGrowth(0), 1)
  assert.equal(await readAfterGrowth(60_000), 3_000)
})

test('bytes are read, whatever form the database gives them by its own setting', ofPostgres, async t => {
  const url = postgres().makeDatabase()
  const limits = { lock: 1_000, answer: 5_000 }
  const first = await Connection.open(url, limits)
  t.after(() => first.close())
  await first.script(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET bytea_output = 'escape'`)
  const connection = await Connection.open(url, limits)
  t.after(() => connection.close())
  const bytes = Buffer.from([0, 92, 120, 255, 39])
  await connection.script('CREATE TABLE kept (content BYTEA)')
  await connection.query('INSERT INTO kept (content) VALUES ($1)', [bytes])
  const { rows } = await connection.query<{ content: Buffer }>('SELECT content FROM kept')
  assert.ok(rows[0]?.content.equals(bytes))
})
