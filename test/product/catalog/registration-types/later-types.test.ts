import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listLater, type Uncarried } from '#product/catalog/events/later-dates.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as later from '#product/catalog/registration-types/later-types.ts'
import * as types from '#product/catalog/registration-types/rules.ts'
import type { NewType } from '#product/catalog/registration-types/schemas.ts'
import { repeatEvent } from '#product/data-care/duplication/repeat.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { at, newEvent, newType, startWithOrganizer } from '#test/support/people/organizer.ts'

/**
 * Starts with a tour on 9 January 2027 at 10:00 in Madrid with two types, and three further dates: an earlier one, one in winter,
 * and one in summer, before which the clocks change.
 */
async function startWithSeries(t: Parameters<typeof startWithOrganizer>[0]) {
  const server = await startWithOrganizer(t)
  const { write, read } = server
  const { id, dates } = await write(async tx => {
    const { id } = await events.create(tx, newEvent({ starts_at: at('2027-01-09T09:00:00Z') }))
    await types.create(tx, id, newType('Adult', { price: 1000, sales_end: at('2027-01-08T09:00:00Z') }))
    await types.create(tx, id, newType('Child'))
    const starts = ['2027-01-02T09:00:00Z', '2027-01-16T09:00:00Z', '2027-07-10T08:00:00Z'].map(at)
    const { made } = await repeatEvent(tx, id, { name: 'Tours', slug: 'tours', starts })
    return { id, dates: made.map(event => event.id) as [string, string, string] }
  })
  const all = () =>
    read(tx => Promise.all([dates[0], id, dates[1], dates[2]].map(of => types.listDetails(tx, of))))
  const typeOf = (of: string, name: string) =>
    read(async tx => {
      const found = (await types.listDetails(tx, of)).find(type => type.name === name)
      if (found === undefined) throw new Error(`no ${name}`)
      return found
    })
  const save = async (name: string, changes: Partial<NewType>) => {
    const type = await typeOf(id, name)
    return write(async tx => {
      const dates = await listLater(tx, await events.getDetails(tx, id), null)
      return later.updateWithLater(tx, { eventId: id, id: type.id }, changes, dates)
    })
  }
  const add = (input: NewType) =>
    write(async tx =>
      later.createWithLater(tx, id, input, await listLater(tx, await events.getDetails(tx, id), null)),
    )
  return { ...server, id, dates, all, typeOf, save, add }
}

/** Asserts that dates refuse a change, and why each does. */
function refusing(expected: readonly (readonly [date: string, code: string, reason?: unknown])[]) {
  return (error: unknown) => {
    const { code, details } = error as { code: string; details: { count: number; uncarried: Uncarried[] } }
    assert.equal(code, 'not_carried')
    assert.equal(details.count, expected.length)
    assert.deepEqual(
      details.uncarried.map(each => [each.date, each.code, each.details.reason]),
      expected.map(([date, code, reason]) => [date, code, reason]),
    )
    return true
  }
}

test('a change of a type goes to the type of the same name on later dates alone, and what else differs there stays', async t => {
  const { id, dates, all, typeOf, save, write } = await startWithSeries(t)
  const [earlier, winter, summer] = dates
  await write(async tx => {
    const { id: child } = (await types.listDetails(tx, winter)).find(({ name }) => name === 'Child') as {
      id: string
    }
    await types.update(tx, winter, child, { name: 'Kid' })
  })
  const adult = await typeOf(summer, 'Adult')
  await write(tx => types.update(tx, summer, adult.id, { capacity: 7, hidden: true }))
  const before = await all()
  const { here, others } = await save('Adult', { name: 'Grown-up', price: 1200 })
  assert.deepEqual([here.name, here.price], ['Grown-up', 1200])
  assert.deepEqual(others, [(await typeOf(winter, 'Grown-up')).id, adult.id])
  assert.deepEqual(await typeOf(summer, 'Grown-up'), {
    ...adult,
    ...{ name: 'Grown-up', price: 1200, capacity: 7, available: 7, hidden: true },
  })
  const after = await all()
  assert.deepEqual(after[0], before[0], 'an earlier date stays as it is')
  assert.deepEqual(
    after[2]?.find(({ name }) => name === 'Kid'),
    before[2]?.find(({ name }) => name === 'Kid'),
  )
  assert.equal((await typeOf(earlier, 'Adult')).price, 1000)
  assert.deepEqual(await save('Grown-up', {}), { here: await typeOf(id, 'Grown-up'), others: [] })
})

