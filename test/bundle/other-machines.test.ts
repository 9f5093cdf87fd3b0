import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { diskFolder } from '#test/support/folder.ts'
import { otherNode, withoutOthers } from '#test/support/nodes.ts'
import { thisTarget } from '../../build/bundle.mjs'

const execute = promisify(execFile)
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const pinned = (target: string): string => packages[`node_modules/node-${target}`].version

const otherMaker =
  process.versions.node === pinned('linux-arm64') ? false : `only Node ${pinned('linux-arm64')} makes them`

/** Makes one as people do. @returns its path, or undefined where npm's registry cannot be reached */
async function make(t: TestContext, target: string, name: string): Promise<string | undefined> {
  try {
    await execute(process.execPath, ['build/executable.mjs', '--target', target])
  } catch (error) {
    const { stderr } = error as { stderr: string }
    if (!/\((?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH)\)/.test(stderr)) throw error
    t.skip(stderr)
    return undefined
  }
  return resolve('dist', name)
}

test('an executable for Windows has the program with SQLite for Windows inside, and no signature that is broken', {
  skip: otherMaker,
  timeout: 600_000,
}, async t => {
  const path = await make(t, 'win-x64', 'turnout-win-x64.exe')
  if (path === undefined) return
  const executable = readFileSync(path)
  const headers = executable.readUInt32LE(0x3c)
  assert.deepEqual(
    [executable.toString('latin1', 0, 2), executable.toString('latin1', headers, headers + 4)],
    ['MZ', 'PE\0\0'],
  )
  assert.ok(executable.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1'))
  // Long lines of the program are broken, within strings too.
  const text = executable.toString('latin1').replaceAll('\\\n', '')
  const hasAddon = (target: string) => {
    const addon = readFileSync(`node_modules/better-sqlite3/prebuilds/${target}.node`)
    return text.includes(createHash('sha256').update(addon).digest('hex'))
  }
  assert.deepEqual(['win32-x64', 'win32-arm64', 'linux-x64'].map(hasAddon), [true, false, false])
  // The entry holds the place and size of the certificates.
  assert.equal(executable.readBigUInt64LE(headers + 24 + 112 + 4 * 8), 0n)
})

/** A machine other than this one, whose Node npm has therefore not installed. */
const other = thisTarget() === 'linux-arm64' ? 'linux-x64' : 'linux-arm64'
const spec = `node-${other}@${pinned(other)}`

/** Prepares a project with nothing built or fetched, and runs `build/executable.mjs` in it with a registry. */
function prepareProject(t: TestContext) {
  const root = diskFolder(t)
  for (const name of ['build', 'package.json', 'package-lock.json']) {
    cpSync(name, join(root, name), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  const dist = join(root, 'dist')
  let runs = 0
  const run = async (registry: string, target = other, node = process.execPath) => {
    const cache = join(root, `npm-${runs++}`)
    const env = { npm_config_registry: registry, npm_config_cache: cache, npm_config_fetch_retries: '0' }
    try {
      await execute(node, [join(root, 'build/executable.mjs'), '--target', target], {
        env: { ...process.env, ...env },
      })
    } catch (error) {
      const { code, stderr } = error as { code: number; stderr: string }
      // A failure leaves nothing behind of what was begun.
      assert.deepEqual(
        readdirSync(dist).filter(name => name !== 'nodes'),
        [],
      )
      return { code, stderr }
    }
    throw new Error('An executable was made.')
  }
  const kept = () => (existsSync(join(dist, 'nodes')) ? readdirSync(join(dist, 'nodes')) : [])
  return { root, dist, run, kept }
}

function integrityOf(bytes: Buffer): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`
}

/** Packs the smallest package that stands for another Node. */
function packFakeNode(t: TestContext): Buffer {
  const folder = diskFolder(t)
  mkdirSync(join(folder, 'package/bin'), { recursive: true })
  const described = { name: `node-${other}`, version: pinned(other) }
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify(described))
  writeFileSync(join(folder, 'package/bin/node'), 'not Node')
  const { status } = spawnSync('tar', ['-czf', 'packed.tgz', 'package'], { cwd: folder })
  assert.equal(status, 0)
  return readFileSync(join(folder, 'packed.tgz'))
}

/** Starts a registry that has one package. @param integrity as it says that the package has it */
async function startRegistry(t: TestContext, packed: Buffer, integrity = integrityOf(packed)) {
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    if (request.url?.endsWith('.tgz')) return response.end(packed)
    const number = pinned(other)
    const dist = { tarball: `${url}packed.tgz`, integrity }
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        name: `node-${other}`,
        'dist-tags': { latest: number },
        versions: { [number]: { name: `node-${other}`, version: number, dist } },
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, requests: () => requests }
}

/** Nothing answers at this address. */
const NOWHERE = 'http://127.0.0.1:1/'
const unreachable = `error: npm cannot fetch ${spec} (ECONNREFUSED). Try again where it reaches its registry: once fetched, it is kept in ${join('dist', 'nodes')}.\n`

test('a Node is used only as the lock file pins it, whatever the registry says, and an altered one is not kept', {
  skip: otherMaker,
  timeout: 120_000,
}, async t => {
  const { run, kept, dist } = prepareProject(t)
  const packed = packFakeNode(t)
  const altered = `error: node-${other} ${pinned(other)}, as npm has fetched it, is not what package-lock.json pins, and was not used. See which registry npm is set up for: npm config get registry\n`
  for (const integrity of [integrityOf(packed), packages[`node_modules/node-${other}`].integrity]) {
    const { url, requests } = await startRegistry(t, packed, integrity)
    assert.deepEqual(await run(url), { code: 1, stderr: altered })
    assert.ok(requests() > 0)
    assert.deepEqual(kept(), [])
  }
  // A copy that was altered since is not used either.
  writeFileSync(join(dist, 'nodes', `node-${other}-${pinned(other)}.tgz`), packed)
  assert.deepEqual(await run(NOWHERE), { code: 1, stderr: unreachable })
})

test('a Node is fetched once, and without a network a sentence says what to do', {
  skip: otherMaker,
  timeout: 120_000,
}, async t => {
  const { root, run, kept } = prepareProject(t)
  assert.deepEqual(await run(NOWHERE), { code: 1, stderr: unreachable })
  assert.deepEqual(kept(), [])
  const packed = packFakeNode(t)
  const lock = join(root, 'package-lock.json')
  const { integrity } = packages[`node_modules/node-${other}`]
  writeFileSync(lock, readFileSync(lock, 'utf8').replace(integrity, integrityOf(packed)))
  const { url } = await startRegistry(t, packed)
  // What is fetched here is no Node at all, and is found out by that: it has passed everything before.
  for (const registry of [url, NOWHERE]) {
    const { code, stderr } = await run(registry)
    assert.equal(code, 1)
    assert.match(stderr, /^error: \S+node has no room for a program inside, .*\n$/)
    assert.deepEqual(kept(), [`node-${other}-${pinned(other)}.tgz`])
  }
})

test('a target that there is no Node for is refused, and the others are named', async t => {
  const { run, kept, root, dist } = prepareProject(t)
  const possible = 'linux-x64, linux-arm64, win-x64'
  for (const [target, named] of [
    ['darwin-arm64', 'darwin-arm64'],
    ['win32-x64', 'win32-x64'],
    ['__proto__', '__proto__'],
    ['', 'nothing'],
  ] as const) {
    assert.deepEqual(await run(NOWHERE, target), {
      code: 1,
      stderr: `error: There is no Node to make an executable for ${named} of: --target takes ${possible}. Without it, the executable is for this machine.\n`,
    })
  }
  assert.deepEqual(kept(), [])
  for (const args of [['--target'], ['linux-arm64'], ['--platform', 'all']]) {
    await assert.rejects(execute(process.execPath, [join(root, 'build/executable.mjs'), ...args]), {
      code: 1,
      stderr: `error: The one flag of this is --target, which takes ${possible}: npm run build:exe -- --target linux-x64\n`,
    })
  }
  assert.deepEqual(readdirSync(dist), [])
})

test('another Node than the one inside makes no executable for another machine, and says which does', {
  skip: withoutOthers,
}, async t => {
  const { run } = prepareProject(t)
  const { code, stderr } = await run(NOWHERE, 'win-x64', otherNode('node-22'))
  assert.equal(code, 1)
  assert.equal(
    stderr,
    `error: The executable for win-x64 has Node ${pinned('win-x64')} inside, and the same makes it: this is Node 22.23.3. Make it by "npm ci" and "npm run build:exe -- --target win-x64" on Linux with glibc, or on Windows on x64, where npm brings that one.\n`,
  )
})
