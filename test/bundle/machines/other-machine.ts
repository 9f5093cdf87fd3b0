import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { DAY } from '#base/time.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import { Client } from '#test/support/client.ts'
import { diskFolder } from '#test/support/folder.ts'
import {
  architecture,
  hashOf,
  type Made,
  otherArchitecture,
  otherTarget,
  run,
  target,
  version,
} from '#test/support/machines.ts'
import { withOrders } from '#test/support/paid.ts'
import { newRegistration } from '#test/support/requests.ts'
import { runCommandIn, startListening } from '#test/support/server-process.ts'

const debOf = (of: string) => `turnout_${version}_${of}.deb`
const imageOf = (of: string) => `turnout_${version}_${of}.oci.tar`

/** In the header of each file of ELF: https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html. */
const elfMachines: Record<string, number> = { amd64: 62, arm64: 183 }

/** Debian's cross compilers have the libraries of Linux on arm64 here. */
const LIBRARIES = '/usr/aarch64-linux-gnu'
const withoutEmulator =
  otherTarget === 'linux-arm64' &&
  existsSync(join(LIBRARIES, 'lib/libstdc++.so.6')) &&
  spawnSync('qemu-aarch64', ['--version']).status === 0
    ? false
    : 'Linux on arm64 cannot be emulated: apt install qemu-user libc6-arm64-cross libstdc++6-arm64-cross'

