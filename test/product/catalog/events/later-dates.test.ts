import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as later from '#product/catalog/events/later-dates.ts'
import * as events from '#product/catalog/events/rules.ts'
import { repeatEvent } from '#product/data-care/duplication/repeat.ts'
import { at, newEvent, startWithOrganizer } from '#test/support/people/organizer.ts'

/**
 * Starts with a tour from 10:00 to 12:00 in Madrid on 9 January 2027, with four further dates: an earlier one, two in winter, and
 * one in summer, before whose day the clocks change.
 */
async function startWithSeries(t: Parameters<typeof startWithOrganizer>[0]) {
  const server = await startWithOrganizer(t)
  const { write, read } = server
  const { id, dates } = await write(async tx => {
    const { id } = await events.create(tx, {
      ...newEvent({
        title: 'Tower Tour',
        starts_at: at('2027-01-09T09:00:00Z'),
        ends_at: at('2027-01-09T11:00:00Z'),
      }),
      cancel_until: at('2027-01-08T09:00:00Z'),
    })
    const starts = ['2027-01-02T09:00:00Z', '2027-01-16T09:00:00Z', '2027-01-16T15:00:00Z'].map(at)
    const { made } = await repeatEvent(tx, id, {
      ...{ name: 'Tower Tours', slug: 'tours' },
      starts: [...starts, at('2027-07-10T08:00:00Z')],
    })
    return { id, dates: made.map(event => event.id) }
  })
  const details = (of: string) => read(tx => events.getDetails(tx, of))
  const listed = (of = id, among: readonly string[] | null = null) =>
    read(async tx => (await later.listLater(tx, await events.getDetails(tx, of), among)).map(date => date.id))
  const save = (changes: Parameters<typeof events.update>[2]) =>
    write(async tx => {
      const found = await later.listLater(tx, await events.getDetails(tx, id), null)
      return later.updateWithLater(tx, id, changes, found)
    })
  const times = (of: string) =>
    details(of).then(({ starts_at, ends_at, cancel_until }) => [starts_at, ends_at, cancel_until])
  return { ...server, id, dates: dates as [string, string, string, string], details, listed, save, times }
}

test('later dates are those of the same series that begin after, neither cancelled nor open, nor hidden from a member', async t => {
  const { id, dates, listed, write, read } = await startWithSeries(t)
  const [earlier, next, evening, summer] = dates
  assert.deepEqual(await listed(), [next, evening, summer])
  assert.deepEqual(await listed(earlier), [id, next, evening, summer])
  assert.deepEqual(await listed(summer), [])
  assert.deepEqual(await listed(id, [id, evening]), [evening])
  const alone = await write(tx => events.create(tx, newEvent({ starts_at: at('2027-02-01T09:00:00Z') })))
  assert.deepEqual(await listed(alone.id), [])
  await write(async tx => {
    await tx.run("UPDATE events SET status = 'cancelled' WHERE account_id = $1 AND id = $2", [
      tx.accountId,
      next,
    ])
    await tx.run('UPDATE events SET deleting_at = 1 WHERE account_id = $1 AND id = $2', [
      tx.accountId,
      evening,
    ])
  })
  assert.deepEqual(await listed(), [summer])
  await write(tx => events.update(tx, id, { starts_at: null, ends_at: null }))
  assert.deepEqual(await listed(), [])
  assert.equal((await read(tx => events.getDetails(tx, alone.id))).series_id, null)
})

test('a change goes to the later dates alone, and what else differs there stays', async t => {
  const { id, dates, details, save, write } = await startWithSeries(t)
  const [earlier, next, evening, summer] = dates
  await write(tx => events.update(tx, evening, { title: 'Evening Tour', venue: 'Crypt' }))
  const before = [await details(earlier), await details(evening)]
  await save({ venue: 'North Tower', slug: 'first-tour' })
  for (const each of [id, next, evening, summer]) assert.equal((await details(each)).venue, 'North Tower')
  assert.deepEqual(await details(earlier), before[0])
  assert.deepEqual(await details(evening), { ...before[1], venue: 'North Tower' })
  assert.equal((await details(id)).slug, 'first-tour')
  assert.equal((await details(next)).slug, 'tours-2027-01-16-1000')
})

