import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { buildProgram } from '#faces/cli/program.ts'
import { testClock } from '#test/support/clock.ts'
import { ofSqlite } from '#test/support/engine.ts'
import { commandLine } from './turnout.ts'

const ID = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'

const commands = [
  ['serve'],
  ['sandbox'],
  ['apply'],
  ['export'],
  ['backup'],
  ['restore'],
  ['check'],
  ['doctor'],
  ['healthy'],
  ['repair', 'clock'],
  ['account', 'create'],
  ['account', 'list'],
  ['account', 'update'],
  ['key', 'create'],
  ['key', 'list'],
  ['key', 'revoke'],
  ['webhook', 'update'],
  ['delivery', 'list'],
  ['delivery', 'show'],
  ['mail', 'test'],
  ['mail', 'list'],
  ['mail', 'show'],
  ['mail', 'retry'],
  ['mail', 'hold'],
  ['mail', 'resume'],
  ['payments', 'connect'],
  ['payments', 'bank'],
  ['payments', 'status'],
  ['payments', 'disconnect'],
  ['statement', 'import'],
  ['statement', 'start'],
  ['statement', 'list'],
  ['statement', 'match'],
  ['statement', 'paid-back'],
  ['statement', 'ignore'],
  ['statement', 'restore'],
  ['statement', 'undo'],
  ['user', 'invite'],
  ['user', 'list'],
  ['user', 'remove'],
  ['user', 'reset'],
  ['event', 'list'],
  ['log', 'list'],
  ['waitlist', 'list'],
  ['openapi'],
  ['help'],
  ['version'],
]

for (const command of commands) {
  test(`turnout ${command.join(' ')} explains itself with an example`, async t => {
    const { turnout } = commandLine(t)
    const { code, out, err } = await turnout(...command, '--help')
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, new RegExp(`Example:\\n {2}\\$ turnout ${command.join(' ')}`))
    const flags = [...out.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name]) => name as string)
    for (const name of flags.filter(flag => flag !== 'help')) {
      const twin = `TURNOUT_${name.replaceAll('-', '_').toUpperCase()}`
      assert.ok(out.replace(/\s+/g, ' ').includes(`env: ${twin})`), `--${name} has no ${twin}`)
    }
  })
}

const wrong: string[][] = [
  [],
  ['nonsense'],
  ['nonsense', '--port', '80'],
  ['help', 'nonsense'],
  ['help', 'key', 'nonsense'],
  ['help', 'serve', 'nonsense'],
  ['version', 'nonsense'],
  ['account'],
  ['key'],
  ['webhook'],
  ['delivery'],
  ['mail'],
  ['payments'],
  ['payments', 'bank'],
  ['mail', 'test'],
  ['event'],
  ['user'],
  ['user', 'remove'],
  ['user', 'reset'],
  ['log'],
  ['waitlist'],
  ['repair'],
  ['key', 'nonsense'],
  ['key', 'nonsense', '--account', ID],
  ['key', '--nonsense'],
  ['serve', '--nonsense'],
  ['serve', '--prot', '80'],
  ['serve', 'extra'],
  ['serve', '--port'],
  ['apply'],
  ['apply', 'one', 'two'],
  ['backup'],
  ['restore'],
  ['check', 'extra'],
  ['key', 'revoke'],
  ['key', 'create', '--account', ID, '--name', 'x'],
  ['account', 'create', '--name', 'x'],
]

for (const argv of wrong) {
  test(`"turnout ${argv.join(' ')}" is wrong usage: 2`, async t => {
    const { turnout, folder } = commandLine(t)
    const { code, out, err } = await turnout(...argv)
    assert.deepEqual([code, out], [2, ''])
    // The name of the program alone is a question: it is answered by the help.
    assert.match(err, argv.length === 0 ? /^Usage: / : /^error: [^\n]+\n$/)
    assert.doesNotMatch(err, /\n\s+at /)
    assert.equal(existsSync(`${folder}/data`), false)
  })
}

