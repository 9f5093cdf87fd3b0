import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { delimiter, dirname, extname, join, relative, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { version } from '#base/version.ts'
import { bundle, packaged } from '#test/support/built.ts'
import { diskFolder } from '#test/support/folder.ts'
import { otherNode, withoutOthers } from '#test/support/nodes.ts'
import { runCommandIn, type Surroundings, startListening } from '#test/support/server-process.ts'
import { allTargets, thisTarget } from '../../build/bundle.mjs'

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
    'bin/hand-over.js',
    'bin/turnout.js',
    ...['Caddyfile', 'nginx.conf', 'pgbouncer.ini'].map(name => `contrib/cluster/${name}`),
    ...['compose.yaml', 'kubernetes.yaml', 'turnout.service'].map(name => `contrib/${name}`),
    'dist/package.cjs',
    ...docs.filter(name => extname(name) !== '').map(name => `docs/${name}`),
    'package.json',
  ])
  const [inBundle, inPackage] = [bundle, packaged].map(path =>
    // Long lines are broken, in texts too.
    readFileSync(path, 'utf8').replaceAll('\\\n', ''),
  )
  for (const target of allTargets()) {
    // The programs know the addons that they carry, or expect, by this.
    const hash = createHash('sha256')
      .update(readFileSync(join(sqlite, 'prebuilds', `${target}.node`)))
      .digest('hex')
    assert.deepEqual([inBundle?.includes(hash), inPackage?.includes(hash)], [target === thisTarget(), true])
  }
  assert.ok(files.every(path => !path.endsWith('.node')))
  assert.ok(described.scripts.prepack.endsWith(' build.mjs'))
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) {
    assert.equal(described.scripts[name], undefined, name)
  }
})

test('the package depends on SQLite alone, at the version whose JavaScript it has inside, and on no older Node than its addon', () => {
  assert.deepEqual(described.dependencies, { 'better-sqlite3': describedSqlite.version })
  assert.equal(described.optionalDependencies, undefined)
  assert.equal(described.peerDependencies, undefined)
  // The addon is built for Node-API 10, which Node has since 22.14.
  assert.deepEqual([described.engines.node, describedSqlite.engines.node], ['>=22.14', '>=22'])
})

for (const { name, node, skip } of [
  { name: 'the Node of the tests', node: process.execPath, skip: false },
  { name: 'Node 22', node: otherNode('node-22'), skip: withoutOthers },
]) {
  test(`the packed package runs by ${name} in an empty folder where npm installs it without scripts, with npx too`, {
    skip,
    timeout: 120_000,
  }, async t => {
    const { folder, run, env, file } = await prepareInstallation(t, node)
    const quietly = ['--ignore-scripts', '--no-audit', '--no-fund']
    if (!(await installs(t, () => run(folder, 'npm', 'install', ...quietly, file)))) return
    assert.deepEqual(
      readdirSync(join(folder, 'node_modules')).filter(found => !found.startsWith('.')),
      ['better-sqlite3', 'node-addon-api', 'turnout'],
    )
    const surroundings = {
      command: [join(folder, 'node_modules/.bin/turnout')],
      cwd: folder,
      env,
      bare: true,
    }
    const server = await startListening(t, surroundings, 'sandbox', '--port', '0')
    assert.equal((await fetch(`${server.url}/openapi.json`)).status, 200)
    assert.equal((await fetch(`${server.url}/events`)).status, 401)
    server.kill('SIGTERM')
    const { code, stderr } = await server.ended
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })

    const elsewhere = diskFolder(t)
    const args = ['--ignore-scripts', '--yes', relative(elsewhere, file), '--version']
    const { stdout } = await run(elsewhere, 'npx', ...args)
    const { stdout: number } = await execute(node, ['--version'])
    assert.match(stdout, new RegExp(`^turnout ${version} \\(Node ${number.trim().slice(1)}, SQLite `))
    // Nothing is unpacked anywhere, and nothing left behind.
    assert.deepEqual(readdirSync(elsewhere), [])
    assert.deepEqual(readdirSync(env.HOME), [])
    await refuseSpoilt(t, surroundings, folder)
  })
}

/** Checks that an addon which is gone, cut, altered or of another machine is never loaded. */
async function refuseSpoilt(t: TestContext, surroundings: Surroundings, folder: string): Promise<void> {
  const prebuilds = join(folder, 'node_modules/better-sqlite3/prebuilds')
  const addon = join(prebuilds, `${thisTarget()}.node`)
  const good = readFileSync(addon)
  const altered = Buffer.from(good)
  altered.writeUInt8(good.readUInt8(good.length - 1) ^ 1, good.length - 1)
  const others = readdirSync(prebuilds).filter(name => join(prebuilds, name) !== addon)
  const spoilt = 'SQLite was cut or altered, or is of another version: '
  for (const [spoil, sentence] of [
    [() => writeFileSync(addon, good.subarray(0, good.length / 2)), `${spoilt}${addon} was not loaded.`],
    [() => writeFileSync(addon, ''), `${spoilt}${addon} was not loaded.`],
    [() => writeFileSync(addon, altered), `${spoilt}${addon} was not loaded.`],
    [
      () => writeFileSync(addon, readFileSync(join(prebuilds, others[0] as string))),
      `${spoilt}${addon} was not loaded.`,
    ],
    [() => rmSync(addon), `SQLite is missing: ${addon} cannot be read (there is no such file).`],
    [
      () => rmSync(join(prebuilds, '..'), { recursive: true }),
      'SQLite is missing: there is no package better-sqlite3 beside the program.',
    ],
  ] as const) {
    spoil()
    const { code, stdout, stderr } = await runCommandIn(t, surroundings, 'account', 'list')
    assert.deepEqual(
      [code, stdout, stderr],
      [1, '', `error: ${sentence} Install the package of Turnout once more.\n`],
    )
  }
}

async function pack(into: string): Promise<{ file: string; files: string[] }> {
  // Its `prepack` builds the same files as those that were built for the tests.
  const { stdout } = await execute('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', into])
  const [{ filename, files }] = JSON.parse(stdout)
  const paths = files.map(({ path }: { path: string }) => path)
  return { file: join(into, filename), files: paths.sort() }
}

/**
 * Prepares an empty folder with the packed file, and an npm that asks its registry and has kept nothing.
 *
 * @param node the path of the Node that is found first
 */
async function prepareInstallation(t: TestContext, node: string) {
  const root = diskFolder(t)
  const [folder, home, cache] = ['empty', 'home', 'cache'].map(name => join(root, name))
  for (const made of [folder, home]) mkdirSync(made as string)
  const env = { PATH: `${dirname(node)}${delimiter}${process.env.PATH}`, HOME: home as string }
  const forNpm = {
    ...process.env,
    PATH: env.PATH,
    npm_config_cache: cache,
    npm_config_fetch_retry_mintimeout: '1000',
    npm_config_fetch_retry_maxtimeout: '1000',
  }
  return {
    folder: folder as string,
    env,
    file: (await pack(root)).file,
    run: (cwd: string, program: string, ...args: string[]) => execute(program, args, { cwd, env: forNpm }),
  }
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
    const required = [...text.matchAll(/\brequire(?:\.resolve)?\(["'`]([^"'`]+)["'`]\)/g)].map(
      ([, module]) => module as string,
    )
    assert.ok(required.length > 20)
    assert.deepEqual(
      [...new Set(required)].filter(module => !isBuiltin(module) && !unused.includes(module)),
      others,
    )
  })
}
