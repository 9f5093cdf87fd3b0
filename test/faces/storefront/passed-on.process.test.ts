import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import ical from 'ical.js'
import { openLog } from '#base/log.ts'
import { SECOND } from '#base/time.ts'
import { orderFaces } from '#faces/storefront/order-faces.ts'
import type { StorefrontServices } from '#faces/storefront/storefront-services.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { ticketPdf } from '#machinery/ticket-documents/ticket-pdf.ts'
import { allWebhookEventTypes } from '#product/administration/webhooks/event-types.ts'
import { addEndpoint } from '#product/administration/webhooks/rules.ts'
import { calendarOf } from '#product/catalog/event-pages/calendar-file.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import { reminderWatch } from '#product/mailing/notices/reminder-watch.ts'
import { documentOf, validTickets } from '#product/selling/orders/documents.ts'
import { orderUrl, ticketUrl } from '#product/selling/orders/links.ts'
import { queueAgain } from '#product/selling/orders/queue-mails.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import type { ReceivedMail } from '#test/support/mail-server.ts'
import { startPaid } from '#test/support/paid-server.ts'
import { PdfFile, withoutPoppler } from '#test/support/pdf.ts'
import {
  type Artefact,
  type Secrets,
  strays,
  unpackedMail,
  unpackedPdf,
} from '#test/support/people/passed-on.ts'
import { startSale } from '#test/support/people/sale.ts'
import { codesOf, slipText } from '#test/support/printed-tickets.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { readSchema } from '#test/support/schema-tables.ts'
import { onceSettled } from '#test/support/settled.ts'
import { orderFree, startTicketMail } from '#test/support/ticket-mail.ts'

const HOLDERS = ['Grace', 'Bob', 'Cid'] as const
const LINKS = HOLDERS.map(name => `${name}’s link`)
const CODES = HOLDERS.map(name => `${name}’s code`)
const NONE: readonly string[] = []
const own = (name: (typeof HOLDERS)[number]) => [`${name}’s link`, `${name}’s code`]

function ticketsOf({ registrations }: OrderDetails) {
  return registrations.flatMap(({ attendees }) => attendees)
}

/** Returns the secrets of an order by its holders. Links are told apart by their last part, whatever stands before it. */
function secretsOf(server: { baseUrl: string; secret: string }, order: OrderDetails): Secrets {
  const last = (url: string) => url.split('/').at(-1) as string
  return Object.fromEntries([
    ['order', last(orderUrl(server, order))],
    ...ticketsOf(order).flatMap(({ id, name, qr_code }) => [
      [`${name}’s link`, last(ticketUrl(server, order, id))],
      [`${name}’s code`, qr_code],
    ]),
  ])
}

/** Starts with an order of Grace with a ticket for her and one each for Bob and Cid, and with what each of them is sent. */
async function start(t: TestContext) {
  const sale = await startSale(t, {}, { terms: null })
  const { db, clock, accountId, eventId, types, pathOf, member } = sale
  const instance = 'SELECT cursor_secret AS secret FROM instance'
  const { secret } = (await db.read(INSTANCE, tx => tx.one<{ secret: string }>(instance))) as {
    secret: string
  }
  const mail = await startTicketMail(t, db, clock, secret)
  const endpoint = { url: 'https://hooks.example.org/', types: allWebhookEventTypes }
  await db.write(accountId, tx => addEndpoint(tx, endpoint))
  const of = { accountId, eventId, typeId: types.Guest as string }
  const { id } = await orderFree(db, of, 'Grace', [
    ['Grace', null],
    ['Bob', 'bob@example.org'],
    ['Cid', 'cid@example.org'],
  ])
  const order = await db.read(accountId, tx => orders.getDetails(tx, id))
  const server = { baseUrl: 'https://tickets.example.org', secret }
  const secrets = secretsOf(server, order)
  const manager = await member('manager')
  return { ...sale, ...{ mail, order, server, secrets, manager, orderPath: pathOf(order) } }
}

type Started = Awaited<ReturnType<typeof start>>

