import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#test/support/folder.ts'
import { startListening } from '#test/support/server-process.ts'
import { codeBlocks } from './pages.ts'

const UNIT = 'contrib/turnout.service'

/** Returns the values of a setting of the unit file, in their order. */
function settings(name: string): string[] {
  return [...readFileSync(UNIT, 'utf8').matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(
    ([, value]) => value as string,
  )
}

/** Returns the settings that a page has people write to the file of the unit. */
function settingsFile(page: string): Record<string, string> {
  const [block] = codeBlocks.filter(({ page: of, text }) => of === page && text.includes('/turnout.conf <<'))
  return Object.fromEntries(
    [...(block?.text ?? '').matchAll(/^(TURNOUT_[A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )
}

test('the program takes what the unit file starts it with, and the settings of the page about installing', {
  timeout: 30_000,
}, async t => {
  const folder = temporaryFolder(t)
  const [start = ''] = settings('ExecStart')
  const [file, ...args] = start.split(' ')
  assert.equal(file, '/usr/local/bin/turnout')
  const own = Object.fromEntries(
    settings('Environment').map(text => /^(\w+)=(.*)$/.exec(text)?.slice(1) ?? []),
  )
  assert.equal(own.TURNOUT_DATA, `/var/lib/${settings('StateDirectory')}`)
  const given: Record<string, string> = settingsFile('docs/install.md')
  assert.ok(Object.keys(given).length > 2)
  assert.ok(settings('ReadWritePaths').includes(`-${given.TURNOUT_BACKUP_DIR}`))

  const env = {
    ...own,
    ...given,
    TURNOUT_DATA: join(folder, 'data'),
    TURNOUT_BACKUP_DIR: join(folder, 'backups'),
    TURNOUT_PORT: '0',
    ...(given.TURNOUT_METRICS_PORT === undefined ? {} : { TURNOUT_METRICS_PORT: '0' }),
  }
  const server = await startListening(t, { env }, ...args)
  const description = await (await fetch(`${server.url}/openapi.json`)).text()
  assert.equal(JSON.parse(description).servers[0].url, `${given.TURNOUT_BASE_URL}/v1`)
  assert.ok(existsSync(join(folder, 'data', 'turnout.db')))
  assert.ok(existsSync(join(folder, 'backups')))
  server.kill('SIGTERM')
  assert.equal((await server.ended).code, 0)
})

test('the unit file lets the program do what it needs, and end in its time', () => {
  // V8 writes the code that it then executes.
  assert.deepEqual(settings('MemoryDenyWriteExecute'), [])
  const cache = `/var/cache/${settings('CacheDirectory')}`
  assert.ok(settings('ExecPaths')[0]?.split(' ').includes(cache))
  // Requests in flight are given ten seconds.
  assert.ok(Number(settings('TimeoutStopSec')) > 10)
})
