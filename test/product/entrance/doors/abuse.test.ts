import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MINUTE, SECOND } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import type { SentItem } from '#test/support/door/door.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'
import { organization } from '#test/support/organization.ts'
import { openRaw } from '#test/support/raw.ts'

/** Starts beside it another event of the account and another account, each with a ticket that is in already. */
async function startWithOthers(t: TestContext) {
  const other = { ...organization().events[0], slug: 'other', title: 'Other' }
  const server = await startWithDoors(t, organization({ events: [other] }))
  const { apply, applied, client, clientOf } = server
  const theirs = await apply(organization({ email: 'bob@example.org' }))
  const sellTo = async (
    caller: typeof client,
    { id, registration_types: types }: (typeof theirs)['events'][string],
  ) => {
    const buyer = { name: 'Mallory', email: 'mallory@example.org' }
    const sale = { event_id: id, registration_type_id: types.Standard, buyer }
    const { body } = await caller.post('/registrations', sale)
    const [{ id: ticket, qr_code: code }] = body.attendees
    assert.equal((await caller.post('/check-ins', { attendee_id: ticket })).status, 201)
    return { ticket, code } as { ticket: string; code: string }
  }
  type Event = (typeof theirs)['events'][string]
  return {
    ...server,
    ofEvent: await sellTo(client, applied.events.other as Event),
    ofAccount: await sellTo(await clientOf(theirs.account_id), theirs.events['spring-meeting'] as Event),
  }
}

test('a door learns nothing of the tickets of another event or account, and never admits them', async t => {
  const { a, ofEvent, ofAccount, clock, db, accountId, inside } = await startWithOthers(t)
  const { cursor } = (await a.copy()).body
  clock.advance(MINUTE)
  const byHand = [ofEvent, ofAccount].map(({ ticket }) => a.scan({ ticket }))
  const byCode = a.scan({ code: ofEvent.code })
  const foreign = a.scan({ code: ofAccount.code })
  for (const shown of [null, 'admitted'] as const) {
    const { body } = await a.send([...byHand, byCode, foreign].map(item => ({ ...item, shown })))
    const outcome = shown === null ? 'refused' : 'conflict'
    const nothing = { outcome, check_in_id: null, first: null, ticket: null }
    const [one, two, three, four] = body.results
    assert.deepEqual(one, { ...nothing, scan_id: byHand[0]?.scan_id, reason: one.reason })
    assert.deepEqual(two, { ...nothing, scan_id: byHand[1]?.scan_id, reason: two.reason })
    assert.deepEqual([one.reason, two.reason], ['not_found', 'not_found'])
    assert.deepEqual(three, { ...nothing, scan_id: byCode.scan_id, reason: 'wrong_event' })
    assert.deepEqual([four.outcome, four.reason, four.ticket], ['invalid', 'invalid_qr_code', null])
  }
  const { notices, tickets } = (await a.changes(cursor)).body
  assert.deepEqual(tickets, [])
  assert.equal(notices.length, 3)
  // This door may not know that somebody is in there.
  for (const { first } of notices) assert.equal(first, null)
  // Once the other event's ticket is out again, it does not come in by this door.
  await db.write(accountId, tx => checkIns.undo(tx, ofEvent.ticket))
  assert.deepEqual(await inside(), [])
})

test('who has stolen a phone admits by hand twenty a minute, in whatever order the instants come, and harms no other door', async t => {
  const { a, b, sell, inside, clock } = await startWithDoors(
    t,
    organization({ event: { registration_types: [{ name: 'Standard', price: 0, capacity: 1_000 }] } }),
  )
  clock.advance(10 * MINUTE)
  const { body } = await sell({ quantity: 60 })
  const tickets: string[] = body.attendees.map(({ id }: { id: string }) => id)
  const at = (ago: number) => new Date(clock() - ago).toISOString()
  const backwards = tickets
    .slice(0, 30)
    .map((ticket, count) => a.scan({ ticket }, { at: at(count * SECOND), shown: 'admitted' }))
  const { results } = (await a.send(backwards)).body
  const held = results.filter(({ outcome }: { outcome: string }) => outcome === 'held')
  assert.equal(held.length, 10)
  assert.equal((await inside()).length, 20)
  // Ten are of a minute that has passed: a door that was without a network sends them when it can.
  const before = tickets.slice(30, 50).map(ticket => a.scan({ ticket }, { at: at(5 * MINUTE) }))
  assert.ok(
    (await a.send(before)).body.results.every(({ outcome }: { outcome: string }) => outcome === 'admitted'),
  )
  // It floods, and another door is answered.
  const items = Array.from({ length: 500 }, () => a.scan({ ticket: tickets[0] as string }))
  const flood = Promise.all(Array.from({ length: 4 }, () => a.send(items)))
  assert.equal((await b.one(b.scan({ ticket: tickets[59] as string }))).outcome, 'admitted')
  assert.ok((await flood).every(({ status }) => status === 200))
})

