import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#base/problem.ts'
import type { Mapping } from '#machinery/bank-files/mapping.ts'
import { readStatement } from '#machinery/bank-files/statement.ts'
import { readAll } from './read-all.ts'

const HEADER = 'Date,Name,Reference,Amount'

async function read(file: string | Uint8Array, currency = 'EUR', kept?: Mapping) {
  const statement = await readStatement(typeof file === 'string' ? Buffer.from(file) : file, currency, kept)
  return { ...statement, ...(await readAll(statement)) }
}

const table = (...lines: string[]) => read([HEADER, ...lines].join('\n'))

/** Returns the lines that are wrong, with the first fault of each. */
async function wrong(...lines: string[]): Promise<[line: number, field: string | null, key: string][]> {
  const { wrong } = await table(...lines)
  return wrong.map(({ line, faults: [{ field, fault }] }) => [line, field, fault.key])
}

async function refusal(
  work: Promise<unknown>,
): Promise<[param: string | undefined, key: string, line?: number]> {
  try {
    await work
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.code, 'invalid_parameter')
    const { fault, line } = error.details as { fault: { key: string }; line?: number }
    return line === undefined ? [error.param, fault.key] : [error.param, fault.key, line]
  }
  assert.fail('It was read.')
}

test('a wrong line is told by itself with its number and why, and the others are read', async () => {
  const found = await table(
    '31.12.2026,Ann,A,"1,50"',
    '31.02.2026,Ann,B,"1,50"',
    '31.12.2026,Ann,C,abc',
    '31.12.2026,Ann,D,"1,505"',
    ',Ann,E,"1,50"',
    '31.12.2026,Ann,F,',
    '31.12.2026,Ann,G,"1,50",more',
    '31.12.2026,Ann,H\0,"1,50"',
    `31.12.2026,Ann,${'x'.repeat(5000)},"1,50"`,
    '31.12.2026,Ann,"I "x" y","1,50"',
    '31.12.2026,Ann,J,=cmd|1',
    '31.12.2026,Ann,K,12 XYZ',
    '31.12.2026,Ann,L,"2,50"',
  )
  assert.deepEqual(
    found.lines.map(({ line, text, amount }) => [line, text, amount]),
    [
      [2, 'A', 150],
      [14, 'L', 250],
    ],
  )
  assert.deepEqual(
    found.wrong.map(({ line, faults: [{ field, fault }] }) => [line, field, fault.key]),
    [
      [3, 'date', 'calendarDate'],
      [4, 'amount', 'amountText'],
      [5, 'amount', 'amountText'],
      [6, 'date', 'required'],
      [7, 'amount', 'required'],
      [8, null, 'moreCells'],
      [9, 'text', 'wellFormed'],
      [10, 'text', 'maxLength'],
      [11, null, 'openQuote'],
      [12, 'amount', 'amountText'],
      [13, 'amount', 'amountText'],
    ],
  )
})

test('a formula in a text is text, and nothing else', async () => {
  const { lines } = await table(`31.12.2026,"=cmd|' /C calc'!A0",+HYPERLINK(1),"1,50"`)
  assert.deepEqual(
    lines.map(({ counterparty, text }) => [counterparty, text]),
    [["=cmd|' /C calc'!A0", '+HYPERLINK(1)']],
  )
})

test('the same line again in a file is another one, and the same file has the same keys', async () => {
  const file = [HEADER, '31.12.2026,Ann,A,"1,50"', '31.12.2026,Ann,A,"1,50"', '30.12.2026,Ann,A,"1,50"'].join(
    '\n',
  )
  const [one, again] = [await read(file), await read(file)]
  assert.deepEqual(
    one.lines.map(({ date, n }) => [date, n]),
    [
      ['2026-12-31', 1],
      ['2026-12-31', 2],
      ['2026-12-30', 1],
    ],
  )
  const keys = one.lines.map(({ key }) => key)
  assert.deepEqual(
    again.lines.map(({ key }) => key),
    keys,
  )
  assert.equal(new Set(keys).size, 3)
  assert.ok(keys.every(key => /^[0-9a-f]{64}$/.test(key)))
})

