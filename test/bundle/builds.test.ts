import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { diskFolder } from '#test/support/folder.ts'
import { architecture, cannotMake, hashOf, notRoot, run, tryRun } from '#test/support/machines.ts'

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
  makePackages(join(folder, 'debian'))
  // The disk is there for the processes of this script alone. The limit is in blocks of 512 bytes.
  const script = `
    mount -t tmpfs -o size=16m none ${dist} || exit 77
    echo before > ${dist}/turnout-linux-x64
    "$0" ${folder}/build/deb.mjs; echo $?
    "$0" ${folder}/build/executable.mjs; echo $?
    "$0" ${folder}/build/image.mjs --packages ${folder}/debian; echo $?
    ls -A ${dist}; cat ${dist}/turnout-linux-x64
    umount ${dist}; ulimit -f 20000
    echo before > ${dist}/turnout-linux-x64
    "$0" ${folder}/build/deb.mjs; echo $?
    ls -A ${dist}; cat ${dist}/turnout-linux-x64`
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1800000000' }
  const { status, stdout, stderr } = tryRun('unshare', ['--mount', 'sh', '-c', script, process.execPath], {
    env,
  })
  if (status !== 0) return t.skip('this machine allows no namespaces')
  assert.equal(stdout, '1\n1\n1\nturnout-linux-x64\nbefore\n1\nturnout-linux-x64\nbefore\n')
  const reasons = [...Array(3).fill('the disk is full'), 'the file would be larger than this user may write']
  const lines = stderr.trim().split('\n')
  assert.equal(lines.length, reasons.length, stderr)
  for (const [at, reason] of reasons.entries())
    assert.match(
      lines[at] as string,
      new RegExp(
        `^error: \\S+ cannot be written: ${reason}\\. Nothing was changed of what was built before\\.$`,
      ),
    )
})

/** Makes packages that are called as those of Debian that an image needs, one of which is larger than the disk of the test. */
function makePackages(folder: string): void {
  for (const name of ['base-files', 'libc6', 'libgcc-s1', 'libstdc++6']) {
    const content = join(folder, name)
    mkdirSync(join(content, 'DEBIAN'), { recursive: true })
    writeFileSync(
      join(content, 'DEBIAN/control'),
      `Package: ${name}\nVersion: 1\nArchitecture: ${architecture}\nMaintainer: A <a@example.org>\nDescription: none\n`,
    )
    if (name === 'libc6') writeFileSync(join(content, 'large'), Buffer.alloc(20_000_000))
    run('dpkg-deb', ['-b', content, join(folder, `${name}.deb`)])
  }
}

test('builds that end at once lose no line of each other in the checksums, and of a file that all make the line is that of the one that stays', async t => {
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
       const files = [name, 'shared'].map(each => join(work, each))
       for (const path of files) writeFileSync(path, name)
       process.stdout.write('made')
       deliver(work, files)
     })`,
  )
  const own = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  // Another build is putting its own in place.
  mkdirSync(join(dist, '.sums'))
  const builds = own.map(name =>
    spawn(process.execPath, [join(folder, 'one.mjs'), name], { stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  await Promise.all(builds.map(build => once(build.stdout, 'data')))
  const ended = builds.map(build => once(build, 'close'))
  await pause(300)
  assert.deepEqual(
    left().filter(name => !name.startsWith('.')),
    ['SHA256SUMS'],
  )
  rmdirSync(join(dist, '.sums'))
  assert.deepEqual(
    (await Promise.all(ended)).map(([code]) => code),
    own.map(() => 0),
  )
  const names = [...own, 'shared']
  assert.deepEqual(left().sort(), ['SHA256SUMS', ...names])
  const lines = names.map(name => `${hashOf(join(dist, name))}  ${name}\n`)
  assert.equal(readFileSync(join(dist, 'SHA256SUMS'), 'utf8'), lines.join(''))
})
