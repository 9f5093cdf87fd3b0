import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FormData } from 'undici'
import * as pictures from '#product/catalog/events/pictures.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { duplicateEvent } from '#product/data-care/duplication/rules.ts'
import { digest } from '#test/support/every-row.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { jpeg, png } from '#test/support/pictures.ts'

const bytesOf = (file: Buffer) => new Uint8Array(file)

test('a manager says what the page shows and how tickets are sold; what is refused stays as it was typed', async t => {
  const { member, eventId, accountId, db } = await startDashboard(t)
  const manager = await member('manager')
  const settings = `/manage/e/${eventId}/settings`
  const form = await manager.open(`${settings}/page`)
  assert.match(form.text, /your organization has no link name/)
  const wrong = await form
    .fill({
      'Postal address': 'Gran Vía 1\n28013 Madrid',
      'Online link': 'javascript:alert(1)',
      'Contact e-mail': 'nobody',
    })
    .press('Save')
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /Enter the address of a page/)
  assert.equal(wrong.field('Online link').value, 'javascript:alert(1)')
  const saved = await wrong
    .fill({ 'Online link': 'https://meet.example/room', 'Contact e-mail': 'hello@ada.example' })
    .press('Save')
  assert.deepEqual(saved.messages, ['“Spring Meeting” is saved.'])
  const sale = await manager.open(`${settings}/sale`)
  const bad = await sale.fill({ 'Percent that goes back': '101', 'Days to pay': '0' }).press('Save')
  assert.equal(bad.status, 422)
  assert.equal(bad.field('Days to pay').value, '0')
  const sold = await bad
    .fill({
      Terms: 'No dogs.',
      'Names can be changed until': '2026-11-20T10:00',
      Until: '2026-11-14T10:00',
      'Percent that goes back': '50',
      'Days to pay': '14',
      'There is no right of withdrawal': false,
    })
    .press('Save')
  assert.deepEqual(sold.messages, ['“Spring Meeting” is saved.'])
  const waitlist = await manager.open(`${settings}/waitlist`)
  await waitlist.fill({ 'Hours that it is held': '48' }).press('Save')
  const event = await db.read(accountId, tx => events.getDetails(tx, eventId))
  const { address, online_url, contact_email, terms, names_locked_at, cancel_until } = event
  assert.deepEqual(
    [address, online_url, contact_email, terms, names_locked_at, cancel_until],
    [
      'Gran Vía 1\n28013 Madrid',
      'https://meet.example/room',
      'hello@ada.example',
      'No dogs.',
      '2026-11-20T09:00:00.000Z',
      '2026-11-14T09:00:00.000Z',
    ],
  )
  const { cancel_refund_basis_points, payment_days, withdrawal_excluded, waitlist_hours } = event
  assert.deepEqual(
    [cancel_refund_basis_points, payment_days, withdrawal_excluded, waitlist_hours],
    [5000, 14, false, 48],
  )
})