test('an overlapping file has the keys of the lines that both have, in any order and encoding', async () => {
  const lines = [
    '29.12.2026,Ännchen,A,"1,50"',
    '30.12.2026,Ann,B,"1,50"',
    '30.12.2026,Ann,B,"1,50"',
    '31.12.2026,Bob,C,"2,00"',
  ]
  const keysOf = async (some: string[], encoding: 'utf8' | 'latin1' = 'utf8') => {
    const found = await read(Buffer.from([HEADER, ...some].join('\r\n'), encoding))
    return found.lines.map(({ key }) => key)
  }
  const all = await keysOf(lines)
  assert.deepEqual(new Set(await keysOf(lines.toReversed(), 'latin1')), new Set(all))
  assert.deepEqual(await keysOf(lines.slice(1)), all.slice(1))
  assert.deepEqual(await keysOf(lines.slice(0, 2)), all.slice(0, 2))
})

test('a key is of date, amount, currency, counterparty, text and the count: each makes it another', async () => {
  const one = 'Date,Name,Reference,Amount,Currency\n2026-12-31,Ann,A B,1.50,EUR\n'
  const others = [
    ...[one.replace('12-31', '12-30'), one.replace('1.50', '1.51'), one.replace('1.50', '-1.50')],
    ...[one.replace(',EUR', ',USD'), one.replace('Ann', 'Anna'), one.replace('A B', 'AB')],
    one.replace('Ann,A B', 'Ann A,B'),
  ]
  const keys = await Promise.all([one, ...others].map(async file => (await read(file)).lines[0]?.key))
  assert.equal(new Set(keys).size, others.length + 1)
  assert.equal((await read(one.replace('A B', ' A   B '))).lines[0]?.key, keys[0])
})

test('dates that may be either are settled by the others of the column, or said to be open', async () => {
  const dates = async (...all: string[]) => {
    const found = await table(...all.map(date => `${date},Ann,A,"1,50"`))
    return [
      found.lines.map(({ date }) => date),
      found.doubts,
      found.wrong.map(({ faults: [{ fault }] }) => fault),
    ]
  }
  assert.deepEqual(await dates('01/02/2026', '13/02/2026'), [['2026-02-01', '2026-02-13'], [], []])
  assert.deepEqual(await dates('01/02/2026', '02/13/2026'), [['2026-01-02', '2026-02-13'], [], []])
  assert.deepEqual(await dates('01/02/2026', '02/02/2026'), [
    ['2026-02-02'],
    ['order'],
    [{ key: 'ambiguous', parameters: { values: ['2026-02-01', '2026-01-02'] } }],
  ])
  const file = `${HEADER}\n01/02/2026,Ann,A,"1,50"\n`
  const { mapping } = await read(file)
  assert.equal((await read(file, 'EUR', { ...mapping, order: 'mdy' })).lines[0]?.date, '2026-01-02')
  assert.equal((await read(file, 'EUR', { ...mapping, order: 'dmy' })).lines[0]?.date, '2026-02-01')
})

test('amounts that may be either are settled by the others of the file, or said to be open', async () => {
  const amounts = async (...all: string[]) => {
    const found = await table(...all.map(amount => `31.12.2026,Ann,A,"${amount}"`))
    return [
      found.lines.map(({ amount }) => amount),
      found.doubts,
      found.wrong.map(({ faults: [{ fault }] }) => fault),
    ]
  }
  assert.deepEqual(await amounts('1,234', '1.50'), [[123_400, 150], [], []])
  assert.deepEqual(await amounts('1.234', '1,50'), [[123_400, 150], [], []])
  assert.deepEqual(await amounts('1,500', '7'), [
    [700],
    ['decimal'],
    [{ key: 'ambiguous', parameters: { values: ['1.50', '1500.00'] } }],
  ])
  const byBalance = await read('Date,Amount,Balance\n2026-12-31,"1,500","10,234.50"\n')
  assert.deepEqual([byBalance.lines[0]?.amount, byBalance.doubts], [150_000, []])
  const file = `${HEADER}\n2026-12-31,Ann,A,"1,500"\n`
  const { mapping } = await read(file)
  assert.equal((await read(file, 'EUR', { ...mapping, decimal: ',' })).lines[0]?.amount, 150)
  assert.equal((await read(file, 'EUR', { ...mapping, decimal: '.' })).lines[0]?.amount, 150_000)
  const dinars = await read(file, 'KWD')
  assert.deepEqual([dinars.doubts, dinars.lines], [['decimal'], []])
})

