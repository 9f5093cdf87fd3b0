import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { openSqlite } from '#machinery/db/sqlite/database.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { readMonthlyReport } from '#product/reporting/reports/monthly-report.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'

interface Sold {
  event?: string
  status?: string
  quantity?: number
  total?: number
  fee?: number | null
  confirmed?: string | null
  cancelled?: string | null
  refunded?: [amount: number, at: string] | null
  /** The number of tickets that were checked in, and the instant. */
  checkedIn?: [tickets: number, at: string]
}

/** Midnight in Madrid is at 22:00 UTC in summer, and at 23:00 from the 25th of October on. */
const registrations: Sold[] = [
  { total: 5000, fee: 120, confirmed: '2026-07-31T21:59:59.999Z' },
  { total: 5000, fee: 0, confirmed: '2026-07-31T22:00:00.000Z', checkedIn: [1, '2026-10-31T22:59:59.999Z'] },
  { total: 15_001, quantity: 3, fee: null, confirmed: '2026-08-10T10:00:00Z' },
  { total: 0, fee: null, confirmed: '2026-08-11T10:00:00Z', checkedIn: [1, '2026-10-31T23:00:00Z'] },
  // The registration is free, and still has a fee.
  { total: 0, fee: 7, quantity: 2, confirmed: '2026-09-02T10:00:00Z' },
  { status: 'cancelled', total: 0, confirmed: '2026-09-03T10:00:00Z', cancelled: '2026-10-04T10:00:00Z' },
  { status: 'cancelled', total: 777, fee: 5, confirmed: null, cancelled: '2026-09-04T10:00:00Z' },
  // The four refunds are in the month, in another one, of a part, and of nothing.
  {
    ...{ status: 'refunded', total: 5000, fee: 120, confirmed: '2026-09-05T10:00:00Z' },
    refunded: [5000, '2026-09-06T10:00:00Z'],
  },
  {
    ...{ status: 'refunded', total: 9999, quantity: 2, fee: 301, confirmed: '2026-09-07T10:00:00Z' },
    refunded: [3333, '2026-09-30T22:00:00.000Z'],
  },
  {
    ...{ status: 'refunded', total: 5000, fee: null, confirmed: '2026-09-08T10:00:00Z' },
    refunded: [1, '2026-11-02T10:00:00Z'],
  },
  {
    ...{ status: 'refunded', total: 5000, fee: 99, confirmed: '2026-06-08T10:00:00Z' },
    refunded: [0, '2026-10-20T10:00:00Z'],
  },
  { status: 'pending', total: 4000, confirmed: null },
  { status: 'failed', total: 4000, fee: 3, confirmed: null },
  { event: 'f', total: 1500, fee: 54, confirmed: '2026-09-09T10:00:00Z' },
  {
    ...{ event: 'f', status: 'refunded', total: 99_999_999, quantity: 4, fee: 3_600_000 },
    confirmed: '2026-09-10T10:00:00Z',
    refunded: [99_999_999, '2026-10-10T10:00:00Z'],
  },
  { event: 'f', total: 800, fee: null, confirmed: '2026-11-20T10:00:00Z' },
  { event: 'g', total: 0, fee: null, confirmed: '2026-09-01T10:00:00Z' },
]

const at = (instant: string | null | undefined) => (instant == null ? null : Date.parse(instant))

