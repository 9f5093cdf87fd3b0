import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { claimDataFolder, isServed } from '../../src/db/data-folder.ts'
import { temporaryFolder } from '../support/folder.ts'
import { startServer } from '../support/server.ts'

test('whether a server runs on a folder is seen without claiming it, and before and after it runs', async t => {
  const folder = temporaryFolder(t)
  assert.equal(isServed(folder), false)
  assert.equal(existsSync(join(folder, 'server.lock')), false)
  const { app, data } = await startServer(t, { data: folder })
  assert.equal(isServed(data), true)
  assert.throws(() => claimDataFolder(data), /Another server already runs/)
  await app.close()
  assert.equal(isServed(data), false)
  claimDataFolder(data)()
})