test('a line with both credit and debit, or with a sign against its flag, is wrong', async () => {
  const sides = await read(
    'Date,Debit,Credit\n2026-12-31,1.00,2.00\n2026-12-31,0.00,2.00\n2026-12-31,3.00,0.00\n2026-12-31,,\n',
  )
  assert.deepEqual(
    [sides.lines.map(({ amount }) => amount), sides.wrong.map(({ line }) => line)],
    [
      [200, -300],
      [2, 5],
    ],
  )
  const flags = await read(
    'Date,Amount,D/C\n2026-12-31,1.00,D\n2026-12-31,1.00,C\n2026-12-31,1.00,X\n2026-12-31,2.00,\n',
  )
  assert.deepEqual(
    [flags.lines.map(({ amount }) => amount), flags.wrong.map(({ line }) => line)],
    [
      [-100, 100],
      [4, 5],
    ],
  )
  const kept = { ...flags.mapping }
  const signed = await read(
    'Date,Amount,D/C\n2026-12-31,-1.00,D\n2026-12-31,-1.00,C\n2026-12-31,+1.00,D\n',
    'EUR',
    kept,
  )
  assert.deepEqual(
    [signed.lines.map(({ amount }) => amount), signed.wrong.map(({ line }) => line)],
    [[-100], [3, 4]],
  )
})

test('a reversal in a column of debits comes in, whichever sign debits have there', async () => {
  const plain = await read('Date,Debit,Credit\n2026-12-31,5.00,\n2026-12-31,6.00,\n2026-12-31,-1.00,\n')
  assert.deepEqual(
    plain.lines.map(({ amount }) => amount),
    [-500, -600, 100],
  )
  const signed = await read('Date,Debit,Credit\n2026-12-31,-5.00,\n2026-12-31,-6.00,\n2026-12-31,1.00,\n')
  assert.deepEqual(
    signed.lines.map(({ amount }) => amount),
    [-500, -600, 100],
  )
})

test('a column of debits that says so again goes out once, and what is no amount is no zero', async () => {
  const again = await read(
    'Date,Debit,Credit\n2026-12-31,5.00 DR,\n2026-12-31,,6.00 CR\n2026-12-31,7.00,abc\n',
  )
  assert.deepEqual(
    again.lines.map(({ amount }) => amount),
    [-500, 600],
  )
  assert.deepEqual(
    again.wrong.map(({ line }) => line),
    [4],
  )
})

test('where debits have either sign as often, all of them go out', async () => {
  const { lines } = await read('Date,Debit,Credit\n2026-12-31,5.00,\n2026-12-31,-6.00,\n')
  assert.deepEqual(
    lines.map(({ amount }) => amount),
    [-500, -600],
  )
})

test('each line has its own currency, with the minor units of that', async () => {
  const { lines, wrong } = await read(
    'Date,Amount,Currency\n2026-12-31,"1,012.50",USD\n2026-12-31,"1,012",JPY\n2026-12-31,1.250,KWD\n2026-12-31,7.50,\n2026-12-31,7.50,XYZ\n2026-12-31,€7.50,USD\n',
  )
  assert.deepEqual(
    lines.map(({ amount, currency }) => [amount, currency]),
    [
      [101_250, 'USD'],
      [1012, 'JPY'],
      [1250, 'KWD'],
      [750, 'EUR'],
    ],
  )
  assert.deepEqual(
    wrong.map(({ line, faults: [{ field, fault }] }) => [line, field, fault.key]),
    [
      [6, 'currency', 'currency'],
      [7, 'amount', 'contradicts'],
    ],
  )
})

