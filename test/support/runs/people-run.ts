import assert from 'node:assert/strict'
import * as accessLog from '../../src/access-log/rules.ts'
import type { Database } from '../../src/db/port.ts'
import { INSTANCE } from '../../src/db/port.ts'
import * as receipts from '../../src/form-receipts/rules.ts'
import { addressGroup } from '../../src/http/client-address.ts'
import type { Clock } from '../../src/time.ts'
import * as uses from '../../src/users/link-uses.ts'
import * as links from '../../src/users/links.ts'
import * as rules from '../../src/users/rules.ts'
import * as sessions from '../../src/users/sessions.ts'
import { SignIn } from '../../src/users/sign-in.ts'
import { totpCode } from '../../src/users/totp.ts'
import { addUser, CHEAP_HASH, HOME, ORIGIN, PASSWORD } from '../users/people.ts'

const SECRET = 'A'.repeat(32)

/** Does everything that people do with the database of an account: they join, sign in in every way, change and leave. */
export async function runPeople(db: Database, clock: Clock, accountId: string, eventId: string) {
  await db.write(INSTANCE, links.makeSetup)
  const ada = await addUser(db, accountId, 'ada@example.org', 'owner')
  const bob = await addUser(db, accountId, 'bob@example.org', 'door', [eventId])
  await db.write(accountId, async tx => {
    await rules.changeMember(tx, accountId, bob.member.id, { role: 'reviewer', event_ids: [eventId] })
    const given = { email: 'cyd@example.org', role: 'door', event_ids: null } as const
    const { invitation } = await links.invite(tx, accountId, given)
    await links.revokeInvitation(tx, accountId, invitation.id)
    await links.makeResetOfMember(tx, accountId, bob.member.id, ada.user.id)
    await rules.updateUser(tx, ada.user.id, { ...ada.user, name: 'Ada K.' }, ORIGIN)
    const { token } = await links.makeReset(tx, ada.user.id)
    await links.look(tx, token, clock())
    await uses.reset(tx, token, CHEAP_HASH, ORIGIN)
    await uses.signIn(tx, (await links.makeSignIn(tx, ada.user.id)).token, ORIGIN)
    const sent = { userId: ada.user.id, formId: 'once' }
    await receipts.keep(tx, accountId, { ...sent, location: '/manage' })
    await receipts.find(tx, accountId, sent)
    await rules.enableSecondFactor(tx, ada.user.id, SECRET, codeAt(clock, -1), ORIGIN)
  })
  await db.read(async tx => {
    await rules.list(tx, accountId)
    await rules.listMemberships(tx, bob.user.id)
    await rules.isWithoutUsers(tx)
    await rules.countRecoveryCodes(tx, ada.user.id)
    await rules.namesOf(tx, [ada.user.id])
    await links.listInvitations(tx, accountId, clock())
  })

  for (const actor of [undefined, 'cli']) {
    for (const action of [undefined, 'member.add']) {
      const { next } = await accessLog.page(db, accountId, { actor, action }, { limit: 1 })
      if (next !== undefined)
        await accessLog.page(db, accountId, { actor, action }, { limit: 1, after: next })
    }
  }

  const signIn = new SignIn({ db, clock, secret: 'secret', addressGroup })
  const asked = await signIn.attempt({ ...HOME, email: 'ada@example.org', password: PASSWORD })
  assert.ok(asked.kind === 'second-factor')
  const refused = await signIn.continueWith({ ...HOME, ticket: asked.ticket, code: 'AAAA-AAAA-AAAA-AAAA' })
  assert.equal(refused.kind, 'refused')
  const done = await signIn.continueWith({ ...HOME, ticket: asked.ticket, code: codeAt(clock, 0) })
  assert.ok(done.kind === 'in')
  await db.write(INSTANCE, async tx => {
    const session = await sessions.authenticate(tx, done.token, clock())
    assert.ok(session !== undefined)
    await sessions.markUsed(tx, session.sessionId, clock())
    await sessions.list(tx, ada.user.id, clock())
    const input = { passwordHash: CHEAP_HASH, sessionId: session.sessionId }
    await rules.changePassword(tx, ada.user.id, input, ORIGIN)
    await sessions.end(tx, ada.user.id, session.sessionId)
    await sessions.open(tx, ada.user.id, HOME)
    await rules.disableSecondFactor(tx, ada.user.id, ORIGIN)
  })
  await db.write(accountId, tx => rules.removeMember(tx, accountId, bob.member.id))
}

function codeAt(clock: Clock, steps: number): string {
  return totpCode(SECRET, Math.floor(clock() / 30_000) + steps)
}
