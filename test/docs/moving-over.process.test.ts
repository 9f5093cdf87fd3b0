import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandLine } from '#test/faces/cli/turnout.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { blockOf } from './pages.ts'

// This test runs the script of the page, as people copy it, on files that spreadsheets write.

const PAGE = 'docs/moving-over.md'
const PYTHON = 'python3'
const options = {
  skip: spawnSync(PYTHON, ['--version']).status === 0 ? false : 'there is no python3',
}

function convert(t: Parameters<typeof temporaryFolder>[0], csv: string | Buffer, organization?: object) {
  const folder = temporaryFolder(t)
  const given = organization === undefined ? blockOf(PAGE, 'json') : JSON.stringify(organization)
  writeFileSync(join(folder, 'moving-over.py'), blockOf(PAGE, 'python'))
  writeFileSync(join(folder, 'organization.json'), given)
  writeFileSync(join(folder, 'people.csv'), csv)
  const moved = join(folder, 'moved.json')
  const { status, stderr } = spawnSync(
    PYTHON,
    ['moving-over.py', 'people.csv', 'organization.json', 'moved.json'],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, PYTHONIOENCODING: 'utf-8' } },
  )
  return { status, stderr, moved, folder }
}

function registrationsIn(path: string): Record<string, unknown>[] {
  return JSON.parse(readFileSync(path, 'utf8')).events[0].registrations
}

test(
  'the script and the files of the page about moving over make registrations with tickets',
  options,
  async t => {
    const { status, stderr, moved } = convert(t, `${blockOf(PAGE, 'csv')}\n`)
    assert.deepEqual([status, stderr], [0, '2 registrations\n'])
    const { turnout, json, data } = commandLine(t)
    const preview = await turnout('apply', moved, '--dry-run', '--data', data)
    assert.equal(preview.code, 0, preview.err)
    assert.ok(!existsSync(data))
    const report = await json('apply', moved)
    const { registrations } = report.events['spring-meeting']
    assert.deepEqual(Object.keys(registrations), ['A-17', 'A-18'])
    const again = await json('apply', moved)
    assert.deepEqual([again.created, again.updated], [0, 0])
    const exported = await json('export', '--account', report.account_id)
    const [grace, joerg] = exported.events[0].registrations
    assert.deepEqual(
      [grace.amount_total, grace.answers, grace.created_at, joerg.buyer.name, joerg.attendees.length],
      [5000, { Diet: 'vegan' }, '2026-10-01T12:00:00.000Z', 'Müller, Jörg', 2],
    )
    assert.equal((await json('check')).ok, true)
  },
)

test(
  'odd cells come through as they are: quotes, line breaks, formulas, umlauts, no e-mail',
  options,
  async t => {
    const rows = [
      'Reference;Name;Email;Ticket;Quantity;Paid;Date;Wishes;;',
      '1;"Ada ""Countess"" Lovelace";ada@x.org;Standard;;1.250,00;01.10.2026;"=1+1;\nsecond line";;',
      '2;  Łukasz   Żółć ;;Guest;3;;;;;',
      ';;;;;;;;;',
      '3;O\'Neil 🎟 \\n;o.neil@x.org;Standard;1;€ 50;;{"a": 1};;',
    ]
    const { status, stderr, moved } = convert(t, `\ufeff${rows.join('\r\n')}\r\n`)
    assert.deepEqual([status, stderr], [0, '3 registrations\n'])
    const { json } = commandLine(t)
    const report = await json('apply', moved)
    const [ada, lukasz, neil] = (await json('export', '--account', report.account_id)).events[0].registrations
    assert.deepEqual(
      [ada.buyer.name, ada.amount_total, ada.answers, ada.created_at],
      ['Ada "Countess" Lovelace', 125_000, { Wishes: '=1+1;\nsecond line' }, '2026-10-01T12:00:00.000Z'],
    )
    assert.deepEqual(lukasz.buyer, { name: 'Łukasz Żółć', email: 'ada@example.org' })
    assert.deepEqual(
      lukasz.attendees.map(({ name, email }: Record<string, unknown>) => [name, email ?? null]),
      Array.from({ length: 3 }, () => ['Łukasz Żółć', null]),
    )
    assert.deepEqual([neil.buyer.name, neil.amount_total], ["O'Neil 🎟 \\n", 5000])
  },
)

test('a file of Excel in the old encoding is read, and said to be', options, t => {
  const { status, stderr, moved } = convert(
    t,
    Buffer.from('Reference,Name,Ticket\n1,J\xf6rg \x80,Guest\n', 'latin1'),
  )
  assert.equal(status, 0, stderr)
  assert.match(stderr, /Windows-1252/)
  assert.deepEqual(registrationsIn(moved)[0]?.buyer, { name: 'Jörg €', email: 'ada@example.org' })
})

test('every row that cannot be used is named, and nothing is written', options, t => {
  const { status, stderr, moved } = convert(
    t,
    [
      'Reference,Name,Ticket,Quantity,Paid,Date,Email',
      'A,Grace,Guest,,,,',
      'A,Ada,Guest,,,,',
      'B,,Guest,,,,',
      'C,Wes,Gold,,,,',
      'D,Wes,Guest,0,,,',
      'E,Wes,Guest,,fifty,,',
      'F,Wes,Guest,,-5,,',
      'G,Wes,Guest,,,13/12/2026,',
      ',Wes,Guest,,,,',
      'H,Wes,Guest,,,31.02.2026,',
      'I,Wes,Guest,101,"50,-",,',
    ].join('\n'),
  )
  assert.equal(status, 1)
  assert.ok(!existsSync(moved))
  assert.deepEqual(stderr.trimEnd().split('\n'), [
    "line 3: Reference 'A' is that of line 2 too",
    'line 4: Name is empty',
    "line 5: Ticket 'Gold' is none of Guest, Standard",
    "line 6: Quantity '0' is not a number from 1 to 100",
    "line 7: Paid 'fifty' is no amount",
    "line 8: Paid '-5' is no amount",
    "line 9: Date '13/12/2026' is neither like 2026-10-01 nor like 01.10.2026",
    'line 10: Reference is empty',
    "line 11: Date '31.02.2026' is neither like 2026-10-01 nor like 01.10.2026",
    "line 12: Quantity '101' is not a number from 1 to 100",
  ])
})

test('a file without its columns, or that is cut off, is refused in a sentence', options, t => {
  const cases = [
    ['Reference,Name,Name\n', 'the first row must have once: Ticket, Name. It has: Reference, Name, Name'],
    ['', 'the first row must have once: Reference, Name, Ticket. It has: '],
    ['Reference,Name,Ticket\n1,"Grace,Guest\n', 'the file is no CSV: unexpected end of data'],
    [
      'Reference,Name,Ticket\n1,Grace,Guest,more\n',
      'the file is no CSV: line 2 has more cells than the first row',
    ],
  ] as const
  for (const [csv, sentence] of cases) {
    const { status, stderr, moved } = convert(t, csv)
    assert.deepEqual([status, stderr.trimEnd()], [1, sentence.trimEnd()])
    assert.ok(!existsSync(moved))
  }
})
