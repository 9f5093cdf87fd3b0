import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import ical from 'ical.js'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventChanges } from '#product/catalog/events/schemas.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import { getDetails } from '#product/guests/registrations/details.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { ticketUrl } from '#product/selling/orders/links.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { seller } from '#test/support/people/organizer.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { readCode, readPng } from '#test/support/qr-reader.ts'
import { orderFree } from '#test/support/ticket-mail.ts'

const guest = (reference: string, changes: object = {}) =>
  registration(reference, {
    registration_type: 'Free',
    buyer: { name: reference, email: `${reference.toLowerCase()}@example.org` },
    ...changes,
  })

async function start(t: TestContext, changes: EventChanges = {}) {
  const file = organization({
    event: {
      ...{ venue: 'Main Hall', city: 'Madrid', contact_email: 'desk@example.org' },
      registrations: [
        guest('Lin', { attendees: [{ name: 'Lin', email: 'lin@example.org', seat: 'A7' }] }),
        guest('Mia', { attendees: [{ name: 'Mia' }, { name: 'Bob', email: 'bob@example.org' }] }),
        guest('Nia', { status: 'pending', amount_total: 5000, registration_type: 'Standard' }),
      ],
    },
  })
  const dashboard = await startDashboard(t, file)
  const { accountId, applied, db, eventId, types, visitor, member } = dashboard
  await db.write(accountId, tx => accounts.update(tx, seller))
  const change = (some: EventChanges) => db.write(accountId, tx => events.update(tx, eventId, some))
  const starts = dashboard.clock() + 5 * DAY
  await change({
    starts_at: starts,
    ends_at: starts + DAY,
    online_url: 'https://meet.example/room',
    ...changes,
  })
  const instance = await db.read(INSTANCE, tx =>
    tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance'),
  )
  const server = { baseUrl: '', secret: instance?.secret as string }
  const ids = applied.events['spring-meeting']?.registrations as Record<string, string>
  const read = (id: string) => db.read(accountId, tx => getDetails(tx, id))
  /** The path of a ticket's page, by the present version of its links. */
  const pathOf = async (id: string, at = 0) => {
    const { attendees } = await read(id)
    const version = (await db.read(accountId, tx => orders.readVersions(tx, [id]))).get(id) as number
    return ticketUrl(server, { secret_version: version }, attendees[at]?.id as string)
  }
  const open = async (id: string, at = 0) => visitor().open(await pathOf(id, at))
  const order = () =>
    orderFree(db, { accountId, eventId, typeId: types.Free as string }, 'Grace', [['Grace', null]])
  const manager = await member('manager')
  return { ...dashboard, change, ids, read, pathOf, open, order, manager }
}

/** The code in the picture of a page. */
function codeOf({ document }: ReadPage): string | undefined {
  const href = document.querySelector('svg.qr image')?.getAttribute('href')
  return href?.split(',')[1] && readCode(readPng(Buffer.from(href.split(',')[1] as string, 'base64')))
}