/**
 * Collects what everybody is sent over the life of an order: it is confirmed, changed, written about, reminded of, and cancelled.
 */
async function sendAll({ app, mail, manager, member, clock, db, accountId, eventId, order }: Started) {
  const of = `/manage/e/${eventId}`
  const all: Record<string, ReceivedMail[]> = {}
  const open = "SELECT count(*) AS n FROM jobs WHERE state IN ('waiting', 'running')"
  const take = async (what: string) => {
    const isDone = async () => (await db.read(INSTANCE, tx => tx.one<{ n: number }>(open)))?.n === 0
    await onceSettled({ app }, 'jobs', 'the end of all jobs', isDone)
    const taken = await mail.take()
    const people = taken.map(({ to }) => to[0]).filter(address => address !== ORGANIZER)
    assert.deepEqual(people.sort(), ['bob@example.org', 'cid@example.org', BUYER], what)
    all[what] = taken
  }
  await take('confirmed')
  const saved = await (await manager.open(`${of}/settings/page`)).fill({ Venue: 'New Hall' }).press('Save')
  await (await saved.follow('Tell those who registered…')).press('Send the mails')
  await take('changed')
  const audience = { group: 'confirmed', types: [] } as const
  await db.write(accountId, async tx => {
    const text = { subject: 'News', body: 'Hello {name}', audience }
    const { id } = await announcements.create(tx, eventId, text, 'user:ada')
    return announcements.send(tx, eventId, id, { total: 3, language: 'en', by: 'user:ada' })
  })
  await take('announcement')
  clock.set('2026-11-30T09:00:00Z')
  await reminderWatch({ db, clock, log: openLog('silent', { write: () => undefined }) }).look()
  await take('reminder')
  // The first has been signed out by now.
  const other = await member('manager', { email: 'other@example.org' })
  await (await other.open(`${of}/cancel`)).press('Cancel the event')
  await take('event cancelled')
  await db.write(accountId, tx => orders.cancelByBuyer(tx, order.id, '2099-01-01T00:00:00Z'))
  await take('order cancelled')
  return all
}

const BUYER = 'grace@example.org'
/** This address is told that webhooks fail. */
const ORGANIZER = 'ada@example.org'

/** The buyer's mails are the buyer's; what is enclosed in them is passed on. A holder has no more than their own ticket. */
function mailArtefacts(what: string, mails: readonly ReceivedMail[]): Artefact[] {
  return mails.flatMap(received => {
    const { to, parsed } = received
    if (to[0] === ORGANIZER)
      return [{ name: `${what}: the organizer’s mail`, may: NONE, content: unpackedMail(received) }]
    const of = (contentType: string) => parsed.attachments.filter(each => each.contentType === contentType)
    const name = HOLDERS.find(each => to[0]?.startsWith(each.toLowerCase())) ?? 'Grace'
    const calendar = of('text/calendar').map(each => each.content)
    const pictures = of('image/png').map(({ cid, filename }) => `${cid} ${filename}`)
    const documents = of('application/pdf').flatMap(({ content, filename }) => [
      filename ?? '',
      ...unpackedPdf(content),
    ])
    return [
      ...(name === 'Grace'
        ? [{ name: `${what}: the buyer’s PDF`, may: [...LINKS, ...CODES], content: documents }]
        : [{ name: `${what}: ${name}’s mail`, may: own(name), content: unpackedMail(received) }]),
      { name: `${what}: ${name}’s calendar`, may: NONE, content: calendar },
      { name: `${what}: names of ${name}’s pictures`, may: NONE, content: pictures },
    ]
  })
}

interface Answer {
  status: number
  headers: Headers
  bytes: Buffer
}