test('a picture is added, replaced and removed; what is none is told of, and changes nothing', async t => {
  const { member, eventId, accountId, db } = await startDashboard(t)
  const manager = await member('manager')
  const upload = () => manager.open(`/manage/e/${eventId}/settings/page/picture`)
  const find = () => db.read(accountId, tx => pictures.find(tx, eventId))
  const added = await (await upload()).choose('File', 'cover.png', bytesOf(png(64, 36))).press('Upload')
  assert.deepEqual(added.messages, ['The picture is on the page.'])
  assert.match(added.text, /64 × 36 pixels/)
  const first = await find()
  assert.equal(first?.type, 'image/png')
  const before = await digest(db)
  const wrong: [string, Buffer, RegExp][] = [
    ['x.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /no picture that browsers show/],
    ['x.png', Buffer.from('<script>alert(1)</script>'), /no picture that browsers show/],
    ['x.png', png(20_000, 20_000), /too many pixels/],
    ['x.jpg', Buffer.concat([jpeg(), Buffer.alloc(3 * 1024 * 1024)]), /larger than 2 MB/],
  ]
  for (const [name, file, message] of wrong) {
    const refused = await (await upload()).choose('File', name, bytesOf(file)).press('Upload')
    assert.match(refused.text, message)
    assert.ok(refused.status >= 400)
  }
  assert.match((await (await upload()).press('Upload')).text, /Fill this in/)
  assert.equal(await digest(db), before)
  // Whatever it is called, it is what its bytes say.
  await (await upload()).choose('File', 'cover.png', bytesOf(jpeg())).press('Upload')
  assert.equal((await find())?.type, 'image/jpeg')
  const removed = await (await manager.open(`/manage/e/${eventId}/settings/page`)).press('Remove it')
  assert.deepEqual(removed.messages, ['The picture is removed.'])
  assert.equal(await find(), undefined)
})

test('who may not change events changes no page and no picture, and another organizer’s event is unknown', async t => {
  const { member, eventId, apply, db } = await startDashboard(t)
  const bob = await apply(organization({ email: 'bob@example.org' }))
  const finance = await member('finance')
  const foreign = await member('owner', { email: 'b@example.org', accountId: bob.account_id })
  const before = await digest(db)
  for (const path of ['settings/page', 'settings/page/picture']) {
    assert.equal((await finance.open(`/manage/e/${eventId}/${path}`)).status, 403, path)
    assert.equal((await foreign.open(`/manage/e/${eventId}/${path}`)).status, 404, path)
  }
  const from = `/manage/e/${eventId}/settings/page`
  const body = new FormData()
  body.set('picture', new File([bytesOf(png())], 'x.png'))
  assert.equal((await finance.send(`${from}/picture`, body, from)).status, 403)
  assert.equal((await foreign.send(`${from}/picture`, body, from)).status, 404)
  assert.equal((await finance.send(`${from}/picture/remove`, '', from)).status, 403)
  assert.equal(await digest(db), before)
})

test('a paid draft is published once the list on its overview is done: link name, who sells, and a way to pay', async t => {
  const event = { status: 'draft' }
  const { member, accountId, eventId, client } = await startDashboard(t, organization({ event }))
  const owner = await member('owner')
  const overview = await owner.open(`/manage/e/${eventId}`)
  assert.match(overview.text, /Choose a link name/)
  assert.match(overview.text, /Add your legal details/)
  assert.match((await overview.press('Publish')).messages.join(), /needs a link name/)
  const settings = await owner.open(`/manage/a/${accountId}/settings`)
  await settings.fill({ 'Link name': 'ada' }).press('Save')
  const refused = await (await owner.open(`/manage/e/${eventId}`)).press('Publish')
  assert.match(refused.messages.join(), /Who sells must be said in full/)
  const seller = {
    'Legal name': 'Ada SL',
    'Postal address': 'Gran Vía 1',
    'Tax number': 'B1',
    'Link to the imprint': 'https://ada.example/i',
    'Link to the privacy notice': 'https://ada.example/p',
  }
  await (await owner.open(`/manage/a/${accountId}/settings/legal`)).fill(seller).press('Save')
  const unpayable = await owner.open(`/manage/e/${eventId}`)
  assert.doesNotMatch(unpayable.text, /That is all it needs/)
  const ready = await unpayable.press('At the door only')
  assert.match(ready.text, /That is all it needs/)
  assert.match(ready.text, /See the page/)
  await ready.press('Publish')
  assert.equal((await client.get(`/events/${eventId}`)).body.status, 'published')
})

test('a ticket has a least and a most an order, may be hidden, and has its tax', async t => {
  const { member, accountId, eventId, types, db } = await startDashboard(t)
  const manager = await member('manager')
  const form = await manager.open(`/manage/e/${eventId}/tickets/${types.Standard}`)
  const wrong = await form.fill({ 'At least': '4', 'At most': '2' }).press('Save')
  assert.ok(wrong.status >= 400)
  assert.equal(wrong.field('At most').value, '2')
  await wrong.fill({ 'At most': '6', Hidden: true, 'Tax included': '21' }).press('Save')
  const type = await db.read(accountId, tx =>
    registrationTypes.getDetails(tx, eventId, types.Standard as string),
  )
  const { min_per_order, max_per_order, hidden, tax_basis_points } = type
  assert.deepEqual([min_per_order, max_per_order, hidden, tax_basis_points], [4, 6, true, 2100])
})

test('a copy of an event has its page, its picture, and its dates moved along', async t => {
  const { accountId, eventId, db } = await startDashboard(t)
  const copy = await db.write(accountId, async tx => {
    await events.update(tx, eventId, {
      terms: 'No dogs.',
      withdrawal_excluded: false,
      decision_mails: false,
      takes_abstracts: true,
      cancel_until: Date.parse('2026-11-14T09:00:00Z'),
    })
    await pictures.put(tx, eventId, pictures.examine(png()))
    const starts_at = Date.parse('2027-11-20T09:00:00Z')
    return duplicateEvent(tx, eventId, { title: 'Again', starts_at })
  })
  assert.deepEqual(
    [copy.terms, copy.withdrawal_excluded, copy.decision_mails, copy.takes_abstracts, copy.cancel_until],
    ['No dogs.', false, false, true, '2027-11-13T09:00:00.000Z'],
  )
  const [own, was] = await db.read(accountId, async tx => [
    await pictures.find(tx, copy.id),
    await pictures.find(tx, eventId),
  ])
  assert.deepEqual(own, was)
  assert.equal(own?.type, 'image/png')
})
