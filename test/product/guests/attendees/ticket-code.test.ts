import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32nopad } from '@scure/base'
import { INSTANCE } from '#machinery/db/port.ts'
import { encodeTicket, newTicketKey, type TicketKey } from '#product/guests/attendees/ticket-code.ts'
import { readState } from '#test/support/observations.ts'
import { organization } from '#test/support/organization.ts'
import { newRegistration, UNKNOWN_ID, withoutRequestId } from '#test/support/requests.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

const bytesOf = (code: string) => Buffer.from(base32nopad.decode(code.slice(5)))
const codeOf = (bytes: Uint8Array) => `SVC1.${base32nopad.encode(bytes)}`

async function startWithTicket(t: Parameters<typeof startSubscribed>[0]) {
  const file = organization({
    events: [
      {
        slug: 'other',
        title: 'Other',
        timezone: 'Europe/Madrid',
        registration_types: [{ name: 'Standard', price: 0, capacity: 9 }],
      },
    ],
  })
  const server = await startSubscribed(t, file)
  const { body } = await server.client.post('/registrations', newRegistration(server))
  const other = server.applied.events.other as { id: string; registration_types: Record<string, string> }
  const elsewhere = await server.client.post(
    '/registrations',
    newRegistration({ eventId: other.id, types: other.registration_types }),
  )
  const keyOf = (eventId: string) =>
    server.db.read(INSTANCE, tx =>
      tx.one<TicketKey>('SELECT * FROM ticket_keys WHERE event_id = $1', [eventId]),
    )
  return {
    ...server,
    ticket: body.attendees[0] as { id: string; qr_code: string },
    otherTicket: elsewhere.body.attendees[0] as { id: string; qr_code: string },
    key: (await keyOf(server.eventId)) as TicketKey,
    otherKey: (await keyOf(other.id)) as TicketKey,
  }
}

/** Refuses every one of the codes with the same bytes, and changes nothing. */
async function assertAllInvalid(server: Awaited<ReturnType<typeof startWithTicket>>, codes: string[]) {
  const before = await readState(server.db)
  const answers = await Promise.all(codes.map(qr_code => server.client.post('/check-ins', { qr_code })))
  for (const [at, answer] of answers.entries()) {
    assert.deepEqual([answer.status, answer.body.error?.code], [422, 'invalid_qr_code'], codes[at])
  }
  assert.equal(new Set(answers.map(withoutRequestId)).size, 1)
  assert.deepEqual(await readState(server.db), before)
}

test('a code is 141 characters of a QR’s alphanumeric mode, and carries no personal data', async t => {
  const { ticket, key } = await startWithTicket(t)
  assert.match(ticket.qr_code, /^SVC1\.[A-Z2-7]{136}$/)
  const bytes = bytesOf(ticket.qr_code)
  assert.equal(bytes.length, 85)
  assert.equal(bytes[0], 1)
  assert.equal(bytes.toString('hex', 1, 5), key.id)
  assert.equal(bytes.toString('hex', 5, 21), ticket.id.replaceAll('-', ''))
  assert.equal(encodeTicket(key, ticket.id), ticket.qr_code)
})

test('each event signs with a key of its own', async t => {
  const { key, otherKey, ticket, otherTicket } = await startWithTicket(t)
  assert.notEqual(key.id, otherKey.id)
  assert.notEqual(ticket.qr_code.slice(5, 13), otherTicket.qr_code.slice(5, 13))
})

test('a code with any one byte changed is invalid, and so is one with any one character changed', async t => {
  const server = await startWithTicket(t)
  const { qr_code } = server.ticket
  const bytes = bytesOf(qr_code)
  const flipped = [...bytes.keys()].flatMap(at =>
    [0x01, 0x80].map(bit => {
      const copy = Buffer.from(bytes)
      copy[at] = (copy[at] as number) ^ bit
      return codeOf(copy)
    }),
  )
  const replaced = [...qr_code].map(
    (character, at) => qr_code.slice(0, at) + (character === 'A' ? 'B' : 'A') + qr_code.slice(at + 1),
  )
  await assertAllInvalid(server, [...flipped, ...replaced])
  assert.equal((await server.client.post('/check-ins', { qr_code })).status, 201)
})

