import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineOf } from '#machinery/db/open.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { ofPostgres, startPostgres } from '#test/support/postgres-server.ts'
import { startTcpProxy } from '#test/support/tcp-proxy.ts'

test('a commit that a crash has undone is not told as done, though another transaction got its number since', {
  timeout: 60_000,
  ...ofPostgres,
}, async t => {
  // What nobody has committed is not written to the log before the crash.
  const postgres = await startPostgres({ settings: { fsync: 'off', wal_writer_delay: '10s' } })
  t.after(() => postgres.remove())
  const proxy = await startTcpProxy(t, postgres.port)
  const url = postgres.makeDatabase()
  const open = async (databaseUrl: string) => {
    const engine = engineOf({ data: temporaryFolder(t), databaseUrl })
    const opened = await engine.openForServer({ clock: Date.now, onFailure: () => undefined })
    t.after(() => opened.close())
    return opened.db
  }
  const other = await open(url)
  const db = await open(url.replace(/:\d+\//, `:${proxy.port}/`))
  const reached = proxy.dropAt('COMMIT')
  const written = db.write(INSTANCE, tx => tx.run('UPDATE instance SET heartbeat_at = 77'))
  await reached
  postgres.stop('immediate')
  postgres.start()
  for (let times = 0; times < 10; times++) await other.write(INSTANCE, tx => tx.now())
  proxy.restore()
  await written
  const row = await other.read(INSTANCE, tx =>
    tx.one<{ at: number | null }>('SELECT heartbeat_at AS at FROM instance'),
  )
  assert.equal(row?.at, 77)
})