test('the names that Polish banks give to payer and purpose are guessed apart', async () => {
  const file = 'Data księgowania;Nadawca;Tytuł operacji;Kwota operacji\n2026-12-31;ŁUCJA ŻAK;bilet;20,00\n'
  const { lines } = await read(file, 'PLN')
  assert.deepEqual([lines[0]?.counterparty, lines[0]?.text], ['ŁUCJA ŻAK', 'bilet'])
})

test('what a person says of the columns wins over the guess', async () => {
  const file = 'Date,Paid on,Amount,Total,Note,Memo\n2026-12-31,2026-12-30,1.00,9.00,one,two\n'
  const { mapping, lines } = await read(file)
  assert.deepEqual([lines[0]?.date, lines[0]?.amount, lines[0]?.text], ['2026-12-31', 100, 'one two'])
  const chosen = { ...mapping, date: 'Paid on', amount: 'Total', text: ['Memo'] }
  const other = await read(file, 'EUR', chosen)
  assert.deepEqual(
    [other.lines[0]?.date, other.lines[0]?.amount, other.lines[0]?.text],
    ['2026-12-30', 900, 'two'],
  )
  assert.deepEqual(other.mapping, chosen)
})

test('a mapping that does not fit the file any more is noticed, and nothing is read by it', async () => {
  const { mapping } = await read('Date,Name,Amount\n2026-12-31,Ann,1.00\n')
  const file = Buffer.from('Date,Name,Sum,Amount (EUR)\n2026-12-31,Ann,2.00,1.00\n')
  const statement = await readStatement(file, 'EUR', mapping)
  assert.deepEqual(statement.unfit, ['Amount'])
  assert.equal(statement.mapping.amount, 'Amount (EUR)')
  assert.deepEqual(await refusal(readAll(statement)), ['mapping', 'otherColumns'])
  // A column more, or another order, is no matter.
  const more = await read('New,Amount,Name,Date\nx,1.00,Ann,2026-12-31\n', 'EUR', mapping)
  assert.deepEqual([more.unfit, more.lines.length], [[], 1])
})

test('a mapping that cannot be is refused at its field', async () => {
  const file = Buffer.from('Date,Name,Amount\n2026-12-31,Ann,1.00\n')
  const { mapping } = await readStatement(file, 'EUR')
  const of = (changes: Partial<Mapping>) => refusal(readStatement(file, 'EUR', { ...mapping, ...changes }))
  assert.deepEqual(await of({ date: null }), ['mapping.date', 'required'])
  assert.deepEqual(await of({ amount: null }), ['mapping.amount', 'required'])
  assert.deepEqual(await of({ debit: 'Amount' }), ['mapping.debit', 'contradicts'])
  assert.deepEqual(await of({ amount: null, credit: 'Amount', flag: 'Name' }), ['mapping.amount', 'required'])
})

test('where columns cannot be told, their names and first lines are there to choose from', async () => {
  const file = Buffer.from('Alpha,Beta,Gamma\nx,y,z\nx,y,z\n')
  const statement = await readStatement(file, 'EUR')
  assert.deepEqual(statement.columns, ['Alpha', 'Beta', 'Gamma'])
  assert.deepEqual(statement.missing, ['date', 'amount'])
  assert.deepEqual(statement.sample[0], ['x', 'y', 'z'])
  assert.deepEqual(await refusal(readAll(statement)), ['mapping.date', 'required'])
})

test('the table of a kept mapping is found where another one stands before it', async () => {
  const rows = 'Alpha,Beta,Gamma\n2026-12-31,Ann,1.00\n'
  const { mapping, lines } = await read(rows)
  assert.deepEqual([mapping.date, mapping.amount, lines.length], ['Alpha', 'Gamma', 1])
  const two = `Date,Amount,Balance\n2026-12-01,9.00,9.00\n\n${rows}`
  const found = await read(two, 'EUR', mapping)
  assert.deepEqual([found.unfit, found.lines.map(({ amount }) => amount)], [[], [100]])
})