test('help is given by every name that people know it by', async t => {
  const { turnout } = commandLine(t)
  const run = (...argv: string[]) => turnout(...argv).then(({ code, out, err }) => [code, err, out])
  for (const command of [[], ['serve'], ['key'], ['key', 'create'], ['version']]) {
    const help = await run(...command, '--help')
    assert.deepEqual(help.slice(0, 2), [0, ''])
    assert.match(String(help[2]), /^Usage: turnout /)
    assert.deepEqual(await run('help', ...command), help)
    assert.deepEqual(await run(...command, '-h'), help)
  }
  const version = await run('--version')
  assert.match(String(version[2]), /^turnout \d/)
  assert.deepEqual([await run('-v'), await run('version')], [version, version])
  const { version: number, ...others } = JSON.parse(String((await run('version', '--json'))[2]))
  assert.ok(String(version[2]).startsWith(`turnout ${number} `))
  assert.deepEqual(Object.keys(others), ['node', 'database'])
})

const all =
  'serve, sandbox, apply, export, account, user, event, key, webhook, delivery, device, scan, order, mail, payments, statement, person, backup, restore, copy, check, doctor, repair, log, waitlist, healthy, openapi, help, version'
const unknown: [string[], string][] = [
  [['sevre'], `error: unknown command 'sevre' (did you mean serve?): the commands of turnout are ${all}`],
  [
    ['sevre', '--port', '80'],
    `error: unknown command 'sevre' (did you mean serve?): the commands of turnout are ${all}`,
  ],
  [
    ['accounts', 'list'],
    `error: unknown command 'accounts' (did you mean account?): the commands of turnout are ${all}`,
  ],
  [
    ['help', 'bakup'],
    `error: unknown command 'bakup' (did you mean backup?): the commands of turnout are ${all}`,
  ],
  [['start'], `error: unknown command 'start': the commands of turnout are ${all}`],
  [['key', 'foo'], "error: unknown command 'foo': the commands of turnout key are create, list, revoke"],
  [
    ['key', 'creat', '--account', ID],
    "error: unknown command 'creat' (did you mean create?): the commands of turnout key are create, list, revoke",
  ],
  [
    ['help', 'key', 'lst'],
    "error: unknown command 'lst' (did you mean list?): the commands of turnout key are create, list, revoke",
  ],
  [['key'], 'error: missing command: the commands of turnout key are create, list, revoke'],
  [['key', '--name', 'x'], "error: unknown option '--name'"],
]

for (const [argv, message] of unknown) {
  test(`"turnout ${argv.join(' ')}" says what there is`, async t => {
    const { turnout } = commandLine(t)
    assert.deepEqual(await turnout(...argv), { code: 2, out: '', err: `${message}\n` })
  })
}

