import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

const newEvent = {
  Name: 'Open Web Days',
  Starts: '2026-12-03T09:00',
  Ends: '2026-12-05T18:00',
  'Time zone': 'Europe/Madrid',
  Venue: 'Sala Norte',
  City: 'Sevilla',
}

test('an event is made, changed and published by pages alone', async t => {
  const { member, accountId, client, db } = await startDashboard(t)
  const owner = await member('owner')
  const form = await (await owner.open(`/manage/a/${accountId}`)).follow('New event')
  const made = await form.fill(newEvent).press('Create the event')
  assert.deepEqual(made.messages, ['“Open Web Days” is there as a draft.'])
  assert.match(made.title, /^“Open Web Days” is there as a draft\. · Overview · Open Web Days · /)
  const [event] = (await client.get('/events')).body.data
  assert.equal(event.slug, 'open-web-days')
  assert.equal(event.starts_at, '2026-12-03T08:00:00.000Z')
  assert.equal(event.status, 'draft')

  const refused = await made.press('Publish')
  assert.match(refused.messages.join(), /needs a ticket on sale/)
  const settings = await refused.follow('Settings')
  const saved = await settings.fill({ Name: 'Open Web Days 2026', 'Link name': 'open-web' }).press('Save')
  assert.deepEqual(saved.messages, ['“Open Web Days 2026” is saved.'])
  assert.equal((await client.get(`/events/${event.id}`)).body.title, 'Open Web Days 2026')

  const log = await db.read(accountId, tx => accessLog.list(tx, 10))
  const entries = log.filter(({ target_id }) => target_id === event.id)
  assert.deepEqual(
    entries.map(({ action, actor, details }) => [action, actor, details]),
    [
      ['event.update', `user:${owner.user.id}`, { changed: ['title', 'slug'] }],
      [
        'event.publish',
        `user:${owner.user.id}`,
        { code: 'event_incomplete', missing: ['registration_types', 'slug'] },
      ],
      ['event.create', `user:${owner.user.id}`, {}],
    ].map(([action, actor, details]) => [action, actor, details]),
  )
})

test('a form that is sent twice makes one event, and leads there again', async t => {
  const { member, accountId, client } = await startDashboard(t)
  const owner = await member('owner')
  const form = (await owner.open(`/manage/a/${accountId}/new-event`)).fill(newEvent)
  const [one, other] = await Promise.all([form.press('Create the event'), form.press('Create the event')])
  assert.equal(one.path, other.path)
  assert.equal((await form.press('Create the event')).path, one.path)
  assert.equal((await client.get('/events')).body.data.length, 2)
})

test('what is wrong is said beside each field, with what was typed, and nothing is made', async t => {
  const { member, accountId, client } = await startDashboard(t)
  const owner = await member('owner')
  const form = await owner.open(`/manage/a/${accountId}/new-event`)
  const refused = await form
    .fill({ ...newEvent, Name: '<script>alert(1)</script>', 'Time zone': 'Mars/Olympus', Currency: 'euro' })
    .press('Create the event')
  assert.equal(refused.status, 422)
  assert.match(refused.messages.join(), /2 things need another look/)
  assert.equal(refused.field('Name').value, '<script>alert(1)</script>')
  assert.doesNotMatch(refused.html, /<script>alert/)
  assert.equal(refused.field('Time zone').getAttribute('aria-invalid'), 'true')
  const backwards = await refused
    .fill({ 'Time zone': 'UTC', Currency: 'eur', Ends: '2026-12-01T18:00' })
    .press('Create the event')
  assert.match(backwards.messages.join(), /Ends/)
  assert.equal((await client.get('/events')).body.data.length, 1)
})

