import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'
import { organization } from '#test/support/organization.ts'

const damages: readonly [string, RegExp][] = [
  ['DELETE FROM check_ins', /ticket \S+ has entry -\/\d, and is not checked in/],
  [
    "UPDATE entries SET event_id = (SELECT id FROM events WHERE slug = 'other')",
    /entry -\/\d of ticket \S+ is at another event than its ticket/,
  ],
  [
    'UPDATE entries SET scan_id = left_scan_id WHERE left_scan_id IS NOT NULL',
    /entry -\/0 of ticket \S+ is held by a scan that has not admitted it/,
  ],
  ["UPDATE entries SET scan_id = 'gone'", /is held by a scan that has not admitted it/],
  [
    'UPDATE entries SET left_scan_id = scan_id WHERE left_scan_id IS NOT NULL',
    /entry -\/0 of ticket \S+ was ended by a scan that is not its exit/,
  ],
  [
    'UPDATE entries SET left_at = entered_at - 1 WHERE left_at IS NOT NULL',
    /entry -\/0 of ticket \S+ ends before it begins/,
  ],
  [
    'UPDATE entries SET left_scan_id = NULL, left_at = NULL WHERE left_at IS NOT NULL',
    /exit \S+ has ended an entry, and none says so/,
  ],
  ["DELETE FROM entries WHERE slot = '-/1'", /scan \S+ has admitted a ticket, and holds no check-in/],
]

for (const [damage, sentence] of damages)
  test(`damage in the entries of a ticket is found and names nobody: ${damage}`, async t => {
    const registration_types = [{ name: 'Standard', price: 0, capacity: 10, reentry: true }]
    const file = organization({
      event: { registration_types },
      events: [{ slug: 'other', title: 'Other' }],
    })
    const { a, b, sell, clock, db } = await startWithDoors(t, file)
    const { code } = await sell()
    for (const scan of [() => a.one(a.scan({ code })), () => b.one(b.exit({ code }))]) {
      assert.notEqual((await scan()).outcome, 'refused')
      clock.advance(HOUR)
    }
    assert.equal((await a.one(a.scan({ code }))).outcome, 'admitted')
    assert.deepEqual(await findDamage(db), [])
    assert.ok((await db.write(INSTANCE, tx => tx.run(damage))) > 0)
    const found = await findDamage(db)
    assert.match(found.join('\n'), sentence)
    assert.doesNotMatch(found.join('\n'), /Grace|example\.org/)
  })
