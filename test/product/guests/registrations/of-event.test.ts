import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Position } from '#machinery/db/keyset.ts'
import { type GuestFilters, listAndCount, listGuests } from '#product/guests/registrations/guests.ts'
import { countUpTo, listByType } from '#product/guests/registrations/of-event.ts'
import { searchWords } from '#product/guests/registrations/word-search.ts'
import { organization, registration } from '#test/support/organization.ts'
import { insertCrowd } from '#test/support/reports.ts'
import { startWithOrganization } from '#test/support/server.ts'

async function start(t: TestContext) {
  const free = (reference: string, changes: object = {}) =>
    registration(reference, { registration_type: 'Free', created_at: '2026-09-01T00:00:00Z', ...changes })
  const registrations = [
    free('a'),
    free('b', { created_at: '2026-09-02T00:00:00Z' }),
    free('c', { status: 'cancelled', created_at: '2026-10-03T00:00:00Z' }),
    registration('d', { status: 'pending', buyer: { name: 'Ada', email: 'ada@example.org' } }),
  ]
  const server = await startWithOrganization(t, organization({ event: { registrations } }))
  const { applied, db, data, eventId, types } = server
  const accountId = applied.account_id
  const ids = applied.events['spring-meeting']?.registrations ?? {}
  const references = new Map(Object.entries(ids).map(([reference, id]) => [id, reference]))
  const walk = async (status: 'cancelled' | undefined, limit: number) => {
    const pages: string[][] = []
    let after: Position | undefined
    for (;;) {
      const wanted = { event_id: eventId, registration_type_id: types.Free as string, status }
      const { rows, end } = await listByType(db, accountId, wanted, { limit, after })
      const found = [...rows]
      pages.push(found.map(({ resource }) => references.get(resource.id) ?? '?'))
      after = end ?? found.at(-1)?.position
      if (found.length < limit && end === undefined) return pages
    }
  }
  const fill = (count: number) =>
    insertCrowd({ data, accountId, eventId, typeId: types.Standard as string }, { count })
  return { ...server, accountId, walk, fill }
}

test('registrations are listed by type, newest first, by themselves or in one state, also where few of many are of it', async t => {
  const { walk, fill } = await start(t)
  assert.deepEqual(await walk(undefined, 10), [['c', 'b', 'a']])
  assert.deepEqual(await walk(undefined, 2), [['c', 'b'], ['a']])
  assert.deepEqual(await walk('cancelled', 10), [['c']])
  // The rows before the crowd are in a later slice than the one after it.
  await fill(5_500)
  assert.deepEqual(await walk(undefined, 10), [['c', 'b', 'a']])
  assert.deepEqual(await walk(undefined, 1), [['c'], ['b'], ['a'], []])
})

test('a search keeps to a type too', async t => {
  const { db, accountId, eventId, types } = await start(t)
  const found = async (registration_type_id: string | undefined) => {
    const wanted = { text: 'grace', event_id: eventId, status: undefined, buyer_email_key: undefined }
    const { rows } = await searchWords(db, accountId, { ...wanted, registration_type_id }, { limit: 10 })
    return [...rows].length
  }
  assert.deepEqual([await found(undefined), await found(types.Free), await found(types.Standard)], [3, 3, 0])
})

test('tabs count each state to a limit and say that there are more, with and without a search or a type', async t => {
  const { db, accountId, eventId: event_id, types, fill } = await start(t)
  const counts = async (filters: object, most?: number) => {
    const found = await countUpTo(db, accountId, { event_id, ...filters }, most)
    return Object.fromEntries(
      Object.entries(found)
        .filter(([, { count, isMore }]) => count > 0 || isMore)
        .map(([status, { count, isMore }]) => [status, `${count}${isMore ? '+' : ''}`]),
    )
  }
  const registration_type_id = types.Free
  assert.deepEqual(await counts({}), { all: '4', pending: '1', confirmed: '2', cancelled: '1' })
  assert.deepEqual(await counts({}, 2), { all: '2+', pending: '1', confirmed: '2', cancelled: '1' })
  assert.deepEqual(await counts({ registration_type_id }), { all: '3', confirmed: '2', cancelled: '1' })
  assert.deepEqual(await counts({ text: 'grace' }), { all: '3', confirmed: '2', cancelled: '1' })
  assert.deepEqual(await counts({ text: 'ada', registration_type_id }), {})
  await fill(10_500)
  assert.deepEqual(await counts({}), { all: '10000+', pending: '1', confirmed: '10000+', cancelled: '1' })
  const { all } = await countUpTo(db, accountId, { event_id, text: 'grace' })
  assert.equal(all.isMore, true)
  assert.deepEqual(await counts({ text: 'ada' }), { all: '1', pending: '1' })
})

test('a page of a search and its counts are those of each alone, and the words are looked up once', async t => {
  const { db, accountId, eventId: event_id, types, fill } = await start(t)
  await fill(1_200)
  let reads = 0
  const counted: Pick<typeof db, 'read'> = {
    read: (owner, work) => {
      reads++
      return db.read(owner, work)
    },
  }
  const readsOf = async <T>(work: () => Promise<T>) => {
    reads = 0
    const found = await work()
    return { found, reads }
  }
  const filters: GuestFilters[] = [
    { event_id, text: 'grace' },
    { event_id, text: 'grace', status: 'cancelled' },
    { event_id, text: 'guest 11' },
    { event_id, text: 'ada', registration_type_id: types.Free },
    { event_id, status: 'confirmed' },
  ]
  for (const each of filters) {
    let after: Position | undefined
    for (let page = 0; page < 2; page++) {
      const pageOptions = { limit: 2, after }
      const list = await readsOf(() => listGuests(counted, accountId, each, pageOptions))
      const count = await readsOf(() => countUpTo(counted, accountId, each))
      const both = await readsOf(() => listAndCount(counted, accountId, each, pageOptions))
      assert.deepEqual(both.found, { ...list.found, counts: count.found })
      if (each.text !== undefined) assert.ok(both.reads < list.reads + count.reads, each.text)
      after = list.found.next
      if (after === undefined) break
    }
  }
})
