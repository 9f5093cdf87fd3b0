import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { DAY } from '#base/time.ts'
import { ERASED_EMAIL } from '#base/words.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as users from '#product/administration/users/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { forgettingMail } from '#product/data-care/forgetting/mails.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { copyOf, openDatabase } from '#test/support/engine.ts'
import { openShop } from '#test/support/payments.ts'
import { newEvent, newType } from '#test/support/people/organizer.ts'
import { argumentsFor } from '#test/support/program.ts'
import { openRows } from '#test/support/rows.ts'
import { tracesOf } from '#test/support/traces.ts'

/** The event ended on 2 February 2027 at 18:00 UTC, and its guests are to be forgotten 30 days later. */
const ENDED = Date.parse('2027-02-02T18:00:00Z')
const TOLD = ENDED + 24 * DAY
const NIGHT = ENDED + 33 * DAY
/** Guests of the past event, and of one that is to come. */
const [PAST, COMING] = [/[Pp]astguest/, /[Cc]omingguest/]

const BOUND = { timeout: 300_000 }

/** Makes a folder with twelve guests of a past event, by orders and by imports, who wait to be forgotten, and one of a coming event. */
async function prepare(t: TestContext): Promise<string> {
  const shop = await openShop(t)
  const { db, accountId, eventId, types, clock, data } = shop
  for (let n = 0; n < 6; n++) await shop.order({ Free: 1 }, { email: `pastguest${n}@example.org` })
  for (let n = 6; n < 12; n++)
    await db.write(accountId, tx =>
      registrations.create(tx, {
        event_id: eventId,
        registration_type_id: types.Free as string,
        buyer: { name: `Pastguest ${n}`, email: `pastguest${n}@example.org` },
      }),
    )
  await db.write(accountId, async tx => {
    const coming = await events.create(tx, { ...newEvent(), starts_at: ENDED + 300 * DAY })
    const { id } = await registrationTypes.create(tx, coming.id, newType('Free'))
    const buyer = { name: 'Comingguest', email: 'comingguest@example.org' }
    await registrations.create(tx, { event_id: coming.id, registration_type_id: id, buyer })
    await accounts.update(tx, { forget_after_days: 30 })
  })
  const input = { name: 'owner', email: 'owner@example.org', passwordHash: 'none', language: 'en' } as const
  const user = await db.write(INSTANCE, tx => users.createUser(tx, input, false))
  await db.write(accountId, tx => users.addMember(tx, user.id, { role: 'owner', event_ids: null }))
  clock.set(new Date(TOLD).toISOString())
  return data
}

/** Runs one night in a process of its own. @returns the signal that ended it, and how many writes it made */
async function night(data: string, now: number, kill = 'never', fault = '') {
  const args = [...argumentsFor('test/support/forgetting-process.ts'), data, String(now), kill, fault]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  const [, signal] = await once(child, 'close')
  return { signal, writes: Number(output) }
}

/** Reads what is left of whom, and how often owners were told. */
async function readState(t: TestContext, data: string) {
  const db = await openDatabase(data, () => NIGHT)
  try {
    const told = await db.read(INSTANCE, tx =>
      tx.all('SELECT recipient FROM emails WHERE kind = $1', [forgettingMail.name]),
    )
    const buyers = await db.read(INSTANCE, tx =>
      tx.all<{ buyer_email: string }>('SELECT buyer_email FROM registrations ORDER BY number'),
    )
    const rows = await openRows(t, data)
    const state = {
      told: told.length,
      erased: buyers.filter(({ buyer_email }) => buyer_email === ERASED_EMAIL).length,
      past: (await tracesOf(rows, PAST)).length,
      coming: (await tracesOf(rows, COMING)).length,
      damage: await findDamage(db),
    }
    await rows.close()
    return state
  } finally {
    await db.close()
  }
}

test(
  'a process that is killed at any write of the night’s forgetting leaves no guest half forgotten; the next night forgets all, and nobody else',
  BOUND,
  async t => {
    const whole = await prepare(t)
    assert.equal((await night(whole, TOLD)).signal, null)
    const before = await readState(t, whole)
    assert.equal(before.told, 1)
    const undisturbed = await copyOf(t, whole)
    const { writes } = await night(undisturbed, NIGHT)
    const after = await readState(t, undisturbed)
    assert.deepEqual(after, { told: 1, erased: 12, past: 0, coming: before.coming, damage: [] })
    assert.ok(writes >= 4, `${writes} writes`)
    for (const kill of ['within 2', 'after 2', 'within 3', 'after 3', `after ${writes - 1}`]) {
      const data = await copyOf(t, whole)
      assert.equal((await night(data, NIGHT, kill)).signal, 'SIGKILL', kill)
      const left = await readState(t, data)
      assert.deepEqual([left.told, left.coming, left.damage], [1, before.coming, []], kill)
      assert.equal((await night(data, NIGHT + DAY)).signal, null)
      assert.deepEqual(await readState(t, data), after, kill)
    }
  },
)

test(
  'a process that is killed while owners are told has told all of them or none, and the next night tells them once',
  BOUND,
  async t => {
    const whole = await prepare(t)
    for (const [kill, told] of [
      ['within 1', 0],
      ['after 1', 1],
    ] as const) {
      const data = await copyOf(t, whole)
      assert.equal((await night(data, TOLD, kill)).signal, 'SIGKILL')
      assert.equal((await readState(t, data)).told, told, kill)
      await night(data, TOLD + DAY)
      await night(data, TOLD + 2 * DAY)
      const { told: once, erased } = await readState(t, data)
      assert.deepEqual([once, erased], [1, 0], kill)
    }
  },
)

test(
  'a forgetting that writes what is beside a registration, or that owners were told, apart from it would be seen',
  BOUND,
  async t => {
    const whole = await prepare(t)
    const untold = await copyOf(t, whole)
    await night(untold, TOLD, 'after 1', 'untold')
    await night(untold, TOLD + DAY)
    assert.notEqual((await readState(t, untold)).told, 1)
    await night(whole, TOLD)
    await night(whole, NIGHT, 'after 2', 'apart')
    await night(whole, NIGHT + DAY)
    assert.notEqual((await readState(t, whole)).past, 0)
  },
)
