import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listPairs } from '#product/programme/book/namesakes.ts'
import type { Author } from '#product/programme/submissions/content.ts'
import * as versions from '#product/programme/versions/rules.ts'
import { erase } from '#test/support/lived-call.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { parsePage } from '#test/support/people/page-reader.ts'
import { acceptOne, addSession, openProgrammeCall } from '#test/support/published.ts'

async function start(t: TestContext) {
  const server = await startDashboard(t)
  await openProgrammeCall(server)
  const { db, accountId, eventId } = server
  const chair = await server.member('chair')
  const open = (what = 'people') => chair.open(`/manage/e/${eventId}/programme/${what}`)
  const pairs = async () =>
    (await db.read(accountId, tx => listPairs(tx, eventId))).map(({ one, other, areOne, isJudged }) => ({
      ...{ names: [one.name, other.name].map(name => name.replace('ANA', 'Ana')), areOne, isJudged },
    }))
  const index = async () => {
    const { bytes } = await chair.download(`/manage/e/${eventId}/programme/book.html`)
    return [...parsePage(bytes.toString()).querySelectorAll('.index li')].map(each => each.textContent)
  }
  const verdicts = () => db.read(accountId, tx => versions.listVerdicts(tx, eventId))
  return { ...server, chair, open, pairs, index, verdicts }
}

const by = (changes: Partial<Author>, affiliation = 'Institute of Rooms') => ({
  authors: [
    {
      ...{ given: 'Ana', family: 'García', email: null, orcid: null, affiliations: [0], presenting: true },
      ...changes,
    },
  ],
  affiliations: [affiliation],
})

test('who has one name without the same ORCID iD or e-mail, or one e-mail with two names, may be one; who surely is one or two is no pair', async t => {
  const at = await start(t)
  const ids = ['0000-0002-1825-0097', '0000-0001-5109-3700']
  await acceptOne(at, by({ email: 'ana@a.example' }))
  await acceptOne(at, by({ given: 'ANA', email: 'Ana@a.example' }))
  await acceptOne(at, by({ email: 'ana@b.example' }, 'Academy'))
  await acceptOne(at, by({ given: 'Luz', family: 'Paz', email: 'ana@b.example' }))
  await acceptOne(at, by({ given: 'L.', family: 'Paz', email: 'ana@b.example' }))
  for (const orcid of ids) await acceptOne(at, by({ given: 'Li', family: 'Wang', orcid }))
  await acceptOne(at, by({ given: 'Solo', family: 'One' }))
  const found = (await at.pairs()).sort((one, other) => (String(one.names) < String(other.names) ? -1 : 1))
  assert.deepEqual(found, [
    { names: ['Ana García', 'Ana García'], areOne: false, isJudged: false },
    { names: ['Ana García', 'L. Paz'], areOne: true, isJudged: false },
    { names: ['Ana García', 'Luz Paz'], areOne: true, isJudged: false },
  ])
})

test('what chairs say of two holds in the index and for the warnings, and can be taken back', async t => {
  const at = await start(t)
  const from = at.clock() + 864e5
  const one = await acceptOne(at, by({ email: 'ana@a.example' }))
  const two = await acceptOne(at, by({}, 'Academy'))
  await addSession(at, { title: 'Here', room: 'A', from }, [one])
  await addSession(at, { title: 'There', room: 'B', from }, [two])
  const apart = ['García, Ana O-01', 'García, Ana O-02']
  assert.deepEqual(await at.index(), apart)
  assert.doesNotMatch((await at.open('warnings')).text, /Ana García is in two places/)
  const page = await (await at.open('publish')).follow('1 pair of authors may be one person')
  assert.match(page.text, /They count as two people/)
  const said = await page.press('They are one person: Ana García, Ana García')
  assert.match(said.text, /They count as one person, as a chair has said/)
  assert.deepEqual(await at.index(), ['García, Ana O-01, O-02'])
  assert.match((await at.open('warnings')).text, /Ana García is in two places/)
  assert.doesNotMatch((await at.open('publish')).text, /may be one person/)
  await said.press('Take it back: Ana García, Ana García')
  assert.deepEqual([await at.index(), await at.verdicts()], [apart, []])
})

test('two who count as one by their e-mail are two once chairs have said so', async t => {
  const at = await start(t)
  const one = await acceptOne(at, by({ email: 'desk@a.example' }))
  const two = await acceptOne(at, by({ given: 'Luz', family: 'Paz', email: 'desk@a.example' }))
  await addSession(at, {}, [one, two])
  assert.deepEqual(await at.index(), ['García, Ana O-01, O-02'])
  await (await at.open()).press('They are two people: Ana García, Luz Paz')
  assert.deepEqual(await at.index(), ['García, Ana O-01', 'Paz, Luz O-02'])
})

test('nothing is kept of people who are no pair, and nothing stays of who was made anonymous', async t => {
  const at = await start(t)
  await acceptOne(at, by({ email: 'ana@a.example' }), 'ana@a.example')
  await acceptOne(at, by({}, 'Academy'))
  const judge = `/manage/e/${at.eventId}/programme/people/judge`
  for (const fields of [{}, { one: 'x', other: 'y', same: 'yes' }]) {
    assert.match((await at.chair.post(judge, fields)).text, /has changed|changed meanwhile/)
  }
  assert.deepEqual(await at.verdicts(), [])
  await (await at.open()).press('They are one person: Ana García, Ana García')
  const [verdict] = await at.verdicts()
  assert.doesNotMatch(JSON.stringify(verdict), /ana|garc|example/i)
  await erase(at, 'ana@a.example')
  assert.deepEqual([await at.verdicts(), await at.pairs()], [[], []])
})

test('a thousand authors of one name are compared with few others each', async t => {
  const at = await start(t)
  for (let n = 0; n < 60; n++) await acceptOne(at, by({ email: `ana${n}@a.example` }))
  assert.equal((await at.pairs()).length, 200)
})
