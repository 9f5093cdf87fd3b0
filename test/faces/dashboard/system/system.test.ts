import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { request } from 'undici'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { ofSqlite } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { startForOperator } from '#test/support/people/operator.ts'
import { eventually } from '#test/support/webhooks.ts'

test(
  'whoever is no operator sees nothing of the instance, owners neither, and does nothing to it',
  ofSqlite,
  async t => {
    const folder = join(temporaryFolder(t), 'backups')
    const { member, path, logged, accountId } = await startForOperator(t, { settings: { backupDir: folder } })
    for (const [role, email] of [
      ['owner', 'second@example.org'],
      ['manager', 'manager@example.org'],
    ] as const) {
      const reader = await member(role, { email })
      assert.ok(!(await reader.open(`/manage/a/${accountId}`)).links().includes('System'))
      assert.equal((await reader.open(path)).status, 403)
      for (const what of ['backups/new', 'backups/turnout.db', 'check', 'health']) {
        assert.equal((await reader.post(`${path}/${what}`)).status, 403, what)
      }
    }
    assert.deepEqual(readdirSync(folder), [])
    assert.deepEqual(await logged(), [])
  },
)

test(
  'a backup is made by a button, listed and downloaded, and the access log has who did it',
  ofSqlite,
  async t => {
    const folder = join(temporaryFolder(t), 'backups')
    const { operator, path, logged, who, app, accountId } = await startForOperator(t, {
      settings: { backupDir: folder, backupEvery: '30 4 * * *', backupKeep: 5 },
    })
    writeFileSync(join(folder, 'turnout-20200101T000000Z.db'), 'of somebody else')
    const page = await (await operator.open(`/manage/a/${accountId}`)).follow('System')
    assert.match(page.text, /Version.*Node\.js \d+.*SQLite 3/)
    assert.match(
      page.text,
      /Every day at 04:30(?: \([\w/]+\))?.*the newest 5 of the schedule, and 5 made by hand/,
    )
    assert.match(page.text, /There is no backup yet/)
    const begun = await page.press('Back up now')
    assert.match(begun.messages.join(), /The backup has begun/)
    const made = await eventually('the backup on the page', async () => {
      const found = await operator.open(path)
      return found.text.includes('was finished at') && found
    })
    assert.equal(made.rows().length, 1)
    assert.match(made.rows()[0] ?? '', /Hand.*MB|Hand.*kB/)

    const name = readdirSync(folder).find(each => each.endsWith('-by-hand.db')) as string
    const answer = await request(`${app.siteUrl}${path}/backups/${name}`, {
      method: 'POST',
      headers: {
        'sec-fetch-site': 'same-origin',
        cookie: [...operator.cookies].map(([key, value]) => `${key}=${value}`).join('; '),
      },
    })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['content-disposition'], `attachment; filename="${name}"`)
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    assert.ok(bytes.equals(readFileSync(join(folder, name))))
    const copy = join(temporaryFolder(t), 'copy.db')
    writeFileSync(copy, bytes)
    const sqlite = new SqliteConnection(copy, { readonly: true })
    assert.deepEqual(sqlite.prepare('SELECT email FROM accounts').pluck().all(), ['ada@example.org'])
    sqlite.close()

    for (const other of ['turnout-20200101T000000Z.db', '..%2Fturnout.db', 'turnout.db', '%2Fetc%2Fpasswd']) {
      assert.equal((await operator.post(`${path}/backups/${other}`)).status, 404, other)
    }
    assert.equal((await operator.open(`${path}/backups/${name}`)).status, 405, 'a link downloads nothing')
    assert.deepEqual((await logged()).reverse(), [
      ['system.backup', who, null],
      ['system.backup_download', who, name],
    ])
  },
)

