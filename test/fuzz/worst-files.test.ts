import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Problem } from '#base/problem.ts'
import { readStatement } from '#machinery/bank-files/statement.ts'
import * as pictures from '#product/catalog/events/pictures.ts'
import { readTable } from '#product/guests/imports/table.ts'
import { isShortStop, LONGEST_STOP, longestTurnOf, TRIES } from '#test/support/processor-time.ts'
import { worstPictures, worstTables } from '#test/support/worst-files.ts'
import { worstWorkbooks } from '#test/support/worst-workbooks.ts'

/** No more files that stop the event loop too long are reported than this. */
const ENOUGH = 5

const KIBIBYTE = 1024
/** Small ones come first: what takes the square of its length is seen before it stops everything for minutes. */
const SIZES = [16 * KIBIBYTE, 200 * KIBIBYTE]

/** Reads each of these files at each size, and fails where the event loop did not turn for too long. */
async function assertSoon(
  t: TestContext,
  files: ReadonlyMap<string, (size: number) => Buffer>,
  read: (bytes: Buffer) => Promise<unknown>,
  sizes = SIZES,
): Promise<void> {
  let longest = { stop: 0, what: 'nothing' }
  let [taken, refused] = [0, 0]
  const tooLong: string[] = []
  for (const [what, make] of files) {
    if (tooLong.length >= ENOUGH) break
    for (const size of sizes) {
      const bytes = make(size)
      let stop = Number.POSITIVE_INFINITY
      for (let attempt = 0; attempt < TRIES && stop >= LONGEST_STOP; attempt++) {
        const turn = await longestTurnOf(async () => {
          try {
            await read(bytes)
            taken++
          } catch (error) {
            assert.ok(error instanceof Problem && error.code === 'invalid_parameter', `${what}: ${error}`)
            refused++
          }
        })
        stop = Math.min(stop, turn)
      }
      if (stop > longest.stop) longest = { stop, what }
      if (isShortStop(stop)) continue
      tooLong.push(`${stop.toFixed(0)} ms: ${what}, ${size} bytes`)
      break
    }
  }
  t.diagnostic(
    `${taken} read, ${refused} refused; the longest turn, ${longest.stop.toFixed(1)} ms: ${longest.what}`,
  )
  assert.deepEqual(tooLong, [])
  assert.ok(taken > 0 && refused > 0)
}

test('the worst bank statement of each kind stops nobody for 50 ms', { timeout: 300_000 }, async t => {
  const columns = ['Date', 'Amount', 'Currency', 'D/C', 'Name', 'Reference']
  const files = worstTables(columns, ['2026-12-31', '1.00', 'EUR', 'C', 'Ann', 'A-1'])
  await assertSoon(t, files, async bytes => {
    for await (const _ of (await readStatement(bytes, 'EUR')).read());
  })
})

test('a bank statement of a mapping that was said before stops nobody for 50 ms', {
  timeout: 120_000,
}, async t => {
  const columns = ['Date', 'Amount', 'One', 'Two', 'Three', 'Four']
  const files = worstTables(columns, ['2026-12-31', '1.00', 'a', 'b', 'c', 'd'])
  const some = new Map([...files].filter(([what]) => /cells|columns/.test(what)))
  const none = { value_date: null, credit: null, debit: null, flag: null, currency: null, bank_id: null }
  const chosenColumns = {
    date: 'Date',
    amount: 'Amount',
    counterparty: ['One', 'Two'],
    text: ['Three', 'Four'],
  }
  const mapping = { ...none, ...chosenColumns, status: null, order: null, decimal: null }
  await assertSoon(
    t,
    some,
    async bytes => {
      const statement = await readStatement(bytes, 'EUR', mapping)
      if (statement.unfit.length === 0) for await (const _ of statement.read());
    },
    SIZES.slice(1),
  )
})

test('the worst list of guests of each kind stops nobody for 50 ms', { timeout: 300_000 }, async t => {
  const files = worstTables(['Name', 'Email', 'Ticket type'], ['Ann', 'ann@example.org', 'Free'])
  await assertSoon(t, files, async bytes => {
    for await (const _ of (await readTable(bytes)).lines());
  })
})

test('the worst workbook of each kind stops nobody for 50 ms', { timeout: 600_000 }, async t => {
  await assertSoon(
    t,
    worstWorkbooks(),
    async bytes => {
      for await (const _ of (await readTable(bytes)).lines());
    },
    SIZES.slice(1),
  )
})

test('the worst picture of each kind stops nobody for 50 ms', async t => {
  const most = pictures.MAX_PICTURE_BYTES
  await assertSoon(t, worstPictures, async bytes => pictures.examine(bytes), [most / 16, most - 200])
})

test('a statement of 200 columns of one name is read, and one of more is refused before they are named', async () => {
  const of = (columns: number) =>
    Buffer.from(`Date,Amount${',a'.repeat(columns - 2)}\n2026-12-31,1.00${',b'.repeat(columns - 2)}\n`)
  const { columns } = await readStatement(of(200), 'EUR')
  assert.deepEqual([columns.length, new Set(columns).size, columns.at(-1)], [200, 200, 'a (198)'])
  for (const width of [201, 8_000, 1_000_000]) {
    const fault = { key: 'tooManyColumns', parameters: { max: 200 } }
    await assert.rejects(readStatement(of(width), 'EUR'), (error: Problem) => {
      assert.deepEqual([error.param, error.details], ['file', { fault, line: 1 }])
      return true
    })
  }
})
