import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { diskFolder } from '#test/support/folder.ts'
import { otherNode, withoutOthers } from '#test/support/nodes.ts'

// These tests run `bin/turnout.js` itself, in a folder with a small program in the place of Turnout's.

const { platform, arch } = process
/** The Node for working on Turnout comes in this package: see build/node/package.json. */
const pinned = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
const old = otherNode('node-20')
const skip = withoutOthers

/** Prints who it is, then each signal that it gets, and ends as a line of its standard input says. */
const PROGRAM = `
const { argv, execArgv, pid, versions } = process
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => console.log(signal))
console.log(JSON.stringify({ pid, version: versions.node, args: argv.slice(2), execArgv, own: process.env.OWN }))
process.stdin.setEncoding('utf8').on('data', text => {
  for (const line of text.split('\\n').filter(line => line !== '')) {
    if (line.startsWith('exit ')) process.exit(Number(line.slice('exit '.length)))
    else if (line.startsWith('SIG')) {
      process.removeAllListeners(line)
      process.kill(pid, line)
    } else console.error(line)
  }
})
process.stdin.on('end', () => console.log('end'))
`

interface Parts {
  engine?: string
  /** Puts a Node into a folder; without it there is none. */
  putNode?: ((folder: string) => void) | undefined
  isClone?: boolean
}

/** @returns the path of the program in a folder of its own */
function prepare(t: TestContext, { engine = '22.14', putNode, isClone = false }: Parts = {}): string {
  const folder = diskFolder(t)
  cpSync('bin', join(folder, 'bin'), { recursive: true })
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/package.cjs'), PROGRAM)
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', engines: { node: `>=${engine}` } }),
  )
  if (isClone) mkdirSync(join(folder, 'build/node'), { recursive: true })
  if (putNode !== undefined) {
    mkdirSync(join(folder, 'node_modules'))
    putNode(join(folder, 'node_modules', pinned))
  }
  return join(folder, 'bin/turnout.js')
}

/** Puts the Node that runs the tests where npm would install it. */
function putThisNode(folder: string): void {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  symlinkSync(process.execPath, join(folder, 'bin/node'))
  describe(folder, process.versions.node)
}

function describe(folder: string, version: string): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version, bin: { node: 'bin/node' } }))
}

/** Starts one, and follows what it says. */
function follow(t: TestContext, command: string, args: readonly string[]) {
  const child = spawn(command, args, { env: { ...process.env, OWN: 'handed over' } })
  t.after(() => void child.kill('SIGKILL'))
  const output = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', text => {
    output.out += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    output.err += text
  })
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const until = async (part: string) => {
    while (!output.out.includes(part)) {
      const next = await Promise.race([once(child.stdout, 'data'), closed.then(() => undefined)])
      assert.ok(next !== undefined, `It ended: ${JSON.stringify(output)}`)
    }
  }
  return { child, output, closed, until }
}

async function introduced(child: ReturnType<typeof follow>) {
  await child.until('\n')
  return JSON.parse(child.output.out.split('\n')[0] as string)
}

test('an older Node hands over to the one for working on Turnout: arguments, environment and standard streams are its own', {
  skip,
}, async t => {
  const program = prepare(t, { putNode: putThisNode })
  const started = follow(t, old, ['--no-warnings', program, 'apply', '', '--name=a b', '-', '"\'$x'])
  const { pid, ...rest } = await introduced(started)
  assert.notEqual(pid, started.child.pid)
  assert.deepEqual(rest, {
    version: process.versions.node,
    args: ['apply', '', '--name=a b', '-', '"\'$x'],
    execArgv: ['--max-semi-space-size=16', '--no-warnings'],
    own: 'handed over',
  })
  started.child.stdin?.end('to the error stream\n')
  assert.deepEqual(await started.closed, [0, null])
  assert.deepEqual(started.output.out.split('\n').slice(1), ['end', ''])
  assert.equal(started.output.err, 'to the error stream\n')
})

test('its exit status, or the signal that ended it, is that of the one that was started', {
  skip,
}, async t => {
  const program = prepare(t, { putNode: putThisNode })
  const ends: [string, [number | null, string | null]][] = [
    ['exit 0', [0, null]],
    ['exit 2', [2, null]],
    ['exit 137', [137, null]],
    ['SIGTERM', [null, 'SIGTERM']],
    ['SIGKILL', [null, 'SIGKILL']],
    ['SIGINT', [null, 'SIGINT']],
  ]
  await Promise.all(
    ends.map(async ([line, end]) => {
      const started = follow(t, old, [program])
      await introduced(started)
      started.child.stdin?.write(`${line}\n`)
      assert.deepEqual(await started.closed, end, line)
    }),
  )
})

test('each signal reaches it once, and ends nothing by itself', { skip }, async t => {
  const program = prepare(t, { putNode: putThisNode })
  const started = follow(t, old, [program])
  await introduced(started)
  const signals = ['SIGTERM', 'SIGHUP', 'SIGUSR2', 'SIGINT', 'SIGTERM'] as const
  for (const [at, signal] of signals.entries()) {
    started.child.kill(signal)
    await started.until(signals.slice(0, at + 1).join('\n'))
  }
  started.child.stdin?.write('exit 5\n')
  assert.deepEqual(await started.closed, [5, null])
  assert.deepEqual(started.output.out.split('\n').slice(1), [...signals, ''])
})