test('two people who edit at once: the second sees what the first has changed, and saving again keeps theirs', async t => {
  const { member, eventId, client } = await startDashboard(t)
  const owner = await member('owner')
  const manager = await member('manager')
  const path = `/manage/e/${eventId}/settings`
  const [mine, theirs] = await Promise.all([manager.open(path), owner.open(path)])
  await theirs.fill({ Name: 'Named by the owner', 'Link name': 'of-the-owner' }).press('Save')
  const conflict = await mine.fill({ Name: 'Named by the manager', Ends: '2026-11-23T19:00' }).press('Save')
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /Somebody changed this to “Named by the owner” while you wrote/)
  assert.equal(conflict.field('Name').value, 'Named by the manager')
  assert.equal(conflict.field('Link name').value, 'of-the-owner')
  assert.equal((await client.get(`/events/${eventId}`)).body.title, 'Named by the owner')
  await conflict.press('Save')
  const { title, slug, ends_at } = (await client.get(`/events/${eventId}`)).body
  const kept = ['Named by the manager', 'of-the-owner', '2026-11-23T18:00:00.000Z']
  assert.deepEqual([title, slug, ends_at], kept)
})

test('the days to decide on an order are set beside the approval, from 1 to 60', async t => {
  const { member, eventId, accountId, db } = await startDashboard(t)
  const days = async () => (await db.read(accountId, tx => events.getDetails(tx, eventId))).approval_days
  const settings = await (await member('owner')).open(`/manage/e/${eventId}/settings`)
  assert.equal(settings.field('Days to decide').value, '7')
  for (const wrong of ['0', '61', 'soon']) {
    const refused = await settings.fill({ 'Days to decide': wrong }).press('Save')
    assert.equal(refused.status, 422, wrong)
  }
  assert.equal(await days(), 7)
  await settings.fill({ 'Days to decide': '60' }).press('Save')
  assert.equal(await days(), 60)
})

test('a slug that another event has is refused beside its field', async t => {
  const { member, eventId, accountId, client } = await startDashboard(t)
  const owner = await member('owner')
  await (await owner.open(`/manage/a/${accountId}/new-event`)).fill(newEvent).press('Create the event')
  const settings = await owner.open(`/manage/e/${eventId}/settings`)
  const refused = await settings.fill({ 'Link name': 'open-web-days' }).press('Save')
  assert.equal(refused.status, 409)
  assert.match(refused.messages.join(), /Link name: Another one has this already/)
  assert.equal((await client.get(`/events/${eventId}`)).body.slug, 'spring-meeting')
})

test('an event is cancelled by a page that says what that does, and asks again when that has changed', async t => {
  const { member, eventId, client, types } = await startDashboard(
    t,
    organization({ event: { status: 'published' } }),
  )
  const owner = await member('owner')
  const confirmation = await (await owner.open(`/manage/e/${eventId}`)).follow('Cancel the event')
  assert.match(confirmation.text, /Nobody has a ticket/)
  assert.doesNotMatch(confirmation.text, /by mail/, 'there is nobody to tell')
  const body = {
    event_id: eventId,
    registration_type_id: types.Standard,
    buyer: { name: 'Grace', email: 'grace@example.org' },
  }
  assert.equal((await client.post('/registrations', body)).status, 201)
  const again = await confirmation.press('Cancel the event')
  assert.equal(again.status, 409)
  assert.match(again.text, /1 ticket stays valid\./)
  assert.match(again.text, /by mail/)
  assert.doesNotMatch(again.text, /refund|What happens to the orders/i, 'nobody has paid')
  assert.equal((await client.get(`/events/${eventId}`)).body.status, 'published')
  const cancelled = await again.press('Cancel the event')
  assert.match(cancelled.messages.join(), / is cancelled/)
  assert.equal((await client.get(`/events/${eventId}`)).body.status, 'cancelled')
})

test('pages speak the language of their reader', async t => {
  const { member, accountId, visitor } = await startDashboard(t)
  const owner = await member('owner', { language: 'es' })
  const page = await owner.open(`/manage/a/${accountId}`)
  assert.equal(page.heading, 'Eventos')
  assert.equal(page.document.documentElement.lang, 'es')
  assert.equal((await visitor('es-ES,es;q=0.9').open('/manage')).heading, 'Iniciar sesión')
  assert.equal((await visitor('de').open('/manage')).heading, 'Sign in')
})
