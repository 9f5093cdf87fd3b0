import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listLater, type Uncarried } from '#product/catalog/events/later-dates.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as types from '#product/catalog/registration-types/rules.ts'
import { repeatEvent } from '#product/data-care/duplication/repeat.ts'
import * as later from '#product/guests/questions/later-questions.ts'
import * as questions from '#product/guests/questions/rules.ts'
import type { NewQuestion, Question } from '#product/guests/questions/schemas.ts'
import { at, newEvent, newType, startWithOrganizer } from '#test/support/people/organizer.ts'

const newQuestion = (label: string, changes: Partial<NewQuestion> = {}): NewQuestion => ({
  ...{ label, help: null, kind: 'text', choices: [], required: false, asked_for: 'order' },
  ...{ registration_type_ids: null },
  ...changes,
})

/** Starts with a date of a series that asks for an allergy, of buyers and of authors, and with an earlier and two later dates. */
async function startWithSeries(t: Parameters<typeof startWithOrganizer>[0]) {
  const server = await startWithOrganizer(t)
  const { write, read } = server
  const made = await write(async tx => {
    const { id } = await events.create(tx, newEvent({ starts_at: at('2027-01-09T09:00:00Z') }))
    const child = await types.create(tx, id, newType('Child'))
    const asked = await questions.create(tx, id, newQuestion('Allergy'))
    await questions.create(tx, id, newQuestion('Allergy', { asked_for: 'abstract', key: 'of-authors' }))
    const starts = ['2027-01-02T09:00:00Z', '2027-01-16T09:00:00Z', '2027-07-10T08:00:00Z'].map(at)
    const dates = (await repeatEvent(tx, id, { name: 'Tours', slug: 'tours', starts })).made
    return { id, child, asked, dates: dates.map(event => event.id) as [string, string, string] }
  })
  const { id, dates } = made
  const all = () =>
    read(tx => Promise.all([dates[0], id, dates[1], dates[2]].map(of => questions.listAll(tx, of))))
  const listed = (of: string) => read(tx => questions.list(tx, of))
  const only = async (of: string) => (await listed(of))[0] as Question
  const withLater = <Result>(
    work: (
      tx: Parameters<Parameters<typeof write>[0]>[0],
      dates: Awaited<ReturnType<typeof listLater>>,
    ) => Promise<Result>,
  ) => write(async tx => work(tx, await listLater(tx, await events.getDetails(tx, id), null)))
  const save = (changes: Partial<NewQuestion>, of = made.asked.id) =>
    withLater((tx, dates) => later.updateWithLater(tx, { eventId: id, id: of }, changes, dates))
  const add = (input: NewQuestion) => withLater((tx, dates) => later.createWithLater(tx, id, input, dates))
  return { ...server, ...made, all, listed, only, save, add }
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

test('a change of a question goes to the one of the same label and place on later dates, for the types of the same names', async t => {
  const { id, dates, all, only, save, child, read, asked } = await startWithSeries(t)
  const [, winter, summer] = dates
  const before = await all()
  const { here, others } = await save({ label: 'Allergies', registration_type_ids: [child.id] })
  assert.deepEqual([here.id, here.label], [asked.id, 'Allergies'])
  assert.deepEqual(others, [(await only(winter)).id, (await only(summer)).id])
  const [type] = await read(tx => types.listDetails(tx, summer))
  assert.deepEqual((await only(summer)).registration_type_ids, [type?.id])
  assert.deepEqual((await all())[0], before[0], 'an earlier date stays as it is')
  for (const each of [id, winter, summer]) {
    const [ofAuthors] = await read(tx => questions.listOfAbstracts(tx, each))
    assert.equal(ofAuthors?.label, 'Allergy', 'what authors are asked is another question')
  }
})

test('a date that does not ask it, asks it twice, or lacks a type, refuses, and nothing changes anywhere', async t => {
  const { dates, all, only, save, add, write, child } = await startWithSeries(t)
  const [, winter, summer] = dates
  const [there, twice] = [await only(winter), await only(summer)]
  await write(async tx => {
    await questions.update(tx, winter, there.id, { label: 'Diet' })
    await questions.update(tx, summer, twice.id, { key: 'first' })
    await questions.create(tx, summer, newQuestion('Allergy', { key: 'second' }))
    const [type] = await types.listDetails(tx, summer)
    await types.update(tx, summer, type?.id as string, { name: 'Kid' })
  })
  const before = await all()
  await assert.rejects(
    save({ required: true }),
    refusing([
      ['2027-01-16T10:00', 'not_found', 'no_such_question'],
      ['2027-07-10T10:00', 'not_found', 'several_questions'],
    ]),
  )
  await assert.rejects(
    add(newQuestion('Size', { registration_type_ids: [child.id] })),
    refusing([['2027-07-10T10:00', 'not_found', 'no_such_type']]),
  )
  assert.deepEqual(await all(), before)
})

test('one that is still asked goes before one that is retired, and then the one of the same key', async t => {
  const { dates, listed, only, save, write } = await startWithSeries(t)
  const [, winter, summer] = dates
  const [retired, ofKey] = [await only(winter), await only(summer)]
  const asked = await write(async tx => {
    await questions.setRetired(tx, winter, retired.id, true)
    await questions.create(tx, summer, newQuestion('Allergy', { key: 'another' }))
    return questions.create(tx, winter, newQuestion('Allergy', { key: 'again' }))
  })
  const { others } = await save({ required: true })
  assert.deepEqual(others, [asked.id, ofKey.id])
  const required = (await listed(summer)).map(({ key, required }) => [key, required])
  assert.deepEqual(required, [
    ['allergy', true],
    ['another', false],
  ])
})

test('a question is added to this and the later dates, after the others', async t => {
  const { id, dates, add, listed } = await startWithSeries(t)
  const { here, others } = await add(newQuestion('Size', { kind: 'one_of', choices: ['S', 'M'] }))
  const labels = async (of: string) => (await listed(of)).map(({ label }) => label)
  assert.deepEqual(await labels(dates[0]), ['Allergy'])
  for (const each of [id, dates[1], dates[2]]) assert.deepEqual(await labels(each), ['Allergy', 'Size'])
  assert.deepEqual(
    [here.id, ...others],
    (await Promise.all([id, dates[1], dates[2]].map(listed))).map(each => each[1]?.id),
  )
})
