import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { onceSettled } from '#test/support/settled.ts'
import { sheetOf } from '#test/support/workbooks.ts'

const TABLE = [
  ['Members of the club'],
  undefined,
  ['Name', 'E-mail', 'Ticket type', 'Diet'],
  ['Grace Hopper', 'grace@example.org', 'Standard', 'Vegan'],
  ['José Peña', 'jose@example.org', 'Free', ''],
]

const bytesOf = (file: Buffer) => new Uint8Array(file)

test('a workbook with a title line is uploaded, its header is shown, and its guests are imported', async t => {
  const { app, db, eventId, member } = await startDashboard(t)
  const manager = await member('manager')
  const address = `/manage/e/${eventId}/guests/import`
  const form = await manager.open(address)
  assert.match(form.field('File').accept, /^\.xlsx,/)
  const columns = await form.choose('File', 'members.xlsx', bytesOf(sheetOf(TABLE))).press('Upload')
  assert.equal(columns.heading, 'Which column is what?')
  assert.match(columns.text, /2 lines below the header/)
  assert.equal(columns.field('Line with the names of the columns').value, '3')
  assert.match(columns.text, /Line 1: Members of the club/)
  assert.doesNotMatch(columns.messages.join(), /letters are written/)
  const path = columns.path.replace(/\/columns$/, '')
  await columns.press('Check the lines')
  const checked = await onceSettled({ app }, 'jobs', 'the end of the check', async () => {
    const page = await manager.open(path)
    return page.document.querySelector('progress') === null && page
  })
  assert.match(checked.text, /2 guests can be imported\./)
  assert.match(checked.rows()[0] ?? '', /^Line 4Grace Hopper/)
  await (await checked.follow('Import 2 guests')).press('Import 2 guests')
  await onceSettled({ app }, 'jobs', 'the end of the import', async () => {
    const page = await manager.open(path)
    return page.document.querySelector('progress') === null && page
  })
  const rows = await db.read(INSTANCE, tx =>
    tx.all<{ buyer_name: string }>('SELECT buyer_name FROM registrations ORDER BY number'),
  )
  assert.deepEqual(
    rows.map(({ buyer_name }) => buyer_name),
    ['Grace Hopper', 'José Peña'],
  )
})

for (const kind of ['workbook', 'CSV'] as const) {
  test(`another line of a ${kind} is chosen as the header on the page of the columns, and the check keeps to it`, async t => {
    const { app, db, accountId, eventId, member } = await startDashboard(t)
    const manager = await member('manager')
    const lines = [
      ['Name', 'Email', 'Type'],
      ['Guest', 'Mail', 'Table'],
      ['Ada', 'a@example.org', '4'],
      ['Bo', 'b@example.org', '5'],
    ]
    const csv = Buffer.from(lines.map(cells => cells.join(';')).join('\n'))
    const file = kind === 'CSV' ? csv : sheetOf(lines)
    const upload = await manager.open(`/manage/e/${eventId}/guests/import`)
    const columns = await upload.choose('File', `g.${kind}`, bytesOf(file)).press('Upload')
    const field = 'Line with the names of the columns'
    assert.equal(columns.field(field).value, '1')
    const changed = await columns.fill({ [field]: '2' }).press('Use this line')
    assert.equal(changed.field(field).value, '2')
    assert.match(changed.text, /2 lines below the header/)
    const valuesOf = (page: typeof changed) =>
      [0, 1, 2].map(at => (page.document.getElementById(`columns.${at}`) as HTMLSelectElement).value)
    assert.deepEqual(valuesOf(changed), ['name', 'email', 'answer:Table'])
    // The choice alone has written nothing.
    assert.equal((await manager.open(columns.path)).field(field).value, '1')
    // A form that is refused keeps the line.
    ;(changed.document.getElementById('columns.1') as HTMLSelectElement).value = 'none'
    const refused = await changed.press('Check the lines')
    assert.equal(refused.field(field).value, '2')
    assert.match(refused.messages.join(), /./)
    const types = await manager.open(`${columns.path}?header=2`)
    const path = columns.path.replace(/\/columns$/, '')
    const type = [...types.document.querySelectorAll('select')].find(({ id }) =>
      /registration_type_id/.test(id),
    )
    const free = [...(type?.options ?? [])].find(({ text }) => text === 'Free')?.value ?? ''
    await types.fill({ 'Ticket type': free }).press('Check the lines')
    const checked = await onceSettled({ app }, 'jobs', 'the end of the check', async () => {
      const page = await manager.open(path)
      return page.document.querySelector('progress') === null && page
    })
    assert.match(checked.text, /2 guests can be imported\./)
    assert.deepEqual(
      checked.rows().map(row => row.slice(0, 9)),
      ['Line 3Ada', 'Line 4Bob'].map(row => row.slice(0, 9)),
    )
    assert.equal((await manager.open(columns.path)).field(field).value, '2')
    const [job] = await db.read(accountId, tx =>
      tx.all<{ total: number; done: number }>('SELECT total, done FROM jobs'),
    )
    assert.deepEqual([job?.total, job?.done], [2, 2])
    // An address whose line is not there is read as one without a line.
    assert.equal((await manager.open(`${columns.path}?header=99`)).field(field).value, '2')
  })
}