test('a ticket that was imported, added or made by a program has a page as an ordered one has', async t => {
  const { ids, read, pathOf, open, order, client, eventId, types, db, accountId, visitor } = await start(t)
  const made = await client.post('/registrations', {
    ...{ event_id: eventId, registration_type_id: types.Standard, language: 'es' },
    buyer: { name: 'Ola', email: 'ola@example.org' },
  })
  const { id: orderId } = await order()
  const [line] = (await db.read(accountId, tx => orders.getDetails(tx, orderId))).registrations
  const all = [ids.Lin, ids.Mia, made.body.id, line?.id] as string[]
  for (const id of all) {
    const { attendees, buyer } = await read(id)
    for (const [at, ticket] of attendees.entries()) {
      const page = await open(id, at)
      assert.equal(page.status, 200)
      assert.equal(codeOf(page), ticket.qr_code)
      assert.ok(page.text.includes(ticket.name as string) && page.text.includes('Spring Meeting'))
      assert.match(page.text, /Main Hall/)
      assert.match(page.html, /meet\.example\/room/)
      assert.match(page.html, /noindex/)
      assert.equal(page.headers['cache-control'], 'no-store')
      // Neither the money nor anybody's address is a holder's concern, nor the other tickets.
      for (const kept of [buyer.email, ticket.email ?? buyer.email, '€', 'EUR', '/orders/'])
        assert.ok(!page.text.includes(kept) && !page.html.includes(`href="${kept}`), kept)
      const others = attendees.filter(other => other !== ticket)
      for (const other of others) assert.ok(!page.html.includes(other.name as string), other.name ?? '')
      const path = await pathOf(id, at)
      const pdf = await visitor().open(`${path}/ticket.pdf`)
      assert.equal(pdf.headers['content-type'], 'application/pdf')
      assert.equal(pdf.headers['content-disposition'], 'attachment; filename="spring-meeting.pdf"')
      assert.match(pdf.html, /^%PDF/)
      const calendar = await visitor().open(`${path}/calendar.ics`)
      assert.match(String(calendar.headers['content-type']), /^text\/calendar/)
      const event = new ical.Component(ical.parse(calendar.html)).getFirstSubcomponent('vevent')
      assert.equal(event?.getFirstPropertyValue('summary'), 'Spring Meeting')
      assert.ok(!calendar.html.includes(path.split('/')[2] as string), 'others may be sent the file')
      for (const what of ['order', 'names', 'cancel', 'resend', 'pay', 'tickets.pdf'])
        assert.equal((await visitor().open(`${path}/${what}`)).status, 404, what)
    }
  }
  const spanish = await visitor('es').open(await pathOf(made.body.id))
  assert.deepEqual(
    [...spanish.document.querySelectorAll('main a.button')].map(link => link.textContent),
    ['Entrada en PDF', 'Añadir al calendario', 'Cambiar el nombre'],
  )
})

test('the pages of a ticket follow its reader, link the other language, and keep the one that was chosen; so does its file', async t => {
  const { client, eventId, types, pathOf, visitor } = await start(t)
  const { body } = await client.post('/registrations', {
    ...{ event_id: eventId, registration_type_id: types.Standard, language: 'es' },
    buyer: { name: 'Ola', email: 'ola@example.org' },
  })
  const path = await pathOf(body.id)
  const langOf = ({ document }: ReadPage) => document.documentElement.lang
  // The guest's own language is for a reader whose browser asks for none of ours.
  for (const [asked, lang] of [
    ['en', 'en'],
    ['es', 'es'],
    ['fr', 'es'],
    ['', 'es'],
  ] as const)
    assert.equal(langOf(await visitor(asked).open(path)), lang, asked)
  const reader = visitor('en')
  const other = await (await reader.open(path)).follow('Español')
  assert.equal(langOf(other), 'es')
  assert.ok(other.links().includes('English'))
  const form = await other.follow('Cambiar el nombre')
  assert.equal(langOf(form), 'es')
  const saved = await form.fill({ 'Nombre en la entrada': 'Olga' }).press('Guardar')
  assert.equal(langOf(saved), 'es')
  assert.match(saved.text, /Olga/)
  const file = await saved.follow('Entrada en PDF')
  assert.match(file.html, /\/Lang \(es\)/)
  assert.match((await reader.open(`${path}/ticket.pdf`)).html, /\/Lang \(en\)/)
})

