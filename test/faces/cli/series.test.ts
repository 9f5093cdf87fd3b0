import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ofSqlite } from '#test/support/engine.ts'
import { organization } from '#test/support/organization.ts'
import { commandLine } from './turnout.ts'

const date = { slug: 'second', title: 'Second', series: 'tours' }

test('the list of events says which series a date is of, and has no column where there is none', async t => {
  const { turnout, json, write, data } = commandLine(t)
  await json('apply', write('without.json', organization()))
  const list = async () => (await turnout('event', 'list', '--data', data)).out
  assert.doesNotMatch(await list(), /SERIES/)
  const file = { ...organization({ events: [date] }), series: [{ slug: 'tours', name: 'Tours' }] }
  await json('apply', write('with.json', file))
  assert.match(await list(), /SOLD +SERIES\n/)
  assert.match(await list(), /second .* tours *\n/)
  const rows = (await json('event', 'list')).data as { slug: string; series: string | null }[]
  assert.deepEqual(
    rows.map(({ slug, series }) => [slug, series]),
    [
      ['spring-meeting', null],
      ['second', 'tours'],
    ],
  )
})

test(
  'a backup that is restored has the series and their dates, and so has an export of it',
  ofSqlite,
  async t => {
    const { turnout, json, write, data } = commandLine(t)
    const file = { ...organization({ events: [date] }), series: [{ slug: 'tours', name: 'Tours' }] }
    await json('apply', write('with.json', file))
    const copy = `${data}-copy.db`
    assert.equal((await turnout('backup', copy, '--data', data, '--without-secrets')).code, 0)
    const other = `${data}-other`
    assert.equal((await turnout('restore', copy, '--data', other)).code, 0)
    const { out } = await turnout('export', '--data', other)
    assert.deepEqual(JSON.parse(out).series, [{ name: 'Tours', slug: 'tours' }])
    assert.equal((await turnout('check', '--data', other)).code, 0)
  },
)
