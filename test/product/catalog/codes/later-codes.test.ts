import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as later from '#product/catalog/codes/later-codes.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import type { Code, NewCode } from '#product/catalog/codes/schemas.ts'
import { listLater, type Uncarried } from '#product/catalog/events/later-dates.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as types from '#product/catalog/registration-types/rules.ts'
import { repeatEvent } from '#product/data-care/duplication/repeat.ts'
import { at, newEvent, newType, startWithOrganizer } from '#test/support/people/organizer.ts'

const newCode = (code: string, changes: Partial<NewCode> = {}): NewCode => ({
  ...{ code, percent: null, amount: null, registration_type_ids: null, valid_from: null },
  ...{ valid_until: null, max_tickets: null, active: true, note: null },
  ...changes,
})

/** Starts with a date of a series that has two types and the code EARLY, and with an earlier and two later dates. */
async function startWithSeries(t: Parameters<typeof startWithOrganizer>[0]) {
  const server = await startWithOrganizer(t)
  const { write, read } = server
  const made = await write(async tx => {
    const { id } = await events.create(tx, newEvent({ starts_at: at('2027-01-09T09:00:00Z') }))
    const adult = await types.create(tx, id, newType('Adult', { price: 1000 }))
    const child = await types.create(tx, id, newType('Child', { price: 500 }))
    await codes.create(tx, id, newCode('EARLY', { percent: 10, registration_type_ids: [adult.id] }))
    const starts = ['2027-01-02T09:00:00Z', '2027-01-16T09:00:00Z', '2027-07-10T08:00:00Z'].map(at)
    const dates = (await repeatEvent(tx, id, { name: 'Tours', slug: 'tours', starts })).made
    return { id, adult, child, dates: dates.map(event => event.id) as [string, string, string] }
  })
  const { id, dates } = made
  const typesOf = async (of: string) =>
    new Map((await read(tx => types.listDetails(tx, of))).map(type => [type.id, type.name]))
  const all = () =>
    read(tx => Promise.all([dates[0], id, dates[1], dates[2]].map(of => codes.listAll(tx, of))))
  const codeOf = async (of: string, code: string) =>
    (await read(tx => codes.listAll(tx, of))).find(each => each.code === code) as Code
  const save = async (code: string, changes: Partial<NewCode>) => {
    const { id: codeId } = await codeOf(id, code)
    return write(async tx => {
      const dates = await listLater(tx, await events.getDetails(tx, id), null)
      return later.updateWithLater(tx, { eventId: id, id: codeId }, changes, dates)
    })
  }
  const add = (input: NewCode) =>
    write(async tx =>
      later.createWithLater(tx, id, input, await listLater(tx, await events.getDetails(tx, id), null)),
    )
  const namesOf = async (of: string, code: string) => {
    const names = await typesOf(of)
    return (await codeOf(of, code)).registration_type_ids?.map(each => names.get(each)).toSorted()
  }
  return { ...server, ...made, all, codeOf, save, add, namesOf }
}

function refusing(expected: readonly (readonly [date: string, code: string, reason?: unknown])[]) {
  return (error: unknown) => {
    const { code, details } = error as { code: string; details: { uncarried: Uncarried[] } }
    assert.equal(code, 'not_carried')
    assert.deepEqual(
      details.uncarried.map(each => [each.date, each.code, each.details.reason]),
      expected.map(([date, code, reason]) => [date, code, reason]),
    )
    return true
  }
}

test('a change of a code goes to the code of the same text on later dates, for the types of the same names, at moved times', async t => {
  const { id, dates, all, codeOf, save, namesOf, write, adult, child } = await startWithSeries(t)
  const [, winter, summer] = dates
  const there = await codeOf(winter, 'EARLY')
  await write(tx => codes.update(tx, winter, there.id, { code: 'early', note: 'of winter' }))
  const before = await all()
  const changes = {
    ...{ code: 'SOON', registration_type_ids: [child.id, adult.id] },
    valid_until: at('2027-01-09T08:00:00Z'),
  }
  const { here, others } = await save('EARLY', changes)
  assert.equal(here.code, 'SOON')
  assert.deepEqual(others, [there.id, (await codeOf(summer, 'SOON')).id])
  assert.deepEqual((await all())[0], before[0], 'an earlier date stays as it is')
  for (const each of [id, winter, summer]) assert.deepEqual(await namesOf(each, 'SOON'), ['Adult', 'Child'])
  const { note, percent, valid_until } = await codeOf(winter, 'SOON')
  assert.deepEqual([note, percent, valid_until], ['of winter', 10, '2027-01-16T08:00:00.000Z'])
  assert.equal((await codeOf(summer, 'SOON')).valid_until, '2027-07-10T07:00:00.000Z')
  await save('SOON', { registration_type_ids: null })
  assert.equal((await codeOf(summer, 'SOON')).registration_type_ids, null)
})

test('a date without the code, without a type of it, or with other money, refuses, and nothing changes anywhere', async t => {
  const { dates, all, codeOf, save, add, write, child, id } = await startWithSeries(t)
  const [, winter, summer] = dates
  await write(async tx => {
    await codes.remove(tx, winter, (await codes.listAll(tx, winter))[0]?.id as string)
    const there = (await types.listDetails(tx, summer)).find(({ name }) => name === 'Child')
    await types.remove(tx, summer, there?.id as string)
    await events.update(tx, summer, { currency: 'GBP' })
    await codes.create(tx, id, newCode('ALONE'))
    await codes.create(tx, summer, newCode('TAKEN'))
  })
  const before = await all()
  await assert.rejects(
    save('EARLY', { registration_type_ids: [child.id] }),
    refusing([
      ['2027-01-16T10:00', 'not_found', 'no_such_code'],
      ['2027-07-10T10:00', 'not_found', 'no_such_type'],
    ]),
  )
  await assert.rejects(
    add(newCode('FIVE', { amount: 500 })),
    refusing([['2027-07-10T10:00', 'in_use', 'other_currency']]),
  )
  await assert.rejects(add(newCode('taken')), refusing([['2027-07-10T10:00', 'already_taken']]))
  await assert.rejects(save('ALONE', { code: 'EARLY' }), { code: 'already_taken', param: 'code' })
  assert.deepEqual(await all(), before)
  assert.equal(await codeOf(id, 'FIVE'), undefined)
})

test('a code is added to this and the later dates', async t => {
  const { id, dates, codeOf, add, namesOf, child } = await startWithSeries(t)
  const input = newCode('KIDS', { percent: 50, registration_type_ids: [child.id], max_tickets: 4 })
  const { here, others } = await add({ ...input, valid_from: at('2027-01-08T09:00:00Z') })
  assert.deepEqual(here, await codeOf(id, 'KIDS'))
  assert.deepEqual(others, [(await codeOf(dates[1], 'KIDS')).id, (await codeOf(dates[2], 'KIDS')).id])
  assert.equal(await codeOf(dates[0], 'KIDS'), undefined)
  assert.equal((await codeOf(dates[2], 'KIDS')).valid_from, '2027-07-09T08:00:00.000Z')
  assert.deepEqual(await namesOf(dates[2], 'KIDS'), ['Child'])
  assert.equal((await codeOf(dates[2], 'KIDS')).max_tickets, 4)
})