/** Makes a database of version 1 with registrations that were paid, refunded, free, and whose fee is not known. */
function makeVersion1(t: TestContext): string {
  const path = join(temporaryFolder(t), 'turnout.db')
  const db = new SqliteConnection(path)
  db.exec(readFileSync(new URL('../../../machinery/db/sqlite/schema-1.sql', import.meta.url), 'utf8'))
  const made = Date.parse('2026-06-01T10:00:00Z')
  db.exec(`PRAGMA user_version = 1;
    INSERT INTO instance VALUES (1, '${'s'.repeat(43)}', ${Date.parse('2026-11-21T10:00:00Z')}, ${made}, ${made});
    INSERT INTO accounts VALUES ('a', 'Ada', 'ada@example.org', 'ada@example.org', 'Europe/Madrid', 'EUR', 250, 30, ${made}, ${made});`)
  for (const [id, currency] of [
    ['e', 'EUR'],
    ['f', 'JPY'],
    ['g', 'USD'],
  ]) {
    db.exec(`INSERT INTO events VALUES ('${id}', 'a', '${id}', 'Event ${id}', NULL, NULL, 'Europe/Madrid', NULL, NULL, '${currency}', 'published',
        'public', 0, ${made}, ${made});
      INSERT INTO registration_types VALUES ('t${id}', 'a', '${id}', 'Standard', NULL, 5000, 100, 0, 1, NULL, NULL, NULL, NULL, ${made}, ${made});`)
  }
  const registration = db.prepare(
    `INSERT INTO registrations VALUES (:id, 'a', :event, 't' || :event, :id, :status, 'checkout', 'B', 'b@example.org', 'b@example.org',
       :quantity, :total, :total, (SELECT currency FROM events WHERE id = :event), :fee, :refundedAmount, '{}', 'en', :confirmed,
       :cancelled, :refunded, ${made}, ${made})`,
  )
  const ticket = db.prepare(
    `INSERT INTO attendees VALUES (?, ?, ?, 'B', NULL, NULL, 'SVC1.' || ?, ?, ${made}, ${made})`,
  )
  const checkIn = db.prepare(`INSERT INTO check_ins VALUES ('c' || ?, 'a', ?, ?, 'scanner', ?, ${made})`)
  for (const [index, sold] of registrations.entries()) {
    const { event = 'e', status = 'confirmed', quantity = 1, total = 0, fee = null } = sold
    const id = `r${String(index).padStart(2, '0')}`
    const [refundedAmount, refunded] = sold.refunded ?? [null, null]
    const instants = { confirmed: at(sold.confirmed), cancelled: at(sold.cancelled), refunded: at(refunded) }
    registration.run({ id, event, status, quantity, total, fee, refundedAmount, ...instants })
    const voided = ['cancelled', 'refunded', 'failed'].includes(status) ? 1 : 0
    for (let position = 0; position < quantity; position++) {
      const ticketId = `${id}-${position}`
      ticket.run(ticketId, id, position, ticketId, voided)
      const [tickets, instant] = sold.checkedIn ?? [0, '']
      if (position < tickets) checkIn.run(ticketId, event, ticketId, at(instant))
    }
  }
  db.exec(`UPDATE registration_types SET sold = (SELECT coalesce(sum(quantity), 0) FROM registrations r
    WHERE r.registration_type_id = registration_types.id AND r.status IN ('pending', 'confirmed'))`)
  db.close()
  return path
}

