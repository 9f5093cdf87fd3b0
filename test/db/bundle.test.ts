import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import SqliteConnection from 'better-sqlite3'
import { prepareDataFolder } from '../support/data-folder.ts'
import { startServerProcess } from '../support/server-process.ts'

/** What another process writes, in bytes: more than the log may have before a checkpoint begins. */
const MUCH = 20 * 1024 * 1024

test('the built program empties its log in a thread, also after another process has filled it', {
  timeout: 60_000,
}, async t => {
  assert.equal(spawnSync(process.execPath, ['build.mjs']).status, 0)
  const { data, accountId } = await prepareDataFolder(t)
  const server = await startServerProcess(t, data, { program: 'dist/turnout.cjs' })
  const path = join(data, 'turnout.db')
  const other = new SqliteConnection(path)
  t.after(() => other.close())
  other.pragma('wal_autocheckpoint = 0')
  other
    .prepare(
      `INSERT INTO access_log (id, account_id, actor, action, target_type, details, created_at, updated_at)
       VALUES ('much', ?, 'cli', 'test', 'test', ?, 0, 0)`,
    )
    .run(accountId, 'x'.repeat(MUCH))
  while (statSync(`${path}-wal`).size > 0) await setTimeout(20)
  assert.ok(statSync(path).size > MUCH)
  assert.equal((await fetch(`${server.url}/openapi.json`)).status, 200)
  assert.equal((await fetch(`${server.url}/reference`)).status, 200)
  server.kill('SIGTERM')
  const { code, stderr } = await server.ended
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
})
