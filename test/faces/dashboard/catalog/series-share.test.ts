import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '#base/time.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { repeatEvent } from '#product/data-care/duplication/repeat.ts'
import { valueIn } from '#test/support/people/copied.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { at, newEvent, newType, seller } from '#test/support/people/organizer.ts'
import { readCode, readPng } from '#test/support/qr-reader.ts'

const START = at('2026-12-01T09:00:00Z')

/** Starts with a series of two drafts. */
async function start(t: Parameters<typeof startDashboard>[0]) {
  const server = await startDashboard(t)
  const { db, accountId } = server
  const { id, series } = await db.write(accountId, async tx => {
    await accounts.update(tx, { ...seller, slug: 'ada' })
    const { id } = await events.create(tx, newEvent({ title: 'Tour', starts_at: START }))
    await registrationTypes.create(tx, id, newType('Adult', { capacity: 12 }))
    return { id, ...(await repeatEvent(tx, id, { name: 'Tours & <talks>', starts: [START + DAY] })) }
  })
  const publish = () => db.write(accountId, tx => events.setStatus(tx, id, 'published'))
  return { ...server, id, series, publish, path: `/manage/a/${accountId}/series/${series.id}` }
}

test('what is shared of a series leads to all of its dates: the address, its QR code in both formats, the HTML and the frame', async t => {
  const { member, visitor, publish, path, app } = await start(t)
  await publish()
  const manager = await member('manager')
  const share = await (await manager.open(path)).follow('Share')
  const link = valueIn(share, 'address')
  const dates = await visitor().open(new URL(link).pathname)
  assert.deepEqual([dates.status, dates.heading], [200, 'Tours & <talks>'])
  assert.equal(valueIn(share, 'html'), `<a href="${link}">Tickets for Tours &amp; &lt;talks></a>`)
  const session = manager.cookies.get('session')
  const png = await fetch(`${app.siteUrl}${path}/share/qr.png`, { headers: { cookie: `session=${session}` } })
  assert.equal(readCode(readPng(Buffer.from(await png.arrayBuffer()))), link)
  assert.match((await manager.open(`${path}/share/qr.svg`)).html, /^<svg xmlns=/)
  const [, inline] = [...share.document.querySelectorAll('[aria-labelledby=own-site] input, textarea')].map(
    field => (field as HTMLInputElement).value,
  )
  const frame = /src="([^"]+\/embed)"/.exec(inline ?? '')?.[1]
  assert.equal((await visitor().open(new URL(frame ?? '').pathname)).status, 200)
})

test('a series that visitors cannot see yet says so instead of sharing a dead address, and is not offered to be shared', async t => {
  const { member, path, publish } = await start(t)
  const manager = await member('manager')
  const offers = async () => (await manager.open(path)).document.querySelector('a[href$="/share"]') !== null
  assert.equal(await offers(), false)
  const share = await manager.open(`${path}/share`)
  assert.match(share.text, /as soon as one of them is published and public/)
  assert.equal(share.document.querySelector('.copyable, .qr'), null)
  assert.equal((await manager.open(`${path}/share/qr.png`)).heading, 'Share')
  await publish()
  assert.equal(await offers(), true)
  for (const role of ['door', 'reviewer'] as const)
    assert.equal((await (await member(role)).open(`${path}/share`)).status, 403, role)
})
