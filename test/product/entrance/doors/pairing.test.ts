import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE } from '#base/time.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { DoorClient, secretOf } from '#test/support/door/door.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'

test('a secret is exchanged until its token is used; of two phones with one QR the second is the device', async t => {
  const { app, clock, db, accountId, eventId, pair } = await startWithDoors(t)
  const { door: first, id, secret } = await pair()
  const second = new DoorClient(app.siteUrl, clock)
  const third = new DoorClient(app.siteUrl, clock)
  // The answer was lost, so the phone asks again.
  assert.equal((await first.pair(secret)).status, 201)
  assert.equal((await second.pair(secret)).status, 201)
  assert.deepEqual(
    [(await first.copy()).status, (await first.copy()).body.error.code],
    [401, 'invalid_device'],
  )
  assert.equal((await second.copy()).status, 200)
  const pairingAgain = async () => {
    const { status, body } = await third.pair(secret)
    return [status, body.error?.code]
  }
  assert.deepEqual(await pairingAgain(), [410, 'pairing_ended'])
  assert.equal((await db.read(accountId, tx => doors.get(tx, id))).pairing_expires_at, null)
  // A clock that is set back makes no used address good again.
  clock.advance(-5 * MINUTE)
  assert.deepEqual(await pairingAgain(), [410, 'pairing_ended'])
  assert.equal((await second.copy()).status, 200)
  clock.advance(5 * MINUTE)
  // A new one ends the phone before it once it is exchanged, and not sooner.
  const { pairing_url } = await db.write(accountId, tx => doors.renewPairing(tx, id, app.siteUrl))
  assert.deepEqual(await pairingAgain(), [404, 'not_found'])
  assert.equal((await second.copy()).status, 200)
  assert.equal((await third.pair(secretOf(pairing_url))).status, 201)
  assert.equal((await second.copy()).status, 401)
  const { body } = await third.copy()
  assert.equal(body.device.id, id)
  assert.equal(body.event.id, eventId)
})

test('a secret ends after fifteen minutes, with its device, and is not found where nobody made it', async t => {
  const { app, clock, db, accountId, eventId } = await startWithDoors(t)
  const input = {
    event_id: eventId,
    name: 'Late',
    registration_type_ids: null,
    search: false,
    unlisted: false,
  }
  const add = async () => {
    const made = await db.write(accountId, tx => doors.add(tx, input, app.siteUrl))
    return { id: made.id, secret: secretOf(made.pairing_url) }
  }
  const phone = new DoorClient(app.siteUrl, clock)
  const refusal = async (secret: string) => {
    const { status, body } = await phone.ask('POST', '/pair', { secret })
    return [status, body.error?.code]
  }
  const late = await add()
  const revoked = await add()
  await db.write(accountId, tx => doors.revoke(tx, revoked.id))
  assert.deepEqual(await refusal(revoked.secret), [404, 'not_found'])
  assert.deepEqual(await refusal('A'.repeat(22)), [404, 'not_found'])
  assert.deepEqual(await refusal(''), [400, 'invalid_parameter'])
  clock.advance(15 * MINUTE - 1)
  assert.deepEqual(await refusal(late.secret), [201, undefined])
  clock.advance(1)
  assert.deepEqual(await refusal(late.secret), [410, 'pairing_ended'])
  // A phone that guesses has to wait; a phone that is paired has not.
  const good = await add()
  await phone.pair(good.secret)
  for (let guess = 0; guess < 60; guess++) await phone.ask('POST', '/pair', { secret: 'guess' })
  assert.deepEqual(await refusal('guess'), [429, 'rate_limited'])
  assert.equal((await phone.copy()).status, 200)
})
