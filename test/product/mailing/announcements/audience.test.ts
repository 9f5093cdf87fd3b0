import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { countAudience } from '#product/mailing/announcements/audience.ts'
import { organization, registration } from '#test/support/organization.ts'
import { readSchema } from '#test/support/schema-tables.ts'
import { startWithOrganization } from '#test/support/server.ts'

/** Returns how long this thread has worked so far, in milliseconds. What others do on its core meanwhile does not count. */
function worked(): number {
  return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6
}

/** Returns the longest time that one turn kept the event loop meanwhile, in milliseconds of work. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, isOn] = [0, worked(), true]
  const look = () => {
    const now = worked()
    longest = Math.max(longest, now - last)
    last = now
    if (isOn) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isOn = false
  return longest
}

/** Starts with so many registrations, of so many tickets each, all with an e-mail of their own. */
async function start(t: Parameters<typeof startWithOrganization>[0], count: number, tickets: number) {
  const people = Array.from({ length: tickets }, (_, at) => ({ name: 'A', email: `t${at}@example.org` }))
  const file = organization({
    event: {
      registration_types: [{ name: 'Standard', price: 5000, capacity: count * tickets }],
      registrations: [registration('one', { attendees: people })],
    },
  })
  const server = await startWithOrganization(t, file)
  const { db, eventId, applied } = server
  const accountId = applied.account_id
  await db.write(accountId, async tx => {
    const columnsOf = (table: string, own: Readonly<Record<string, string>>) => {
      const columns = readSchema().find(({ name }) => name === table)?.columns ?? []
      const names = columns.map(({ name }) => name)
      return [names.join(), names.map(name => own[name] ?? `o.${name}`).join()]
    }
    const [names, values] = columnsOf('registrations', {
      ...{ id: 'o.id || n.at', reference: 'n.at', created_at: 'o.created_at + n.at / 7', number: 'NULL' },
      ...{ buyer_email: "'b' || n.at || '@example.org'", buyer_email_key: "'b' || n.at || '@example.org'" },
    })
    await tx.run(
      `WITH RECURSIVE n (at) AS (SELECT 2 UNION ALL SELECT at + 1 FROM n WHERE at < $2)
       INSERT INTO registrations (${names}) SELECT ${values} FROM registrations o, n WHERE o.event_id = $1`,
      [eventId, count],
    )
    const [ofTicket, itsValues] = columnsOf('attendees', {
      ...{ id: 'o.id || r.id', registration_id: 'r.id', email: 'r.reference || o.email' },
      qr_code: 'o.qr_code || r.id',
    })
    await tx.run(
      `INSERT INTO attendees (${ofTicket}) SELECT ${itsValues} FROM registrations r, attendees o
       WHERE r.event_id = $1 AND r.id <> o.registration_id`,
      [eventId],
    )
  })
  const look = (most?: number) =>
    countAudience(db, accountId, eventId, { group: 'confirmed', types: [] }, most)
  return { look }
}

for (const [count, tickets] of [
  [20_000, 1],
  [200, 100],
] as const) {
  test(`${count} registrations of ${tickets} tickets are counted exactly, and nobody else waits for it`, async t => {
    const { look } = await start(t, count, tickets)
    const exact = { recipients: count * (tickets + 1), unsubscribed: 0, isMore: false }
    assert.deepEqual(await look(), exact)
    // The second time counts, because nothing is compiled any more.
    const longest = await longestTurn(look)
    t.diagnostic(`the longest turn worked ${longest.toFixed(1)} ms`)
    assert.ok(longest < 40, `${longest}`)
    assert.equal((await look(count * tickets - 1)).isMore, true)
  })
}
