import assert from 'node:assert/strict'
import { test } from 'node:test'
import Papa from 'papaparse'
import { DASHBOARD_PATH } from '#faces/dashboard/frame/paths.ts'
import { pages } from '#faces/dashboard/routes.ts'
import { fillPath } from '#machinery/web/link.ts'
import { addOrder, findIds } from '#test/support/every-row.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

/** A spreadsheet would evaluate these formulas. Each is used in a place of its own. */
const FORMULA = '=HYPERLINK("https://evil.example","x")'
/** The same of a person's name, which has no web address in it. */
const IN_NAME = "cmd|' /C calc'!A0"
const hostile = (text: string) => [
  `=${text}`,
  `+${text}`,
  `-${text}`,
  `@${text}`,
  `\uff1d${text}`,
  ` =${text}`,
]

/** Makes an organization in which every text is a formula. */
function formulas() {
  const [title = '', venue = '', city = '', type = '', seat = '', answer = ''] = hostile('SUM(A1)')
  return organization({
    event: {
      title,
      venue,
      city,
      status: 'published',
      registration_types: [
        { name: 'Standard', price: 5000, capacity: 300 },
        { name: 'Free', price: 0, capacity: 20 },
        { name: type, price: 0, capacity: 20 },
      ],
      registrations: hostile(IN_NAME).map((name, at) => ({
        ...registration(`${at}`),
        registration_type: type,
        buyer: { name, email: `${at}@example.org` },
        answers: { [answer.trim()]: name },
        attendees: [{ name, seat, email: `${at}@example.org` }],
      })),
      codes: [{ code: 'SPRING', percent: 10, note: FORMULA }],
    },
  })
}

test('no cell of any CSV of the dashboard is a formula, whatever people have written', async t => {
  const { db, accountId, eventId, types, member } = await startDashboard(t, formulas())
  const owner = await member('owner')
  await addOrder(db, accountId, eventId, types.Free as string)
  const ids = await findIds(db, accountId, eventId)
  const found: string[] = []
  const wrong: string[] = []
  let cells = 0
  for (const { path, get, isFile } of pages) {
    if (get === undefined || !isFile) continue
    const answer = await owner.open(DASHBOARD_PATH + fillPath(path, ids))
    if (!String(answer.headers['content-type']).startsWith('text/csv')) continue
    found.push(path)
    assert.match(String(answer.headers['content-disposition']), /^attachment/, path)
    const { data } = Papa.parse<string[]>(answer.html.replace(/^\ufeff/, ''), { delimiter: ',' })
    for (const cell of data.flat()) {
      cells++
      // A number of the server's own may be negative.
      if (
        /^[\s\u0085]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n\0]/.test(cell) &&
        !/^-\d+(\.\d+)?$/.test(cell)
      )
        wrong.push(`${path}: ${cell}`)
    }
  }
  t.diagnostic(`${cells} cells of ${found.join(', ')}`)
  assert.ok(found.length >= 5)
  assert.deepEqual(wrong, [])
})
