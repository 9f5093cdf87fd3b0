import type { TestContext } from 'node:test'
import { DAY } from '#base/time.ts'
import { readInstance } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { linkSecret } from '#machinery/web/link-secret.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { allScopes } from '#product/administration/keys/scopes.ts'
import * as linkUses from '#product/administration/users/link-uses.ts'
import * as links from '#product/administration/users/links.ts'
import { hashPassword } from '#product/administration/users/passwords.ts'
import { ALONE } from '#product/administration/users/scrypt-lanes.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { unsubscribeUrl } from '#product/mailing/announcements/unsubscribe-link.ts'
import { asInstance } from '#test/support/as-instance.ts'
import { DOOR, secretOf } from './door/door.ts'
import { addDoor } from './door/door-rows.ts'
import { openDatabase } from './engine.ts'
import { addOrder, addUnpaid, everything, findIds, type Ids, writeMails } from './every-row.ts'
import { diskFolder } from './folder.ts'
import { PASSWORD } from './people/dashboard.ts'
import { seller } from './people/organizer.ts'
import { addProgramme } from './programme.ts'
import { addReview } from './reviews.ts'
import type { Applied } from './server.ts'
import { addSubmission } from './submissions.ts'

/** The address of the organizer's pages, and that of the event. */
export const EVENT_PATH = '/ada/spring-meeting/'

/** This many people have a session each, because the requests of one are limited, and a form may end sessions. */
const OWNERS = 260

/** Prepares a data folder with something in every table and an event that is sold, for a server on the real clock. */
export async function prepareFullFolder(t: TestContext) {
  const data = diskFolder(t)
  const clock = Date.now
  const db = await openDatabase(data, clock)
  try {
    const file = soon(everything())
    const applied = (await applyOrganization(db, file, { clock })) as Applied
    const { account_id: accountId } = applied
    const { id: eventId, registration_types: types } = applied.events[
      'spring-meeting'
    ] as Applied['events'][string]
    await addOrder(db, accountId, eventId, types.Free as string)
    await addUnpaid(db, accountId, eventId, types.Standard as string)
    await addDoor(db, accountId, eventId)
    await writeMails(db, accountId, eventId)
    await addSubmission({ db, accountId, eventId, clock })
    await addReview({ db, accountId, eventId, clock })
    await addProgramme({ db, accountId, eventId, clock })
    const origin = { requestId: null, address: null }
    const passwordHash = await hashPassword(PASSWORD, { email: 'owner@example.org', name: 'Owner' }, ALONE)
    const userOf = (email: string, role: 'owner' | 'door') =>
      db.write(accountId, async tx => {
        const { token } = await links.invite(tx, { email, role, event_ids: null })
        return (await linkUses.accept(tx, token, { name: 'Somebody', language: 'en', passwordHash }, origin))
          .user
      })
    const owner = await userOf('owner@example.org', 'owner')
    const other = await userOf('door@example.org', 'door')
    const tokens = await db.write(accountId, async tx => {
      await accounts.update(tx, seller)
      return {
        setup: (await links.makeSetup(asInstance(tx))).token,
        join: (await links.invite(tx, { email: 'new@example.org', role: 'door', event_ids: null })).token,
        reset: (await links.makeReset(tx, other.id)).token,
        'sign-in': (await links.makeSignIn(tx, other.id)).token,
      }
    })
    const owners = [owner]
    while (owners.length < OWNERS) owners.push(await userOf(`owner-${owners.length}@example.org`, 'owner'))
    const place = { address: '127.0.0.1', browser: 'test' }
    const opened = await db.write(INSTANCE, async tx => {
      const made: string[] = []
      // Pages of the instance are for those who run it.
      await tx.run('UPDATE users SET operator = 1')
      for (const { id } of owners) made.push((await sessions.open(tx, id, place)).token)
      return made
    })
    const input = { name: 'watch', scopes: allScopes, expiresAt: null, rateLimit: 0 }
    // The first is the one that a form revokes.
    await db.write(accountId, tx => keys.create(tx, input))
    const { key } = await db.write(accountId, tx => keys.create(tx, input))
    const door = { ...DOOR, event_id: eventId }
    const { pairing_url } = await db.write(accountId, tx => doors.add(tx, door, 'http://127.0.0.1'))
    const { cursor_secret: secret } = await db.read(INSTANCE, readInstance)
    const orders = await db.read(INSTANCE, tx =>
      tx.all<{ id: string; secret_version: number }>('SELECT id, secret_version FROM orders'),
    )
    const ids: Ids = await findIds(db, accountId, eventId)
    return {
      ...{ data, accountId, eventId, key, ids, tokens, sessions: opened, types },
      pairing: secretOf(pairing_url),
      orders: orders.map(({ id, secret_version: version }) => linkSecret(secret, 'order', { id, version })),
      unsubscribe: new URL(unsubscribeUrl('http://x', secret, { accountId, email: 'a@example.org' }))
        .pathname,
    }
  } finally {
    await db.close()
  }
}

/** Moves the events of the organization to a week from now. */
function soon(file: ReturnType<typeof everything>) {
  const at = (days: number) => new Date(Date.now() + days * DAY).toISOString()
  return {
    ...file,
    events: file.events.map(event => ({
      ...event,
      starts_at: at(7),
      ends_at: at(8),
      timezone: 'Europe/Madrid',
    })),
  }
}
