import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Reader } from '#machinery/db/batches.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { search } from '#product/guests/registrations/search.ts'
import { organization } from '#test/support/organization.ts'
import { insertCrowd } from '#test/support/reports.ts'
import { startWithOrganization } from '#test/support/server.ts'

const EARLY = Date.parse('2026-10-01T10:00:00Z')
const BUYER = 'grace@example.org'

/** Starts with a buyer with 5,600 registrations at one event, and 56 at another, one after each hundred of the first. */
async function start(t: TestContext) {
  const type = { name: 'Standard', price: 0, capacity: 100 }
  const server = await startWithOrganization(
    t,
    organization({ events: [{ slug: 'other', title: 'Other', registration_types: [type] }] }),
  )
  const { applied, data, eventId, types } = server
  const { id: other = '', registration_types } = applied.events.other ?? {}
  const accountId = applied.account_id
  const first = { data, accountId, eventId, typeId: types.Standard as string }
  const second = { data, accountId, eventId: other, typeId: registration_types?.Standard as string }
  for (let number = 0; number < 56; number++) {
    await insertCrowd(first, { count: 100, createdAt: EARLY + number * 1000 })
    await insertCrowd(second, { count: 1, createdAt: EARLY + number * 1000 + 500 })
  }
  return { ...server, accountId, other }
}

test('the few registrations of a buyer of thousands are each found once, and no page is short before the last', async t => {
  const { client, eventId, other, db } = await start(t)
  const rows = await db.read(INSTANCE, tx =>
    tx.all<{ id: string; event_id: string }>(
      'SELECT id, event_id FROM registrations ORDER BY created_at DESC, id DESC',
    ),
  )
  const idsOf = (event: string) => rows.filter(row => row.event_id === event).map(({ id }) => id)
  const [newest, ...rest] = idsOf(other)
  assert.equal((await client.post(`/registrations/${newest}/cancel`)).status, 200)
  for (const [query, limit, expected] of [
    [`event_id=${other}`, 7, idsOf(other)],
    [`event_id=${other}&status=confirmed`, 11, rest],
    [`event_id=${other}&status=confirmed`, 54, rest],
    [`event_id=${other}&status=cancelled`, 1, [newest]],
    [`event_id=${eventId}&status=cancelled`, 100, []],
    ['status=cancelled', 100, [newest]],
    [`event_id=${eventId}`, 100, idsOf(eventId)],
  ] as const) {
    const found: string[] = []
    for (let cursor = ''; ; ) {
      const after = cursor && `&starting_after=${cursor}`
      const { body } = await client.get(`/registrations?email=${BUYER}&${query}&limit=${limit}${after}`)
      for (const { id, attendees } of body.data) {
        found.push(id)
        assert.equal(attendees.length, 1)
      }
      assert.equal(body.has_more, found.length < expected.length, query)
      if (!body.has_more) break
      assert.equal(body.data.length, limit)
      cursor = body.next_cursor
    }
    assert.deepEqual(found, expected, query)
  }
})

/** Lets something happen after each read. */
function between(reader: Reader, work: (reads: number) => Promise<unknown>): Reader & { reads: number } {
  return {
    reads: 0,
    async read(owner, look) {
      const result = await reader.read(owner, look)
      await work(++this.reads)
      return result
    },
  }
}

test('a search through thousands of registrations takes short reads, and one through few a single read', async t => {
  const { accountId, db, other } = await start(t)
  const readsOf = async (filters: Partial<Parameters<typeof search>[2]>) => {
    const reader = between(db, async () => undefined)
    const all = { buyer_email_key: BUYER, event_id: undefined, status: undefined, ...filters }
    const { rows } = await search(reader, accountId, all, { limit: 26 })
    return [reader.reads, [...rows].length]
  }
  assert.deepEqual(await readsOf({ event_id: other, status: 'pending' }), [6, 0])
  assert.deepEqual(await readsOf({ event_id: other }), [3, 26])
  assert.deepEqual(await readsOf({ status: 'confirmed' }), [1, 26])
  assert.deepEqual(await readsOf({ buyer_email_key: 'nobody@example.org', event_id: other }), [1, 0])
})

test('a registration that is cancelled during the search is not on the page, and leaves no gap', async t => {
  const { accountId, db, other } = await start(t)
  const wanted = { buyer_email_key: BUYER, event_id: other, status: 'confirmed' as const }
  const idsOf = ({ rows }: Awaited<ReturnType<typeof search>>) => [...rows].map(({ resource: { id } }) => id)
  const ids = idsOf(await search(db, accountId, wanted, { limit: 100 }))
  const cancelled = ids.slice(2, 4)
  const reader = between(db, async reads => {
    if (reads > 1) return
    for (const id of cancelled) await db.write(accountId, tx => registrations.cancel(tx, id))
  })
  const page = await search(reader, accountId, wanted, { limit: 20 })
  const left = ids.filter(id => !cancelled.includes(id))
  assert.deepEqual(idsOf(page), left.slice(0, 20))
  assert.equal(page.ends, false)
})
