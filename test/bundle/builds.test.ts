import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { diskFolder } from '#test/support/folder.ts'
import { cannotMake, hashOf, notRoot, tryRun } from '#test/support/machines.ts'

/** A project with nothing built, in a folder that is no clone. */
function emptyProject(t: TestContext) {
  const folder = diskFolder(t)
  for (const name of ['build', 'package.json', 'package-lock.json']) {
    cpSync(name, join(folder, name), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const build = (script: string, args: readonly string[], env: Record<string, string> = {}) =>
    tryRun(process.execPath, [join(folder, 'build', script), ...args], { env: { ...process.env, ...env } })
  const left = () => readdirSync(join(folder, 'dist'))
  return { folder, dist: join(folder, 'dist'), build, left }
}

test('a target that packages and images are not made for, and a flag that they have not, are refused in a sentence', t => {
  const { build, left } = emptyProject(t)
  for (const [script, named] of [
    ['deb.mjs', 'build:deb'],
    ['image.mjs', 'build:image'],
  ] as const) {
    for (const target of ['win-x64', 'linux-riscv64', '__proto__', '']) {
      const { status, stderr } = build(script, ['--target', target])
      assert.equal(status, 1)
      const name = target || 'no machine'
      assert.equal(stderr, `error: There is nothing for ${name}: --target takes linux-x64, linux-arm64.\n`)
    }
    const { status, stderr } = build(script, ['--platform', 'all'])
    assert.equal(status, 1)
    assert.match(
      stderr,
      new RegExp(`^error: This takes --target.* npm run ${named} -- --target linux-arm64\n$`),
    )
  }
  assert.deepEqual(left(), [])
})

test('what has no date is not made: a folder that is no clone, and a date that is none', {
  skip: cannotMake,
}, t => {
  const { build, left } = emptyProject(t)
  const nowhere = build('deb.mjs', [], { SOURCE_DATE_EPOCH: '', GIT_CEILING_DIRECTORIES: '/' })
  assert.match(
    nowhere.stderr,
    /^error: This folder is no clone of the repository, .* SOURCE_DATE_EPOCH=1800000000\n$/,
  )
  for (const date of ['yesterday', '-1', '1.5', '99999999999']) {
    const { status, stderr } = build('deb.mjs', [], { SOURCE_DATE_EPOCH: date })
    assert.equal(status, 1)
    assert.equal(
      stderr,
      `error: SOURCE_DATE_EPOCH must be a time in whole seconds since 1970, and is ${date}.\n`,
    )
  }
  assert.deepEqual(left(), [])
})

test('packages of Debian for another machine, or that are missing, make no image', {
  skip: cannotMake,
}, t => {
  const { build, left, folder } = emptyProject(t)
  const env = { SOURCE_DATE_EPOCH: '1800000000' }
  const nothing = join(folder, 'nothing')
  assert.equal(
    build('image.mjs', ['--packages', nothing], env).stderr,
    `error: There is no folder ${nothing} with packages of Debian.\n`,
  )
  mkdirSync(nothing)
  assert.equal(
    build('image.mjs', ['--packages', nothing], env).stderr,
    `error: ${nothing} lacks packages of Debian: base-files, libc6, libgcc-s1, libstdc++6.\n`,
  )
  assert.deepEqual(left(), [])
})

test('a disk that is full ends a build in a sentence, and what was built before stays as it was', {
  skip: notRoot || cannotMake,
}, t => {
  const { folder, dist } = emptyProject(t)
  mkdirSync(dist)
  // The disk is there for the processes of this script alone.
  const script = `
    mount -t tmpfs -o size=16m none ${dist} || exit 77
    echo before > ${dist}/turnout-linux-x64
    "$0" ${folder}/build/deb.mjs; echo $?
    "$0" ${folder}/build/executable.mjs; echo $?
    ls -A ${dist}; cat ${dist}/turnout-linux-x64`
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1800000000' }
  const { status, stdout, stderr } = tryRun('unshare', ['--mount', 'sh', '-c', script, process.execPath], {
    env,
  })
  if (status !== 0) return t.skip('this machine allows no namespaces')
  assert.equal(stdout, '1\n1\nturnout-linux-x64\nbefore\n')
  const sentence =
    /^error: \S+ cannot be written: the disk is full\. Nothing was changed of what was built before\.$/
  const lines = stderr.trim().split('\n')
  assert.equal(lines.length, 2)
  for (const line of lines) assert.match(line, sentence)
})

test('builds that end at once lose no line of each other in the checksums', async t => {
  const { folder, dist, left } = emptyProject(t)
  mkdirSync(dist)
  writeFileSync(join(dist, 'SHA256SUMS'), `${'0'.repeat(64)}  gone\n`)
  writeFileSync(
    join(folder, 'one.mjs'),
    `import { writeFileSync } from 'node:fs'
     import { join } from 'node:path'
     import { deliver, runBuild } from './build/deliver.mjs'
     const [, , name] = process.argv
     await runBuild(work => {
       writeFileSync(join(work, name), name)
       deliver(work, [join(work, name)])
     })`,
  )
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const codes = await Promise.all(
    names.map(
      name =>
        new Promise(done =>
          spawn(process.execPath, [join(folder, 'one.mjs'), name], { stdio: 'inherit' }).on('close', done),
        ),
    ),
  )
  assert.deepEqual(
    codes,
    names.map(() => 0),
  )
  assert.deepEqual(left().sort(), ['SHA256SUMS', ...names])
  const lines = names.map(name => `${hashOf(join(dist, name))}  ${name}\n`)
  assert.equal(readFileSync(join(dist, 'SHA256SUMS'), 'utf8'), lines.join(''))
})
