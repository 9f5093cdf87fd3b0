import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { MINUTE } from '#base/time.ts'
import { engineOf } from '#machinery/db/open.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { carryOut } from '#test/support/carry-out.ts'
import { DoorClient } from '#test/support/door/door.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'
import { Phone } from '#test/support/door/door-phone.ts'
import { PhoneLine } from '#test/support/door/phone-line.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { ofPostgres, postgresOfFile } from '#test/support/postgres-server.ts'
import { startServer } from '#test/support/server.ts'

const postgres = postgresOfFile()

test(
  'phones at the doors go on when all moves to PostgreSQL and back: what they scanned meanwhile comes in, and no ticket twice',
  ofPostgres,
  async t => {
    const { a, b, sell, app, data, clock } = await startWithDoors(t)
    const lines = [await PhoneLine.start(t, app.siteUrl), await PhoneLine.start(t, app.siteUrl)]
    const phones = [a, b].map((paired, number) => {
      const client = new DoorClient(lines[number]?.url as string, clock)
      client.token = paired.token
      return new Phone(`phone ${number}`, client, clock())
    }) as [Phone, Phone]
    const tickets = await Promise.all(Array.from({ length: 12 }, () => sell()))
    const codeOf = (at: number) => tickets[at]?.code as string
    const admit = (phone: Phone, at: number) =>
      phone.keep(phone.client.scan({ code: codeOf(at) }, { shown: 'admitted' }))
    const sendAll = async () => {
      for (const phone of phones) {
        await phone.catchUp()
        await phone.send(phone.waiting)
        await phone.catchUp()
        assert.deepEqual(phone.waiting, [], 'the server has not taken all')
      }
    }
    const goAway = () => {
      for (const line of lines) line.weather = 'gone'
    }
    const comeBack = (origin: string) => {
      for (const line of lines) {
        line.leadTo(origin)
        line.weather = 'good'
      }
    }
    const copy = async (...args: string[]) => {
      clock.advance(MINUTE)
      await carryOut(['copy', ...args], {
        out: () => undefined,
        err: text => assert.fail(text),
        clock,
      })
    }
    const [one, other] = phones

    admit(one, 0)
    admit(other, 1)
    await sendAll()
    assert.deepEqual(
      phones.map(phone => phone.copy.size),
      [12, 12],
    )

    // Both go on without a network; one of them scans what the other has scanned already, and both scan one guest.
    goAway()
    admit(one, 2)
    admit(one, 1)
    admit(one, 3)
    admit(other, 3)
    await app.close()
    const databaseUrl = postgres().makeDatabase()
    await copy('--data', data, '--to', databaseUrl)
    const there = await startServer(t, { databaseUrl, clock })
    comeBack(there.app.siteUrl)
    await sendAll()
    assert.deepEqual(await outcomesIn(databaseUrl), {
      admitted: 4,
      conflict: 2,
      tickets: [0, 1, 2, 3].map(at => tickets[at]?.ticket).sort(),
    })
    assert.equal((await one.client.one(one.client.scan({ code: codeOf(2) }))).outcome, 'refused')
    assert.equal((await other.client.one(other.client.scan({ code: codeOf(4) }))).outcome, 'admitted')

    goAway()
    admit(other, 5)
    admit(one, 4)
    await there.app.close()
    await there.db.close()
    const back = join(temporaryFolder(t), 'back')
    await copy('--database-url', databaseUrl, '--to', back)
    const here = await startServer(t, { data: back, clock })
    comeBack(here.app.siteUrl)
    await sendAll()
    const rows = await here.db.read(INSTANCE, tx =>
      tx.all<{ attendee_id: string }>('SELECT attendee_id FROM check_ins'),
    )
    assert.deepEqual(
      rows.map(({ attendee_id }) => attendee_id).sort(),
      [0, 1, 2, 3, 4, 5].map(at => tickets[at]?.ticket).sort(),
    )
    assert.equal(one.outcomes.get(one.kept.at(-1)?.item.scan_id as string), 'conflict')
    assert.deepEqual(await findDamage(here.db), [])
  },
)

/** Returns what has become of all scans, and who is in. */
async function outcomesIn(databaseUrl: string) {
  const db = await engineOf({ data: '.', databaseUrl }).openForCommand(() =>
    Date.parse('2026-11-21T13:00:00Z'),
  )
  try {
    const scans = await db.read(INSTANCE, tx => tx.all<{ outcome: string }>('SELECT outcome FROM scans'))
    const rows = await db.read(INSTANCE, tx =>
      tx.all<{ attendee_id: string }>('SELECT attendee_id FROM check_ins'),
    )
    const count = (outcome: string) => scans.filter(scan => scan.outcome === outcome).length
    return {
      ...{ admitted: count('admitted'), conflict: count('conflict') },
      tickets: rows.map(({ attendee_id }) => attendee_id).sort(),
    }
  } finally {
    await db.close()
  }
}
