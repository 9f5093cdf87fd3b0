import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MINUTE } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { linkSecret } from '#machinery/web/link-secret.ts'
import { startSale } from '#test/support/people/sale.ts'

async function start(t: TestContext) {
  const sale = await startSale(t, {}, {}, { settings: { trustProxy: ['127.0.0.1'] } })
  const { app, take, pathOf, ticketPathOf } = sale
  /** @returns the statuses of so many requests from behind a proxy, and how the last was answered */
  const ask = async (path: string, address: string, times = 1, method = 'GET') => {
    const headers = { 'x-forwarded-for': address, accept: 'text/html', 'accept-language': 'es' }
    const statuses: Record<number, number> = {}
    let last: Response | undefined
    for (let n = 0; n < times; n++) {
      last = await fetch(new URL(app.url).origin + path, {
        ...{ method, headers, redirect: 'manual' },
      })
      statuses[last.status] = (statuses[last.status] ?? 0) + 1
      if (n < times - 1) await last.body?.cancel()
    }
    return { statuses, last: last as Response }
  }
  const orderOf = async (name: string) => {
    const order = await take({ Guest: [name] })
    return { order: pathOf(order), ticket: await ticketPathOf(order.id) }
  }
  return { ...sale, ask, orderOf }
}

test('the pages of one link are answered 120 times a minute, from wherever they are asked for, and are there again after it', async t => {
  const { ask, orderOf, clock } = await start(t)
  const { order, ticket } = await orderOf('Grace')
  for (const path of [`${order}/names`, order]) await ask(path, '192.0.2.1', 50)
  const { statuses } = await ask(order, '198.51.100.1', 30)
  assert.deepEqual(statuses, { 200: 20, 429: 10 })
  const pages = ['/tickets.pdf', '/calendar.ics', '/cancel', '/withdraw', '/invoice', '/receipts/x/pdf']
  for (const page of ['', ...pages]) {
    const { last } = await ask(order + page, '192.0.2.1')
    assert.equal(last.status, 429, page)
    assert.equal(last.headers.get('retry-after'), '60')
    assert.match(await last.text(), /Demasiado de una vez/)
  }
  // The ticket has a link of its own.
  assert.deepEqual((await ask(ticket, '192.0.2.1', 125)).statuses, { 200: 120, 429: 5 })
  clock.advance(MINUTE)
  assert.equal((await ask(order, '192.0.2.1')).last.status, 200)
})

test('an address that floods the links it has is stopped, and shuts nobody beside it out of their own', async t => {
  const { ask, orderOf } = await start(t)
  const flood = []
  for (let n = 0; n < 11; n++) flood.push(await orderOf(`Flood ${n}`))
  const own = await orderOf('Grace')
  let answered = 0
  for (const { order } of flood) answered += (await ask(order, '192.0.2.1', 120)).statuses[200] ?? 0
  // The last of the links has its own ten and no more.
  assert.equal(answered, 1_200 + 10)
  assert.deepEqual((await ask(own.order, '192.0.2.1', 12)).statuses, { 200: 10, 429: 2 })
  assert.equal((await ask(own.ticket, '192.0.2.1')).last.status, 200)
  // Elsewhere all is as before.
  assert.equal((await ask(own.order, '198.51.100.1')).last.status, 200)
  // A text that is no link at all has no limit of its own.
  assert.equal((await ask(`/orders/${'A'.repeat(46)}`, '192.0.2.1')).last.status, 429)
})

test('a form of registration is answered 1,200 times a minute to one address, and the page of its event goes on', async t => {
  const { ask, formPath, path } = await start(t)
  const form = formPath({ Guest: 1 })
  assert.deepEqual((await ask(form, '192.0.2.1', 1_202)).statuses, { 200: 1_200, 429: 2 })
  assert.equal((await ask(path, '192.0.2.1')).last.status, 200)
  assert.equal((await ask(form, '198.51.100.1')).last.status, 200)
})

test('the link that is in the mail to a buyer has as many of its own as that of the order', async t => {
  const { ask, take, db } = await start(t)
  const { id } = await take({ Guest: ['Grace'] })
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance'),
  )
  const link = `/orders/${linkSecret(row?.secret as string, 'verify', { id, version: 1 })}/confirm`
  for (let n = 0; n < 10; n++) await ask(`/orders/${'A'.repeat(46)}`, '192.0.2.1', 120)
  assert.equal((await ask(`/orders/${'A'.repeat(46)}`, '192.0.2.1')).last.status, 429)
  assert.deepEqual((await ask(link, '192.0.2.1', 12)).statuses, { 200: 10, 429: 2 })
  assert.deepEqual((await ask(link, '198.51.100.1', 115)).statuses, { 200: 110, 429: 5 })
})
