import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getAfter } from '#product/programme/abstracts/after.ts'
import { erase } from '#product/programme/abstracts/person.ts'
import { daysOf, tellUnavailable } from '#product/programme/decisions/availability.ts'
import { startNoticed } from '#test/support/notices.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

test('the days of an event are those of its own calendar, over a change of the clocks and a midnight too', () => {
  const days = (starts_at: string | null, ends_at: string | null, timezone = 'Europe/Madrid') =>
    daysOf({ starts_at, ends_at, timezone })
  assert.deepEqual(days('2026-10-24T20:00:00Z', '2026-10-26T09:00:00Z'), [
    '2026-10-24',
    '2026-10-25',
    '2026-10-26',
  ])
  assert.deepEqual(days('2026-12-01T22:00:00Z', '2026-12-01T23:30:00Z'), ['2026-12-01', '2026-12-02'])
  assert.deepEqual(days('2026-12-01T08:00:00Z', '2026-12-01T23:00:00Z'), ['2026-12-01'])
  assert.deepEqual(days('2026-12-01T22:00:00Z', '2026-12-02T05:00:00Z', 'Pacific/Auckland'), ['2026-12-02'])
  assert.deepEqual(days('2026-12-01T08:00:00Z', null), ['2026-12-01'])
  assert.deepEqual(days(null, null), [])
  assert.equal(days('2026-12-01T08:00:00Z', '2027-12-01T08:00:00Z').length, 31)
})

test('what is kept are days of the event alone, and nothing once the presenter or the contact is made anonymous', async t => {
  const at = await startNoticed(t, { starts_at: '2027-01-12T09:00:00Z', ends_at: '2027-01-14T17:00:00Z' })
  const { db, accountId } = at
  await openCall(at)
  const { submission } = await begin(at)
  const [author, ...others] = contentOf().authors
  const authors = [{ ...author, email: 'ada@example.org' } as NonNullable<typeof author>, ...others]
  const { id } = await send(at, submission.id, contentOf({ authors }))
  const tell = (...days: string[]) => db.write(accountId, tx => tellUnavailable(tx, id, days))
  const kept = async () => (await db.read(accountId, tx => getAfter(tx, id))).unavailable
  assert.deepEqual(await tell('2027-01-14', '2027-01-12', '2027-01-12', '2027-02-01', "'"), [
    '2027-01-12',
    '2027-01-14',
  ])
  assert.equal(await tell('2027-01-12', '2027-01-14'), undefined)
  for (const person of ['other@example.org', 'ada@example.org']) {
    await db.write(accountId, tx => erase(tx, id, person))
    assert.equal((await kept()).length, person === 'ada@example.org' ? 0 : 2)
  }
  await tell('2027-01-13')
  await db.write(accountId, tx => erase(tx, id, 'lin@example.org'))
  assert.deepEqual(await kept(), [])
})