/** Returns the answer to a GET, without following a redirect. @param cookie of somebody who is signed in */
async function ask(origin: string, path: string, cookie = '', accept = 'text/html'): Promise<Answer> {
  const answer = await fetch(origin + path, { redirect: 'manual', headers: { cookie, accept } })
  const { status, headers } = answer
  return { status, headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** Returns what is shown and downloaded, and for whom it is. */
async function answerArtefacts(of: Started): Promise<Artefact[]> {
  const { app, order, path, orderPath, server, manager, client, eventId } = of
  const session = `session=${manager.cookies.get('session')}`
  const get = async (name: string, may: readonly string[], from: string, cookie?: string) => {
    const { status, headers, bytes } = await ask(app.siteUrl, from, cookie)
    assert.equal(status, 200, name)
    const isPdf = headers.get('content-type') === 'application/pdf'
    const content = [JSON.stringify([...headers]), ...(isPdf ? unpackedPdf(bytes) : [bytes])]
    return { name, may, content }
  }
  const tickets = ticketsOf(order).map(({ id, name }) => ({
    name: `${name}’s page`,
    may: own(name as 'Grace'),
    path: ticketUrl({ ...server, baseUrl: '' }, order, id),
  }))
  const ofApi = async (from: string) => ({
    name: `GET ${from}`,
    may: CODES,
    content: [JSON.stringify(await client.get(from))],
  })
  const manage = `/manage/e/${eventId}`
  return [
    await get('the order’s PDF', [...LINKS, ...CODES], `${orderPath}/tickets.pdf`),
    await get('the order’s calendar', NONE, `${orderPath}/calendar.ics`),
    await get('the event’s page', NONE, path),
    await get('the event’s calendar', NONE, `${path}calendar.ics`),
    ...(await Promise.all(tickets.map(ticket => get(ticket.name, ticket.may, ticket.path)))),
    await get('guests.csv', NONE, `${manage}/guests.csv`, session),
    await get('guests-with-links.csv', LINKS, `${manage}/guests-with-links.csv`, session),
    await get('the guests', NONE, `${manage}/guests`, session),
    await get('the mails', NONE, `${manage}/messages`, session),
    ...(await Promise.all(
      [
        `/registrations?event_id=${eventId}`,
        `/registrations/${order.registrations[0]?.id}`,
        `/events/${eventId}`,
        `/reports/registrations?event_id=${eventId}`,
      ].map(ofApi),
    )),
  ]
}

/** Returns every row except those of tables that keep codes: rows of webhooks, of the log, of sent mails and of stored answers. */
async function readRows({ db }: Started): Promise<string> {
  return db.read(INSTANCE, async tx => {
    const rows = await Promise.all(readSchema().map(({ name }) => tx.all(`SELECT * FROM "${name}"`)))
    return JSON.stringify(rows)
  })
}

test('nothing that is passed on has a secret of the order, or of a ticket that it is not for', async t => {
  const started = await start(t)
  const { secrets, log } = started
  const answers = await answerArtefacts(started)
  const mails = await sendAll(started)
  const artefacts = [
    ...answers,
    ...Object.entries(mails).flatMap(([what, some]) => mailArtefacts(what, some)),
    { name: 'the log', may: NONE, content: [JSON.stringify(log)] },
    { name: 'the database', may: CODES, content: [await readRows(started)] },
  ]
  assert.deepEqual(
    artefacts.flatMap(each => strays(each, secrets)),
    [],
  )
})

/** Poppler takes a hyphen at the end of a line for one of a word. */
const plain = (text: string) => text.replace(/[\s-]/g, '')

test('what is cut off of a PDF has the code and the link of its own ticket, in the buyer’s file and in a holder’s', {
  skip: withoutPoppler,
}, async t => {
  const { app, mail, order, orderPath, secrets } = await start(t)
  const printed = Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, plain(value)]))
  const mails = await mail.take()
  const of = (address: string) =>
    mails
      .find(({ to }) => to[0] === address)
      ?.parsed.attachments.find(({ contentType }) => contentType === 'application/pdf')?.content as Buffer
  const files: [string, Buffer, (typeof HOLDERS)[number][]][] = [
    ['downloaded', (await ask(app.siteUrl, `${orderPath}/tickets.pdf`)).bytes, [...HOLDERS]],
    ['mailed to the buyer', of(BUYER), [...HOLDERS]],
    ['mailed to Bob', of('bob@example.org'), ['Bob']],
  ]
  for (const [name, bytes, holders] of files) {
    const pdf = new PdfFile(t, bytes)
    assert.deepEqual(
      codesOf(pdf, 150),
      holders.map(holder => secrets[`${holder}’s code`]),
      name,
    )
    for (const [at, holder] of holders.entries()) {
      const text = plain(slipText(pdf, at))
      assert.ok(text.includes(`/tickets/${printed[`${holder}’s link`]}`), `${name}: ${text}`)
      const page = { name: `${name}, ${holder}`, may: own(holder), content: [text, pdf.info()] }
      assert.deepEqual(strays(page, printed), [])
    }
  }
  assert.equal(ticketsOf(order).length, 3)
})

