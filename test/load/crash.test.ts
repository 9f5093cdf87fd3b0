import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Client } from '#test/support/client.ts'
import { findDamage, findLoss } from '#test/support/damage.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { copyOf } from '#test/support/engine.ts'
import { ImportLoad, sendImport } from '#test/support/load.ts'
import { newRegistration } from '#test/support/requests.ts'
import { type Rows, withRows } from '#test/support/rows.ts'
import { startServerProcess } from '#test/support/server-process.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

/** The long form is for `npm run soak`. */
const ROUNDS = process.env.SOAK === undefined ? 3 : 50

test('after kill -9 in the middle of a load all that was acknowledged is there, and nothing is half there', {
  timeout: ROUNDS * 20_000,
}, async t => {
  const { data, eventId, typeId, key } = await prepareDataFolder(t)
  const makeImport = (number: number) => ({
    event_id: eventId,
    registration_type_id: typeId,
    buyer: { name: `Guest ${number}`, email: `guest-${number}@example.org` },
    quantity: 1 + (number % 3),
  })
  let total = 0
  for (let round = 0; round < ROUNDS; round++) {
    const victim = await startServerProcess(t, data)
    const hasty = new Client(victim.url, key)
    const load = new ImportLoad(hasty, `round-${round}`, 50, makeImport)
    await load.reached(150 + 37 * (round % 10))
    // At the moment of an answer the server has just finished a write: any moment after it may be in the middle of one.
    await setTimeout(Math.random() * 20)
    victim.kill('SIGKILL')
    await load.ended()
    await hasty.close()
    assert.equal((await victim.ended).signal, 'SIGKILL')
    // The load was really cut: some imports were sent, and got no answer.
    assert.ok(load.answered.size < load.sent.length)
    assert.deepEqual(new Set([...load.answered.values()].map(({ status }) => status)), new Set([201]))

    const server = await startServerProcess(t, data)
    const client = new Client(server.url, key)
    assert.deepEqual(await findLoss(data, load.answered), [])
    assert.deepEqual(await findDamage(data), [])

    // Every sender tries again, and nothing is done twice.
    const retries = await Promise.all(
      load.sent.map(async one => [one, await sendImport(client, one)] as const),
    )
    for (const [{ idempotencyKey }, answer] of retries) {
      assert.equal(answer.status, 201)
      const first = load.answered.get(idempotencyKey)
      if (first === undefined) continue
      assert.equal(answer.text, first.text)
      assert.equal(answer.headers['idempotent-replayed'], 'true')
      assert.equal(first.headers['idempotent-replayed'], undefined)
    }
    for (const first of [...load.answered.values()].slice(-20)) {
      assert.deepEqual((await client.get(`/registrations/${first.body.id}`)).body, first.body)
    }
    total += load.sent.length
    assert.equal(await withRows(data, countRegistrations), total)
    assert.deepEqual(await findDamage(data), [])
    await client.close()
    server.kill('SIGKILL')
    await server.ended
  }
})

async function countRegistrations(rows: Rows): Promise<number | undefined> {
  return (await rows.column<number>('SELECT count(*) FROM registrations'))[0]
}

test('the search for damage sees each way in which a change can be half there', async t => {
  const { client, data, eventId, types } = await startSubscribed(t)
  const post = (key: string, route: string, body?: object) =>
    client.post(route, body, { headers: { 'Idempotency-Key': key } })
  const body = newRegistration({ eventId, types }, { quantity: 2 })
  const kept = await post('kept', '/registrations', body)
  const gone = await post('gone', '/registrations', body)
  await post('cancel', `/registrations/${gone.body.id}/cancel`)
  const [ticket] = kept.body.attendees
  await post('scan', '/check-ins', { attendee_id: ticket.id })
  await post('again', '/check-ins', { attendee_id: ticket.id })
  const acknowledged = new Map([['kept', kept]])
  assert.deepEqual(await findDamage(data), [])
  assert.deepEqual(await findLoss(data, acknowledged), [])

  const { id } = kept.body
  const damages: [name: string, sql: string, damage: RegExp, losses: string[]][] = [
    [
      'no-event',
      `DELETE FROM webhook_events WHERE type = 'registration.created' AND body LIKE '%"id":"${id}"%'`,
      /^no event: registration\.created/m,
      ['kept: the event is lost'],
    ],
    [
      'no-ticket',
      `DELETE FROM attendees WHERE registration_id = '${id}' AND position = 1`,
      /has 1 of 2 tickets/,
      ['kept: a ticket is lost'],
    ],
    [
      'no-tickets',
      `DELETE FROM attendees WHERE registration_id = '${id}'`,
      /has 0 of 2 tickets/,
      ['kept: a ticket is lost'],
    ],
    [
      'no-answer',
      `DELETE FROM idempotent_responses WHERE idempotency_key = 'kept'`,
      /^no idempotent answer: registration confirmed/m,
      ['kept: the idempotent answer is lost'],
    ],
    [
      'other-answer',
      `UPDATE idempotent_responses SET body = body || ' ' WHERE idempotency_key = 'kept'`,
      /^$/,
      ['kept: the idempotent answer is lost'],
    ],
    [
      'no-registration',
      `DELETE FROM registrations WHERE id = '${id}'`,
      /one too many event: registration\.created/,
      ['kept: the registration is lost'],
    ],
    [
      'sold',
      "UPDATE registration_types SET sold = sold + 1 WHERE name = 'Standard'",
      /says 3 sold, and 2 are/,
      [],
    ],
    [
      'not-void',
      `UPDATE attendees SET voided = 0 WHERE registration_id = '${gone.body.id}' AND position = 0`,
      /is not as void as its registration/,
      [],
    ],
    ['no-check-in', 'DELETE FROM check_ins', /one too many event: checkin\.created/, []],
    [
      'twice',
      `INSERT INTO webhook_events SELECT 'evt_twice', account_id, type, body, created_at, updated_at FROM webhook_events
       WHERE type = 'registration.cancelled'`,
      /one too many event: registration\.cancelled/,
      [],
    ],
    [
      'no-entry',
      "DELETE FROM access_log WHERE action = 'check_in.create'",
      /no access log entry: check_in\.create/,
      [],
    ],
  ]
  for (const [name, sql, damage, losses] of damages) {
    const copy = await copyOf(t, data)
    await withRows(copy, async rows => {
      await rows.uncheck('references')
      assert.ok((await rows.run(sql)) > 0, name)
    })
    assert.match((await findDamage(copy)).join('\n'), damage, name)
    assert.deepEqual(await findLoss(copy, acknowledged), losses, name)
  }
})
