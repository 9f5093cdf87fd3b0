import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#base/problem.ts'
import { MINUTE } from '#base/time.ts'
import { type Asker, Drawings } from '#machinery/ticket-documents/drawing/drawings.ts'
import type { Sheets } from '#machinery/ticket-documents/drawing/sheet.ts'

const sheetsOf = (title: string): Sheets => ({
  ...{ language: 'en', title, author: 'Ada', issuedAt: 0, sheets: [] },
})

const codeOf = (error: unknown) => (error instanceof Problem ? error.code : error)

/** Starts a pen that draws as far as the test lets it, and notes the order of its tasks. */
function startDrawing() {
  const begun: string[] = []
  const open = new Map<string, (result: Buffer | Error) => void>()
  const drawings = new Drawings(
    ({ title }) =>
      new Promise((resolve, reject) => {
        begun.push(title)
        open.set(title, result => (result instanceof Error ? reject(result) : resolve(result)))
      }),
  )
  const settle = () => new Promise(resolve => setImmediate(resolve))
  /** Ends what has been drawn for longest, or what is named. */
  const end = async (result?: Buffer | Error, title = [...open.keys()][0] ?? '') => {
    open.get(title)?.(result ?? Buffer.from(title))
    open.delete(title)
    await settle()
  }
  const results: string[] = []
  const ask = (title: string, asker?: Asker) => {
    drawings.draw(sheetsOf(title), asker).then(
      pdf => results.push(`${title}: ${pdf}`),
      error => results.push(`${title}: ${codeOf(error)}`),
    )
  }
  return { drawings, begun, ask, end, settle, results }
}

const visitor = (address: string, order: string, signal?: AbortSignal): Asker => ({
  ...{ lane: 'visitors', shares: [address, order] },
  ...(signal && { signal }),
})

test('of forty requests that were given up one is drawn at most, and who waits behind them comes at once, as mails do', async () => {
  const { ask, begun, end, results, settle } = startDrawing()
  const gone = Array.from({ length: 40 }, () => new AbortController())
  for (const [n, { signal }] of gone.entries())
    ask(`flood ${n}`, visitor(`192.0.2.${n}`, `order ${n}`, signal))
  ask('other', visitor('198.51.100.1', 'other'))
  ask('mail')
  for (const each of gone) each.abort()
  await settle()
  assert.equal(results.filter(result => result.endsWith(': unavailable')).length, 40)
  assert.deepEqual(begun, ['flood 0', 'mail'])
  await end()
  await end()
  await end()
  assert.deepEqual(begun, ['flood 0', 'mail', 'other'])
  assert.deepEqual(results.slice(40), ['mail: mail', 'other: other'])
})

test('addresses have their turns, and within one its orders, however much each asks for', async () => {
  const { ask, begun, end } = startDrawing()
  for (const order of ['a', 'b', 'c'])
    for (const n of [1, 2, 3]) ask(`flood ${order}${n}`, visitor('192.0.2.1', order))
  ask('neighbour', visitor('192.0.2.1', 'own'))
  ask('other', visitor('198.51.100.1', 'other'))
  for (let n = 0; n < 11; n++) await end()
  assert.deepEqual(begun, [
    // Nobody else waited for it when it came.
    'flood a1',
    ...['flood a2', 'other', 'flood b1', 'flood c1', 'neighbour'],
    ...['flood a3', 'flood b2', 'flood c2', 'flood b3', 'flood c3'],
  ])
})

test('visitors hold up no mails, mails no visitors, and neither holds up who works in the dashboard', async () => {
  const { ask, begun, end, settle } = startDrawing()
  for (let n = 0; n < 10; n++) ask(`visitor ${n}`, visitor(`192.0.2.${n}`, `order ${n}`))
  for (const n of [0, 1]) ask(`mail ${n}`)
  for (const n of [0, 1]) ask(`list ${n}`, { lane: 'members', shares: ['account', 'person'] })
  await settle()
  // One document of each lane is drawn, however many wait in the others.
  assert.deepEqual(begun, ['visitor 0', 'mail 0', 'list 0'])
  await end(undefined, 'mail 0')
  await end(undefined, 'visitor 0')
  await end(undefined, 'visitor 1')
  assert.deepEqual(begun.slice(3), ['mail 1', 'visitor 1', 'visitor 2'])
  await end(undefined, 'list 0')
  assert.deepEqual(begun.slice(6), ['list 1'])
})