test('a code in any but the canonical form is invalid: cut, longer, padded, in lower case or encoded again', async t => {
  const server = await startWithTicket(t)
  const { qr_code, id } = server.ticket
  const bytes = bytesOf(qr_code)
  await assertAllInvalid(server, [
    ...[0, 1, 5, 6, 70, 133, 140].map(length => qr_code.slice(0, length)),
    ...['\n', '\r\n', ' ', '=', '======', 'A', 'AAAAAAAA', '\u200b'].flatMap(end => [
      qr_code + end,
      end + qr_code,
    ]),
    qr_code.toLowerCase(),
    `SVC1.${qr_code.slice(5).toLowerCase()}`,
    `svc1.${qr_code.slice(5)}`,
    qr_code.replace('SVC1.', 'SVC2.'),
    qr_code.replace('SVC1.', 'SVC1'),
    qr_code.slice(5),
    `SVC1.${bytes.toString('base64')}`,
    `SVC1.${bytes.toString('base64url')}`,
    `SVC1.${bytes.toString('hex').toUpperCase()}`,
    encodeURIComponent(qr_code).replace('.', '%2E'),
    [...qr_code].map(letter => String.fromCodePoint((letter.codePointAt(0) as number) + 0xfee0)).join(''),
    qr_code.replace(/^(.{60})/, '$1 '),
    [...qr_code].reverse().join(''),
    qr_code + qr_code,
    'A'.repeat(1000),
    '😀'.repeat(1000),
    '{"qr_code":""}',
    id,
    codeOf(bytes.subarray(0, 84)),
    codeOf(Buffer.concat([bytes, Buffer.alloc(1)])),
    codeOf(Buffer.alloc(85)),
    codeOf(Buffer.alloc(85, 0xff)),
  ])
})

test('a code that somebody else signed is invalid, whatever key it names', async t => {
  const server = await startWithTicket(t)
  const { ticket, otherTicket, key, otherKey } = server
  const stranger = newTicketKey()
  const mixed = (head: string, signature: string) =>
    codeOf(Buffer.concat([bytesOf(head).subarray(0, 21), bytesOf(signature).subarray(21)]))
  await assertAllInvalid(server, [
    encodeTicket(stranger, ticket.id),
    encodeTicket({ ...stranger, id: key.id }, ticket.id),
    encodeTicket({ ...otherKey, id: key.id }, ticket.id),
    encodeTicket(otherKey, ticket.id),
    encodeTicket(key, otherTicket.id),
    mixed(ticket.qr_code, otherTicket.qr_code),
    mixed(otherTicket.qr_code, ticket.qr_code),
  ])
})

test('a forged code is refused before any look-up of the ticket: nobody learns which tickets exist', async t => {
  const server = await startWithTicket(t)
  const stranger = newTicketKey()
  await server.client.post('/check-ins', { qr_code: server.ticket.qr_code })
  const { account_id } = await server.apply(organization({ email: 'bob@example.org' }))
  const clients = [server.client, await server.clientOf(account_id)]
  const answers = await Promise.all(
    clients.flatMap(client =>
      [server.ticket.id, server.otherTicket.id, UNKNOWN_ID].map(id =>
        client.post('/check-ins', { qr_code: encodeTicket({ ...stranger, id: server.key.id }, id) }),
      ),
    ),
  )
  assert.equal(new Set(answers.map(withoutRequestId)).size, 1)
  assert.equal(answers[0]?.body.error.code, 'invalid_qr_code')
})

test('a good code of another account, or of a ticket that does not exist, is a 404', async t => {
  const server = await startWithTicket(t)
  const { account_id } = await server.apply(organization({ email: 'bob@example.org' }))
  const stranger = await server.clientOf(account_id)
  const before = await readState(server.db)
  const foreign = await stranger.post('/check-ins', { qr_code: server.ticket.qr_code })
  const gone = await server.client.post('/check-ins', { qr_code: encodeTicket(server.key, UNKNOWN_ID) })
  for (const answer of [foreign, gone])
    assert.deepEqual([answer.status, answer.body.error.code], [404, 'not_found'])
  assert.deepEqual(await readState(server.db), before)
})