/** Tests what is made here for a machine of another kind. */
export function isForAnotherMachine(made: Made): void {
  test('a package for another machine is that of this one with another program, which has SQLite for it inside', t => {
    if (made.lacks(t, 'no-other')) return
    const [own, other] = [architecture, otherArchitecture].map(of => made.of(debOf(of))) as [string, string]
    const fieldsOf = (deb: string) => run('dpkg-deb', ['-f', deb]).replace(/^Installed-Size: \d+\n/m, '')
    assert.equal(
      fieldsOf(other),
      fieldsOf(own).replace(`Architecture: ${architecture}`, `Architecture: ${otherArchitecture}`),
    )
    assert.notEqual(fieldsOf(other), fieldsOf(own))
    const folders = [own, other].map(deb => {
      const folder = diskFolder(t)
      run('dpkg-deb', ['-R', deb, folder])
      return folder
    }) as [string, string]
    const [files, others] = folders.map(folder =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort(),
    )
    assert.deepEqual(others, files)
    const differ = filesOf(folders[0]).filter(
      path => hashOf(join(folders[0], path)) !== hashOf(join(folders[1], path)),
    )
    assert.deepEqual(differ, ['DEBIAN/control', 'DEBIAN/md5sums', 'usr/bin/turnout'])
    const program = readFileSync(join(folders[1], 'usr/bin/turnout'))
    assert.equal(machineOf(program), elfMachines[otherArchitecture])
    assert.ok(program.equals(readFileSync(made.of(`turnout-${otherTarget}`))))
    // Long lines of the program are broken, within strings too.
    const text = program.toString('latin1').replaceAll('\\\n', '')
    assert.deepEqual(
      [otherTarget, target].map(each => text.includes(sumOf(addonOf(each)))),
      [true, false],
    )
    assert.deepEqual(partsOf(made, debOf(otherArchitecture)), partsOf(made, debOf(architecture)))
  })

  test('an image for another machine names it, and no program or library in it is for this one', t => {
    if (made.lacks(t, 'no-image') || made.lacks(t, 'no-other')) return
    const name = imageOf(otherArchitecture)
    const { rootfs, config, platform } = unpackImage(t, made.of(name))
    assert.deepEqual([config.architecture, platform.architecture], [otherArchitecture, otherArchitecture])
    assert.deepEqual(config.config, unpackImage(t, made.of(imageOf(architecture))).config.config)
    const programs = filesOf(rootfs).flatMap(path => {
      const bytes = readFileSync(join(rootfs, path))
      return bytes.toString('latin1', 0, 4) === '\x7fELF' ? [{ path, machine: machineOf(bytes) }] : []
    })
    assert.deepEqual(
      programs.filter(({ machine }) => machine !== elfMachines[otherArchitecture]),
      [],
    )
    const cached = programs
      .filter(({ path }) => path.startsWith('var/cache/turnout/'))
      .map(({ path }) => path)
    assert.deepEqual(cached, [
      `var/cache/turnout/better_sqlite3-${sumOf(addonOf(otherTarget)).slice(0, 16)}.node`,
    ])
    for (const file of ['libc.so.6', 'libstdc++.so.6', 'libgcc_s.so.1'])
      assert.ok(
        programs.some(({ path }) => path.endsWith(`/${file}`) || path.includes(`/${file}.`)),
        file,
      )
    const parts = partsOf(made, name)
    assert.deepEqual(
      parts.map(part => part.replace(/ .*/, '')),
      partsOf(made, imageOf(architecture)).map(part => part.replace(/ .*/, '')),
    )
    const ofDebian = parts.filter(part => part.includes('pkg:deb/'))
    assert.ok(ofDebian.length >= 5)
    assert.ok(ofDebian.every(part => new RegExp(`arch=(${otherArchitecture}|all)$`).test(part)))
  })

  test('package and image for arm64 serve a data folder of this machine there, check in, print tickets, make a backup and stop', {
    skip: withoutEmulator,
  }, async t => {
    if (made.lacks(t, 'no-other')) return
    const cwd = diskFolder(t)
    const unpacked = diskFolder(t)
    run('dpkg-deb', ['-x', made.of(debOf(otherArchitecture)), unpacked])
    const env = { PATH: process.env.PATH as string, XDG_CACHE_HOME: join(cwd, 'cache') }
    const packaged = {
      ...{ command: ['qemu-aarch64', '-L', LIBRARIES, join(unpacked, 'usr/bin/turnout')] },
      ...{ cwd, bare: true, env },
    }
    // A box and its disk change places: the cache goes along.
    const here = { ...packaged, command: [made.of(`turnout-${target}`)] }
    const runIn = async (surroundings: typeof packaged, ...args: string[]) => {
      const { code, stdout, stderr } = await runCommandIn(t, surroundings, ...args)
      assert.deepEqual([code, stderr], [0, ''], args.join(' '))
      return stdout
    }
    const now = Date.now()
    const event = {
      ...{ starts_at: new Date(now).toISOString(), ends_at: new Date(now + DAY).toISOString() },
      ...{ status: 'published', visibility: 'public' },
    }
    const ordered = [{ reference: 'A', tickets: [{ type: 'Standard', price: 0 }] }]
    writeFileSync(join(cwd, 'organization.json'), JSON.stringify(withOrders(ordered, { event })))
    const applied = JSON.parse(await runIn(here, 'apply', 'organization.json', '--json'))
    const { id: eventId, registration_types: types } = applied.events['spring-meeting']
    const scopes = 'registrations:read,registrations:write,checkins:write'
    const created = await runIn(packaged, 'key', 'create', '--name', 'door', '--scopes', scopes, '--json')
    const { key } = JSON.parse(created)

    const server = await startListening(t, packaged, 'serve', '--port', '0', '--log-level', 'error')
    const client = new Client(server.url, key)
    t.after(() => client.close())
    const imported = await client.post('/registrations', newRegistration({ eventId, types }))
    assert.equal(imported.status, 201)
    const [ticket] = imported.body.attendees
    const checkIn = (by: Client) => by.post('/check-ins', { qr_code: ticket.qr_code })
    assert.deepEqual([(await checkIn(client)).status, (await checkIn(client)).status], [201, 409])
    const tickets = await fetch(`${new URL(server.url).origin}${orderPathIn(cwd)}/tickets.pdf`)
    assert.deepEqual([tickets.status, tickets.headers.get('content-type')], [200, 'application/pdf'])
    const pdf = Buffer.from(await tickets.arrayBuffer())
    assert.deepEqual([pdf.subarray(0, 5).toString(), pdf.subarray(-6).toString().trim()], ['%PDF-', '%%EOF'])
    assert.ok(pdf.length > 5000)
    // The backup is made while the server runs.
    await runIn(packaged, 'backup', 'copy.db')
    server.kill('SIGTERM')
    assert.deepEqual(await endOf(server), { code: 0, stderr: '' })
    assert.equal(countCheckIns(join(cwd, 'copy.db')), 1)

    // The image has no library of this machine, and SQLite in its place, on a root that is not written.
    if (!existsSync(made.of('no-image'))) {
      const { rootfs, config } = unpackImage(t, made.of(imageOf(otherArchitecture)))
      const before = filesOf(rootfs)
      const own = Object.fromEntries(config.config.Env.map(text => text.split(/=(.*)/s).slice(0, 2)))
      const contained = {
        ...{ command: ['qemu-aarch64', '-L', rootfs, join(rootfs, 'usr/bin/turnout')], cwd, bare: true },
        env: { ...own, PATH: env.PATH, TURNOUT_DATA: join(cwd, 'data'), TURNOUT_BEHIND_PROXY: '1' },
      }
      const again = await startListening(t, contained, 'serve', '--port', '0', '--log-level', 'error')
      const { port } = new URL(again.url)
      const other = new Client(`http://127.0.0.1:${port}/v1`, key)
      t.after(() => other.close())
      assert.equal((await checkIn(other)).status, 409)
      assert.match(await runIn(contained, 'healthy', '--port', port), / is healthy\.\n$/)
      again.kill('SIGTERM')
      assert.deepEqual(await endOf(again), { code: 0, stderr: '' })
      assert.deepEqual(filesOf(rootfs), before)
    }
    // Back on this machine nothing is missed, and each has SQLite for itself.
    assert.match(await runIn(here, 'check'), /./)
    assert.equal(countCheckIns(join(cwd, 'data/turnout.db')), 1)
    const addons = readdirSync(join(cwd, 'cache/turnout')).filter(name => name.endsWith('.node'))
    assert.equal(addons.length, 2)
  })
}

