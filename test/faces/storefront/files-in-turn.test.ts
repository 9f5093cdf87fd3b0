import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { ticketPdf } from '#machinery/ticket-documents/ticket-pdf.ts'
import { startSale } from '#test/support/people/sale.ts'
import { documentOf, ticketOf } from '#test/support/ticket-documents.ts'
import { eventually } from '#test/support/webhooks.ts'

/** The thread that draws: what it was given, by titles in their order, and a hand that holds it up. */
const drawn: string[] = []
const waiting: (() => void)[] = []
let isPaused = false
process.on('worker', (worker: Worker) => {
  const post = worker.postMessage.bind(worker)
  worker.postMessage = message => {
    // The message is of another thread of this process, or of its end.
    if (message?.sheets === undefined) return post(message)
    drawn.push(message.sheets.title)
    if (isPaused) waiting.push(() => post(message))
    else post(message)
  }
})

function hold(t: TestContext): () => void {
  isPaused = true
  const release = () => {
    isPaused = false
    for (const post of waiting.splice(0)) post()
  }
  t.after(release)
  return release
}

const PDF = '/orders/{secret}/tickets.pdf'

async function startFlood(t: TestContext) {
  // A thread exists before it can be watched.
  await ticketPdf(documentOf({ tickets: [ticketOf('Ada')] }))
  drawn.length = 0
  const types = {
    registration_types: [{ name: 'Guest', price: 0, capacity: 1_000 }],
    questions: [],
    codes: [],
  }
  const sale = await startSale(t, types, {}, { settings: { trustProxy: ['127.0.0.1'] } })
  const { app, take, pathOf } = sale
  const url = (path: string) => new URL(app.url).origin + path
  /** Asks as somebody behind the proxy. */
  const get = (path: string, address: string) => {
    const headers = { 'x-forwarded-for': address, accept: 'text/html,*/*;q=0.8', 'accept-language': 'es' }
    return fetch(url(path), { headers })
  }
  /** @returns once it is sent, how it is given up */
  const begin = async (path: string, address: string) => {
    const sent = request(url(path), { agent: false, headers: { 'x-forwarded-for': address } })
    sent.on('error', () => undefined).end()
    const [socket] = (await once(sent, 'socket')) as [Socket]
    if (socket.connecting) await once(socket, 'connect')
    return () => {
      sent.destroy()
    }
  }
  const orderOf = async (count: number, name = 'Guest') => {
    const order = await take({ Guest: Array.from({ length: count }, (_, at) => `${name} ${at}`) })
    return { order, pdf: `${pathOf(order)}/tickets.pdf` }
  }
  return { ...sale, get, begin, orderOf }
}

test('after forty requests of twenty tickets that were given up, another buyer’s file and a mail’s are the next', async t => {
  const { begin, get, orderOf, log } = await startFlood(t)
  const floods: Awaited<ReturnType<typeof orderOf>>[] = []
  for (let n = 0; n < 8; n++) floods.push(await orderOf(20, `محمد ${n} สมชาย שלום`))
  const other = await orderOf(1)
  const release = hold(t)
  const giveUp = await Promise.all(
    Array.from({ length: 40 }, (_, n) => begin(floods[n % floods.length]?.pdf as string, `192.0.2.${n}`)),
  )
  await eventually('the first is drawn', () => drawn.length === 1)
  for (const each of giveUp) each()
  const refused = () => log.filter(({ route, status }) => route === PDF && status === 503).length
  await eventually('all are given up that came', () => refused() === 40)
  const file = get(other.pdf, '198.51.100.1')
  const mail = ticketPdf(documentOf({ tickets: [ticketOf('Grace')], order: { reference: 'MAIL-0001' } }))
  release()
  assert.equal((await file).status, 200)
  await mail
  assert.equal(drawn.length, 3, drawn.join('\n'))
  assert.ok(floods.some(({ order }) => drawn[0]?.includes(order.reference)))
  for (const reference of ['MAIL-0001', other.order.reference])
    assert.ok(
      drawn.slice(1).some(title => title.includes(reference)),
      reference,
    )
})

test('a file that was drawn is given again without drawing, and never once its tickets have changed', async t => {
  const { get, orderOf, db, accountId, client } = await startFlood(t)
  const { order, pdf } = await orderOf(2)
  const bytes = async () => Buffer.from(await (await get(pdf, '198.51.100.1')).arrayBuffer())
  const first = await bytes()
  assert.ok(first.equals(await bytes()))
  assert.equal(drawn.length, 1)
  await db.write(accountId, tx =>
    tx.run(
      `UPDATE attendees SET name = 'Grace' WHERE registration_id IN
      (SELECT id FROM registrations WHERE order_id = $1)`,
      [order.id],
    ),
  )
  await client.get('/events')
  assert.ok(!first.equals(await bytes()))
  assert.equal(drawn.length, 2)
  // Whoever has no link has none of it.
  assert.equal((await get(pdf.replace(/.{4}\/tickets/, 'AAAA/tickets'), '198.51.100.1')).status, 404)
})

test('who has too many files waiting is told so on a page in their language, and when to come again', async t => {
  const { begin, get, orderOf, log } = await startFlood(t)
  const orders = []
  for (let n = 0; n < 102; n++) orders.push(await orderOf(1, `Guest ${n}`))
  const last = orders.pop() as (typeof orders)[number]
  const release = hold(t)
  for (const { pdf } of orders) t.after(await begin(pdf, '192.0.2.1'))
  const isPdf = ({ route }: Record<string, unknown>) => route === PDF
  const refused = await eventually('all wait that may', async () => {
    const answer = await get(last.pdf, '192.0.2.1')
    return answer.status === 503 && answer
  })
  assert.match(await refused.text(), /<h1>Tu archivo aún no está listo<\/h1>/)
  assert.equal(refused.headers.get('retry-after'), '10')
  const other = get(last.pdf, '198.51.100.1')
  assert.equal(log.filter(isPdf).length, 1)
  release()
  assert.equal((await other).status, 200)
})
