import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JSDOM } from 'jsdom'
import { MINUTE } from '#base/time.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { names, startSale } from '#test/support/people/sale.ts'
import { readCode, readPng } from '#test/support/qr-reader.ts'

test('the page of an order of twenty tickets has their codes, is under 60 KB, and costs little more than that of one', async t => {
  const { app, take, pathOf, db, accountId, clock } = await startSale(t)
  const get = async (path: string) => (await fetch(new URL(app.url).origin + path)).text()
  const holders = Array.from({ length: 20 }, (_, at) => `${names[at % names.length]?.slice(0, 150)} ${at}`)
  const large = await take({ Guest: holders })
  const small = pathOf(await take({ Guest: ['Grace'] }))
  const page = pathOf(large)
  const html = await get(page)
  const { registrations } = await db.read(accountId, tx => orders.getDetails(tx, large.id))
  const codes = registrations.flatMap(({ attendees }) => attendees.map(({ qr_code }) => qr_code))
  const images = [...new JSDOM(html).window.document.querySelectorAll('.ticket svg.qr image')]
  const shown = images.map(image => {
    const [, base64 = ''] = /^data:image\/png;base64,(.*)$/.exec(image.getAttribute('href') ?? '') ?? []
    return readCode(readPng(Buffer.from(base64, 'base64')))
  })
  assert.deepEqual(shown, codes)
  assert.ok(Buffer.byteLength(html) < 60_000, `${Buffer.byteLength(html)} bytes`)
  // Processor time of the whole process, and of the quickest of several rounds: other processes make it slower, not quicker.
  const cost = async (path: string) => {
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 8; round++) {
      clock.advance(MINUTE)
      const before = process.cpuUsage()
      for (let n = 0; n < 20; n++) await get(path)
      const { user, system } = process.cpuUsage(before)
      least = Math.min(least, (user + system) / 1000 / 20)
    }
    return least
  }
  const [one, twenty] = [await cost(small), await cost(page)]
  assert.ok(twenty < one + 5, `${twenty} ms for twenty tickets, ${one} ms for one`)
})

test('a form that asks twenty people for their country offers each of them all, and is under 250 KB', async t => {
  const country = { asked_for: 'ticket', key: 'country', label: 'Country', kind: 'country' }
  const types = [{ name: 'Guest', price: 0, capacity: 100 }]
  const { app, formPath } = await startSale(t, { registration_types: types, questions: [country], codes: [] })
  const html = await (await fetch(new URL(app.url).origin + formPath({ Guest: 20 }))).text()
  for (const code of ['AF', 'ES', 'ZW']) assert.equal(html.split(`<option value="${code}">`).length - 1, 20)
  assert.ok(Buffer.byteLength(html) < 250_000, `${Buffer.byteLength(html)} bytes`)
})
