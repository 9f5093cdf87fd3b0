import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, request } from 'undici'
import { DAY } from '#base/time.ts'
import { makeDemo, pastClock } from '#faces/cli/place-demo-orders.ts'
import { readInstance } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { linkSecret } from '#machinery/web/link-secret.ts'
import { testClock } from '#test/support/clock.ts'
import { damageOf, openDatabase } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { parsePage } from '#test/support/people/page-reader.ts'
import { startServer } from '#test/support/server.ts'

test('the guests of the sandbox came by orders in the weeks before, with their payments, receipts and mails', async t => {
  const now = testClock()()
  const data = temporaryFolder(t)
  const clock = pastClock(now - 31 * DAY)
  const db = await openDatabase(data, clock)
  await makeDemo(db, clock, now)
  assert.equal(clock(), now)
  const count = async (sql: string) => {
    const rows = await db.read(INSTANCE, tx => tx.all<{ key: string; n: number }>(sql))
    return Object.fromEntries(rows.map(({ key, n }) => [key, n]))
  }
  assert.deepEqual(await count('SELECT o.status AS key, COUNT(*) AS n FROM orders o GROUP BY o.status'), {
    confirmed: 34,
    failed: 1,
    pending: 1,
  })
  assert.deepEqual(await count('SELECT p.status AS key, COUNT(*) AS n FROM payments p GROUP BY p.status'), {
    ...{ confirmed: 24, pending: 1, cancelled: 1 },
  })
  assert.deepEqual(await count('SELECT m.kind AS key, COUNT(*) AS n FROM emails m GROUP BY m.kind'), {
    ...{ order_confirmed: 34, payment_due: 1, order_unpaid: 1, order_cancelled: 2 },
  })
  assert.deepEqual(await count('SELECT r.kind AS key, COUNT(*) AS n FROM receipts r GROUP BY r.kind'), {
    ...{ receipt: 24, credit_note: 1 },
  })
  const [outside] = await db.read(INSTANCE, tx =>
    tx.all<{ n: number }>('SELECT COUNT(*) AS n FROM registrations r WHERE r.order_id IS NULL'),
  )
  assert.equal(outside?.n, 7, 'those of the past event, and a class on the first tour, were imported')
  const [latest] = await db.read(INSTANCE, tx =>
    tx.all<{ at: number }>('SELECT MAX(o.created_at) AS at FROM orders o'),
  )
  assert.ok((latest?.at ?? now) < now - DAY)
  await db.close()
  assert.deepEqual(await damageOf(data), [])
})

test('every link of the sandbox that a newcomer finds leads to a page of its own server', async t => {
  const clock = testClock()
  const data = temporaryFolder(t)
  const past = pastClock(clock() - 31 * DAY)
  const made = await openDatabase(data, past)
  await makeDemo(made, past, clock())
  await made.close()
  const { app, db } = await startServer(t, { data, clock, settings: { testPayments: true, showMail: true } })
  const site = new URL(app.siteUrl).origin
  const { cursor_secret: secret } = await db.read(INSTANCE, readInstance)
  const orders = await db.read(INSTANCE, tx =>
    tx.all<{ id: string; version: number }>(
      'SELECT min(o.id) AS id, 1 AS version FROM orders o GROUP BY o.status, o.amount_total > 0',
    ),
  )
  assert.ok(orders.length > 3)
  const agent = new Agent()
  t.after(() => agent.close())
  const paths = ['/', ...orders.map(order => `/orders/${linkSecret(secret, 'order', order)}`)]
  const seen = new Set(paths)
  const elsewhere = new Set<string>()
  for (const path of paths) {
    const answer = await request(site + path, { dispatcher: agent, headers: { accept: 'text/html' } })
    assert.ok([200, 302, 303].includes(answer.statusCode), `${path} answers ${answer.statusCode}`)
    const { location, 'content-type': type } = answer.headers
    const text = Buffer.from(await answer.body.arrayBuffer()).toString()
    const links = String(type).startsWith('text/html')
      ? [...parsePage(text).querySelectorAll('a[href]')].map(link => link.getAttribute('href') ?? '')
      : []
    if (location !== undefined) links.push(String(location))
    for (const href of links) {
      const { origin, protocol, pathname, search } = new URL(href, site + path)
      if (protocol === 'mailto:') continue
      if (origin !== site) elsewhere.add(href)
      // A file of tickets takes a while to draw, and other tests draw it.
      else if (!pathname.endsWith('.pdf') && !seen.has(pathname + search)) {
        seen.add(pathname + search)
        paths.push(pathname + search)
      }
    }
  }
  // The map of the place, and calendars on the web, are all that is not here.
  const others = [
    'https://www.openstreetmap.org/search?query=',
    'https://calendar.google.com/calendar/render?',
    'https://outlook.live.com/calendar/0/deeplink/compose?',
  ]
  assert.deepEqual(
    [...elsewhere].filter(href => !others.some(other => href.startsWith(other))),
    [],
  )
  const tours = await request(`${site}/sandbox/tower-tours/`, { dispatcher: agent })
  const dates = parsePage(await tours.body.text()).querySelectorAll('.framed-dates li')
  assert.equal(dates.length, 6)
  assert.match(dates[0]?.textContent ?? '', /Saturday.*Sold out/)
  assert.match(dates[5]?.textContent ?? '', /Saturday.*Places left/)
  for (const kind of ['imprint', 'privacy', 'terms']) assert.ok(seen.has(`/sandbox/${kind}.html`), kind)
})
