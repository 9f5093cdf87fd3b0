import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { version } from '#base/version.ts'
import { explainMachine, explainNode, findMachine, findTarget, type Machine } from '#machinery/db/machine.ts'
import { bundle, packaged } from '#test/support/built.ts'
import { diskFolder } from '#test/support/folder.ts'
import { otherNode, withoutOthers } from '#test/support/nodes.ts'
import { runCommandIn } from '#test/support/server-process.ts'

const machine: Machine = { platform: 'linux', arch: 'x64', libc: 'glibc' }

test('another platform, architecture or libc is refused, and the right one is named', () => {
  for (const [other, name] of [
    [{ platform: 'darwin', libc: null }, 'macOS on x64'],
    [{ platform: 'win32', arch: 'arm64', libc: null }, 'Windows on arm64'],
    [{ arch: 'arm64' }, 'Linux on arm64 with glibc'],
    [{ libc: 'musl' }, 'Linux on x64 with musl'],
  ] as const) {
    assert.equal(
      explainMachine({ ...machine, ...other }, ['linux-x64']),
      `This program is built for Linux on x64 with glibc, and this is ${name}. Use one that is built for it: npm ci && npm run build -- --platform ${findTarget({ ...machine, ...other })}`,
    )
    assert.equal(explainMachine({ ...machine, ...other }), undefined)
  }
  assert.equal(explainMachine(machine, ['linux-x64']), undefined)
  assert.equal(explainMachine({ ...machine, libc: null }, ['linux-x64']), undefined)
  assert.equal(explainMachine(findMachine()), undefined)
})

test('a machine that better-sqlite3 has no addon for is refused by every program', () => {
  for (const other of [
    { platform: 'freebsd', libc: null },
    { arch: 'ia32' },
    { arch: 'arm' },
    { platform: 'win32', arch: 'ia32', libc: null },
    { arch: 's390x' },
    { platform: '__proto__' },
  ]) {
    const here = { ...machine, ...other }
    assert.equal(
      explainMachine(here),
      `There is no SQLite for ${here.platform} on ${here.arch}: Turnout runs on Linux, macOS and Windows, on x64 and arm64.`,
    )
  }
})

test('a Node is refused that is older than the package says, and no other', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))
  const sentence = explainNode('22.13.1')
  assert.equal(
    sentence,
    'Turnout needs Node 22.14 or newer, and this is Node 22.13.1. Install a newer one from https://nodejs.org.',
  )
  assert.equal(engines.node, `>=${/Node (\S+)/.exec(sentence)?.[1]}`)
  for (const old of ['0.10.48', '18.20.8', '20.20.2', '21.7.3', '22.0.0']) {
    assert.ok(explainNode(old)?.includes(`this is Node ${old}.`))
  }
  for (const good of ['22.14.0', '22.23.3', '23.0.0', '24.21.0', '26.10.0', '100.0.0', '27.0.0-nightly']) {
    assert.equal(explainNode(good), undefined)
  }
})

// They refuse whatever they are asked for.
for (const [name, file] of [
  ['bundle', bundle],
  ['package', packaged],
] as const) {
  test(`the ${name} says that it is on a machine without SQLite before anything else`, async t => {
    const cwd = diskFolder(t)
    const freebsd = "Object.defineProperty(process, 'platform', { value: 'freebsd' })"
    const command = [
      process.execPath,
      '--import',
      `data:text/javascript,${encodeURIComponent(freebsd)}`,
      file,
    ]
    for (const args of [['--version'], ['account', 'list'], ['nonsense']]) {
      const { code, stdout, stderr } = await runCommandIn(t, { command, cwd, bare: true }, ...args)
      assert.deepEqual(
        [code, stdout, stderr],
        [
          1,
          '',
          `error: There is no SQLite for freebsd on ${process.arch}: Turnout runs on Linux, macOS and Windows, on x64 and arm64.\n`,
        ],
      )
    }
  })

  test(`the ${name} says that a Node is too old, also when it is asked for its version`, {
    skip: withoutOthers,
  }, async t => {
    for (const [old, number] of [
      ['node-18', '18.20.8'],
      ['node-20', '20.19.0'],
    ] as const) {
      for (const args of [['--version'], ['account', 'list']]) {
        const surroundings = { command: [otherNode(old), file], cwd: diskFolder(t), bare: true }
        const { code, stdout, stderr } = await runCommandIn(t, surroundings, ...args)
        assert.deepEqual(
          [code, stdout, stderr],
          [
            1,
            '',
            `error: Turnout needs Node 22.14 or newer, and this is Node ${number}. Install a newer one from https://nodejs.org.\n`,
          ],
        )
      }
    }
  })
}

test('one bundle runs on every Node from the oldest on', { skip: withoutOthers }, async t => {
  const cwd = diskFolder(t)
  for (const name of ['node-22.14', 'node-22', 'node-26'] as const) {
    const env = { XDG_CACHE_HOME: join(cwd, 'cache') }
    const surroundings = { command: [otherNode(name), bundle], cwd, bare: true, env }
    const { code, stdout, stderr } = await runCommandIn(t, surroundings, '--version')
    assert.deepEqual([code, stderr], [0, ''], name)
    const [major] = name.slice('node-'.length).split('.')
    assert.match(stdout, new RegExp(`^turnout ${version} \\(Node ${major}\\.`))
  }
})
