import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWrongSums } from '#product/data-care/integrity/sums.ts'
import { taxIn } from '#product/selling/orders/basket.ts'
import { live } from '#test/support/lived/live.ts'
import { type Column, moneyColumns, openPlanted, type Row } from '#test/support/planted.ts'

/** Nothing can prove what these columns say: whoever set them may have set anything, and may set something else. */
const SETTINGS: Readonly<Record<string, string>> = {
  'accounts.service_fee_basis_points': 'what the account takes of its next registrations',
  'accounts.service_fee_per_ticket': 'the same',
  'codes.amount': 'what the code takes off the next tickets; tickets have what it took off them',
  'codes.percent': 'the same',
  'events.cancel_refund_basis_points': 'what the next buyer who cancels gets back',
  'registration_types.open_price': 'whether the next buyers may give more',
  'registration_types.price': 'what the next ticket costs; tickets have what they cost',
  'registration_types.tax_basis_points': 'the same',
  'jobs.total': 'a count, and no money',
}

type Change = 'more' | 'less' | 'gone' | 'double'

interface Exception {
  table: string
  /** A column, or rows that are gone or doubled. */
  of: string
  when: (row: Row, change: Change, of: { cut: readonly string[] }) => boolean
  why: string
}

/** Nothing else in the database knows of these, or the product itself could have written them so. */
const EXCEPTIONS: readonly Exception[] = [
  {
    ...{ table: 'attendees', of: 'tax_basis_points' },
    when: ({ price, discount, tax, tax_basis_points: rate }, change) =>
      taxIn(Number(price) - Number(discount), Number(rate) + (change === 'more' ? 1 : -1)) === tax,
    why: 'its tax is the same at that rate, and no receipt says the rate of a ticket that nobody has paid for',
  },
  {
    ...{ table: 'registrations', of: 'amount_subtotal' },
    when: row => row.order_id === null,
    why: 'what it would have cost without a discount is said by its file alone',
  },
  ...['amount', 'gone', 'double'].flatMap((of): Exception[] => [
    {
      ...{ table: 'disputes', of, when: row => row.status === 'warning' },
      why: 'while the bank only asks, no money has moved',
    },
    {
      ...{ table: 'orphan_payments', of, when: () => true },
      why: 'it is money of no order here: the processor alone knows of it',
    },
  ]),
  ...['gone', 'double'].map(
    (of): Exception => ({
      ...{ table: 'payments', of, when: row => row.received === null },
      why: 'an attempt that no money came for leaves nothing else behind, and there may be several',
    }),
  ),
  {
    ...{ table: 'registrations', of: 'refunded_amount' },
    when: ({ id }, _, { cut }) => cut.includes(id as string),
    why: 'it says what was to go back before the organizer made another refund at the processor, and that is kept nowhere else',
  },
  ...['gone', 'double'].map(
    (of): Exception => ({
      ...{ table: 'refunds', of },
      when: row => row.reason === 'organizer' && (row.status === 'requested' || row.status === 'dropped'),
      why: 'no money has moved, and the ticket stands or another refund is for it',
    }),
  ),
  ...['amount', 'gone', 'double'].map(
    (of): Exception => ({
      ...{ table: 'payouts', of },
      when: row => row.list === 'manual',
      why: 'the processor alone knows what somebody has paid out by hand, where no line of the bank was matched to it',
    }),
  ),
  {
    ...{ table: 'statement_lines', of: 'gone' },
    when: row => row.state !== 'matched' || row.outcome === 'paid_back' || row.outcome === 'paid_out',
    why: 'no entry of the ledger is of it',
  },
]

/** Tells whether a finding names the row, or what it is of. The rows of a lost order name themselves, and say that it is missing. */
function isNamed(found: readonly string[], { table }: Pick<Column, 'table'>, row: Row): boolean {
  const names = Object.entries(row).flatMap(([name, value]) =>
    typeof value === 'string' && /(^|_)id$/.test(name) && !/^(account|event)_id$/.test(name) ? [value] : [],
  )
  if (table === 'orders') names.push('of an order that', 'has no registration')
  if (table === 'payments' || table === 'refunds') names.push('of a payment or refund that')
  if (table === 'receipts') names.push(`of account ${row.account_id} are not numbered`)
  return found.some(sentence => [`row of ${table}`, ...names].some(name => sentence.includes(name)))
}

test('a wrong cent, a missing row and a doubled one are found wherever there is money, and what is wrong is named', async t => {
  const { data } = await live(t)
  const { rows, reader, during, rowsOf, add, remove, double } = await openPlanted(t, data)
  const columns = moneyColumns()
  const settings = columns.map(({ table, name }) => `${table}.${name}`).filter(name => name in SETTINGS)
  assert.deepEqual(settings.sort(), Object.keys(SETTINGS).sort(), 'no setting stands here in vain')
  const money = columns.filter(({ table, name }) => !(`${table}.${name}` in SETTINGS))
  const cut = await rows.column<string>(
    `SELECT r.id FROM registrations r JOIN refunds f ON f.order_id = r.order_id
     WHERE f.reason = 'organizer' AND f.status = 'failed' AND f.amount < r.refunded_amount`,
  )
  assert.equal(cut.length, 1)
  const unseen: string[] = []
  const used = new Set<Exception>()
  let planted = 0
  const plant = async (of: Column, row: Row, change: Change, work: () => Promise<unknown>) => {
    let made: unknown
    const found = await during(async () => {
      made = await work()
    }, findWrongSums)
    // A double has an id of its own.
    const either = [row, ...(typeof made === 'object' ? [made as Row] : [])]
    // The schema itself refuses some.
    if (found === undefined) return
    planted++
    if (found.length > 0 && either.some(each => isNamed(found, of, each))) return
    const exception = EXCEPTIONS.find(
      each => each.table === of.table && each.of === of.name && each.when(row, change, { cut }),
    )
    if (found.length === 0 && exception !== undefined) used.add(exception)
    else
      unseen.push(`${of.table} ${of.name} ${change} ${found[0] ?? ''} ${JSON.stringify(row).slice(0, 300)}`)
  }
  for (const column of money) {
    for (const each of await rowsOf(column.table)) {
      if (each.row[column.name] === null) continue
      await plant(column, each.row, 'more', () => add(column, each, 1))
      await plant(column, each.row, 'less', () => add(column, each, -1))
    }
  }
  for (const table of new Set(money.map(column => column.table))) {
    for (const each of await rowsOf(table)) {
      await plant({ table, name: 'gone' }, each.row, 'gone', () => remove(table, each))
      await plant({ table, name: 'double' }, each.row, 'double', () => double(table, each))
    }
  }
  t.diagnostic(`${planted} were planted in ${money.length} columns`)
  assert.deepEqual(unseen, [])
  assert.ok(planted > 2_000)
  assert.deepEqual(
    EXCEPTIONS.filter(each => !used.has(each)),
    [],
    'no exception stands here in vain',
  )
  assert.deepEqual(await findWrongSums(reader), [], 'all of it is undone')
})
