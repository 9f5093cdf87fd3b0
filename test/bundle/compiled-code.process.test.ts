import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { bundle } from '#test/support/built.ts'
import { diskFolder } from '#test/support/folder.ts'
import { runCommandIn } from '#test/support/server-process.ts'

const ACCEPTED = 'was accepted'

/** Runs the bundle with a cache of its own. Node tells what it does with the compiled code. */
function openCache(t: TestContext) {
  const base = diskFolder(t)
  const cwd = diskFolder(t)
  const env = { XDG_CACHE_HOME: base, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  const run = async ({ preload }: { preload?: string }, ...args: string[]) => {
    const flags = preload === undefined ? [] : ['--require', preload]
    const surroundings = { command: [process.execPath, ...flags, bundle], cwd, env, bare: true }
    const { code, stdout, stderr } = await runCommandIn(t, surroundings, ...args)
    return { code, stdout, stderr, isFromCache: stderr.includes(ACCEPTED) }
  }
  const folder = join(base, 'turnout', 'code')
  /** The folder belongs to a Node and a user, and has one file a program. */
  const files = () => {
    const [ofNode = ''] = readdirSync(folder)
    return readdirSync(join(folder, ofNode)).map(name => join(folder, ofNode, name))
  }
  return { base, folder, files, run }
}

test('a program compiles itself once, and its next start takes the code from a folder that is closed to others', async t => {
  const { folder, files, run } = openCache(t)
  const first = await run({}, 'version')
  assert.deepEqual([first.code, first.isFromCache], [0, false])
  const [file = '', ...others] = files()
  assert.deepEqual(others, [])
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.ok(statSync(file).size > 1_000_000)
  const next = await run({}, 'version')
  assert.deepEqual([next.code, next.isFromCache, next.stdout], [0, true, first.stdout])
})

test('compiled code that is damaged, cut off or of another program is not run', async t => {
  const { files, run } = openCache(t)
  const { stdout } = await run({}, 'version')
  const [file = ''] = files()
  const good = readFileSync(file)
  const damaged = Buffer.from(good)
  damaged.fill(0xff, good.length / 2, good.length / 2 + 64)
  for (const bad of [damaged, good.subarray(0, good.length / 2), Buffer.alloc(0), Buffer.from('another')]) {
    writeFileSync(file, bad)
    const found = await run({}, 'version')
    assert.deepEqual([found.code, found.isFromCache, found.stdout], [0, false, stdout])
  }
})

test('a cache that others may write to, or that is a file, is left alone, and the program starts', async t => {
  const { base, run } = openCache(t)
  const turnout = join(base, 'turnout')
  mkdirSync(turnout)
  chmodSync(turnout, 0o777)
  const open = await run({}, 'version')
  assert.deepEqual([open.code, open.isFromCache], [0, false])
  assert.ok(!readdirSync(turnout).includes('code'))
  const other = openCache(t)
  mkdirSync(join(other.base, 'turnout'), { mode: 0o700 })
  writeFileSync(join(other.base, 'turnout', 'code'), '')
  const blocked = await other.run({}, 'version')
  assert.deepEqual([blocked.code, blocked.isFromCache], [0, false])
})

test('a place in the program has the same line and column in a trace as in the file', async t => {
  const { base, run } = openCache(t)
  const preload = join(base, 'trace.cjs')
  writeFileSync(
    preload,
    `const { on } = process
    process.on = function (name, listener) {
      if (name === 'uncaughtException') process.stdout.write(new Error().stack + '\\n')
      return on.call(process, name, listener)
    }`,
  )
  for (const turn of ['compiled', 'from the cache']) {
    const { stdout, isFromCache } = await run({ preload }, 'version')
    assert.equal(isFromCache, turn === 'from the cache')
    const [, line = '', column = ''] = /turnout\.cjs:(\d+):(\d+)/.exec(stdout) ?? []
    const text = readFileSync(bundle, 'latin1')
      .split('\n')
      [Number(line) - 1]?.slice(Number(column) - 1)
    assert.match(text ?? '', /^on\("uncaughtException"/)
  }
})