test(
  'what a backup holds in clear is said, and one without secrets is made by a second button and downloaded',
  ofSqlite,
  async t => {
    const folder = join(temporaryFolder(t), 'backups')
    const { operator, member, path, db, logged, who } = await startForOperator(t, {
      settings: { backupDir: folder },
    })
    const page = await operator.open(path)
    assert.match(
      page.text,
      /in clear: second factors, the secrets of webhooks, the key of Stripe, the keys and codes of tickets/,
    )
    assert.match(page.text, /One without secrets is for passing on/)
    await page.press('Back up without secrets')
    const made = await eventually('the copy', async () => {
      const found = await operator.open(path)
      return found.text.includes('was finished at') && found
    })
    assert.match(made.rows().join(), /Hand, without secrets/)
    const name = readdirSync(folder).find(each => each.endsWith('-without-secrets.db')) as string
    const { secret } = (await db.read(INSTANCE, tx =>
      tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance'),
    )) as { secret: string }
    assert.ok(!readFileSync(join(folder, name)).includes(secret))
    assert.equal((await operator.post(`${path}/backups/${name}`)).status, 200)
    assert.deepEqual((await logged()).reverse(), [
      ['system.backup_to_pass_on', who, null],
      ['system.backup_download', who, name],
    ])
    const spanish = await member('owner', { email: 'otra@example.org', language: 'es' })
    await db.write(INSTANCE, tx => tx.run('UPDATE users SET operator = 1', []))
    const { text } = await spanish.open(path)
    assert.match(text, /sin cifrar: los segundos factores, los secretos de los webhooks, la clave de Stripe/)
    assert.match(text, /Hacer una copia sin secretos/)
  },
)

test('a backup that fails is told of, with what the server says', ofSqlite, async t => {
  const folder = join(temporaryFolder(t), 'backups')
  const { operator, path, clock, log } = await startForOperator(t, { settings: { backupDir: folder } })
  const taken = new Date(clock()).toISOString().replace(/[-:]|\.\d+/g, '')
  await (await operator.open(path)).press('Back up now')
  await eventually('the first', () => readdirSync(folder).some(name => name.includes(taken)))
  await eventually('its end', async () => (await operator.open(path)).text.includes('was finished at'))
  // The second backup is of the same second, and so has the same name.
  await (await operator.open(path)).press('Back up now')
  const page = await eventually('the failure', async () => {
    const found = await operator.open(path)
    return found.text.includes('failed. What the server says') && found
  })
  assert.match(page.messages.join(), /exists|is there/)
  assert.ok(log.some(({ msg }) => msg === 'the backup failed'))
  assert.equal(page.rows().length, 1)
  rmSync(folder, { recursive: true })
  assert.match((await operator.open(path)).text, /The folder cannot be read/)
})

test('a clock that is far behind is told of, in the language of the operator', async t => {
  const { app, member, operator, path, db, clock } = await startForOperator(t)
  assert.doesNotMatch((await operator.open(path)).text, /Set the clock right/)
  await db.write(INSTANCE, tx => tx.run('UPDATE instance SET latest_write_at = $1', [clock() + 400 * DAY]))
  await app.settled('clock')
  const page = await operator.open(path)
  assert.match(page.text, /Set the clock right/)
  assert.match(page.messages.join(), /The clock of this machine says 21 Nov 2026/)
  const spanish = await member('owner', { email: 'es@example.org', language: 'es' })
  await db.write(INSTANCE, tx => tx.run('UPDATE users SET operator = 1 WHERE id = $1', [spanish.user.id]))
  const translated = await spanish.open(path)
  assert.equal(translated.heading, 'Sistema')
  assert.match(translated.messages.join(), /El reloj de esta máquina dice 21 nov 2026/)
  assert.match(translated.text, /No se hacen copias/)
})

test('the health check tells what is broken first, and the access log has who ran it', ofSqlite, async t => {
  const { operator, path, logged, who } = await startForOperator(t, {
    tuning: {
      machine: {
        fileSystem: async () => 0x01021994,
        timeSync: async () => 3,
        isSynchronized: async () => true,
      },
    },
  })
  const page = await operator.open(path)
  assert.doesNotMatch(page.text, /is in memory/)
  assert.match((await page.press('Run the health check')).messages.join(), /The health check has begun/)
  const done = await eventually('the findings on the page', async () => {
    const found = await operator.open(path)
    return found.text.includes('Last run') && found
  })
  assert.match(done.text, /Broken \S+ is in memory, .*Warning .*OK Turnout/)
  assert.doesNotMatch(done.text, /Nothing is broken/)
  assert.deepEqual(await logged(), [['system.health', who, null]])
})