test('Ctrl-C in a terminal, which goes to a whole group of processes, reaches it once', {
  skip: skip || (spawnSync('script', ['--version']).status === 0 ? false : 'there is no script'),
  timeout: 60_000,
}, async t => {
  const program = prepare(t, { putNode: putThisNode })
  const transcript = join(diskFolder(t), 'transcript')
  const started = follow(t, 'script', ['-qefc', `exec '${old}' '${program}'`, transcript])
  await started.until('"version"')
  started.child.stdin?.write('\u0003')
  await started.until('SIGINT')
  started.child.stdin?.write('exit 6\n')
  assert.deepEqual(await started.closed, [6, null])
  assert.equal(started.output.out.split('SIGINT').length, 2)
})

test('where the system can, no second process is started', { skip }, async t => {
  // The Node is newer than all that exist, and prints what it is given.
  const putNode = (folder: string) => {
    mkdirSync(join(folder, 'bin'), { recursive: true })
    writeFileSync(join(folder, 'bin/node'), '#!/bin/sh\necho $$ "$@"\nexit 7\n')
    chmodSync(join(folder, 'bin/node'), 0o755)
    describe(folder, '99.1.0')
  }
  const program = prepare(t, { engine: '99.1', putNode })
  const started = follow(t, otherNode('node-22'), [program, 'serve', '--port', '0'])
  assert.deepEqual(await started.closed, [7, null])
  assert.deepEqual(started.output, {
    out: `${started.child.pid} --max-semi-space-size=16 ${program} serve --port 0\n`,
    err: '',
  })
})

const sentence = (remedy: string) =>
  `Turnout needs Node 22.14 or newer, and this is Node 20.19.0. ${remedy}\n`
const install = sentence('Install a newer one from https://nodejs.org.')

for (const [name, parts, output] of [
  ['there is none', {}, `error: ${install}`],
  [
    'there is none in a clone',
    { isClone: true },
    `error: ${sentence('Run "npm ci", which brings one for this folder, or install one from https://nodejs.org.')}`,
  ],
  [
    'it is too old itself',
    {
      putNode: (folder: string) => {
        putThisNode(folder)
        describe(folder, '22.13.9')
      },
    },
    `error: ${install}`,
  ],
] satisfies [string, Parts, string][]) {
  test(`where ${name}, an older Node says in a sentence what to do`, { skip }, async t => {
    const program = prepare(t, parts)
    for (const args of [[], ['--version'], ['serve', '--port', '0']]) {
      const started = follow(t, old, [program, ...args])
      assert.deepEqual(await started.closed, [1, null])
      assert.deepEqual(started.output, { out: '', err: output })
    }
    const oldest = follow(t, otherNode('node-18'), [program])
    assert.deepEqual(await oldest.closed, [1, null])
    assert.equal(oldest.output.err, output.replace('20.19.0', '18.20.8'))
  })
}

test('where it cannot be started, an older Node says so', { skip }, async t => {
  const putNode = (folder: string) => {
    putThisNode(join(folder))
    cpSync('LICENSE', join(folder, 'bin/broken'))
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ version: '24.0.0', bin: { node: 'bin/broken' } }),
    )
  }
  const program = prepare(t, { putNode })
  const started = follow(t, old, [program])
  assert.deepEqual(await started.closed, [1, null])
  const node = join(dirname(dirname(program)), 'node_modules', pinned, 'bin/broken')
  assert.deepEqual(started.output, {
    out: '',
    err: `error: ${node} cannot be started (spawn ${node} EACCES). ${install}`,
  })
})

test('the scripts of the project, and what they start, run on the Node that it pins, whatever Node starts them', {
  skip,
}, async t => {
  const { optionalDependencies } = JSON.parse(readFileSync('build/node/package.json', 'utf8'))
  const version = optionalDependencies[pinned]
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const name of ['build', 'build:exe', 'prepack', 'start', 'test', 'bench', 'soak']) {
    const parts = scripts[name].split(' && ')
    assert.ok(
      parts.every((part: string) => part.startsWith('node build/node/run.mjs ')),
      name,
    )
  }
  const print = 'console.log(process.version); process.exitCode = 3'
  for (const node of [old, otherNode('node-22'), otherNode('node-26')]) {
    const inner = `require('node:child_process').execFileSync('node', ['--version'], { stdio: 'inherit' }); ${print}`
    const started = follow(t, node, ['build/node/run.mjs', '-e', inner])
    assert.deepEqual(await started.closed, [3, null])
    assert.deepEqual(started.output, { out: `v${version}\nv${version}\n`, err: '' })
  }
})

test('the version that the project pins is one that this program takes', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('build/node/package.json', 'utf8'))
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))
  const [major, minor] = engines.node.slice('>='.length).split('.').map(Number)
  for (const version of Object.values<string>(optionalDependencies)) {
    const [pinnedMajor = 0, pinnedMinor = 0] = version.split('.').map(Number)
    assert.ok(pinnedMajor > major || (pinnedMajor === major && pinnedMinor >= minor), version)
  }
})
