import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem } from '#base/problem.ts'
import * as imports from '#product/guests/imports/rules.ts'
import { readTable } from '#product/guests/imports/table.ts'
import { startWithImports } from '#test/support/imports.ts'
import { sheetOf, workbook } from '#test/support/workbooks.ts'

const guests = (count: number) =>
  Array.from({ length: count }, (_, at) => [
    `Guest ${at + 1}`,
    `g${at + 1}@example.org`,
    'Free',
    `${600_000_000 + at}`,
  ])

const TITLED = [
  ['Guests of the annual meeting 2026'],
  undefined,
  ['Name', 'E-mail', 'Ticket type', 'Telephone'],
  ...guests(300),
]

test('300 guests come from a workbook with a title line, each once', async t => {
  const at = await startWithImports(t)
  const { db, actor, eventId } = at
  const upload = async () =>
    imports.upload(db, actor, eventId, await readTable(sheetOf(TITLED)), 'guests.xlsx')
  const { id } = await upload()
  const checked = await at.ended(id)
  assert.deepEqual(
    [checked.state, checked.done, checked.total, checked.outcome?.new],
    ['done', 300, 300, 300],
  )
  const job = await at.ended((await at.begin(id)).id)
  assert.deepEqual(job.outcome, { added: 300, known: 0, wrong: 0, sold_out: 0 })
  const [newest] = await at.registrations()
  assert.deepEqual(
    [newest.buyer, newest.answers],
    [{ name: 'Guest 300', email: 'g300@example.org' }, { Telephone: '600000299' }],
  )
  const counts = await db.read(at.accountId, tx => imports.countLines(tx, id))
  assert.deepEqual(counts, { read: 0, new: 0, known: 0, wrong: 0, sold_out: 0, left_out: 0, added: 300 })
  // The same file again adds nobody.
  const again = await at.ended((await upload()).id)
  assert.deepEqual([again.outcome?.new, again.outcome?.known], [0, 300])
})

test('another line is chosen as the header: what is above is left out, and what is below is checked', async t => {
  const at = await startWithImports(t)
  const { db, accountId } = at
  const csv = 'Name,Email,Type\nName,Email,Note\nAda,a@example.org,Free\nEve,e@example.org,Free\n'
  const { id } = await at.check(csv)
  assert.deepEqual(await at.fates(id), { 2: 'wrong', 3: 'new', 4: 'new' })
  const choose = (headerLine: number, columns: string[]) => {
    const registrationTypeId = columns.includes('type') ? null : (at.types.Free as string)
    return db.write(accountId, tx =>
      imports.check(tx, id, { headerLine, columns, registrationTypeId, by: 'cli' }),
    )
  }
  await choose(2, ['name', 'email', 'answer:Note'])
  const changed = await at.ended(id)
  assert.equal(changed.total, 2)
  assert.deepEqual(Object.keys(await at.fates(id)), ['3', '4'])
  const back = await choose(1, ['name', 'email', 'type'])
  assert.equal(back.total, 3)
  await at.ended(id)
  assert.deepEqual(await at.fates(id), { 2: 'wrong', 3: 'new', 4: 'new' })
  for (const line of [0, 4, 99, 1.5]) {
    await assert.rejects(choose(line, ['name', 'email', 'type']), (error: Problem) => {
      assert.deepEqual([error.code, error.param], ['invalid_parameter', 'header_line'])
      return true
    })
  }
})

test('a line above the header is no earlier line of the same person, once it was one', async t => {
  const at = await startWithImports(t)
  const { id } = await at.check('Name,Email,Type\nAda,a@example.org,Free\nAda,a@example.org,Free\n')
  assert.equal((await at.lines(id))[1]?.details.same_as, 2)
  await at.db.write(at.accountId, tx =>
    imports.check(tx, id, {
      ...{ headerLine: 2, columns: ['name', 'email', 'none'], by: 'cli' },
      registrationTypeId: at.types.Free as string,
    }),
  )
  const job = await at.ended(id)
  assert.deepEqual([job.total, job.outcome?.new, job.outcome?.twice], [1, 1, 0])
  assert.equal((await at.lines(id))[0]?.details.same_as, undefined)
  // Lines that are read again get their places again.
  const added = await at.ended((await at.begin(id)).id)
  assert.deepEqual(added.outcome, { added: 1, known: 0, wrong: 0, sold_out: 0 })
})

test('an upload of version 1 has no line above, and its header stays', async t => {
  const at = await startWithImports(t)
  const { id } = await at.check('Name,Email,Type\nAda,a@example.org,Free\n')
  const { accountId, db } = at
  await db.write(accountId, async tx => {
    const { input } = await imports.get(tx, id)
    const { header_line: _, lines: __, ...old } = input
    await tx.run('UPDATE jobs SET input = $2 WHERE id = $1', [id, JSON.stringify(old)])
    await tx.run('DELETE FROM import_lines WHERE job_id = $1 AND line = 1', [id])
  })
  const choice = { columns: ['name', 'email', 'type'], registrationTypeId: null, by: 'cli' }
  await db.write(accountId, tx => imports.check(tx, id, choice))
  assert.deepEqual([(await at.ended(id)).total, await at.fates(id)], [1, { 2: 'new' }])
  await assert.rejects(
    db.write(accountId, tx => imports.check(tx, id, { ...choice, headerLine: 2 })),
    (error: Problem) => error.param === 'header_line',
  )
})

test('dates, numbers and formulas of a workbook become the texts that people see', async t => {
  const at = await startWithImports(t)
  const row = (cells: string) => `<row>${cells}</row>`
  const text = (value: string) => `<c t="str"><v>${value}</v></c>`
  const sheet =
    row(['Name', 'Email', 'Type', 'Born', 'Phone', 'Sum', 'Note'].map(text).join('')) +
    row(
      `${text('Łukasz 李')}${text('l@example.org')}${text('Free')}<c s="1"><v>36526</v></c><c><v>34600111222</v></c><c><f>1+1</f><v>2</v></c>${text('=1+1')}`,
    )
  const file = workbook({ sheets: [sheet], formats: ['dd/mm/yyyy'] })
  const { id } = await imports.upload(at.db, at.actor, at.eventId, await readTable(file))
  await at.ended(id)
  await at.ended((await at.begin(id)).id)
  const [guest] = await at.registrations()
  assert.equal(guest.buyer.name, 'Łukasz 李')
  assert.deepEqual(guest.answers, { Born: '2000-01-01', Note: '=1+1', Phone: '34600111222', Sum: '2' })
})