test('what had the order’s link until now is found: a page, a calendar that folds it, a file’s name, a mail', async t => {
  const { order, server, secrets, eventId } = await start(t)
  const url = orderUrl(server, order)
  const tickets = validTickets(order, []).map(ticket => ({ ...ticket, url }))
  const event = {
    title: 'T',
    starts_at: null,
    ends_at: null,
    timezone: 'UTC',
    venue: null,
    address: null,
    city: null,
    online_url: null,
  }
  const account = { name: 'O', email: 'o@example.org', legal_name: null, address: null, tax_id: null }
  const look = { colour: null, logo: null }
  const document = documentOf(order, event as never, { account, look, language: 'en', tickets })
  const pdf = await ticketPdf(document)
  assert.deepEqual(strays({ name: 'PDF', may: [...LINKS, ...CODES], content: unpackedPdf(pdf) }, secrets), [
    'PDF: order',
  ])
  const dated = { ...event, id: eventId, starts_at: '2026-12-01T09:00:00Z', status: 'published', revision: 0 }
  const calendar = calendarOf({ ...dated, changed_at: 0 } as never, url)
  assert.ok(!calendar?.includes(secrets.order as string), 'The line is folded within the secret.')
  assert.deepEqual(strays({ name: 'ICS', may: NONE, content: [calendar as string] }, secrets), ['ICS: order'])
  const folded = `<a href=3D"${url.slice(0, 60)}=\r\n${url.slice(60)}">`
  assert.deepEqual(strays({ name: 'mail', may: own('Bob'), content: [folded] }, secrets), ['mail: order'])
  for (const [name, secret] of Object.entries(secrets))
    assert.deepEqual(strays({ name: 'all', may: NONE, content: [Buffer.from(`x${secret}y`)] }, secrets), [
      `all: ${name}`,
    ])
})

test('with the link of a ticket nobody does what the buyer may: no route of the order takes it, and nothing changes', async t => {
  const { app, db, accountId, order, server } = await start(t)
  const routes = orderFaces({ stripe: {} } as StorefrontServices).flatMap(face =>
    face.routes.map(route => ({ ...route, path: face.path + route.path })),
  )
  const standing = () =>
    db.read(accountId, async tx => ({
      order: await orders.getDetails(tx, order.id),
      mails: await tx.one('SELECT count(*) AS n FROM emails'),
      logged: await tx.one('SELECT count(*) AS n FROM access_log'),
    }))
  const before = await standing()
  let requests = 0
  for (const { id } of ticketsOf(order)) {
    const secret = ticketUrl(server, order, id).split('/').at(-1) as string
    for (const { method, path } of routes.filter(each => each.path.includes('{secret}'))) {
      // The name on an ordered ticket is its buyer's to change, and tickets are given on where the event says so.
      const isOwn = path.startsWith('/tickets/') && !/\/(?:name|give)$/.test(path)
      const filled = path.replace('{secret}', secret).replace('{receipt}', order.id)
      const { status } = await fetch(app.siteUrl + filled, {
        ...{ method, redirect: 'manual', headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' } },
        ...(method === 'POST' ? { body: new URLSearchParams({ back: '0' }) } : {}),
      })
      assert.equal(status, isOwn ? 200 : 404, `${method} ${path}`)
      requests++
    }
    // Nothing is below or beside the page of a ticket either.
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const headers = { 'sec-fetch-site': 'same-origin' }
      const { status } = await fetch(`${app.siteUrl}/tickets/${secret}`, { method, headers })
      assert.equal(status, 405, method)
    }
    for (const what of ['cancel', 'names', 'tickets.pdf', 'resend'])
      assert.equal((await ask(app.siteUrl, `/tickets/${secret}/${what}`)).status, 404, what)
  }
  assert.ok(requests >= 3 * 15, String(requests))
  assert.deepEqual(await standing(), before)
})

