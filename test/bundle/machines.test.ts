import assert from 'node:assert/strict'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { before, describe, type TestContext, test } from 'node:test'
import { buildProgram } from '#faces/cli/program.ts'
import { openSqlite } from '#machinery/db/sqlite/database.ts'
import { testClock } from '#test/support/clock.ts'
import { diskFolder } from '#test/support/folder.ts'
import {
  architecture,
  cannotMake,
  hashOf,
  makeAll,
  notRoot,
  type Project,
  plainEnv,
  run,
  tryRun,
  unpackDeb,
  version,
  without,
} from '#test/support/machines.ts'
import { startListening } from '#test/support/server-process.ts'

const deb = `turnout_${version}_${architecture}.deb`
const image = `turnout_${version}_${architecture}.oci.tar`

describe('what is handed to others', { skip: cannotMake, timeout: 900_000 }, () => {
  let one: Project
  let two: Project
  before(async () => {
    ;[one, two] = await Promise.all([
      makeAll('a', { TZ: 'UTC' }),
      makeAll('another folder with a longer name', { TZ: 'Pacific/Auckland', LC_ALL: 'C', UMASK: '077' }),
    ])
  })
  const madeOf = (name: string) => join(one.made, name)
  const withoutImage = (t: TestContext) => {
    if (existsSync(madeOf(image))) return false
    t.skip(readFileSync(madeOf('no-image'), 'utf8'))
    return true
  }

  test('two builds of one commit in two folders have the same bytes', t => {
    const names = ['turnout.cjs', `turnout-linux-${architecture === 'arm64' ? 'arm64' : 'x64'}`, deb]
    if (!withoutImage(t)) names.push(image)
    for (const name of names.flatMap(each => [
      each,
      ...(existsSync(madeOf(`${each}.cdx.json`)) ? [`${each}.cdx.json`] : []),
    ])) {
      assert.equal(hashOf(join(two.made, name)), hashOf(madeOf(name)), name)
    }
    for (const name of names) assert.ok(!readFileSync(madeOf(name)).includes(one.folder), name)
  })

  test('the list of parts has each once with its version and licence, and what is not inside is not in it', () => {
    const { components, metadata } = JSON.parse(readFileSync(madeOf(`${deb}.cdx.json`), 'utf8'))
    assert.equal(metadata.component.hashes[0].content, hashOf(madeOf(deb)))
    const names: string[] = components.map(({ name }: { name: string }) => name)
    assert.equal(
      new Set(components.map((each: Record<string, string>) => each['bom-ref'])).size,
      names.length,
    )
    for (const { name, version: of, licenses } of components) {
      assert.match(of, /^\d/, name)
      assert.ok(licenses.length > 0, name)
    }
    for (const name of [
      'koa',
      'better-sqlite3',
      'sqlite',
      'node',
      'preact',
      'stripe',
      'zxing-wasm',
      '@expo-google-fonts/noto-sans',
    ])
      assert.ok(names.includes(name), name)
    for (const name of ['esbuild', 'typescript', 'tsx', 'playwright-core', 'fast-check'])
      assert.ok(!names.includes(name), name)
    const node = components.find(({ name }: { name: string }) => name === 'node')
    assert.equal(node.version, process.versions.node)
    assert.ok(node.components.some(({ name }: { name: string }) => name === 'openssl'))
  })

  test('lintian finds no error in the package', { skip: without('lintian') }, () => {
    const args = [
      '--allow-root',
      '--fail-on',
      'error',
      '--suppress-tags',
      'spelling-error-in-binary',
      madeOf(deb),
    ]
    const { status, stdout, stderr } = tryRun('lintian', args, { env: plainEnv() })
    assert.equal(status, 0, stdout + stderr)
    assert.doesNotMatch(stdout, /^E:/m)
  })

  test('the settings are the variables of the declared flags, each with its sentence, and none is set', t => {
    const folder = unpackDeb(madeOf(deb), join(diskFolder(t), 'package'))
    const path = join(folder, 'etc/turnout/turnout.conf')
    assert.equal(statSync(path).mode & 0o777, 0o600)
    const lines = readFileSync(path, 'utf8').split('\n')
    assert.ok(lines.every(line => line === '' || line.startsWith('#')))
    const program = buildProgram({ out: () => {}, err: () => {}, clock: testClock() })
    const serve = program.commands.find(command => command.name() === 'serve')
    const declared = (serve?.options ?? []).flatMap(({ envVar }) => envVar ?? [])
    const listed = lines.flatMap(line => /^#(TURNOUT_[A-Z_]+)=/.exec(line)?.[1] ?? [])
    assert.deepEqual(listed.sort(), declared.filter(name => !/^TURNOUT_(DATA|JSON)$/.test(name)).sort())
    assert.deepEqual(readFileSync(join(folder, 'DEBIAN/conffiles'), 'utf8'), '/etc/turnout/turnout.conf\n')
  })

  test('the page of the manual and the completions of three shells know every command and flag', t => {
    const folder = unpackDeb(madeOf(deb), join(diskFolder(t), 'package'))
    const share = (path: string) => join(folder, 'usr/share', path)
    const manual = run('gzip', ['-dc', share('man/man1/turnout.1.gz')])
      .replaceAll('\\-', '-')
      .replaceAll('\\:', '')
    const bash = share('bash-completion/completions/turnout')
    const zsh = readFileSync(share('zsh/vendor-completions/_turnout'), 'utf8')
    const fish = readFileSync(share('fish/vendor_completions.d/turnout.fish'), 'utf8')
    const program = buildProgram({ out: () => {}, err: () => {}, clock: testClock() })
    const leaves = program.commands.flatMap(command =>
      command.commands.length === 0
        ? [{ words: [command.name()], command }]
        : command.commands.map(sub => ({ words: [command.name(), sub.name()], command: sub })),
    )
    assert.ok(leaves.length > 50)
    const asked =
      'compopt() { :; }; source "$0"; COMP_WORDS=(turnout "$@"); COMP_CWORD=$#; _turnout; declare -p COMPREPLY'
    const complete = (words: readonly string[], current: string) =>
      [...run('bash', ['-c', asked, bash, ...words, current]).matchAll(/\[\d+\]="([^"]*)"/g)].map(
        ([, word]) => word,
      )
    for (const { words, command } of leaves) {
      assert.match(manual, new RegExp(`^\\.SS turnout ${words.join(' ')}(?: |$)`, 'm'))
      for (const { long, description } of command.options) {
        assert.ok(zsh.includes(`'${long}[`), `${words.join(' ')} ${long}`)
        assert.ok(fish.includes(`-l ${long?.slice(2)} `), `${words.join(' ')} ${long}`)
        assert.ok(manual.includes(long as string), description)
      }
    }
    assert.deepEqual(complete([], 's'), ['serve', 'sandbox', 'scan', 'statement'])
    assert.deepEqual(complete(['user'], 'inv'), ['invite'])
    assert.deepEqual(complete(['user', '--data', 'invite', 'list'], '--acc'), ['--account'])
    assert.deepEqual(complete(['serve'], '--tls-c'), ['--tls-cert'])
    assert.deepEqual(complete(['serve', '--port'], ''), [])
    const serve =
      leaves.find(({ words: [first] }) => first === 'serve')?.command.options.map(({ long }) => long) ?? []
    assert.deepEqual(complete(['serve'], '--').sort(), [...serve, '--help'].sort())
    if (without('man', 'man-db') === false) {
      const { stderr } = tryRun('man', ['--warnings', '-l', share('man/man1/turnout.1.gz')], {
        env: plainEnv({ MANWIDTH: '80' }),
      })
      assert.equal(stderr, '')
    }
    if (without('zsh') === false) run('zsh', ['-n', share('zsh/vendor-completions/_turnout')])
    if (without('fish') === false) {
      const script = `complete -C 'turnout user invite --em'`
      const output = run('fish', [
        '--no-config',
        '-c',
        `source ${share('fish/vendor_completions.d/turnout.fish')}; ${script}`,
      ])
      assert.match(output, /^--email\t/m)
    }
  })

  test('systemd takes the unit, and it is exposed by less than 2 of 10', {
    skip: without('systemd-analyze', 'systemd'),
  }, t => {
    const root = diskFolder(t)
    run('dpkg-deb', ['-x', madeOf(deb), root])
    const unit = 'usr/lib/systemd/system/turnout.service'
    const text = readFileSync(join(root, unit), 'utf8')
    assert.match(text, /^ExecStart=\/usr\/bin\/turnout serve$/m)
    assert.match(text, /^EnvironmentFile=-\/etc\/turnout\/turnout\.conf$/m)
    // The program is looked for where the unit says that it is.
    const verified = join(root, 'turnout.service')
    writeFileSync(
      verified,
      text.replace('/usr/bin/turnout', join(root, 'usr/bin/turnout')).replace(/^Documentation=.*$/m, ''),
    )
    const { status, stderr } = tryRun('systemd-analyze', ['verify', verified], { env: plainEnv() })
    assert.equal(status, 0, stderr)
    assert.doesNotMatch(stderr, /turnout\.service:/)
    const rated = tryRun(
      'systemd-analyze',
      ['security', '--offline=true', '--threshold=20', join(root, unit)],
      { env: plainEnv() },
    )
    assert.equal(rated.status, 0, rated.stdout.split('\n').slice(-3).join('\n'))
  })

  test('the package is installed, upgraded with a copy of the data, removed and purged in a fresh root', {
    skip: notRoot || without('mmdebstrap') || architecture !== 'amd64',
  }, async t => {
    const root = join(diskFolder(t), 'root')
    const made = tryRun('mmdebstrap', [
      '--variant=essential',
      '--include=adduser,debconf,libstdc++6',
      'bookworm',
      root,
    ])
    if (made.status !== 0)
      return t.skip(`mmdebstrap cannot fetch Debian: ${made.stderr.trim().split('\n').at(-1)}`)
    // A purge looks for programs in /proc, which is mounted for these processes alone.
    const within = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
    const inRoot = (...args: string[]) =>
      tryRun('unshare', ['--mount', 'sh', '-c', within, root, ...args], { env: plainEnv() })
    const sh = (script: string) => {
      const { status, stdout, stderr } = inRoot('sh', '-ec', script)
      assert.equal(status, 0, `${script}\n${stdout}${stderr}`)
      return stdout + stderr
    }
    const asUser = (args: string) => `runuser -u turnout -- turnout ${args} --data /var/lib/turnout`
    const serve = () =>
      startListening(
        t,
        {
          command: ['chroot', '--userspec=turnout:turnout', root, '/usr/bin/turnout'],
          bare: true,
          env: {
            ...(plainEnv() as Record<string, string>),
            TURNOUT_DATA: '/var/lib/turnout',
            XDG_CACHE_HOME: '/var/lib/turnout/.cache',
          },
        },
        'serve',
        '--port',
        '0',
        '--log-level',
        'error',
      )

    cpSync(madeOf(deb), join(root, 'new.deb'))
    const first = sh('dpkg -i /new.deb')
    assert.match(
      first,
      /The next step is a link by which you make your account:\n\n {2}runuser -u turnout -- turnout user invite --data \/var\/lib\/turnout\n/,
    )
    assert.equal(sh('stat -c "%U %G %a" /var/lib/turnout'), 'turnout turnout 700\n')
    assert.equal(
      sh('readlink /etc/systemd/system/multi-user.target.wants/turnout.service').trim().split('/').at(-1),
      'turnout.service',
    )
    assert.match(sh('turnout --version'), new RegExp(`^turnout ${version.replaceAll('.', '\\.')} `))

    // The step that it prints works beside the service, which nobody but this machine reaches.
    const server = await serve()
    assert.match(server.url, /^http:\/\/127\.0\.0\.1:/)
    const link = sh(asUser('user invite'))
    assert.match(link, /http:\/\/127\.0\.0\.1:8080\/manage\/setup\/\S+/)
    server.kill('SIGTERM')
    assert.equal((await server.ended).code, 0)

    // An older package whose data has the schema of version 1 is upgraded; its settings and its data stay.
    const older = unpackDeb(madeOf(deb), join(diskFolder(t), 'package'))
    const control = join(older, 'DEBIAN/control')
    writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, 'Version: 0.0.1'))
    run('dpkg-deb', ['--root-owner-group', '-Znone', '-b', older, join(root, 'old.deb')])
    sh(
      'dpkg --force-downgrade -i /old.deb; rm -r /var/lib/turnout; install -d -o turnout -g turnout -m 700 /var/lib/turnout',
    )
    const data = join(root, 'var/lib/turnout/turnout.db')
    const create = readFileSync('test/machinery/db/sqlite/schema-1.sql', 'utf8')
    await openSqlite(data, { clock: Date.now, schema: { create, migrations: [] } }).close()
    sh(
      'chown turnout:turnout /var/lib/turnout/turnout.db; echo TURNOUT_PORT=8081 >>/etc/turnout/turnout.conf',
    )
    const upgraded = sh('dpkg -i /new.deb')
    assert.doesNotMatch(upgraded, /next step/)
    assert.match(sh('tail -n 1 /etc/turnout/turnout.conf'), /TURNOUT_PORT=8081/)
    const later = await serve()
    assert.match(sh('ls /var/lib/turnout'), /^turnout\.db\.before-v\d+$/m)
    assert.match(sh(asUser('account create --name Ada --email ada@example.org')), /Ada|ada@example\.org/)

    // A purge while a server runs deletes nothing, whatever was answered.
    const purge = (answer: boolean) =>
      sh(`echo "turnout turnout/purge-data boolean ${answer}" | debconf-set-selections; dpkg -P turnout`)
    assert.match(
      purge(true),
      /A program of the user turnout still runs, or cannot be looked for, so the data stays/,
    )
    assert.ok(existsSync(data))
    later.kill('SIGTERM')
    await later.ended

    // Whoever is not asked, or says no, keeps the data, and it is there for the next installation.
    sh('dpkg -i /new.deb; dpkg -r turnout')
    assert.ok(existsSync(data) && existsSync(join(root, 'etc/turnout/turnout.conf')))
    assert.ok(!existsSync(join(root, 'usr/bin/turnout')))
    sh('dpkg -i /new.deb')
    assert.match(sh('dpkg -P turnout'), /The data of Turnout stays in \/var\/lib\/turnout/)
    assert.ok(existsSync(data) && !existsSync(join(root, 'etc/turnout/turnout.conf')))
    sh('dpkg -i /new.deb')
    assert.match(sh(asUser('account list')), /ada@example\.org/)
    purge(true)
    assert.ok(!existsSync(join(root, 'var/lib/turnout')) && !existsSync(join(root, 'var/backups/turnout')))
    assert.doesNotMatch(sh('ls -R /etc/systemd/system /usr/bin'), /turnout/)
  })

  test('the image is what its digests say, has no shell, and is not run by root', t => {
    if (withoutImage(t)) return
    const layout = diskFolder(t)
    run('tar', ['-xf', madeOf(image), '-C', layout])
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
    const { components } = JSON.parse(readFileSync(madeOf(`${image}.cdx.json`), 'utf8'))
    for (const name of ['libc6', 'libstdc++6', 'node', 'koa'])
      assert.ok(
        components.some((each: { name: string }) => each.name === name),
        name,
      )
  })

  test('the image is unpacked by other tools and runs on a root that nobody can write, on one volume', {
    skip: notRoot || without('umoci') || without('unshare', 'util-linux'),
  }, async t => {
    if (withoutImage(t)) return
    if (tryRun('unshare', ['--mount', 'true']).status !== 0)
      return t.skip('this machine allows no namespaces')
    const folder = diskFolder(t)
    mkdirSync(join(folder, 'layout'))
    run('tar', ['-xf', madeOf(image), '-C', join(folder, 'layout')])
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
})
