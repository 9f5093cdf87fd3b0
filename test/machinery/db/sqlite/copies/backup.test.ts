import assert from 'node:assert/strict'
import fs, {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { Refusal } from '#base/refusal.ts'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { backUp } from '#machinery/db/sqlite/copies/backup.ts'
import { StagedFile } from '#machinery/files/staged-file.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { INSERT, openNotes, readNotes } from '../notes.ts'

function readBackup(path: string): unknown[] {
  const connection = new SqliteConnection(path, { readonly: true })
  try {
    assert.equal(connection.pragma('integrity_check', { simple: true }), 'ok')
    return connection.prepare('SELECT text FROM notes ORDER BY rowid').pluck().all()
  } finally {
    connection.close()
  }
}

test('a backup is one private file that holds what was committed, and nothing else is left', async t => {
  const { db, path } = openNotes(t)
  const folder = temporaryFolder(t)
  const target = join(folder, 'backup.db')
  await db.write(INSTANCE, tx => tx.run(INSERT, ['one']))
  const size = await backUp(path, target)
  await db.write(INSTANCE, tx => tx.run(INSERT, ['two']))
  assert.deepEqual(readdirSync(folder), ['backup.db'])
  assert.equal(statSync(target).mode & 0o777, 0o600)
  assert.equal(statSync(target).size, size)
  assert.deepEqual(readBackup(target), ['one'])
  assert.deepEqual(await readNotes(db), ['one', 'two'])
})

test('writes go on while a backup is made, and it shows one instant of them', async t => {
  const { db, path } = openNotes(t, { server: { onFailure: assert.ifError } })
  const target = join(temporaryFolder(t), 'backup.db')
  for (let number = 0; number < 200; number++) {
    await db.write(INSTANCE, tx =>
      tx.run(INSERT, [`${String(number).padStart(6, '0')} ${'x'.repeat(100_000)}`]),
    )
  }
  let written = 200
  let done = false
  const backup = backUp(path, target).finally(() => {
    done = true
  })
  while (!done) await db.write(INSTANCE, tx => tx.run(INSERT, [String(written++).padStart(6, '0')]))
  await backup
  const notes = readBackup(target) as string[]
  assert.ok(written > 201, `${written} writes`)
  assert.ok(notes.length >= 200 && notes.length <= written)
  assert.deepEqual(
    notes.map(text => Number(text.slice(0, 6))),
    notes.map((_, number) => number),
  )
})

test('a file that exists, a folder and a dangling link are refused and stay as they are', async t => {
  const { path } = openNotes(t)
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'file'), 'precious')
  mkdirSync(join(folder, 'folder'))
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link'))
  const before = readdirSync(folder)
  for (const name of before) {
    await assert.rejects(
      backUp(path, join(folder, name)),
      (error: Error) => error instanceof Refusal && /Choose another name/.test(error.message),
      name,
    )
  }
  assert.deepEqual(readdirSync(folder), before)
  assert.equal(readFileSync(join(folder, 'file'), 'utf8'), 'precious')
})

test('a file system without links, as of a memory stick, takes backups too, and overwrites nothing', async t => {
  const { path } = openNotes(t)
  const folder = temporaryFolder(t)
  const link = t.mock.method(fs, 'linkSync', () => {
    throw Object.assign(new Error('no links'), { code: 'EPERM' })
  })
  syncBuiltinESMExports()
  t.after(() => {
    link.mock.restore()
    syncBuiltinESMExports()
  })
  await backUp(path, join(folder, 'backup.db'))
  assert.deepEqual(readBackup(join(folder, 'backup.db')), [])
  const late = new StagedFile(join(folder, 'late.db'))
  writeFileSync(join(folder, 'late.db'), 'precious')
  assert.throws(() => late.place(), Refusal)
  late.discard()
  assert.equal(link.mock.callCount(), 2)
  assert.equal(readFileSync(join(folder, 'late.db'), 'utf8'), 'precious')
  assert.deepEqual(readdirSync(folder).sort(), ['backup.db', 'late.db'])
})

