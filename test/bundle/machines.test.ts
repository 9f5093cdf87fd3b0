import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { buildProgram } from '#faces/cli/program.ts'
import { testClock } from '#test/support/clock.ts'
import { diskFolder } from '#test/support/folder.ts'
import {
  architecture,
  cannotMake,
  copyRoot,
  fetchDebian,
  hashOf,
  type Made,
  makeAll,
  makeRoot,
  otherArchitecture,
  otherTarget,
  type Project,
  plainEnv,
  type Root,
  run,
  target,
  tryRun,
  unpackDeb,
  version,
  without,
} from '#test/support/machines.ts'
import { isAnImage } from './machines/image.ts'
import { installs } from './machines/installed.ts'
import { isForAnotherMachine } from './machines/other-machine.ts'
import { runsUnderSystemd } from './machines/service.ts'

const deb = `turnout_${version}_${architecture}.deb`
const image = `turnout_${version}_${architecture}.oci.tar`

describe('what is handed to others', { skip: cannotMake, timeout: 900_000 }, () => {
  let one: Project
  let two: Project
  let root: Root
  before(async () => {
    const debian = fetchDebian()
    // An image takes as long as all else, and that of the other machine differs by its parts alone.
    const elsewhere = { TZ: 'Pacific/Auckland', LC_ALL: 'C', UMASK: '077', BUT_OTHER_IMAGE: '' }
    ;[one, two, root] = await Promise.all([
      makeAll('a', { TZ: 'UTC' }, debian),
      makeAll('another folder with a longer name', elsewhere, debian),
      makeRoot(),
    ])
  })
  const madeOf = (name: string) => join(one.made, name)
  const made: Made = {
    of: madeOf,
    again: name => join(two.made, name),
    lacks(t, why) {
      if (!existsSync(madeOf(why))) return false
      t.skip(readFileSync(madeOf(why), 'utf8'))
      return true
    },
    root: t => copyRoot(t, root),
  }

  test('two builds of one commit in two folders have the same bytes', _t => {
    const names = ['turnout.cjs', `turnout-${target}`, deb]
    if (!existsSync(madeOf('no-image'))) names.push(image)
    if (!existsSync(madeOf('no-other')))
      names.push(`turnout-${otherTarget}`, deb.replace(architecture, otherArchitecture))
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

  installs(made)
  runsUnderSystemd(made)
  isAnImage(made)
  isForAnotherMachine(made)
})
