import assert from 'node:assert/strict'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { diskFolder } from '#test/support/folder.ts'
import {
  architecture,
  hashOf,
  type Made,
  notRoot,
  run,
  tryRun,
  version,
  without,
} from '#test/support/machines.ts'
import { startListening } from '#test/support/server-process.ts'

const image = `turnout_${version}_${architecture}.oci.tar`

export function isAnImage(made: Made): void {
  test('the image is what its digests say, has no shell, and is not run by root', t => {
    if (made.lacks(t, 'no-image')) return
    const layout = diskFolder(t)
    run('tar', ['-xf', made.of(image), '-C', layout])
    for (const digest of readdirSync(join(layout, 'blobs/sha256')))
      assert.equal(hashOf(join(layout, 'blobs/sha256', digest)), digest)
    const read = (path: string) => JSON.parse(readFileSync(join(layout, path), 'utf8'))
    const blob = ({ digest }: { digest: string }) => `blobs/${digest.replace(':', '/')}`
    const [found] = read('index.json').manifests
    const manifest = read(blob(found))
    const { config, architecture: of } = read(blob(manifest.config))
    assert.deepEqual(
      [config.User, of, Object.keys(config.Volumes)],
      ['10001:10001', architecture, ['/var/lib/turnout']],
    )
    assert.deepEqual(config.Healthcheck.Test, ['CMD', '/usr/bin/turnout', 'healthy'])
    const files = manifest.layers.flatMap((layer: { digest: string }) =>
      run('tar', ['-tzf', join(layout, blob(layer))])
        .split('\n')
        .filter(name => name !== '' && !name.endsWith('/')),
    )
    const programs = files.filter((name: string) => /(^|\/)s?bin\//.test(name))
    assert.deepEqual(programs, ['usr/bin/turnout'])
    const { components } = JSON.parse(readFileSync(made.of(`${image}.cdx.json`), 'utf8'))
    for (const name of ['libc6', 'libstdc++6', 'node', 'koa'])
      assert.ok(
        components.some((each: { name: string }) => each.name === name),
        name,
      )
  })

  test('the image is unpacked by other tools and runs on a root that nobody can write, on one volume', {
    skip: notRoot || without('umoci') || without('unshare', 'util-linux'),
  }, async t => {
    if (made.lacks(t, 'no-image')) return
    if (tryRun('unshare', ['--mount', 'true']).status !== 0)
      return t.skip('this machine allows no namespaces')
    const folder = diskFolder(t)
    mkdirSync(join(folder, 'layout'))
    run('tar', ['-xf', made.of(image), '-C', join(folder, 'layout')])
    run('umoci', ['unpack', '--image', `${join(folder, 'layout')}:${version}`, join(folder, 'bundle')])
    const { process: started } = JSON.parse(readFileSync(join(folder, 'bundle/config.json'), 'utf8'))
    const [uid, gid] = [started.user.uid, started.user.gid]
    assert.deepEqual([uid, gid, started.args], [10001, 10001, ['/usr/bin/turnout', 'serve']])
    const rootfs = join(folder, 'bundle/rootfs')
    // A new volume has the owner of the folder that it stands for, as container engines make it.
    cpSync(join(rootfs, 'var/lib/turnout'), join(folder, 'volume'), { recursive: true })
    run('chown', [`${uid}:${gid}`, join(folder, 'volume')])
    chmodSync(join(folder, 'volume'), 0o700)
    const script = join(folder, 'run')
    writeFileSync(
      script,
      `#!/bin/sh\nset -e\nmount --bind ${rootfs} ${rootfs}\nmount --bind ${folder}/volume ${rootfs}/var/lib/turnout\nmount -o remount,bind,ro ${rootfs}\nexec chroot --userspec=${uid}:${gid} --groups= ${rootfs} "$@"\n`,
      { mode: 0o755 },
    )
    const own: Record<string, string> = Object.fromEntries(
      started.env.map((text: string) => /^(\w+)=(.*)$/.exec(text)?.slice(1)),
    )
    const env = { ...own, PATH: '/usr/sbin:/usr/bin:/sbin:/bin', TURNOUT_PORT: '0' }
    const command = ['unshare', '--mount', script, '/usr/bin/turnout']
    const contained = (args: readonly string[], others: Record<string, string> = {}) =>
      tryRun(command[0] as string, [...command.slice(1), ...args], { env: { ...env, ...others } })

    const refused = contained(['serve'])
    assert.equal(refused.status, 1)
    assert.match(
      refused.stderr,
      /^error: --host 0\.0\.0\.0 would receive API keys unencrypted from the network\./,
    )
    const server = await startListening(
      t,
      { command, bare: true, env: { ...env, TURNOUT_BEHIND_PROXY: '1' } },
      'serve',
      '--log-level',
      'error',
    )
    const { port } = new URL(server.url)
    assert.deepEqual(readdirSync(join(folder, 'volume')).includes('turnout.db'), true)
    assert.equal(contained(['healthy'], { TURNOUT_PORT: port }).status, 0)
    const backup = contained(['backup', '/var/lib/turnout/copy.db'])
    assert.equal(backup.status, 0, backup.stderr)
    assert.notEqual(contained(['backup', '/copy.db']).status, 0)
    server.kill('SIGTERM')
    assert.equal((await server.ended).code, 0)
    const { status, stderr } = contained(['healthy'], { TURNOUT_PORT: port })
    assert.equal(status, 1)
    assert.match(stderr, /^error: The server at \S+ does not answer \(ECONNREFUSED\)\.\n$/)
  })
}
