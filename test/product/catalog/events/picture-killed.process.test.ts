import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as pictures from '#product/catalog/events/pictures.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { organization } from '#test/support/organization.ts'
import { photo, pngOf } from '#test/support/picture-files.ts'
import { startServerProcess } from '#test/support/server-process.ts'

test('a server that is killed before it keeps the sizes of a picture makes them after its next start', {
  timeout: 120_000,
}, async t => {
  const data = temporaryFolder(t)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  const applied = await applyOrganization(db, organization(), { clock: Date.now })
  assert.ok('events' in applied)
  const { account_id: accountId, events } = applied
  const eventId = events['spring-meeting']?.id as string
  await db.write(accountId, tx => pictures.put(tx, eventId, pictures.examine(pngOf(photo(600, 400)))))
  const look = () =>
    db.read(accountId, async tx => ({
      sizes: (await pictures.find(tx, eventId))?.sizes.map(({ width }) => width),
      attempts: (
        await tx.one<{ count: number }>(
          'SELECT p.size_attempts AS count FROM event_pictures p WHERE p.account_id = $1 AND p.event_id = $2',
          [accountId, eventId],
        )
      )?.count,
    }))

  const killed = await startServerProcess(t, data, {
    imports: ['test/support/killed-server.ts'],
    env: { KILL_AT: 'before INSERT INTO event_picture_sizes' },
  })
  assert.equal((await killed.ended).signal, 'SIGKILL')
  assert.deepEqual(await look(), { sizes: [], attempts: 1 })

  const next = await startServerProcess(t, data)
  for (let seconds = 0; seconds < 60; seconds += 0.1) {
    if ((await look()).sizes?.length !== 0) break
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  assert.deepEqual(await look(), { sizes: [480, 600, 600], attempts: 2 })
  next.kill('SIGTERM')
  assert.equal((await next.ended).code, 0)
})