test('times of a type get the distance from the start that they have here, by the clocks of each date', async t => {
  const { dates, typeOf, save } = await startWithSeries(t)
  const [earlier, winter, summer] = dates
  await save('Adult', { sales_start: at('2026-12-12T11:00:00Z'), sales_end: at('2027-01-09T08:00:00Z') })
  const timesOf = async (of: string) => {
    const { sales_start, sales_end } = await typeOf(of, 'Adult')
    return [sales_start, sales_end]
  }
  assert.deepEqual(await timesOf(winter), ['2026-12-19T11:00:00.000Z', '2027-01-16T08:00:00.000Z'])
  assert.deepEqual(await timesOf(summer), ['2027-06-12T10:00:00.000Z', '2027-07-10T07:00:00.000Z'])
  assert.deepEqual(await timesOf(earlier), [null, '2027-01-01T09:00:00.000Z'])
  await save('Adult', { sales_start: null })
  assert.deepEqual(await timesOf(summer), [null, '2027-07-10T07:00:00.000Z'])
})

test('a date without such a type, with more sold, or with the name already, refuses, and nothing changes anywhere', async t => {
  const { dates, all, typeOf, save, write } = await startWithSeries(t)
  const [, winter, summer] = dates
  const [ofWinter, ofSummer] = [await typeOf(winter, 'Adult'), await typeOf(summer, 'Adult')]
  await write(async tx => {
    await registrations.create(tx, {
      ...{ event_id: summer, registration_type_id: ofSummer.id, quantity: 3 },
      buyer: { name: 'Grace', email: 'grace@example.org' },
    })
    await types.update(tx, winter, ofWinter.id, { name: 'Senior' })
    await types.create(tx, summer, newType('Guest'))
  })
  const before = await all()
  await assert.rejects(
    save('Adult', { capacity: 2 }),
    refusing([
      ['2027-01-16T10:00', 'not_found', 'no_such_type'],
      ['2027-07-10T10:00', 'below_sold'],
    ]),
  )
  await assert.rejects(save('Child', { name: 'Guest' }), refusing([['2027-07-10T10:00', 'already_taken']]))
  await assert.rejects(save('Child', { name: 'Adult' }), { code: 'already_taken', param: 'name' })
  assert.deepEqual(await all(), before)
})

test('a price goes to no date with another currency, except for nothing, which is the same in all', async t => {
  const { id, dates, all, typeOf, save, add, write } = await startWithSeries(t)
  await write(tx => events.update(tx, dates[2], { currency: 'GBP' }))
  const before = await all()
  const refused = refusing([['2027-07-10T10:00', 'in_use', 'other_currency']])
  await assert.rejects(save('Adult', { price: 1200 }), refused)
  await assert.rejects(add(newType('Guest', { price: 1 })), refused)
  assert.deepEqual(await all(), before)
  await save('Adult', { price: 0, capacity: 20 })
  await add(newType('Guest'))
  assert.equal((await typeOf(dates[2], 'Adult')).capacity, 20)
  assert.equal((await typeOf(id, 'Guest')).price, 0)
})

test('a type is added to this and the later dates, after the others, with its times moved, or to none of them', async t => {
  const { id, dates, all, typeOf, add, write } = await startWithSeries(t)
  const [, winter, summer] = dates
  const { here, others } = await add(
    newType('Guest', { capacity: 4, valid_from: at('2027-01-09T10:00:00Z') }),
  )
  assert.deepEqual(here, await typeOf(id, 'Guest'))
  assert.deepEqual(others, [(await typeOf(winter, 'Guest')).id, (await typeOf(summer, 'Guest')).id])
  assert.equal((await typeOf(summer, 'Guest')).valid_from, '2027-07-10T09:00:00.000Z')
  const names = (await all()).map(each => each.map(({ name }) => name))
  assert.deepEqual(names, [['Adult', 'Child'], ...Array(3).fill(['Adult', 'Child', 'Guest'])])
  await write(tx => types.create(tx, winter, newType('Press')))
  const before = await all()
  await assert.rejects(add(newType('Press')), refusing([['2027-01-16T10:00', 'already_taken']]))
  assert.deepEqual(await all(), before)
})
