import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid } from '#base/ids.ts'
import { verifyInThread } from '#product/guests/attendees/signing-thread.ts'
import {
  decodeTicket,
  encodeTicket,
  isSignedBy,
  newTicketKey,
  type TicketCode,
} from '#product/guests/attendees/ticket-code.ts'
import { watchCrypto } from '#test/support/crypto-watch.ts'
import { organization } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

type Server = Awaited<ReturnType<typeof startWithOrganization>>

async function codesOf(server: Server, quantity: number): Promise<string[]> {
  const { body } = await server.client.post('/registrations', newRegistration(server, { quantity }))
  return body.attendees.map(({ qr_code }: { qr_code: string }) => qr_code)
}

/** Returns the code with another signature in the one canonical form. */
function forge(code: string): string {
  const letter = code[60] === 'A' ? 'B' : 'A'
  return code.slice(0, 60) + letter + code.slice(61)
}

test('the code of a check-in is verified off the event loop, and a forged one is refused as ever', async t => {
  const server = await startWithOrganization(t)
  const codes = await codesOf(server, 4)
  const verifying = watchCrypto(t, 'verify')
  const send = (qr_code: string) => server.client.post('/check-ins', { qr_code })
  const answers = await Promise.all([...codes.slice(0, 3), forge(codes[3] as string)].map(send))
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.error?.code]),
    [...Array.from({ length: 3 }, () => [201, undefined]), [422, 'invalid_qr_code']],
  )
  assert.deepEqual([verifying.onLoop, verifying.inThread], [0, 4])
  assert.equal((await send('SVC1.NONE')).body.error.code, 'invalid_qr_code')
  assert.deepEqual([verifying.onLoop, verifying.inThread], [0, 4])
})

test('a code that another account has signed is not found, and one of an unknown key is refused', async t => {
  const server = await startWithOrganization(t)
  const [code = ''] = await codesOf(server, 1)
  const { account_id } = await server.apply(organization({ email: 'stranger@example.org' }))
  const stranger = await server.clientOf(account_id)
  const others = [code, encodeTicket(newTicketKey(), newUuid())]
  const answers = await Promise.all(others.map(qr_code => stranger.post('/check-ins', { qr_code })))
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.error.code]),
    [
      [404, 'not_found'],
      [422, 'invalid_qr_code'],
    ],
  )
  assert.equal((await server.client.post('/check-ins', { qr_code: code })).status, 201)
})

test('the event loop verifies a code itself where the thread has ended', async t => {
  const server = await startWithOrganization(t)
  const [code = '', other = ''] = await codesOf(server, 2)
  const verifying = watchCrypto(t, 'verify')
  verifying.fails = true
  assert.equal((await server.client.post('/check-ins', { qr_code: code })).status, 201)
  const forged = await server.client.post('/check-ins', { qr_code: forge(other) })
  assert.equal(forged.body.error.code, 'invalid_qr_code')
  assert.deepEqual([verifying.onLoop, verifying.inThread], [2, 2])
})

test('the thread finds of each code what the event loop finds, in the order of the codes', async () => {
  const [key, another] = [newTicketKey(), newTicketKey()]
  const claimed = Array.from({ length: 100 }, (_, number) => {
    const code = encodeTicket(key, newUuid())
    const sent = decodeTicket(number % 3 === 0 ? forge(code) : code) as TicketCode
    return { code: sent, publicKey: (number % 5 === 0 ? another : key).public_key }
  })
  const found = await verifyInThread(claimed)
  assert.deepEqual(
    found,
    claimed.map(({ code, publicKey }) => isSignedBy(code, publicKey)),
  )
  assert.equal(found.filter(Boolean).length, 53)
  assert.deepEqual(await verifyInThread([]), [])
})

test('a public key that is none stops no other code', async () => {
  const key = newTicketKey()
  const code = decodeTicket(encodeTicket(key, newUuid())) as TicketCode
  const refused = assert.rejects(verifyInThread([{ code, publicKey: 'none' }]))
  assert.deepEqual(await verifyInThread([{ code, publicKey: key.public_key }]), [true])
  await refused
})
