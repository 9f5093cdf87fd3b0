import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { version } from '../../src/version.ts'
import { bundle } from '../support/built.ts'
import { temporaryFolder } from '../support/folder.ts'

const execute = promisify(execFile)

test('the packed package runs with npx in an empty folder, without the network and without dependencies', {
  timeout: 60_000,
}, async t => {
  const folder = temporaryFolder(t)
  const [packed, home] = [join(folder, 'packed'), join(folder, 'home')]
  for (const made of [packed, home]) mkdirSync(made)
  // Its `prepack` builds what has been built for the tests already.
  const { stdout: listed } = await execute('npm', [
    'pack',
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    packed,
  ])
  const [{ filename, files }] = JSON.parse(listed)
  assert.deepEqual(files.map(({ path }: { path: string }) => path).sort(), [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin/turnout.js',
    'contrib/turnout.service',
    'dist/turnout.cjs',
    ...readdirSync('docs').map(name => `docs/${name}`),
    'package.json',
  ])
  const { stdout } = await execute('npx', ['--yes', '--offline', `./${filename}`, '--version'], {
    cwd: packed,
    env: { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: join(home, 'cache') },
  })
  assert.match(stdout, new RegExp(`^turnout ${version} `))
  const described = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.deepEqual([described.dependencies, described.optionalDependencies], [undefined, undefined])
  assert.ok(described.scripts.prepack.startsWith('node build.mjs'))
})

/** A part of undici that is not used, as it is of newer Nodes; a package that is named in a message. */
const unused = ['node:sqlite', 'keygrip']

test('the bundle asks for nothing that is not of Node', () => {
  const text = readFileSync(bundle, 'utf8')
  const asked = [...text.matchAll(/\brequire\(["'`]([^"'`]+)["'`]\)/g)].map(([, name]) => name as string)
  assert.ok(asked.length > 20)
  assert.deepEqual(
    [...new Set(asked)].filter(name => !isBuiltin(name) && !unused.includes(name)),
    [],
  )
})