test('a bad request is refused as a whole, and told as the API tells it', async t => {
  const { a, b, client, sell, app, aId, db } = await startWithDoors(t)
  const { code, ticket } = await sell()
  const url = `${app.siteUrl}/door`
  const say = async (
    path: string,
    { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
  ) => {
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${a.token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body }),
    })
    const { error } = (await response.json()) as { error: { code: string; type: string } }
    return [response.status, error?.code]
  }
  const item = JSON.stringify(a.scan({ code }))
  for (const [body, expected] of [
    ['{"waiting":0,"scans":[', [400, 'malformed_json']],
    ['{"waiting":0,"scans":{}}', [400, 'invalid_parameter']],
    ['{"waiting":-1,"scans":[]}', [400, 'invalid_parameter']],
    ['{"waiting":0,"scans":[],"more":1}', [400, 'invalid_parameter']],
    ['[]', [400, 'invalid_parameter']],
    [`{"waiting":0,"scans":[${Array(501).fill('0').join()}]}`, [413, 'payload_too_large']],
    [`{"waiting":0,"scans":[${Array(100_000).fill('0').join()}]}`, [400, 'invalid_parameter']],
    [`{"waiting":0,"scans":["${'x'.repeat(2 * 1024 * 1024)}"]}`, [413, 'payload_too_large']],
  ] as const) {
    assert.deepEqual(await say('/scans', { body }), expected, body.slice(0, 60))
  }
  const plain = { body: `{"waiting":0,"scans":[${item}]}`, headers: { 'content-type': 'text/plain' } }
  assert.deepEqual(await say('/scans', plain), [415, 'unsupported_media_type'])
  for (const cursor of ['', '-1', '1.5', '1e3', '0x10', '9'.repeat(30), '%00', "1'--", '١']) {
    assert.deepEqual(await say(`/changes?cursor=${cursor}`), [400, 'invalid_parameter'], cursor)
  }
  assert.deepEqual(await say('/changes'), [400, 'invalid_parameter'])
  assert.deepEqual(await say('/changes?cursor=0&cursor=1'), [400, 'invalid_parameter'])
  assert.deepEqual(await say(`/changes?cursor=${'9'.repeat(15)}`), [410, 'copy_again'])
  for (const authorization of [
    '',
    'Bearer',
    `Basic ${a.token}`,
    `Bearer ${a.token}x`,
    `Bearer ${client.key}`,
    `Bearer ${aId}`,
  ]) {
    assert.deepEqual(
      await say('/copy', { headers: { authorization } }),
      [401, 'invalid_device'],
      authorization,
    )
  }
  // Two tokens do not say who asks.
  const { socket, closed } = openRaw(app.siteUrl)
  const tokens = [a, b].map(({ token }) => `Authorization: Bearer ${token}\r\n`).join('')
  socket.write(`GET /door/changes?cursor=0 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${tokens}\r\n`)
  assert.match(await closed, /^HTTP\/1\.1 401 /)
  // A device is none of the API.
  const { status, body } = await client.get('/events', { key: a.token as string })
  assert.deepEqual([status, body.error.code], [401, 'invalid_api_key'])
  const refused = await client.post('/check-ins', { attendee_id: ticket }, { key: a.token as string })
  assert.equal(refused.status, 401)
  assert.deepEqual(await db.read(INSTANCE, tx => tx.all('SELECT id FROM scans')), [])
})

test('whatever an item is, it fails alone: those beside it are taken, and the server goes on', async t => {
  const { a, sell, inside, log } = await startWithDoors(t)
  const { code, ticket } = await sell()
  const good = a.scan({ code })
  const odd: unknown[] = [
    '',
    '\u0000',
    '\ud800',
    'ﷺ',
    '__proto__',
    -0,
    1e308,
    2 ** 53,
    null,
    true,
    [],
    {},
    [[]],
  ]
  const times = [
    '2026-11-21T12:00:00.000+99:99',
    '+275760-09-13T00:00:00.000Z',
    '-000001-01-01T00:00:00.000Z',
    '2026-02-30T00:00:00Z',
  ]
  const items: unknown[] = [...odd]
  for (const name of ['scan_id', 'kind', 'at', 'offset', 'shown', 'code', 'ticket', 'of', 'reason']) {
    for (const value of [...odd, ...times]) {
      items.push({ ...a.scan({ code: code.slice(0, -4) }), [name]: value } satisfies SentItem & object)
    }
  }
  for (const offset of [-(2 ** 41), 2 ** 41, 1, -1])
    items.push(a.scan({ ticket }, { offset, shown: 'refused' }))
  const { status, body } = await a.send([...items, good])
  assert.equal(status, 200)
  assert.equal(body.results.length, items.length + 1)
  assert.equal(body.results.at(-1).outcome, 'admitted')
  assert.equal((await inside()).length, 1)
  assert.deepEqual(
    log.filter(({ level }) => Number(level) >= 50),
    [],
  )
})