const key = ['key', 'create', '--account', ID, '--name', 'x', '--scopes']
const refused: [string[], RegExp][] = [
  [['serve', '--port', 'x'], /^error: --port must be a port number, or 0 for a free one\.\n$/],
  [['serve', '--port', '65536'], /^error: --port must be at most 65535\.\n$/],
  [['serve', '--log-level', 'loud'], /^error: --log-level must be one of fatal, .*\n$/],
  [['serve', '--host', '0.0.0.0'], /^error: --host 0\.0\.0\.0 would .*\n$/],
  [['serve', '--trust-proxy', '10.0.0.0/8,me'], /^error: --trust-proxy must be .*\n$/],
  [
    ['serve', '--base-url', 'https://ada:secret@example.org/v1'],
    /^error: --base-url must be .* without a password\.\n$/,
  ],
  ...[
    ...['example.org', 'ftp://example.org', 'https://example.org/?v1', 'https://example.org/v1#v1'],
    ...['https://example.org/v1/reference', 'https://example.org/V1', 'https://example.org//'],
  ].map((url): [string[], RegExp] => [['serve', '--base-url', url], /^error: --base-url must be .*\n$/]),
  [
    ['serve', '--backup-dir', 'b', '--backup-every', 'at night'],
    /^error: --backup-every must be a cron line .*\n$/,
  ],
  [['serve', '--backup-dir', 'b', '--backup-every', '0 0 30 2 *'], /^error: --backup-every must be .*\n$/],
  [['serve', '--backup-dir', 'b', '--backup-keep', '0'], /^error: --backup-keep must be at least 1\.\n$/],
  [['serve', '--backup-every', '0 3 * * *'], /^error: --backup-every needs --backup-dir, .*\n$/],
  [['serve', '--backup-keep', '3'], /^error: --backup-keep needs --backup-dir, .*\n$/],
  [['sandbox', '--access-log-days', '0'], /^error: --access-log-days must be at least 1\.\n$/],
  [
    ['account', 'create', '--name', ' ', '--email', 'a@b.c'],
    /^error: --name must not be white space alone\.\n$/,
  ],
  [
    ['account', 'create', '--name', 'A', '--email', 'nobody'],
    /^error: --email must be an e-mail address .*\n$/,
  ],
  [
    ['account', 'create', '--name', 'A', '--email', 'a@b.c', '--timezone', 'Mars'],
    /^error: --timezone must be an IANA time zone .*\n$/,
  ],
  [
    ['account', 'create', '--name', 'A', '--email', 'a@b.c', '--currency', 'EURO'],
    /^error: --currency must be an upper-case ISO 4217 code .*\n$/,
  ],
  [[...key, 'events:read,nonsense'], /^error: --scopes must be some of events:read,.*\n$/],
  [[...key, ''], /^error: --scopes must be some of events:read,.*\n$/],
  [[...key, 'events:raed'], /^error: --scopes must be some of events:read,.*; "events:raed" is not\.\n$/],
  [[...key, 'x\n\u001b[2J'], /^error: --scopes must be .*; "x \[2J" is not\.\n$/],
  ...[
    ['webhook', 'add', '--url', 'https://1.1.1.1/', '--types'],
    ['webhook', 'update', ID, '--types'],
  ].map((command): [string[], RegExp] => [
    [...command, 'ping,registration.creatd,checkins'],
    /^error: --types must be some of registration\.created,.*,ping; "registration\.creatd", "checkins" are not\.\n$/,
  ]),
  [
    [...key, 'events:read', '--expires', '2020-01-01T00:00:00Z'],
    /^error: --expires must be in the future\.\n$/,
  ],
  [['apply', ''], /^error: The name of the file is empty\.\n$/],
  [[...key, 'events:read', '--expires', '2026-02-30T00:00:00Z'], /^error: --expires must be a date .*\n$/],
  [[...key, 'events:read', '--expires', '2027-01-01'], /^error: --expires must be a date .*\n$/],
  [[...key, 'events:read', '--rate-limit', '1000001'], /^error: --rate-limit must be a whole number .*\n$/],
  [[...key, 'events:read', '--rate-limit', '-1'], /^error: --rate-limit must be a whole number .*\n$/],
  [['log', 'list', '--account', ID, '--limit', '0'], /^error: --limit must be a whole number .*\n$/],
  [['log', 'list', '--account', 'me'], /^error: --account must be the e-mail or the id of an account\.\n$/],
  [['account', 'list', '--data', ''], /^error: --data must name a folder\.\n$/],
  [['key', 'revoke', 'x'], /^error: The id must be a UUID\.\n$/],
]

for (const [argv, message] of refused) {
  test(
    `"turnout ${argv.join(' ')}" is refused in one line: 1`,
    argv[0] === 'sandbox' ? ofSqlite : {},
    async t => {
      const { turnout, data } = commandLine(t)
      const { code, out, err } = await turnout(...argv, ...(argv.includes('--data') ? [] : ['--data', data]))
      assert.deepEqual([code, out], [1, ''])
      assert.match(err, message)
      assert.equal(existsSync(data), false)
    },
  )
}

test('of a long list of wrong words the beginning is quoted', async t => {
  const { turnout } = commandLine(t)
  for (const [given, quoted] of [
    ['x'.repeat(5_000), `"${'x'.repeat(50)}…" is`],
    ['x,'.repeat(5_000), '"x", "x", "x", "x", "x" and others are'],
  ] as const) {
    const { code, err } = await turnout(...key, given)
    assert.deepEqual([code, err.split('; ')[1]], [1, `${quoted} not.\n`])
  }
})

const missing: [string[], string][] = [
  [['key', 'create'], "required options '--name <name>', '--scopes <scopes>' not specified"],
  [['key', 'create', '--name', 'x'], "required option '--scopes <scopes>' not specified"],
  [['account', 'create'], "required options '--name <name>', '--email <address>' not specified"],
  [['webhook', 'add'], "required options '--url <url>', '--types <types>' not specified"],
  [['waitlist', 'list'], "required option '--event <event>' not specified"],
  // The message names what was mistyped, and not the flag that is missing.
  [['key', 'create', '--nmae', 'x'], "unknown option '--nmae' (Did you mean --name?)"],
]

