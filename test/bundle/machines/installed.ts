import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSqlite } from '#machinery/db/sqlite/database.ts'
import {
  architecture,
  type Made,
  otherArchitecture,
  plainEnv,
  repack,
  tryRun,
  version,
} from '#test/support/machines.ts'
import { startListening } from '#test/support/server-process.ts'

const deb = `turnout_${version}_${architecture}.deb`
const otherDeb = `turnout_${version}_${otherArchitecture}.deb`

/** Tests the package in the root folder of a fresh Debian in which systemd does not run. */
export function installs(made: Made): void {
  test('the package is installed, upgraded with a copy of the data, removed and purged in a fresh root', async t => {
    const root = made.root(t)
    if (root === undefined) return
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

    // A package for another machine is refused by dpkg, and nothing of it is there.
    if (existsSync(made.of(otherDeb))) {
      cpSync(made.of(otherDeb), join(root, 'other.deb'))
      const { status, stderr } = inRoot('dpkg', '-i', '/other.deb')
      assert.equal(status, 1)
      assert.match(
        stderr,
        new RegExp(
          `package architecture \\(${otherArchitecture}\\) does not match system \\(${architecture}\\)`,
        ),
      )
      for (const path of ['usr/bin/turnout', 'etc/turnout', 'var/lib/turnout'])
        assert.ok(!existsSync(join(root, path)), path)
      assert.notEqual(inRoot('dpkg', '-s', 'turnout').status, 0)
    }

    // The processes of this machine are seen in this root, so the user has a number that none of them has.
    sh(
      'groupadd --system --gid 987 turnout; useradd --system --uid 987 --gid 987 --home-dir /var/lib/turnout turnout',
    )
    cpSync(made.of(deb), join(root, 'new.deb'))
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
    repack(made.of(deb), '0.0.1', join(root, 'old.deb'))
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
}
