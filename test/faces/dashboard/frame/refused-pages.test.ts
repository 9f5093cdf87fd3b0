import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'

const navigationOf = (page: ReadPage) =>
  [...page.document.querySelectorAll('nav.nav a')].map(link => link.textContent?.trim())

test('a page that a member may not see, or that does not exist, keeps the navigation of where the member is', async t => {
  const { member, accountId, eventId } = await startDashboard(t)
  const door = await member('door', { eventIds: [eventId] })
  const forbidden = await door.open(`/manage/e/${eventId}/settings`)
  assert.equal(forbidden.status, 403)
  assert.ok(navigationOf(forbidden).includes('Check-in'))
  assert.ok(!navigationOf(forbidden).includes('Tickets'), 'only what the role may see')
  const owner = await member('owner')
  for (const path of [
    `/manage/e/${UNKNOWN_ID}`,
    `/manage/a/${UNKNOWN_ID}`,
    '/manage/nowhere/at/all',
    `/manage/a/${accountId}/keys/${UNKNOWN_ID}/revoke`,
  ]) {
    const page = await owner.open(path)
    assert.equal(page.status, 404, path)
    assert.equal(page.document.querySelectorAll('h1').length, 1)
    assert.ok(navigationOf(page).includes('Team'), path)
  }
  const guest = await owner.open(`/manage/e/${eventId}/guests/${UNKNOWN_ID}`)
  assert.equal(guest.status, 404)
  assert.ok(navigationOf(guest).includes('Guests'))
})

test('who is not signed in, or is in several organizations, gets no navigation of any of them', async t => {
  const { member, visitor, apply } = await startDashboard(t)
  assert.deepEqual(navigationOf(await visitor().open('/manage/nowhere/at/all')), [])
  const { account_id: other } = await apply(organization({ email: 'bob@example.org' }))
  await member('owner')
  const page = await (await member('owner', { accountId: other, email: 'both@example.org' })).open(
    '/manage/x',
  )
  assert.equal(page.status, 404)
  assert.ok(page.html.includes('/manage/profile'))
})

test('what leads to a page that asks before it destroys is red and ends with dots', async t => {
  const { member, accountId, eventId, client, types } = await startDashboard(t)
  const owner = await member('owner')
  const { body: guest } = await client.post('/registrations', {
    ...{ event_id: eventId, registration_type_id: Object.values(types)[0] },
    buyer: { name: 'Grace', email: 'grace@example.org' },
  })
  const draft = (await owner.open(`/manage/e/${eventId}/messages/announcements/new`)).fill({
    Subject: 'Soon',
    Text: 'See you soon.',
  })
  await draft.press('Save the draft')
  const starts = [
    `/manage/e/${eventId}`,
    `/manage/e/${eventId}/guests/${guest.id}`,
    `/manage/e/${eventId}/messages/announcements`,
    `/manage/e/${eventId}/tickets`,
    `/manage/a/${accountId}/keys`,
    `/manage/a/${accountId}/payments`,
  ]
  const seen = new Set<string>()
  const asking: string[] = []
  const look = async (path: string, depth: number) => {
    const page = await owner.open(path)
    for (const link of page.document.querySelectorAll<HTMLAnchorElement>('main a[href^="/manage/"]')) {
      const { pathname } = link
      if (seen.has(pathname)) continue
      seen.add(pathname)
      const target = await owner.open(pathname)
      if (target.document.querySelector('form button.danger') !== null) {
        asking.push(pathname)
        assert.match(link.textContent ?? '', /…$/, pathname)
        // A sent mail cannot be taken back either, but sending is what the page is for.
        assert.equal(link.classList.contains('destructive'), !pathname.endsWith('/send'), pathname)
      } else if (depth > 0) await look(pathname, depth - 1)
    }
  }
  for (const path of starts)
    await look(path, path.endsWith('announcements') || path.endsWith('tickets') ? 1 : 0)
  assert.ok(asking.length >= 5, asking.join(' '))
})
