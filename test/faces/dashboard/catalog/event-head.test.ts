import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { valueIn } from '#test/support/people/copied.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { readCode, readPng } from '#test/support/qr-reader.ts'

const LONG =
  'The nineteenth international gathering of those who restore organs, harmoniums and barrel organs'

/** Returns the links and buttons behind “More”. */
const behindMore = (page: ReadPage) =>
  [...page.document.querySelectorAll('.head .menu li')].map(each => (each.textContent ?? '').trim())

const mainActions = (page: ReadPage) =>
  [...page.document.querySelectorAll('main .button.main')].map(each => (each.textContent ?? '').trim())

async function start(t: Parameters<typeof startDashboard>[0]) {
  const server = await startDashboard(t)
  const { db, accountId, eventId } = server
  const change = (changes: Parameters<typeof events.update>[2]) =>
    db.write(accountId, tx => events.update(tx, eventId, changes))
  return { ...server, change, path: `/manage/e/${eventId}` }
}

test('the overview has the whole name of the event as its heading, with date, place and state, and every other page has it above', async t => {
  const { member, change, path } = await start(t)
  await change({ title: LONG, venue: 'Casa Encendida', city: 'Madrid' })
  const owner = await member('owner')
  const overview = await owner.open(path)
  assert.equal(overview.heading, LONG)
  assert.match(
    overview.document.querySelector('.head')?.textContent ?? '',
    /Published.*2026.*Casa Encendida, Madrid/,
  )
  assert.equal(overview.document.querySelector('.of-event'), null, 'the name stands there once')
  const guests = await owner.open(`${path}/guests`)
  assert.equal(guests.heading, 'Guests')
  assert.equal(guests.document.querySelector('main .of-event a')?.textContent, LONG)
})

test('a draft has one main action, to publish it, and any other event has another, to share it', async t => {
  const { member, path, db, accountId, eventId } = await start(t)
  const manager = await member('manager')
  const published = await manager.open(path)
  assert.deepEqual(mainActions(published), ['Share'])
  assert.deepEqual(behindMore(published).at(-1), 'Cancel the event…')
  assert.match(published.document.querySelector('.menu li .destructive')?.textContent ?? '', /…$/)
  for (const role of ['door', 'finance', 'chair', 'reviewer'] as const) {
    const page = await (await member(role)).open(path)
    assert.deepEqual(mainActions(page), [], role)
    assert.doesNotMatch(page.text, /Cancel the event|Duplicate/, role)
  }
  await db.write(accountId, tx => events.setStatus(tx, eventId, 'cancelled'))
  const cancelled = await manager.open(path)
  assert.deepEqual(mainActions(cancelled), ['Share'])
  assert.ok(behindMore(cancelled).includes('Open it again'))
  assert.ok(!behindMore(cancelled).some(text => text.startsWith('Cancel')))
  const owner = await member('owner')
  const form = await owner.open(`/manage/a/${accountId}/new-event`)
  const draft = await form.fill({ Name: LONG }).press('Create')
  assert.equal(draft.heading, LONG)
  assert.deepEqual(mainActions(draft), ['Publish'])
  assert.ok(!behindMore(draft).some(text => text.startsWith('Cancel')))
})

test('what is shared leads to the event: the address, its QR code in both formats, the text and the HTML', async t => {
  const { member, visitor, change, path, app, db, accountId } = await start(t)
  await db.write(accountId, tx => accounts.update(tx, { slug: 'ada' }))
  await change({ title: 'Music & <friends>' })
  const manager = await member('manager')
  const share = await (await manager.open(path)).follow('Share')
  const link = valueIn(share, 'address')
  assert.match(link, /\/ada\/spring-meeting\/$/)
  assert.equal((await visitor().open(new URL(link).pathname)).status, 200)
  assert.match(valueIn(share, 'message'), /^Music & <friends>\n.*2026.*\nhttp/)
  assert.match(share.text, /Only this computer can open this address/, 'it is that of this machine')
  const html = valueIn(share, 'html')
  assert.equal(html, `<a href="${link}">Tickets for Music &amp; &lt;friends></a>`)
  const png = await fetch(`${app.siteUrl}${path}/share/qr.png`, { headers: { cookie: cookieOf(manager) } })
  assert.equal(png.headers.get('content-type'), 'image/png')
  assert.match(png.headers.get('content-disposition') ?? '', /^attachment; filename="spring-meeting\.png"/)
  assert.equal(readCode(readPng(Buffer.from(await png.arrayBuffer()))), link)
  const svg = await manager.open(`${path}/share/qr.svg`)
  assert.match(svg.headers['content-type'] as string, /^image\/svg\+xml/)
  assert.match(svg.html, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
  const spanish = await (await member('owner', { language: 'es' })).open(`${path}/share`)
  assert.equal(spanish.heading, 'Compartir')
})

const cookieOf = ({ cookies }: { cookies: ReadonlyMap<string, string> }) =>
  `session=${cookies.get('session')}`

test('a link with a code is made from a code that works, and a private event is shared with one only', async t => {
  const { member, change, path, db, accountId, eventId } = await start(t)
  await db.write(accountId, async tx => {
    await accounts.update(tx, { slug: 'ada' })
    const code = (text: string, active: boolean) =>
      codes.create(tx, eventId, {
        ...{ code: text, note: null, percent: 10, amount: null, registration_type_ids: null },
        ...{ valid_from: null, valid_until: null, max_tickets: null, active },
      })
    await code('EARLY', true)
    await code('GONE', false)
  })
  const manager = await member('manager')
  const share = await manager.open(`${path}/share`)
  assert.deepEqual(
    [...share.document.querySelectorAll('option')].map(each => each.textContent),
    ['EARLY'],
  )
  const chosen = await share.press('Show the link')
  assert.match(valueIn(chosen, 'with-code'), /\/ada\/spring-meeting\/register\?code=EARLY$/)
  const foreign = await manager.open(`${path}/share?code=GONE`)
  assert.doesNotMatch(foreign.html, /code=GONE/)
  await change({ visibility: 'private' })
  const own = await manager.open(`${path}/share`)
  assert.match(valueIn(own, 'address'), /\/ada\/spring-meeting\/\?code=EARLY$/)
})

test('an event that visitors cannot see yet says so instead of sharing a dead address', async t => {
  const { member, path, db, accountId, eventId } = await start(t)
  const manager = await member('manager')
  await db.write(accountId, tx => accounts.update(tx, { slug: null }))
  assert.match((await manager.open(`${path}/share`)).text, /once your organization has a name/)
  await db.write(accountId, tx => accounts.update(tx, { slug: 'ada' }))
  await db.write(accountId, tx => events.update(tx, eventId, { visibility: 'private' }))
  assert.match((await manager.open(`${path}/share`)).text, /no code is active/)
  await db.write(accountId, tx => events.setStatus(tx, eventId, 'draft'))
  const draft = await manager.open(`${path}/share`)
  assert.match(draft.text, /once it is published/)
  assert.equal(draft.document.querySelector('.copyable, .qr'), null)
  const picture = await manager.open(`${path}/share/qr.png`)
  assert.match(picture.text, /once it is published/)
  assert.equal((await (await member('finance')).open(`${path}/share`)).status, 403)
})
