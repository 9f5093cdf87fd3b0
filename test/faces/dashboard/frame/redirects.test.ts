import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '#test/support/people/dashboard.ts'
import { startStorefront } from '#test/support/people/storefront.ts'

const POLICY = 'cross-origin-opener-policy'

test('what leads to a page has the opener policy of pages, so that no browser changes its process on the way', async t => {
  const { app, member, visit, eventId } = await startStorefront(t)
  const owner = await member('owner')
  const settings = `/manage/e/${eventId}/settings`
  const page = await owner.open(settings)
  assert.equal(page.headers[POLICY], 'same-origin')
  const send = (path: string, fields: Record<string, string>) =>
    fetch(app.siteUrl + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin', cookie: `session=${owner.cookies.get('session')}` },
      body: new URLSearchParams(fields),
    })
  for (const [path, answer] of [
    [settings, await fetch(app.siteUrl + settings, { redirect: 'manual' })],
    ['/manage/sign-in', await send('/manage/sign-in', { email: 'owner@example.org', password: PASSWORD })],
    ['/manage/sign-out', await send('/manage/sign-out', {})],
  ] as const) {
    assert.equal(answer.status, 303, path)
    assert.equal(answer.headers.get(POLICY), 'same-origin', path)
  }
  const listing = await visit('/ada')
  assert.deepEqual([listing.status, listing.headers[POLICY]], [302, 'same-origin'])
  assert.equal((await visit('/ada/')).headers[POLICY], 'same-origin')
})
