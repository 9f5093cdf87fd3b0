import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { bundleTests } from './bundle-tests.ts'
import { groupTests } from './group-tests.ts'

test('a bundled test that fails is told as it was written: its file, its line, and the address of its module', async t => {
  mkdirSync('dist', { recursive: true })
  const written = mkdtempSync(join('dist', 'written-'))
  t.after(() => rmSync(written, { recursive: true }))
  const file = join(written, 'failing.test.ts')
  const [shared, other] = [join(written, 'shared.ts'), join(written, 'other.test.ts')]
  writeFileSync(
    shared,
    `interface Unseen {\n  gone: boolean\n}\nexport const address: string = import.meta.url\nexport const fail = (unseen?: Unseen) => {\n  throw new Error(String(unseen))\n}\n`,
  )
  const body = `import { test } from 'node:test'\nimport { address, fail } from './shared.ts'\n\ntest(address, () => fail())\n`
  writeFileSync(file, body)
  writeFileSync(other, body)

  const { folder, bundled } = await bundleTests(
    new Map([
      [file, body],
      [other, ''],
    ]),
  )
  t.after(() => rmSync(folder, { recursive: true }))
  // A runner in a runner would report to it.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'NODE_TEST_CONTEXT'))
  const args = ['--enable-source-maps', '--test', '--test-reporter=spec', bundled[0] as string]
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  assert.equal(status, 1)
  assert.ok(stdout.includes(`✖ ${pathToFileURL(shared).href}`), stdout)
  assert.ok(stdout.includes(`test at ${file}:4:1\n`), stdout)
  assert.match(stdout, /shared\.ts:6:9\)/)
  assert.ok(!stdout.includes(folder), stdout)
})

test('every file is in one process, with others up to a size, and alone where it changes the process; long ones begin', () => {
  const text = `test('a rule', () => undefined)\n`.repeat(1_200)
  const hooked = `import { before, test } from 'node:test'\nbefore(() => undefined)\n`
  const mocked = `import { mock } from 'node:test'\nmock.method(zlib, 'gzip')\n`
  const files = [
    { path: 'test/a/1.test.ts', text },
    { path: 'test/a/2.test.ts', text },
    { path: 'test/a/3.test.ts', text },
    { path: 'test/a/4.test.ts', text: text.repeat(9) },
    { path: 'test/a/hooked.test.ts', text: hooked },
    { path: 'test/a/mocked.test.ts', text: mocked },
    { path: 'test/load/1.test.ts', text },
    { path: 'test/page.browser.test.ts', text },
  ]
  assert.deepEqual(groupTests(files), [
    ['test/a/mocked.test.ts'],
    ['test/a/hooked.test.ts'],
    ['test/page.browser.test.ts'],
    ['test/load/1.test.ts'],
    ['test/a/1.test.ts', 'test/a/2.test.ts'],
    ['test/a/3.test.ts'],
    ['test/a/4.test.ts'],
  ])
})