interface Config {
  architecture: string
  config: { Env: string[] }
}

/** Unpacks an image as an engine of containers does. */
function unpackImage(t: TestContext, path: string) {
  const layout = diskFolder(t)
  run('tar', ['-xf', path, '-C', layout])
  const read = (name: string) => JSON.parse(readFileSync(join(layout, name), 'utf8'))
  const blob = ({ digest }: { digest: string }) => `blobs/${digest.replace(':', '/')}`
  const [found] = read('index.json').manifests
  const manifest = read(blob(found))
  const rootfs = join(layout, 'rootfs')
  mkdirSync(rootfs)
  for (const layer of manifest.layers) run('tar', ['-xzf', join(layout, blob(layer)), '-C', rootfs])
  return { rootfs, config: read(blob(manifest.config)) as Config, platform: found.platform }
}

/** Returns the paths of the files, without folders and links. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

function machineOf(bytes: Buffer): number {
  assert.equal(bytes.toString('latin1', 0, 4), '\x7fELF')
  return bytes.readUInt16LE(18)
}

function addonOf(of: string): Buffer {
  return readFileSync(`node_modules/better-sqlite3/prebuilds/${of}.node`)
}

function sumOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Returns the parts that the list of a file names. */
function partsOf(made: Made, name: string): string[] {
  const { components, metadata } = JSON.parse(readFileSync(made.of(`${name}.cdx.json`), 'utf8'))
  assert.equal(metadata.component.hashes[0].content, hashOf(made.of(name)))
  return components.map(
    (each: { name: string; version: string; purl?: string }) =>
      `${each.name}@${each.version} ${each.purl ?? ''}`,
  )
}

async function endOf(server: { ended: Promise<{ code: number | null; stderr: string }> }) {
  const { code, stderr } = await server.ended
  return { code, stderr }
}

/** Returns the path of the page of the one order in a data folder, as a mail links it. */
function orderPathIn(cwd: string): string {
  return readOnce(join(cwd, 'data/turnout.db'), db => {
    const [secret] = db.prepare('SELECT cursor_secret FROM instance').pluck().all() as string[]
    const [order] = db.prepare('SELECT * FROM orders').all() as Parameters<typeof orderUrl>[1][]
    assert.ok(secret !== undefined && order !== undefined)
    return orderUrl({ baseUrl: '', secret }, order)
  })
}

/** The SQLite of this machine writes it, because the file is the same on all. */
function countCheckIns(path: string): unknown {
  return readOnce(path, db => {
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
    return db.prepare('SELECT count(*) FROM check_ins').pluck().get()
  })
}

function readOnce<Result>(path: string, read: (db: SqliteConnection.Database) => Result): Result {
  const db = new SqliteConnection(path, { readonly: true })
  try {
    return read(db)
  } finally {
    db.close()
  }
}
