import assert from 'node:assert/strict'
import { test } from 'node:test'
import { XLSX } from '#machinery/workbooks/writing.ts'
import { MAX_SHEET_ROWS } from '#product/reporting/reports/guest-sheet.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { readSheetRows } from '#test/support/read-sheet.ts'
import { insertCrowd } from '#test/support/reports.ts'

test('50,000 tickets are a spreadsheet, and one more is CSV', { timeout: 300_000 }, async t => {
  const file = organization({ event: { timezone: 'Europe/Madrid' } })
  const { member, data, accountId, eventId, types } = await startDashboard(t, file)
  const guests = `/manage/e/${eventId}/guests`
  const owner = await member('owner')
  const place = { data, accountId, eventId, typeId: types.Free as string }
  await insertCrowd(place, { count: MAX_SHEET_ROWS / 20, tickets: 20 })
  const full = await owner.download(`${guests}.xlsx`)
  assert.equal(full.headers['content-type'], XLSX)
  await insertCrowd(place, { count: 1, createdAt: Date.parse('2026-11-01T10:00:00Z') })
  const { headers, bytes } = await owner.download(`${guests}.xlsx`)
  assert.deepEqual(
    [headers['content-type'], headers['content-disposition']],
    ['text/csv; charset=utf-8', 'attachment; filename="guests-spring-meeting.csv"'],
  )
  assert.equal(bytes.toString().split('\r\n').length, MAX_SHEET_ROWS + 3)
  const lines = (await readSheetRows(full.bytes)).length
  assert.equal(lines, MAX_SHEET_ROWS + 1)
})