test('whoever holds an imported ticket changes the name on it until names are locked; that of an order is its buyer’s', async t => {
  const { ids, read, open, pathOf, order, change, clock, db, accountId, visitor, manager, eventId, member } =
    await start(t)
  const lin = ids.Lin as string
  const form = await (await open(lin)).follow('Change the name')
  assert.equal(form.field('Name on the ticket').value, 'Lin')
  assert.ok(!form.html.includes('lin@example.org'))
  const wrong = await form.fill({ 'Name on the ticket': 'see www.evil.example' }).press('Save')
  assert.equal(wrong.status, 422)
  assert.equal((await read(lin)).attendees[0]?.name, 'Lin')
  const saved = await wrong.fill({ 'Name on the ticket': 'Linda' }).press('Save')
  assert.match(saved.messages.join(), /It is saved\./)
  const changed = await read(lin)
  assert.deepEqual([changed.buyer.name, changed.attendees[0]?.name], ['Linda', 'Linda'])
  assert.deepEqual([changed.buyer.email, changed.attendees[0]?.seat], ['lin@example.org', 'A7'])
  assert.match((await manager.open(`/manage/e/${eventId}/guests/${lin}`)).text, /by the holder/)
  assert.match((await (await member('owner')).open(`/manage/a/${accountId}/log`)).text, /A ticket holder/)
  // The name of one of several is that of its holder alone.
  const mia = ids.Mia as string
  const bob = await (await open(mia, 1)).follow('Change the name')
  await bob.fill({ 'Name on the ticket': 'Rob' }).press('Save')
  const two = await read(mia)
  assert.deepEqual([two.buyer.name, ...two.attendees.map(({ name }) => name)], ['Mia', 'Mia', 'Rob'])
  const { id: orderId } = await order()
  const [line] = (await db.read(accountId, tx => orders.getDetails(tx, orderId))).registrations
  const ordered = line?.id as string
  assert.ok(!(await open(ordered)).links().includes('Change the name'))
  assert.equal((await visitor().open(`${await pathOf(ordered)}/name`)).status, 404)
  assert.equal((await visitor().post(`${await pathOf(ordered)}/name`, { name: 'Eve' })).status, 404)
  assert.equal((await read(ordered)).attendees[0]?.name, 'Grace')
  const stale = await (await open(lin)).follow('Change the name')
  await change({ names_locked_at: clock() })
  assert.ok(!(await open(lin)).links().includes('Change the name'))
  const late = await stale.fill({ 'Name on the ticket': 'Late' }).press('Save')
  assert.equal(late.status, 409)
  assert.match(late.text, /too late|no longer/i)
  assert.equal((await read(lin)).attendees[0]?.name, 'Linda')
})

test('a ticket that admits nobody shows no code and gives no file: void, waiting, cancelled, and of an event that is off', async t => {
  const { ids, open, pathOf, visitor, client, db, accountId, eventId, read } = await start(t)
  const files = async (id: string, at = 0) => {
    const path = await pathOf(id, at)
    const pages = await Promise.all(['ticket.pdf', 'name'].map(what => visitor().open(`${path}/${what}`)))
    return pages.map(({ status }) => status)
  }
  const stands = async (id: string, at: number, told: RegExp) => {
    const page = await open(id, at)
    assert.equal(page.status, 200)
    assert.match(page.text, told)
    assert.equal(codeOf(page), undefined)
    assert.ok(!page.html.includes('meet.example'))
    assert.deepEqual(
      page.links().filter(link => /PDF|calendar|name/i.test(link)),
      [],
    )
    assert.deepEqual(await files(id, at), [404, 404])
  }
  await stands(ids.Nia as string, 0, /comes once the order is confirmed/)
  const [, bob] = (await read(ids.Mia as string)).attendees
  await db.write(accountId, tx =>
    tx.run('UPDATE attendees SET voided = 1 WHERE id = $1', [bob?.id as string]),
  )
  await stands(ids.Mia as string, 1, /void: it admits nobody/)
  assert.notEqual(codeOf(await open(ids.Mia as string, 0)), undefined)
  assert.equal((await client.post(`/registrations/${ids.Lin}/cancel`)).status, 200)
  await stands(ids.Lin as string, 0, /void: it admits nobody/)
  await db.write(accountId, tx => events.setStatus(tx, eventId, 'cancelled'))
  const off = await open(ids.Mia as string, 0)
  assert.match(off.text, /Ticket for Spring Meeting\s*This event is cancelled/)
  await stands(ids.Mia as string, 0, /The event is cancelled, so this ticket is not valid/)
})