test('a flag is found in a column of any name, also where some lines have none; hyphens alone are no flag', async () => {
  const amounts = async (header: string, ...flags: string[]) => {
    const lines = flags.map(flag => `2026-12-31,1.00,${flag}`)
    const found = await read(`Date,Amount,${header}\n${lines.join('\n')}\n`)
    return [found.lines.map(({ amount }) => amount), found.wrong.length]
  }
  assert.deepEqual(await amounts('', 'S', 'H'), [[-100, 100], 0])
  assert.deepEqual(await amounts('Type', 'Debit', 'Credit'), [[-100, 100], 0])
  assert.deepEqual(await amounts('Kind', 'DBIT', 'CRDT', 'FEE'), [[-100, 100], 1])
  assert.deepEqual(await amounts('Kind', '-', '+'), [[-100, 100], 0])
  assert.deepEqual(await amounts('Kind', '-', '-'), [[100, 100], 0])
  assert.deepEqual(await amounts('Note', '-', 'c'), [[100, 100], 0])
})

test('of balances and an amount without names, the amount is the one that leads from balance to balance', async () => {
  const file = '2026-12-01,10.00,30.00,20.00,from Ann\n2026-12-13,30.00,35.50,5.50,from Bob\n'
  assert.deepEqual(
    (await read(file)).lines.map(({ amount }) => amount),
    [2000, 550],
  )
  const [first = ''] = file.split('\n')
  assert.deepEqual((await readStatement(Buffer.from(`${first}\n`), 'EUR')).missing, ['amount'])
})

test('names that are there twice, and columns without one, have names of their own', async () => {
  const { columns, mapping } = await read(
    'Date,Amount,Currency,,Balance,Currency\n2026-12-31,1.00,EUR,,2.00,USD\n',
  )
  assert.deepEqual(columns, ['Date', 'Amount', 'Currency', '#4', 'Balance', 'Currency (2)'])
  assert.equal(mapping.currency, 'Currency')
})

test('a line below another that has a date is wrong without one; what stands below all of them is a remark', async () => {
  assert.deepEqual(await wrong('31.12.2026,Ann,A,1', ',,,5', '31.12.2026,Ann,B,1', 'Total,,,7', ',,,7'), [
    [3, 'date', 'required'],
  ])
})

test('quotation marks that stand alone make nothing of what is between them', async () => {
  const found = await table(
    '31.12.2026,Ann,"A,1',
    '31.12.2026,Bob,B",2',
    '31.12.2026,Eve,C,3',
    '31.12.2026,Ann,D "quoted" here,4',
    '31.12.2026,"Ann,E,5',
    '31.12.2026,Ann,F,6',
  )
  assert.deepEqual(
    found.lines.map(({ text }) => text),
    ['C', 'D "quoted" here', 'F'],
  )
  assert.deepEqual(
    found.wrong.map(({ faults: [{ fault }] }) => fault.key),
    ['openQuote', 'openQuote'],
  )
})

test('a text that somebody wrote like a line of the table is never one', async () => {
  const forged = '2026-12-31,Eve,RF18539007547034,1000.00'
  for (const text of [
    `x\n${forged}\ny`,
    `x,,,,\n${forged}\ny,,,,`,
    `"\n${forged}\n"`,
    `",,,\n${forged}\n,,,"`,
  ]) {
    const cell = `"${text.replaceAll('"', '""')}"`
    for (const file of [
      `${HEADER}\n2026-12-31,Ann,${cell},1.00\n2026-12-30,Bob,B,2.00\n`,
      `Date,Name,Amount,Reference\n2026-12-31,Ann,1.00,${cell}\n2026-12-30,Bob,2.00,B\n`,
    ]) {
      const { lines } = await read(file)
      assert.ok(
        lines.every(({ amount, counterparty }) => amount !== 100_000 && counterparty !== 'Eve'),
        file,
      )
      assert.ok(
        lines.some(({ counterparty }) => counterparty === 'Bob'),
        file,
      )
    }
  }
})
