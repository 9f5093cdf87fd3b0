import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { extname, join, relative, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { version } from '../../src/version.ts'
import { bundle, packaged } from '../support/built.ts'
import { diskFolder } from '../support/folder.ts'
import { runCommandIn, startListening } from '../support/server-process.ts'

const execute = promisify(execFile)
const sqlite = resolve('node_modules/better-sqlite3')
const described = JSON.parse(readFileSync('package.json', 'utf8'))
const describedSqlite = JSON.parse(readFileSync(join(sqlite, 'package.json'), 'utf8'))

test('the packed package has what it runs with, no addon, and no script that its installation would run', async t => {
  const { files } = await pack(diskFolder(t))
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).sort()
  assert.deepEqual(files, [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin/turnout.js',
    'contrib/turnout.service',
    'dist/package.cjs',
    ...docs.filter(name => extname(name) !== '').map(name => `docs/${name}`),
    'package.json',
  ])
  // The bundle knows the addon that it carries by this.
  const addon = readFileSync(join(sqlite, 'build/Release/better_sqlite3.node'))
  const hash = createHash('sha256').update(addon).digest('hex')
  assert.deepEqual(
    [bundle, packaged].map(path => readFileSync(path, 'utf8').includes(hash)),
    [true, false],
  )
  assert.ok(described.scripts.prepack.startsWith('node build.mjs'))
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) {
    assert.equal(described.scripts[name], undefined, name)
  }
})

test('the package depends on SQLite alone, at the version whose JavaScript it has inside, and names the Nodes that this one names', () => {
  assert.deepEqual(described.dependencies, { 'better-sqlite3': describedSqlite.version })
  assert.equal(described.optionalDependencies, undefined)
  const nodes = (range: string) => range.split(' || ').map(part => /^\^?(\d+)/.exec(part)?.[1])
  assert.deepEqual(nodes(described.engines.node), nodes(describedSqlite.engines.node))
  assert.ok(described.engines.node.startsWith('^20.19.0 || '))
})

test('the packed package runs in an empty folder where npm installs it, with npx too', {
  timeout: 120_000,
}, async t => {
  const { folder, run, env, file } = await prepareInstallation(t)
  if (!(await installs(t, () => run(folder, 'npm', 'install', '--no-audit', '--no-fund', file)))) return
  const surroundings = { command: [join(folder, 'node_modules', '.bin', 'turnout')], cwd: folder, env }
  const server = await startListening(t, { ...surroundings, bare: true }, 'sandbox', '--port', '0')
  assert.equal((await fetch(`${server.url}/openapi.json`)).status, 200)
  assert.equal((await fetch(`${server.url}/events`)).status, 401)
  server.kill('SIGTERM')
  const { code, stderr } = await server.ended
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })

  const elsewhere = diskFolder(t)
  // As npm 12 has it always: no script runs that is not allowed.
  const policy = ['--strict-allow-scripts', '--allow-scripts=better-sqlite3']
  const { stdout } = await run(elsewhere, 'npx', ...policy, '--yes', relative(elsewhere, file), '--version')
  assert.match(stdout, new RegExp(`^turnout ${version} `))
  // Nothing is unpacked anywhere, and nothing left behind.
  assert.deepEqual(readdirSync(elsewhere), [])
  assert.deepEqual(readdirSync(env.HOME), [])

  // As after an installation that ran no scripts, and with the addon of another Node.
  const addon = join(folder, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node')
  for (const [spoil, sentence] of [
    [() => rmSync(addon), /^error: SQLite is missing, /],
    [() => writeFileSync(addon, 'of another Node'), /^error: SQLite cannot be loaded \(/],
  ] as const) {
    spoil()
    const refused = await runCommandIn(t, { ...surroundings, bare: true }, '--version')
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, sentence)
    const remedy = /: (cd "[^"]*better-sqlite3" && npm run install)\n$/.exec(refused.stderr)?.[1]
    await run(elsewhere, 'sh', '-c', remedy as string)
    assert.equal((await runCommandIn(t, { ...surroundings, bare: true }, '--version')).stdout, stdout)
  }
})

async function pack(into: string): Promise<{ file: string; files: string[] }> {
  // Its `prepack` builds what has been built for the tests already.
  const { stdout } = await execute('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', into])
  const [{ filename, files }] = JSON.parse(stdout)
  const paths = files.map(({ path }: { path: string }) => path)
  return { file: join(into, filename), files: paths.sort() }
}

/** An empty folder, the packed file, and what npm finds: the registry that it is set up for, and nothing it has kept. */
async function prepareInstallation(t: TestContext) {
  const root = diskFolder(t)
  const [folder, home, cache, prebuilds] = ['empty', 'home', 'cache', 'prebuilds'].map(name =>
    join(root, name),
  )
  for (const made of [folder, home, prebuilds]) mkdirSync(made as string)
  await putPrebuilt(prebuilds as string)
  const forNpm = {
    ...process.env,
    npm_config_cache: cache,
    npm_config_fetch_retry_mintimeout: '1000',
    npm_config_fetch_retry_maxtimeout: '1000',
    npm_config_better_sqlite3_local_prebuilds: prebuilds,
  }
  return {
    folder: folder as string,
    env: { PATH: process.env.PATH as string, HOME: home as string },
    file: (await pack(root)).file,
    run: (cwd: string, program: string, ...args: string[]) => execute(program, args, { cwd, env: forNpm }),
  }
}

/**
 * Puts the addon of this tree where the install script of better-sqlite3 looks before it downloads, under the name that it
 * would download: the script does the rest as everywhere, and neither GitHub nor a compiler is needed.
 */
async function putPrebuilt(into: string): Promise<void> {
  const name = `const { basename } = require('node:path'), pkg = require('./package.json')
    const rc = require('../prebuild-install/rc.js')(pkg)
    console.log(basename(require('../prebuild-install/util.js').getDownloadUrl({ ...rc, pkg })))`
  const { stdout } = await execute(process.execPath, ['-e', name], { cwd: sqlite })
  const file = join(into, stdout.trim())
  await execute('tar', ['-czf', file, '-C', sqlite, 'build/Release/better_sqlite3.node'])
}

/** @returns false, with the test skipped, where there is no registry */
async function installs(t: TestContext, install: () => Promise<unknown>): Promise<boolean> {
  try {
    await install()
    return true
  } catch (error) {
    const { stderr } = error as { stderr: string }
    const found = /^npm (?:error|ERR!) code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH)$/m.exec(
      stderr,
    )
    if (found === null) throw error
    t.skip(`the registry of npm cannot be reached (${found[1]})`)
    return false
  }
}

/** A part of undici that is not used, as it is of newer Nodes; a package that is named in a message. */
const unused = ['node:sqlite', 'keygrip']

for (const [name, path, others] of [
  ['bundle', bundle, []],
  ['package', packaged, ['better-sqlite3/package.json']],
] as const) {
  test(`the ${name} asks for nothing that is not of Node${others.length > 0 ? ', but for SQLite' : ''}`, () => {
    const text = readFileSync(path, 'utf8')
    const asked = [...text.matchAll(/\brequire(?:\.resolve)?\(["'`]([^"'`]+)["'`]\)/g)].map(
      ([, module]) => module as string,
    )
    assert.ok(asked.length > 20)
    assert.deepEqual(
      [...new Set(asked)].filter(module => !isBuiltin(module) && !unused.includes(module)),
      others,
    )
  })
}
