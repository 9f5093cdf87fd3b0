import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HOUR } from '#base/time.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

const aims = { heading: 'Aims', text: 'To count <b>doors</b>.' }
const results = { heading: 'Results', text: '*Three*.' }

/** Starts a server with an abstract of three versions. */
async function start(t: TestContext) {
  const server = await startDashboard(t, organizationWith([abstract('A-1')]))
  const { clock, eventId } = server
  await openCall(server, { sections: ['Aims', 'Results'] })
  const { submission } = await begin(server)
  const first = contentOf({ title: 'On doors', sections: [aims, results] })
  const { id } = await send(server, submission.id, first)
  clock.advance(HOUR)
  const second = { ...first, title: 'On many doors', sections: [aims, { ...results, text: 'H~4~' }] }
  await send(server, submission.id, second)
  clock.advance(HOUR)
  await send(server, submission.id, { ...second, contact: { name: 'Mei Lin', phone: '1' }, keywords: [] })
  const path = `/manage/e/${eventId}/abstracts/${id}`
  return { ...server, path, submission }
}

test('each version of an abstract is read from what happened to it, as it said then, with what it changed', async t => {
  const { member, path } = await start(t)
  const owner = await member('owner')
  const page = await owner.open(`${path}?q=doors`)
  const links = [...page.document.querySelectorAll('.timeline a')].map(each => each.textContent)
  assert.deepEqual(links, ['Version 3', 'Version 2', 'Version 1'])
  const first = await page.follow('Version 1')
  assert.equal(first.heading, 'Version 1 of 3')
  assert.match(first.text, /21 Nov 2026, 13:00.*This is how it was submitted\./)
  const article = first.document.querySelector('article')
  assert.equal(article?.querySelector('h2')?.textContent, 'On doors')
  assert.match(article?.textContent ?? '', /Lin Mei, Aristotle.*To count <b>doors<\/b>\..*Three\./)
  assert.equal(article?.querySelector('em')?.textContent, 'Three')
  const bold = [...(article?.querySelectorAll('b') ?? [])].map(each => each.textContent)
  assert.deepEqual(bold, ['Lin Mei', 'Aims', 'Results'])
  assert.doesNotMatch(first.text, /many/)
  const second = await first.follow('Version 2')
  assert.match(second.text, /14:00.*It differs from version 1 in: Title and Results\./)
  assert.equal(second.document.querySelector('article h2')?.textContent, 'On many doors')
  const third = await second.follow('Version 3')
  assert.match(third.text, /It differs from version 2 in: Keywords and Contact\./)
  const beside = [...third.document.querySelectorAll('nav[aria-label=Versions] a')]
  assert.deepEqual(
    beside.map(each => each.textContent),
    ['Version 2'],
  )
  const back = third.document.querySelector('.crumbs a')?.getAttribute('href')
  assert.equal(back, `${path}?q=doors`)
})

test('an abstract that was never changed leads to no versions', async t => {
  const server = await startDashboard(t)
  await openCall(server)
  const { submission } = await begin(server)
  const { id } = await send(server, submission.id)
  const page = await (await server.member('owner')).open(`/manage/e/${server.eventId}/abstracts/${id}`)
  assert.equal(page.document.querySelectorAll('.timeline li').length, 1)
  assert.equal(page.document.querySelector('.timeline a'), null)
})

test('a version that is not there is nothing, and so is any of an abstract of a file or of another event', async t => {
  const { member, path, applied, eventId } = await start(t)
  const owner = await member('owner')
  for (const version of ['0', '4', '01', '1.0', 'x', '-1', '9'.repeat(30)])
    assert.equal((await owner.open(`${path}/versions/${version}`)).status, 404, version)
  const brought = applied.events['spring-meeting']?.abstracts['A-1']
  assert.equal((await owner.open(`/manage/e/${eventId}/abstracts/${brought}/versions/1`)).status, 404)
  assert.equal((await owner.open(`${path}/versions/1`)).status, 200)
})

test('versions are read in Spanish', async t => {
  const { member, path } = await start(t)
  const page = await (await member('chair', { language: 'es' })).open(`${path}/versions/2`)
  assert.equal(page.heading, 'Versión 2 de 3')
  assert.match(page.text, /Se distingue de la versión 1 en: Título y Results\./)
})
