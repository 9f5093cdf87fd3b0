import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#base/problem.ts'
import { readTable } from '#product/guests/imports/table.ts'
import { sheetOf } from '#test/support/workbooks.ts'

/** The lines of a table, and the line that names its columns: 0 if no line does. */
const tables: readonly [what: string, lines: readonly string[][], header: number][] = [
  [
    'a header alone',
    [
      ['Name', 'Email'],
      ['Ada', 'a@example.org'],
    ],
    1,
  ],
  ['one column', [['Email'], ['a@example.org']], 1],
  ['one column without e-mails', [['Name'], ['Ada'], ['Bo']], 1],
  ['a title', [['Guests of 2026'], ['Name', 'E-mail'], ['Ada', 'a@example.org']], 2],
  [
    'a title with an address to ask',
    [
      ['Summer party'],
      ['Questions: info@club.example'],
      ['info@club.example'],
      ['Name', 'E-mail'],
      ['Ada', 'a@example.org'],
    ],
    4,
  ],
  [
    'a title that is a known name',
    [['Guest'], ['Vorname', 'Nachname', 'Mail'], ['Ada', 'L', 'a@example.org']],
    2,
  ],
  [
    'a title in several cells',
    [
      ['Association of Friends', 'Page 1'],
      ['Nombre', 'Apellidos', 'Correo electrónico'],
      ['Ada', 'L', 'a@example.org'],
    ],
    2,
  ],
  [
    'groups of columns',
    [
      ['Buyer', '', 'Attendee', ''],
      ['First name', 'Email', 'Attendee name', 'Diet'],
      ['Ada', 'a@example.org', 'Bo', ''],
    ],
    2,
  ],
  ['names that nobody knows', [['Liste'], ['Wer', 'Wohin'], ['Ada', 'a@example.org']], 2],
  [
    'a guest that has the name of a column',
    [
      ['Name', 'Email', 'Table'],
      ['Guest', '', 'Ticket'],
      ['Ada', 'a@example.org', ''],
    ],
    1,
  ],
  ['no e-mails', [['Wedding'], ['Name', 'Table'], ['Ada', '4']], 2],
  [
    'no header',
    [
      ['Ada', 'a@example.org'],
      ['Bo', 'b@example.org'],
    ],
    0,
  ],
  ['a title and no header', [['Guests'], ['Ada', 'a@example.org']], 0],
]

test('the line that names the columns is found, below titles and above the first guest', async () => {
  for (const [what, lines, header] of tables) {
    const csv = Buffer.from(`${lines.map(cells => cells.map(cell => `"${cell}"`).join(',')).join('\n')}\n`)
    for (const file of [csv, sheetOf(lines)]) {
      const read = readTable(file)
      if (header === 0) {
        await assert.rejects(
          read,
          (error: Problem) => error instanceof Problem && /noHeader/.test(JSON.stringify(error.details)),
          what,
        )
        continue
      }
      const table = await read
      assert.deepEqual(
        [table.headerLine, table.headers, table.kept, table.total],
        [
          header,
          (lines[header - 1] as string[]).slice(0, table.headers.length),
          lines.length,
          lines.length - header,
        ],
        what,
      )
    }
  }
})

test('a header is looked for in the first twenty lines with content, and empty lines count for nobody', async () => {
  const title = (count: number) => Array.from({ length: count }, (_, at) => [`Note ${at}`])
  const rest = [
    ['Name', 'Email'],
    ['Ada', 'a@example.org'],
  ]
  const table = await readTable(sheetOf([undefined, undefined, ...title(18), undefined, ...rest]))
  assert.deepEqual([table.headerLine, table.kept, table.total], [22, 20, 1])
  const far = await readTable(sheetOf([...title(20), ...rest]))
  assert.deepEqual([far.headerLine, far.headers], [1, ['Note 0']])
})