test('links of imported tickets are renewed by the organizer and by erasing their buyer; the old ones lead nowhere', async t => {
  const { ids, pathOf, visitor, manager, member, eventId, db, accountId, order, read } = await start(t)
  const lin = ids.Lin as string
  const guestPath = `/manage/e/${eventId}/guests/${lin}`
  const old = await pathOf(lin)
  const page = await manager.open(guestPath)
  assert.equal(new URL(page.field('Link to the ticket').value).pathname, old)
  const asked = await page.follow('Renew the links…')
  assert.match(asked.text, /lead nowhere any more/)
  const renewed = await asked.press('Renew the links')
  assert.match(renewed.messages.join(), /The links are renewed/)
  assert.match(renewed.text, /Links renewed/)
  const fresh = await pathOf(lin)
  assert.notEqual(fresh, old)
  assert.equal(new URL(renewed.field('Link to the ticket').value).pathname, fresh)
  for (const path of [old, `${old}/ticket.pdf`, `${old}/calendar.ics`, `${old}/name`])
    assert.equal((await visitor().open(path)).status, 404, path)
  assert.equal((await visitor().open(fresh)).status, 200)
  assert.equal(
    (await visitor().open(await pathOf(ids.Mia as string))).status,
    200,
    'another guest keeps theirs',
  )
  const door = await member('door')
  assert.equal((await door.open(`${guestPath}/renew`)).status, 403)
  // The links of an order belong to the order.
  const { id: orderId } = await order()
  const [line] = (await db.read(accountId, tx => orders.getDetails(tx, orderId))).registrations
  const ofOrder = `/manage/e/${eventId}/guests/${line?.id}`
  assert.ok(!(await manager.open(ofOrder)).links().includes('Renew the links…'))
  assert.equal((await manager.open(`${ofOrder}/renew`)).status, 404)
  const actor = { accountId, who: 'cli', requestId: null, address: null }
  await erasePerson(db, actor, 'lin@example.org')
  assert.equal((await visitor().open(fresh)).status, 404)
  const after = await visitor().open(await pathOf(lin))
  assert.equal(after.status, 200)
  assert.doesNotMatch(after.html, /Lin\b|lin@example/)
  assert.ok(!after.links().includes('Change the name'))
  assert.equal((await visitor().open(`${await pathOf(lin)}/name`)).status, 404)
  // Whoever holds one of several is erased alone, as in an order: the others' links stay.
  const mia = await pathOf(ids.Mia as string)
  await erasePerson(db, actor, 'bob@example.org')
  assert.equal((await visitor().open(mia)).status, 200)
  const bob = await visitor().open(await pathOf(ids.Mia as string, 1))
  assert.doesNotMatch(bob.html, /Bob/)
  assert.ok(!bob.links().includes('Change the name'))
  assert.equal((await read(ids.Mia as string)).attendees[1]?.name, '—')
})

test('a link to a ticket of another account, of another purpose or of none leads nowhere', async t => {
  const { pathOf, visitor, ids, apply, db } = await start(t)
  const path = await pathOf(ids.Lin as string)
  const secret = path.split('/')[2] as string
  for (const wrong of [`/orders/${secret}`, `${path.slice(0, -1)}`, `${path}/`, `${path}x`])
    assert.equal((await visitor().open(wrong)).status, 404, wrong)
  const { account_id: other } = await apply(organization({ email: 'bob@example.org' }))
  await assert.rejects(
    db.read(other, tx => registrations.get(tx, ids.Lin as string)),
    { code: 'not_found' },
  )
  assert.equal((await db.read(other, tx => orders.readVersions(tx, [ids.Lin as string]))).size, 0)
})
