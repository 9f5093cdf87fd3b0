import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roles } from '#product/administration/users/roles.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { PASSWORD, startDashboard } from '#test/support/people/dashboard.ts'

const NOTE = /Abstracts for you to review will be shown here once a chair has assigned some\./

test('a reviewer who signs in is told what will be shown there, on pages whose links all open and that ask for nothing', async t => {
  const { member, visitor, accountId, eventId } = await startDashboard(t, organizationWith([abstract('A-1')]))
  const reviewer = await member('reviewer', { eventIds: [eventId] })
  const signIn = await visitor().open('/manage')
  const events = await signIn.fill({ 'E-mail': 'reviewer@example.org', Password: PASSWORD }).press('Sign in')
  assert.equal(events.path, `/manage/a/${accountId}`)
  const overview = await events.follow('Spring Meeting')
  assert.equal(overview.path, `/manage/e/${eventId}`)
  for (const page of [events, overview]) {
    assert.match(page.text, NOTE)
    assert.doesNotMatch(page.text, /Title of A-1|Needs you|What comes next/)
    assert.equal(page.document.querySelector('main form'), null)
    const links = [...page.document.querySelectorAll('a[href^="/"]')].map(each => each.getAttribute('href'))
    assert.ok(links.length > 2)
    for (const link of links) assert.equal((await reviewer.open(link ?? '')).status, 200, link ?? '')
  }
  const entries = [...overview.document.querySelectorAll('.nav > .wide a')].map(each =>
    each.textContent?.trim(),
  )
  assert.deepEqual(entries, ['Overview'])
})

test('in Spanish a reviewer is told so in Spanish', async t => {
  const { member, accountId, eventId } = await startDashboard(t)
  const reviewer = await member('reviewer', { language: 'es' })
  for (const path of [`/manage/a/${accountId}`, `/manage/e/${eventId}`]) {
    const { text } = await reviewer.open(path)
    assert.match(
      text,
      /Aquí verás las propuestas que te toque revisar cuando la coordinación te asigne alguna\./,
    )
  }
})

test('a reviewer without any event is told so too', async t => {
  const { member, accountId } = await startDashboard(t)
  const reviewer = await member('reviewer', { eventIds: [] })
  assert.match((await reviewer.open(`/manage/a/${accountId}`)).text, NOTE)
})

test('nobody else is told of reviews', async t => {
  const { member, accountId, eventId } = await startDashboard(t)
  const others = roles.filter(role => role !== 'reviewer')
  assert.equal(others.length, roles.length - 1)
  for (const role of others) {
    const reader = await member(role)
    for (const path of [`/manage/a/${accountId}`, `/manage/e/${eventId}`])
      assert.doesNotMatch((await reader.open(path)).text, /to review/, `${role} ${path}`)
  }
})