/** The reports as the program made them before it had a ledger: byte for byte. */
const expected: Record<string, string> = {
  '2026-06':
    '{"object":"monthly_report","month":"2026-06","timezone":"Europe/Madrid","complete":true,"data":[{"event_id":"e","event_title":"Event e","currency":"EUR","registrations":1,"tickets_by_type":[{"registration_type_id":"te","name":"Standard","tickets":1}],"gross":5000,"service_fee":155,"processor_fee":99,"refunds":0,"net":4746,"check_ins":0,"reasons":{}}]}',
  '2026-07':
    '{"object":"monthly_report","month":"2026-07","timezone":"Europe/Madrid","complete":true,"data":[{"event_id":"e","event_title":"Event e","currency":"EUR","registrations":1,"tickets_by_type":[{"registration_type_id":"te","name":"Standard","tickets":1}],"gross":5000,"service_fee":155,"processor_fee":120,"refunds":0,"net":4725,"check_ins":0,"reasons":{}}]}',
  '2026-08':
    '{"object":"monthly_report","month":"2026-08","timezone":"Europe/Madrid","complete":false,"data":[{"event_id":"e","event_title":"Event e","currency":"EUR","registrations":3,"tickets_by_type":[{"registration_type_id":"te","name":"Standard","tickets":5}],"gross":20001,"service_fee":620,"processor_fee":null,"refunds":0,"net":null,"check_ins":0,"reasons":{"processor_fee":{"code":"not_reported","message":"A paid registration lacks its processor fee."},"net":{"code":"depends_on_unknown","message":"The processor fee is not known."}}}]}',
  '2026-09':
    '{"object":"monthly_report","month":"2026-09","timezone":"Europe/Madrid","complete":false,"data":[{"event_id":"g","event_title":"Event g","currency":"USD","registrations":1,"tickets_by_type":[{"registration_type_id":"tg","name":"Standard","tickets":1}],"gross":0,"service_fee":0,"processor_fee":0,"refunds":0,"net":0,"check_ins":0,"reasons":{}},{"event_id":"e","event_title":"Event e","currency":"EUR","registrations":5,"tickets_by_type":[{"registration_type_id":"te","name":"Standard","tickets":7}],"gross":19999,"service_fee":620,"processor_fee":null,"refunds":5000,"net":null,"check_ins":0,"reasons":{"processor_fee":{"code":"not_reported","message":"A paid registration lacks its processor fee."},"net":{"code":"depends_on_unknown","message":"The processor fee is not known."}}},{"event_id":"f","event_title":"Event f","currency":"JPY","registrations":2,"tickets_by_type":[{"registration_type_id":"tf","name":"Standard","tickets":5}],"gross":100001499,"service_fee":2500188,"processor_fee":3600054,"refunds":0,"net":93901257,"check_ins":0,"reasons":{}}]}',
  '2026-10':
    '{"object":"monthly_report","month":"2026-10","timezone":"Europe/Madrid","complete":true,"data":[{"event_id":"e","event_title":"Event e","currency":"EUR","registrations":0,"tickets_by_type":[],"gross":0,"service_fee":0,"processor_fee":0,"refunds":3333,"net":-3333,"check_ins":1,"reasons":{}},{"event_id":"f","event_title":"Event f","currency":"JPY","registrations":0,"tickets_by_type":[],"gross":0,"service_fee":0,"processor_fee":0,"refunds":99999999,"net":-99999999,"check_ins":0,"reasons":{}}]}',
  '2026-11':
    '{"object":"monthly_report","month":"2026-11","timezone":"Europe/Madrid","complete":false,"data":[{"event_id":"f","event_title":"Event f","currency":"JPY","registrations":1,"tickets_by_type":[{"registration_type_id":"tf","name":"Standard","tickets":1}],"gross":800,"service_fee":50,"processor_fee":null,"refunds":0,"net":null,"check_ins":0,"reasons":{"processor_fee":{"code":"not_reported","message":"A paid registration lacks its processor fee."},"net":{"code":"depends_on_unknown","message":"The processor fee is not known."}}},{"event_id":"e","event_title":"Event e","currency":"EUR","registrations":0,"tickets_by_type":[],"gross":0,"service_fee":0,"processor_fee":0,"refunds":1,"net":-1,"check_ins":1,"reasons":{}}]}',
}

test('what a month said before there was a ledger, it says with the ledger byte for byte', async t => {
  const clock = testClock()
  clock.set('2026-11-22T10:00:00.000Z')
  const db = openSqlite(makeVersion1(t), { clock })
  t.after(() => db.close())
  const found: Record<string, string> = {}
  for (const month of Object.keys(expected))
    found[month] = JSON.stringify(await readMonthlyReport(db, 'a', month, clock()))
  assert.deepEqual(found, expected)
  // No ticket has a code here.
  const damage = await findDamage(db)
  assert.deepEqual(
    damage.filter(sentence => /ledger|order|payment|refund|sold/.test(sentence)),
    [],
  )
})