test('an order, an address and all visitors may have so many waiting, and are told when to come again; mails go on', async () => {
  const { ask, begun, end, results, settle, drawings } = startDrawing()
  ask('begun', visitor('192.0.2.1', 'begun'))
  for (let n = 0; n < 5; n++) ask(`of order ${n}`, visitor('192.0.2.1', 'one'))
  await settle()
  assert.deepEqual(results, ['of order 4: documents_waiting'])
  for (let n = 0; n < 100; n++) ask(`of address ${n}`, visitor('192.0.2.1', `order ${n}`))
  await settle()
  assert.equal(results.length, 5)
  assert.equal(results.at(-1), 'of address 99: documents_waiting')
  for (let n = 0; n < 301; n++) ask(`of all ${n}`, visitor(`address ${n}`, `order ${n}`))
  await settle()
  assert.deepEqual(results.slice(5), ['of all 300: documents_waiting'])
  await assert.rejects(
    drawings.draw(sheetsOf('late'), visitor('late', 'late')),
    (error: Problem) => error.code === 'documents_waiting' && error.retryAfter === 10,
  )
  ask('mail')
  await settle()
  assert.deepEqual(begun, ['begun', 'mail'])
  await end(undefined, 'begun')
  await end(undefined, 'of order 0')
  // There is room again.
  ask('late', visitor('192.0.2.1', 'one'))
  await settle()
  assert.ok(!results.includes('late: documents_waiting'))
})

test('who asks again for what they wait for waits for the same, and is left out alone when they go', async () => {
  const { ask, begun, end, results, settle } = startDrawing()
  ask('first', visitor('192.0.2.1', 'other'))
  const gone = new AbortController()
  ask('tickets', visitor('192.0.2.1', 'one', gone.signal))
  for (let n = 0; n < 20; n++) ask('tickets', visitor('192.0.2.1', 'one'))
  gone.abort()
  await settle()
  assert.deepEqual(results, ['tickets: unavailable'])
  await end()
  await end()
  assert.deepEqual(begun, ['first', 'tickets'])
  assert.equal(results.filter(result => result === 'tickets: tickets').length, 20)
})

test('what visitors have had drawn is kept for ten minutes under its content, also where they left meanwhile', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { ask, begun, end, results, settle } = startDrawing()
  const gone = new AbortController()
  ask('tickets', visitor('192.0.2.1', 'one', gone.signal))
  gone.abort()
  await end()
  ask('tickets', visitor('198.51.100.1', 'one'))
  ask('tickets')
  await settle()
  assert.deepEqual(results, ['tickets: unavailable', 'tickets: tickets', 'tickets: tickets'])
  ask('tickets, with another name', visitor('192.0.2.1', 'one'))
  await end()
  assert.deepEqual(begun, ['tickets', 'tickets, with another name'])
  t.mock.timers.tick(10 * MINUTE)
  ask('tickets', visitor('192.0.2.1', 'one'))
  await end()
  assert.equal(begun.length, 3)
})

test('what goes out by mail or is printed in the dashboard is not kept', async () => {
  const { ask, begun, end } = startDrawing()
  for (const asker of [undefined, { lane: 'members', shares: ['a', 'b'] } as const]) {
    ask('list', asker)
    await end()
  }
  assert.deepEqual(begun, ['list', 'list'])
})

test('what cannot be drawn is told to all who wait for it, and the next is drawn', async () => {
  const { ask, end, results } = startDrawing()
  ask('broken', visitor('192.0.2.1', 'one'))
  ask('broken', visitor('192.0.2.1', 'one'))
  ask('next', visitor('192.0.2.1', 'one'))
  const failure = new Error('broken')
  await end(failure)
  await end()
  assert.deepEqual(results, [`broken: ${failure}`, `broken: ${failure}`, 'next: next'])
})

test('no more is kept than there is room for', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { ask, begun, end } = startDrawing()
  const large = Buffer.alloc(10 * 1024 * 1024)
  for (const title of ['1', '2', '3', '4', '1']) {
    ask(title, visitor('192.0.2.1', title))
    await end(large)
  }
  assert.deepEqual(begun, ['1', '2', '3', '4', '1'])
})