test('a receipt’s PDF and what the bookkeeper downloads have no link to the order', async t => {
  const { app, orderOf, pathOf, pay, member, accountId, eventId, db } = await startPaid(t)
  const receipts = await pay('A')
  const order = await orderOf('A')
  const instance = 'SELECT cursor_secret AS secret FROM instance'
  const { secret } = (await db.read(INSTANCE, tx => tx.one<{ secret: string }>(instance))) as {
    secret: string
  }
  const secrets = secretsOf({ baseUrl: '', secret }, order)
  const finance = await member('finance')
  const cookie = `session=${finance.cookies.get('session')}`
  const path = await pathOf('A')
  const ofOrder = `/manage/e/${eventId}/orders/${order.id}/receipts`
  const reports = `/manage/a/${accountId}/reports`
  const paths = [
    ...receipts.flatMap(({ id }) => [`${path}/receipts/${id}/pdf`, `${ofOrder}/${id}/pdf`]),
    ...['receipts.csv', 'monthly.csv'].map(file => `${reports}/${file}`),
  ]
  for (const from of paths) {
    const { status, headers, bytes } = await ask(app.siteUrl, from, cookie)
    assert.equal(status, 200, from)
    const content = [JSON.stringify([...headers]), ...unpackedPdf(bytes)]
    if (from.endsWith('/pdf') && withoutPoppler === false)
      content.push(new PdfFile(t, bytes).text(1).replace(/\s/g, ''))
    assert.deepEqual(strays({ name: from, may: NONE, content }, secrets), [])
    assert.doesNotMatch(content.join('\n'), /\/URI\b|https?:\/\/127/)
  }
})

test('a calendar names the page that everybody may see; where the page needs a code, or nobody sees it, none', async t => {
  const { app, db, clock, mail, order, orderPath, path, eventId, accountId, change, client } = await start(t)
  await mail.take()
  const read = async () => {
    const { bytes } = await ask(app.siteUrl, `${orderPath}/calendar.ics`)
    clock.advance(SECOND)
    await db.write(accountId, tx => queueAgain(tx, order))
    const [again] = (await mail.take()) as [ReceivedMail]
    const files = [
      bytes,
      ...again.parsed.attachments.flatMap(each =>
        each.contentType === 'text/calendar' ? [each.content] : [],
      ),
    ]
    return files.map(file => {
      const entry = new ical.Component(ical.parse(file.toString())).getFirstSubcomponent('vevent')
      const value = (name: string) => entry?.getFirstPropertyValue(name) ?? null
      assert.equal(value('uid'), eventId, 'A calendar knows its entry by it.')
      assert.equal(value('description'), value('url'))
      return String(value('url')).replace(/^https?:\/\/[^/]+/, '')
    })
  }
  for (const [visibility, shown] of [
    ['public', path],
    ['unlisted', path],
    ['private', 'null'],
    [null, 'null'],
  ] as const) {
    await change({ visibility })
    assert.deepEqual(await read(), [shown, shown], String(visibility))
  }
  await change({ visibility: 'public' })
  await db.write(accountId, tx => tx.run('UPDATE accounts SET slug = NULL WHERE id = $1', [accountId]))
  await client.post('/check-ins', { attendee_id: UNKNOWN_ID })
  assert.deepEqual(await read(), ['null', 'null'], 'an organizer without a name in addresses has no pages')
})
