import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { version } from '#base/version.ts'
import { explainMachine, type Target } from '#machinery/db/machine.ts'
import { diskFolder } from '#test/support/folder.ts'
import { otherNode, withoutOthers } from '#test/support/nodes.ts'
import { runCommandIn } from '#test/support/server-process.ts'
import { allTargets, bundle, thisTarget } from '../../build/bundle.mjs'

const MOST = 20_000_000
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const addonOf = (target: string) => readFileSync(`node_modules/better-sqlite3/prebuilds/${target}.node`)

test('the program knows the machines that better-sqlite3 has addons for, and no others', () => {
  const targets = allTargets()
  assert.equal(targets.length, 8)
  for (const target of targets) {
    const [system = '', arch = ''] = target.split('-')
    const libc = system === 'linux' ? 'glibc' : system === 'linuxmusl' ? 'musl' : null
    const machine = { platform: system.replace('musl', ''), arch, libc }
    assert.equal(explainMachine(machine, [target as Target]), undefined, target)
    assert.ok(explainMachine(machine, [targets.find(other => other !== target) as Target]))
  }
})

test('one file for every machine carries all addons as they are, unpacks the one of this, and is small enough to send', {
  timeout: 120_000,
}, async t => {
  const folder = diskFolder(t)
  const outfile = join(folder, 'turnout.cjs')
  await bundle({ entryPoints: ['src/main.ts'], outfile }, allTargets())
  assert.ok(statSync(outfile).size <= MOST, `${statSync(outfile).size} bytes`)
  const program = readFileSync(outfile, 'latin1').replaceAll('\\\n', '')
  for (const target of allTargets()) {
    const [, carried = ''] = new RegExp(`"${target}":\\s*"([A-Za-z0-9+/=]{100000,})"`).exec(program) ?? []
    assert.equal(
      sha256(brotliDecompressSync(Buffer.from(carried, 'base64'))),
      sha256(addonOf(target)),
      target,
    )
  }

  const nodes = [process.execPath, ...(withoutOthers ? [] : [otherNode('node-22.14'), otherNode('node-26')])]
  for (const node of nodes) {
    const env = { XDG_CACHE_HOME: join(folder, 'cache') }
    const surroundings = { command: [node, outfile], cwd: folder, bare: true, env }
    const { code, stdout, stderr } = await runCommandIn(t, surroundings, '--version')
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, new RegExp(`^turnout ${version} `))
  }
  const hash = sha256(addonOf(thisTarget()))
  assert.deepEqual(readdirSync(join(folder, 'cache/turnout')), [`better_sqlite3-${hash.slice(0, 16)}.node`])

  // The addon is of another version: both are there, and neither is in the way of the other.
  const older = join(folder, 'cache/turnout', 'better_sqlite3-0123456789abcdef.node')
  copyFileSync('LICENSE', older)
  const again = {
    command: [process.execPath, outfile],
    cwd: folder,
    bare: true,
    env: { XDG_CACHE_HOME: join(folder, 'cache') },
  }
  assert.equal((await runCommandIn(t, again, '--version')).code, 0)
  assert.equal(readdirSync(join(folder, 'cache/turnout')).length, 2)
  assert.deepEqual(readFileSync(older), readFileSync('LICENSE'))
})

test('a machine that there is no addon for is refused by the build in a sentence, as is what it does not know, and nothing is built', t => {
  const cwd = diskFolder(t)
  const possible = `takes all, ${allTargets().join(', ')}`
  const build = (...args: string[]) => {
    const all = [resolve('build.mjs'), ...args]
    const { status, stdout, stderr } = spawnSync(process.execPath, all, { cwd, encoding: 'utf8' })
    assert.deepEqual([status, stdout, readdirSync(cwd)], [1, '', []])
    return stderr
  }
  for (const platform of ['freebsd-x64', 'linux', '', 'linux-ia32']) {
    const sentence = `error: There is no SQLite for ${platform || 'nothing'}: --platform ${possible}.\n`
    assert.equal(build('--platform', platform), sentence)
  }
  // npm hands on in this way what stands before its `--`.
  const sentence = `error: The one flag of this is --platform, which ${possible}: npm run build -- --platform all\n`
  for (const args of [['all'], ['--platform'], ['--target', 'linux-x64']])
    assert.equal(build(...args), sentence)
})