test('a backup that fails says so in a sentence and leaves nothing behind', async t => {
  const folder = temporaryFolder(t)
  const damaged = join(folder, 'damaged.db')
  const { db, path } = openNotes(t)
  for (let number = 0; number < 50; number++) {
    await db.write(INSTANCE, tx => tx.run(INSERT, [`${number} ${'x'.repeat(3_000)}`]))
  }
  await backUp(path, damaged)
  const bytes = readFileSync(damaged)
  bytes.fill(0xff, 8192, bytes.length - 8192)
  writeFileSync(damaged, bytes)
  const foreign = join(folder, 'foreign.db')
  const connection = new SqliteConnection(foreign)
  connection.exec('CREATE TABLE theirs (x)')
  connection.close()
  writeFileSync(join(folder, 'text.db'), 'a letter')
  const target = join(folder, 'new.db')
  const refused: [string, string, RegExp][] = [
    [damaged, target, /damaged\.db is damaged.*was not copied\. Keep every backup/],
    [join(folder, 'text.db'), target, /text\.db is damaged, or is no SQLite database/],
    [foreign, target, /foreign\.db is no database of Turnout/],
    [path, join(folder, 'missing', 'new.db'), /^Nothing can be written to .*missing \(ENOENT\)/],
  ]
  const before = readdirSync(folder)
  for (const [from, to, message] of refused) {
    await assert.rejects(backUp(from, to), (error: Error) => {
      assert.ok(error instanceof Refusal, String(error))
      assert.match(error.message, message)
      return true
    })
    assert.deepEqual(readdirSync(folder), before)
  }
})

test('a backup of which a piece cannot be synced is refused, though its last sync would succeed', async t => {
  const { path } = openNotes(t)
  const connection = new SqliteConnection(path)
  const insert = connection.prepare('INSERT INTO notes (text) VALUES (?)')
  for (let number = 0; number < 64; number++) insert.run(`${number} ${'x'.repeat(1024 * 1024)}`)
  connection.close()
  const folder = temporaryFolder(t)
  const sync = t.mock.method(fs, 'fdatasync', (_: number, callback: (error: Error) => void) => {
    setImmediate(callback, Object.assign(new Error('lost'), { code: 'EIO' }))
  })
  syncBuiltinESMExports()
  t.after(() => {
    sync.mock.restore()
    syncBuiltinESMExports()
  })
  await assert.rejects(
    backUp(path, join(folder, 'backup.db')),
    (error: Error) => error instanceof Refusal && /backup\.db cannot be written \(EIO\)/.test(error.message),
  )
  assert.equal(sync.mock.callCount(), 1)
  assert.deepEqual(readdirSync(folder), [])
})

test('a name that is too long for a file is refused and leaves nothing behind', async t => {
  const { path } = openNotes(t)
  const folder = temporaryFolder(t)
  const target = join(folder, 'a'.repeat(300))
  await assert.rejects(backUp(path, target), (error: Error) => error instanceof Refusal)
  assert.deepEqual(readdirSync(folder), [])
})

test('the next backup removes the leftovers of a killed one, and nothing else', async t => {
  const { path } = openNotes(t)
  const folder = temporaryFolder(t)
  const staged = new StagedFile(join(folder, 'any'))
  const [prefix = ''] = readdirSync(folder)[0]?.split(`${process.pid}-`) ?? []
  staged.discard()
  const make = (name: string) => {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'half.db'), 'half')
    return name
  }
  // No process has a number that high.
  make(`${prefix}99999999-aaaaaa`)
  const alive = make(`${prefix}${process.ppid}-bbbbbb`)
  mkdirSync(join(folder, '.turnout-notes'))
  writeFileSync(join(folder, `${prefix}99999999-cccccc`), 'a file')
  await backUp(path, join(folder, 'backup.db'))
  assert.deepEqual(
    readdirSync(folder).sort(),
    [alive, `${prefix}99999999-cccccc`, '.turnout-notes', 'backup.db'].sort(),
  )
})

test('a file that another machine or container is writing in the same folder stays, until it has not changed for a day', async t => {
  const { path } = openNotes(t)
  const folder = temporaryFolder(t)
  // The name has the number of this very process, but another start.
  const making = join(folder, `.turnout-00000000-${process.pid}-aaaaaa`)
  const abandoned = join(folder, `.turnout-00000000-${process.pid}-bbbbbb`)
  for (const each of [making, abandoned]) {
    mkdirSync(each)
    writeFileSync(join(each, 'half.db'), 'half')
  }
  const old = (Date.now() - 2 * DAY) / 1000
  utimesSync(join(abandoned, 'half.db'), old, old)
  for (const each of [making, abandoned]) utimesSync(each, old, old)
  await backUp(path, join(folder, 'backup.db'))
  assert.deepEqual(readdirSync(folder).sort(), [basename(making), 'backup.db'])
  assert.equal(readFileSync(join(making, 'half.db'), 'utf8'), 'half')
})
