import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { type Booted, boot, NotBooted } from '#test/support/booted.ts'
import { architecture, type Made, repack, version } from '#test/support/machines.ts'

const deb = `turnout_${version}_${architecture}.deb`

/** Tests the package in the root folder of a fresh Debian in which systemd runs, in namespaces of its own. */
export function runsUnderSystemd(made: Made): void {
  test('where systemd runs the package starts its service, restarts it in an upgrade, and stops it in a removal and a purge', async t => {
    const root = made.root(t)
    if (root === undefined) return
    cpSync(made.of(deb), join(root, 'new.deb'))
    repack(made.of(deb), '0.0.1', join(root, 'old.deb'))
    let system: Booted
    try {
      system = await boot(t, root)
    } catch (error) {
      if (error instanceof NotBooted) return t.skip(error.message)
      throw error
    }
    const sh = (script: string, expected = 0) => {
      const { status, stdout, stderr } = system.sh(script)
      assert.equal(
        status,
        expected,
        `${script}\n${stdout}${stderr}${system.sh('journalctl -u turnout -n 20').stdout}`,
      )
      return stdout + stderr
    }
    const stateOf = (property: string) => sh(`systemctl show --property=${property} --value turnout`).trim()
    const asUser = (args: string) => `runuser -u turnout -- turnout ${args} --data /var/lib/turnout`
    const data = join(root, 'var/lib/turnout/turnout.db')
    const install = 'export DEBIAN_FRONTEND=noninteractive; dpkg -i'

    // The step that it prints works at once, and nobody but this machine reaches the service.
    const first = sh(`${install} /old.deb`)
    assert.match(first, /Turnout listens on http:\/\/127\.0\.0\.1:8080, for this machine alone unless /)
    const step = /The next step is a link by which you make your account:\n\n {2}(.+)\n/.exec(first)?.[1]
    assert.match(sh(step ?? 'false'), /^http:\/\/127\.0\.0\.1:8080\/manage\/setup\/\S+$/m)
    assert.deepEqual([stateOf('ActiveState'), stateOf('UnitFileState')], ['active', 'enabled'])
    assert.match(sh(`ls -ld /proc/${stateOf('MainPID')}`), / turnout turnout /)
    // The state 0A is LISTEN, and the address is 127.0.0.1:8080 as the kernel writes it.
    assert.deepEqual(listening(sh('cat /proc/net/tcp')), ['0100007F:1F90'])
    assert.deepEqual(listening(sh('cat /proc/net/tcp6')), [])
    sh(asUser('account create --name Ada --email ada@example.org'))

    // An upgrade changes the process; settings and data stay.
    sh('echo TURNOUT_PORT=8081 >>/etc/turnout/turnout.conf')
    const before = stateOf('MainPID')
    const upgraded = sh(`${install} /new.deb`)
    assert.doesNotMatch(upgraded, /next step|listens on|ended again|does not answer/)
    assert.notEqual(stateOf('MainPID'), before)
    assert.deepEqual([stateOf('ActiveState'), stateOf('NRestarts')], ['active', '0'])
    assert.deepEqual(listening(sh('cat /proc/net/tcp')), ['0100007F:1F91'])
    assert.match(sh(asUser('account list')), /ada@example\.org/)

    // The line of docs/running.md reads the settings that only root may read, as the user of the service.
    sh('echo TURNOUT_BASE_URL=http://127.0.0.1:8081 >>/etc/turnout/turnout.conf; systemctl restart turnout')
    sh('for i in $(seq 100); do turnout healthy --port 8081 && exit; sleep 0.1; done; exit 1')
    const examine = /^systemd-run .*turnout doctor.*$/m.exec(readFileSync('docs/running.md', 'utf8'))?.[0]
    assert.match(
      sh(examine ?? 'false'),
      /^ok +base_url_answers: The server answers at http:\/\/127\.0\.0\.1:8081\.$/m,
    )

    // What does not come up again is told, and its data is as it was.
    const usual = setVersion(data, 99)
    const refused = sh(`${install} /new.deb`)
    assert.match(
      refused,
      /^turnout\.service was started, and has ended again\. .*journalctl -u turnout -n 20$/m,
    )
    assert.match(
      sh('journalctl -u turnout -n 20'),
      /error: The database has version 99, and this program only knows versions up to \d+\. Run a newer Turnout\./,
    )
    sh('systemctl stop turnout')
    assert.equal(setVersion(data, usual), 99)

    // Whoever has stopped the service finds it stopped after an upgrade.
    sh(`${install} /new.deb`)
    assert.equal(stateOf('ActiveState'), 'inactive')
    sh('systemctl start turnout')

    // Of two packages at once, one waits for nobody and says so, and the other is whole.
    const both = await Promise.all([1, 2].map(() => system.start(`${install} /new.deb`)))
    assert.ok(both.some(({ status }) => status === 0))
    for (const { status, output } of both)
      if (status !== 0) assert.match(output, /dpkg: error: dpkg frontend lock was locked by another process/)
    assert.match(sh('dpkg -s turnout; dpkg --audit'), /^Status: install ok installed$/m)
    assert.equal(stateOf('ActiveState'), 'active')

    // A service that does not stop keeps its package and its data.
    const purge = `echo "turnout turnout/purge-data boolean true" | debconf-set-selections; dpkg -P turnout`
    const dropIn = '/run/systemd/system/turnout.service.d'
    sh(
      `mkdir -p ${dropIn}; printf '[Unit]\\nRefuseManualStop=yes\\n' >${dropIn}/stays.conf; systemctl daemon-reload`,
    )
    assert.match(
      sh(purge, 1),
      /turnout\.service does not stop, so the package stays\. See: journalctl -u turnout -n 20/,
    )
    assert.equal(stateOf('ActiveState'), 'active')
    assert.ok(existsSync(data) && existsSync(join(root, 'usr/bin/turnout')))
    sh(`rm ${dropIn}/stays.conf; systemctl daemon-reload`)

    // A removal stops it and keeps the data, and the next installation goes on with it.
    const pid = stateOf('MainPID')
    sh('dpkg -r turnout')
    assert.deepEqual(listening(sh('cat /proc/net/tcp')), [])
    sh(`test ! -e /proc/${pid}`)
    assert.ok(existsSync(data) && !existsSync(join(root, 'usr/bin/turnout')))
    assert.match(sh(`${install} /new.deb`), /Turnout listens on http:\/\/127\.0\.0\.1:8081,/)
    assert.match(sh(asUser('account list')), /ada@example\.org/)

    // A purge while it runs stops it first, and then deletes what it was told to delete.
    assert.equal(stateOf('ActiveState'), 'active')
    assert.doesNotMatch(sh(purge), /still runs/)
    assert.deepEqual(listening(sh('cat /proc/net/tcp')), [])
    assert.ok(!existsSync(join(root, 'var/lib/turnout')))
    assert.equal(stateOf('LoadState'), 'not-found')
    assert.doesNotMatch(sh('systemctl list-units --all --no-legend --failed'), /turnout/)
  })
}

function listening(table: string): string[] {
  return [...table.matchAll(/^ *\d+: ([0-9A-F:]+) [0-9A-F:]+ 0A /gm)].map(([, address]) => address as string)
}

/** @returns the version that it had */
function setVersion(path: string, version: number): number {
  const db = new SqliteConnection(path)
  try {
    const before = db.pragma('user_version', { simple: true }) as number
    db.pragma(`user_version = ${version}`)
    return before
  } finally {
    db.close()
  }
}
