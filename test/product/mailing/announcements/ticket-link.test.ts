import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { hold, release } from '#machinery/mail/hold.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { startSale } from '#test/support/people/sale.ts'
import { newRegistration } from '#test/support/requests.ts'
import { onceSettled } from '#test/support/settled.ts'

const TEXT = { subject: 'See you', body: '[Your ticket]({ticket}) for {name}, again: {ticket}' }

test('{ticket} is the page of one’s own ticket, of the order for a buyer with several, and of the event for who has none left', async t => {
  const { received, url } = await startMailServer(t)
  const sale = await startSale(
    t,
    { registration_types: [{ name: 'Guest', price: 0, capacity: 50 }], questions: [], codes: [] },
    {},
    { settings: { smtpUrl: url, mailFrom: 'tickets@example.org' } },
  )
  const { app, db, accountId, eventId, take, pathOf, ticketPathOf, client, member } = sale
  const two = await take({ Guest: ['Ada', 'Bob'] }, { name: 'Two', email: 'two@example.org' })
  const one = await take({ Guest: ['Cyd'] }, { name: 'One', email: 'one@example.org' })
  await client.post(
    '/registrations',
    newRegistration(sale, {
      registration_type_id: sale.types.Guest,
      buyer: { name: 'Eve', email: 'eve@example.org' },
      attendees: [{ name: 'Dan', email: 'dan@example.org' }],
    }),
  )
  const left = await take({ Guest: ['Left'] }, { name: 'Left', email: 'left@example.org' })
  await onceSettled({ app }, 'mails', 'the mails of the orders', () => received.length > 0)

  const audience = { group: 'confirmed', types: [] } as const
  const { id } = await db.write(accountId, tx =>
    announcements.create(tx, eventId, { ...TEXT, audience }, 'user:ada'),
  )
  // Between the writing and the sending of their mail, somebody cancels.
  await db.write(INSTANCE, hold)
  await db.write(accountId, tx =>
    announcements.send(tx, eventId, id, { total: 5, language: 'en', by: 'user:ada' }),
  )
  const written = async () =>
    (await db.read(accountId, tx => emails.list(tx, { eventId }, { limit: 50 }))).filter(
      ({ kind }) => kind === 'announcement',
    )
  await onceSettled({ app }, 'jobs', 'the mails are written', async () => (await written()).length === 5)
  // In the dashboard nobody reads what lets somebody in.
  const manager = await member('manager')
  for (const mail of await written()) {
    const { html } = await manager.open(`/manage/e/${eventId}/messages/mail/${mail.id}/html`)
    assert.doesNotMatch(html, /\/(?:orders|tickets)\/[\w-]{46}/)
    assert.match(html, /Your ticket/)
  }
  const [line] = (await db.read(accountId, tx => orders.getDetails(tx, left.id))).registrations
  await client.post(`/registrations/${line?.id}/cancel`, {})
  await db.write(INSTANCE, release)
  const news = () => received.filter(({ parsed }) => parsed.subject === 'See you')
  await onceSettled({ app }, ['jobs', 'mails'], 'the announcement', () => news().length === 5)

  const base = app.siteUrl
  const linkOf = (to: string) => {
    const { parsed } = news().find(mail => mail.to[0] === to) as (typeof received)[number]
    const links = String(parsed.html).matchAll(/href="([^"]*\/(?:orders|tickets|ada)\/[^"]*)"/g)
    return [...new Set([...links].map(([, link]) => link))]
  }
  assert.deepEqual(linkOf('two@example.org'), [base + pathOf(two)])
  assert.deepEqual(linkOf('one@example.org'), [base + (await ticketPathOf(one.id))])
  const [dan] = linkOf('dan@example.org')
  assert.match(dan ?? '', /\/tickets\//)
  assert.notEqual(dan, base + (await ticketPathOf(one.id)))
  assert.deepEqual(linkOf('left@example.org'), [`${base}/ada/spring-meeting/`])
})

test('who waits has no ticket, so an announcement to the waitlist may not name one', async t => {
  const { db, accountId, eventId } = await startSale(t)
  const create = (group: 'waitlist' | 'confirmed') =>
    db.write(accountId, tx =>
      announcements.create(tx, eventId, { ...TEXT, audience: { group, types: [] } }, 'user:ada'),
    )
  await assert.rejects(create('waitlist'), { code: 'invalid_parameter' })
  const { id } = await create('confirmed')
  await assert.rejects(
    db.write(accountId, tx =>
      announcements.update(tx, eventId, id, { audience: { group: 'waitlist', types: [] } }),
    ),
    { code: 'invalid_parameter' },
  )
})