for (const [argv, fault] of missing) {
  test(`"turnout ${argv.join(' ')}" is told all that is missing at once`, async t => {
    const { turnout } = commandLine(t)
    assert.deepEqual(await turnout(...argv), { code: 2, out: '', err: `error: ${fault}\n` })
  })
}

test('a flag that must be there may come from the environment, where an empty one is none', async t => {
  const { turnout, data } = commandLine(t)
  t.after(() => {
    delete process.env.TURNOUT_NAME
    delete process.env.TURNOUT_EMAIL
  })
  const create = () => turnout('account', 'create', '--data', data)
  process.env.TURNOUT_NAME = ''
  process.env.TURNOUT_EMAIL = 'ada@example.org'
  assert.deepEqual(await create(), {
    ...{ code: 2, out: '' },
    err: "error: required option '--name <name>' not specified\n",
  })
  process.env.TURNOUT_NAME = 'Ada'
  assert.equal((await create()).code, 0)
})

test('a command that reads makes no database in an empty folder', async t => {
  const { turnout, data } = commandLine(t)
  const reading = [
    ['account', 'list'],
    ['export', '--account', ID],
    ['key', 'list', '--account', ID],
    [...key, 'events:read'],
    ['key', 'revoke', ID],
    ['log', 'list', '--account', ID],
    ['waitlist', 'list', '--event', ID],
  ]
  for (const argv of reading) {
    const { code, out, err } = await turnout(...argv, '--data', data)
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /^error: There is no database in .*\n$/)
  }
  assert.equal(existsSync(data), false)
})

test('an unknown id is reported in one line', async t => {
  const { turnout, json, data } = commandLine(t)
  await json('account', 'create', '--name', 'Ada', '--email', 'ada@example.org')
  const missing: [string[], string][] = [
    [['export', '--account', ID], `error: There is no account ${ID}.\n`],
    [['key', 'list', '--account', ID], `error: There is no account ${ID}.\n`],
    [[...key, 'events:read'], `error: There is no account ${ID}.\n`],
    [['log', 'list', '--account', ID], `error: There is no account ${ID}.\n`],
    [['key', 'revoke', ID], `error: There is no API key ${ID}.\n`],
    [['waitlist', 'list', '--event', ID], `error: There is no event ${ID}.\n`],
  ]
  for (const [argv, message] of missing) {
    const { code, out, err } = await turnout(...argv, '--data', data)
    assert.deepEqual([code, out, err], [1, '', message])
  }
})

test('a flag beats the environment, and the environment the default', ofSqlite, async t => {
  const { turnout, json, data } = commandLine(t)
  await json('account', 'create', '--name', 'Ada', '--email', 'ada@example.org')
  t.after(() => {
    delete process.env.TURNOUT_DATA
    delete process.env.TURNOUT_JSON
  })
  process.env.TURNOUT_DATA = `${data}-elsewhere`
  assert.equal((await turnout('account', 'list')).code, 1)
  assert.equal((await turnout('account', 'list', '--data', data)).code, 0)
  process.env.TURNOUT_DATA = data
  for (const [word, printsJson] of [
    ['1', true],
    ['true', true],
    ['0', false],
    ['', false],
  ] as const) {
    process.env.TURNOUT_JSON = word
    const { out } = await turnout('account', 'list')
    assert.equal(out.startsWith('{'), printsJson, word)
  }
  process.env.TURNOUT_JSON = 'perhaps'
  const { code, err } = await turnout('account', 'list')
  assert.deepEqual([code, err], [1, 'error: TURNOUT_JSON must be 1 or 0.\n'])
})

test('a command that is built alone has the name, flags and help that it has among all', () => {
  const terminal = { out: () => {}, err: () => {}, clock: testClock() }
  const whole = buildProgram(terminal)
  const helpOf = (command: typeof whole): string[] =>
    [command, ...command.commands.flatMap(each => [each, ...each.commands])].map(each =>
      each.helpInformation(),
    )
  const others = whole.commands.filter(command => command.name() !== 'help')
  assert.ok(others.length > 20)
  for (const command of others) {
    const { commands } = buildProgram(terminal, command.name())
    assert.deepEqual(commands.flatMap(helpOf), helpOf(command))
  }
  for (const first of [undefined, 'help', '--help', 'toString', 'nothing'])
    assert.deepEqual(helpOf(buildProgram(terminal, first)), helpOf(whole))
})