test('a start moves as far on the clocks of each date, and other times keep their distance from it', async t => {
  const { id, dates, save, times } = await startWithSeries(t)
  const [earlier, next, evening, summer] = dates
  const was = await times(earlier)
  await save({ starts_at: at('2027-01-09T10:30:00Z'), ends_at: at('2027-01-09T13:30:00Z') })
  assert.deepEqual(await times(id), [
    '2027-01-09T10:30:00.000Z',
    '2027-01-09T13:30:00.000Z',
    '2027-01-08T09:00:00.000Z',
  ])
  assert.deepEqual((await times(next)).slice(0, 2), ['2027-01-16T10:30:00.000Z', '2027-01-16T13:30:00.000Z'])
  assert.deepEqual((await times(evening)).slice(0, 2), [
    '2027-01-16T16:30:00.000Z',
    '2027-01-16T19:30:00.000Z',
  ])
  assert.deepEqual(await times(summer), [
    '2027-07-10T09:30:00.000Z',
    '2027-07-10T12:30:00.000Z',
    '2027-07-09T08:00:00.000Z',
  ])
  await save({ cancel_until: null })
  assert.deepEqual((await times(summer))[2], null)
  await save({ cancel_until: at('2027-01-07T10:30:00Z') })
  assert.deepEqual((await times(summer))[2], '2027-07-08T09:30:00.000Z')
  assert.deepEqual(await times(earlier), was)
})

test('with another time zone each date keeps what its clocks show', async t => {
  const { dates, save, times } = await startWithSeries(t)
  await save({
    timezone: 'America/New_York',
    starts_at: at('2027-01-09T15:00:00Z'),
    ends_at: at('2027-01-09T17:00:00Z'),
  })
  assert.deepEqual((await times(dates[3])).slice(0, 2), [
    '2027-07-10T14:00:00.000Z',
    '2027-07-10T16:00:00.000Z',
  ])
})

test('if one date cannot take a change, each that cannot is named with its reason, and nothing changes anywhere', async t => {
  const { id, dates, details, save, write } = await startWithSeries(t)
  const [earlier, next, evening, summer] = dates
  await write(async tx => {
    await events.update(tx, evening, { ends_at: at('2027-01-16T15:10:00Z') })
    await events.update(tx, summer, { starts_at: at('2027-03-28T00:10:00Z'), ends_at: null })
  })
  const all = () => Promise.all([id, earlier, next, evening, summer].map(details))
  const before = await all()
  await assert.rejects(save({ starts_at: at('2027-01-09T10:00:00Z'), title: 'Other' }), error => {
    const { code, details } = error as { code: string; details: Record<string, unknown> }
    assert.equal(code, 'not_carried')
    const uncarried = details.uncarried as later.Uncarried[]
    assert.equal(details.count, 2)
    assert.deepEqual(
      uncarried.map(({ date, code }) => [date, code]),
      [
        ['2027-01-16T16:00', 'invalid_parameter'],
        ['2027-03-28T01:10', 'invalid_parameter'],
      ],
    )
    assert.equal((uncarried[1] as later.Uncarried).details.reason, 'skipped_time')
    return true
  })
  assert.deepEqual(await all(), before)
  await assert.rejects(save({ starts_at: null, ends_at: null }), { code: 'no_start', param: 'starts_at' })
  assert.deepEqual(await all(), before)
})

test('dates of another series stay as they are', async t => {
  const { save, write, read, details } = await startWithSeries(t)
  const other = await write(async tx => {
    const event = await events.create(tx, newEvent({ starts_at: at('2027-02-01T09:00:00Z') }))
    const { made } = await repeatEvent(tx, event.id, {
      ...{ name: 'Other', slug: 'other' },
      starts: [at('2027-02-02T09:00:00Z')],
    })
    return [event.id, ...made.map(({ id }) => id)]
  })
  const before = await Promise.all(other.map(details))
  await save({ title: 'Changed', city: 'Lisbon' })
  assert.deepEqual(await Promise.all(other.map(details)), before)
  assert.equal((await read(tx => events.listAll(tx))).filter(({ city }) => city === 'Lisbon').length, 4)
})
