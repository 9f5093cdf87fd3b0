import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { explainMismatch, type Machine } from '../../src/ops/built-for.ts'
import { bundle } from '../support/built.ts'
import { diskFolder } from '../support/folder.ts'
import { runCommandIn } from '../support/server-process.ts'

const machine: Machine = { node: '20', modules: '115', platform: 'linux', arch: 'x64', libc: 'glibc' }

test('another Node, platform, architecture or libc is refused, and the right one is named', () => {
  const others = [
    { node: '22', modules: '127' },
    { platform: 'darwin', libc: null },
    { arch: 'arm64' },
    { libc: 'musl' },
  ]
  for (const other of others) {
    const sentence = explainMismatch(machine, { ...machine, ...other })
    assert.match(
      sentence ?? '',
      /^This program is built for Node 20 on linux x64 with glibc, and this is Node /,
    )
  }
  assert.equal(explainMismatch(machine, machine), undefined)
  assert.equal(explainMismatch(machine, { ...machine, libc: null }), undefined)
})

test('a bundle of another Node says so before anything else, also when it is asked for its version', async t => {
  const cwd = diskFolder(t)
  const here = `"modules":"${process.versions.modules}"`
  const text = readFileSync(bundle, 'utf8')
  assert.equal(text.split(here).length, 2)
  const foreign = join(cwd, 'turnout.cjs')
  writeFileSync(
    foreign,
    text.replace(here, '"modules":"1"').replace(/"node":"\d+"(?=,"modules":"1")/, '"node":"0.10"'),
  )
  const env = { XDG_CACHE_HOME: join(cwd, 'cache') }
  for (const args of [['--version'], ['account', 'list'], ['nonsense']]) {
    const { code, stdout, stderr } = await runCommandIn(
      t,
      { command: [process.execPath, foreign], cwd, bare: true, env },
      ...args,
    )
    assert.deepEqual([code, stdout], [1, ''])
    const [major] = process.versions.node.split('.')
    assert.match(
      stderr,
      new RegExp(`^error: This program is built for Node 0\\.10 on .*, and this is Node ${major} on .*\\n$`),
    )
  }
})
