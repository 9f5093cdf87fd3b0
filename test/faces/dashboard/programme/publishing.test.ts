import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY } from '#base/time.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as sessions from '#product/programme/timetable/sessions.ts'
import * as versions from '#product/programme/versions/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { acceptOne, addSession, openProgrammeCall } from '#test/support/published.ts'

async function start(t: TestContext) {
  const file = organization()
  const named = { ...file, account: { ...file.account, slug: 'acme' } }
  const server = await startDashboard(t, named as never)
  await openProgrammeCall(server)
  const { eventId, db, accountId } = server
  const chair = await server.member('chair', { eventIds: [eventId] })
  const open = (what = 'publish') => chair.open(`/manage/e/${eventId}/programme${what && `/${what}`}`)
  const logged = async () =>
    (await db.read(accountId, tx => accessLog.list(tx, 100)))
      .map(({ action }) => action)
      .filter(action => action.startsWith('programme.'))
  const state = () => db.read(accountId, tx => versions.getState(tx, eventId))
  return { ...server, chair, open, logged, state }
}

test('a chair is told what publishing changes, publishes with one button, and the log says so', async t => {
  const at = await start(t)
  assert.match((await at.open()).text, /There is nothing to publish yet/)
  const one = await acceptOne(at, { title: 'On rooms' })
  const session = await addSession(at, { room: 'Main hall' }, [one])
  const building = async () => (await at.open('')).text
  assert.match(await building(), /Nobody else sees it before it is published\..*On rooms ?Lin Mei/)
  const first = await at.open()
  for (const part of [/1 contribution is new/, /The authors of 1 contribution are mailed/, /O-01 On rooms/])
    assert.match(first.text, part)
  assert.match((await first.press('Publish')).text, /Version 1 of the programme is public/)
  assert.match((await at.open()).text, /Everything is published as it stands here/)
  const published = await building()
  assert.match(published, /Visitors see version 1\. What you change here they see once you publish again\./)
  assert.doesNotMatch(published, /Nobody else sees it/)
  const times = { starts_at: session.starts_at + DAY, ends_at: session.ends_at + DAY }
  await at.db.write(at.accountId, tx => sessions.change(tx, at.eventId, session.id, times))
  const second = await at.open()
  assert.match(second.text, /1 contribution moves/)
  assert.match(second.text, /from .*Main hall to .*Main hall/)
  await second.press('Publish')
  assert.equal((await at.state()).published, 2)
  assert.deepEqual(await at.logged(), ['programme.publish', 'programme.publish'])
})

test('what was changed since it was shown is not published unseen', async t => {
  const at = await start(t)
  const one = await acceptOne(at, { title: 'On rooms' })
  const session = await addSession(at, {}, [one])
  const page = await at.open()
  const times = { starts_at: session.starts_at + DAY, ends_at: session.ends_at + DAY }
  await at.db.write(at.accountId, tx => sessions.change(tx, at.eventId, session.id, times))
  const refused = await page.press('Publish')
  assert.equal(refused.status, 409)
  assert.equal((await at.state()).published, null)
})

test('warnings are counted with a link, and forbid nothing', async t => {
  const at = await start(t)
  const one = await acceptOne(at, { title: 'On rooms' })
  const from = at.clock() + DAY
  await addSession(at, { room: 'A', from }, [one])
  await addSession(at, { room: 'A', from }, [])
  const page = await at.open()
  assert.match(page.text, /warning/)
  assert.match((await page.follow('Look at the warnings')).text, /is used twice at once/)
  await (await at.open()).press('Publish')
  assert.equal((await at.state()).published, 1)
})

test('the instant from which texts are public is set apart, and the programme is taken back after a question', async t => {
  const at = await start(t)
  const one = await acceptOne(at, { title: 'On rooms' })
  await addSession(at, {}, [one])
  await (await at.open()).press('Publish')
  const form = await at.open('texts')
  await form.fill({ 'Public from': '2027-01-01T10:00' }).press('Save')
  assert.match((await at.open()).text, /public from 1 Jan 2027, 10:00 on/)
  const asked = await (await at.open()).follow('Take it back…')
  await asked.press('Take it back')
  assert.equal((await at.state()).published, null)
  assert.match((await at.open()).text, /No version is public/)
  assert.deepEqual((await at.logged()).sort(), [
    'programme.publish',
    'programme.texts_from',
    'programme.unpublish',
  ])
})
