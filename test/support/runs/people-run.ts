import assert from 'node:assert/strict'
import type { Clock } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as receipts from '#product/administration/sent-forms/rules.ts'
import * as uses from '#product/administration/users/link-uses.ts'
import * as links from '#product/administration/users/links.ts'
import * as rules from '#product/administration/users/rules.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import { totpCode } from '#product/administration/users/totp.ts'
import {
  addUser,
  CHEAP_HASH,
  HOME,
  ORIGIN,
  PASSWORD,
  peopleServices,
} from '#test/product/administration/users/people.ts'
import { asInstance } from '#test/support/as-instance.ts'

const SECRET = 'A'.repeat(32)

/** Does everything that people do with the database of an account: they join, sign in in every way, change and leave. */
export async function runPeople(db: Database, clock: Clock, accountId: string, eventId: string) {
  await db.write(INSTANCE, links.makeSetup)
  const ada = await addUser(db, accountId, 'ada@example.org', 'owner')
  const bob = await addUser(db, accountId, 'bob@example.org', 'door', [eventId])
  await db.write(accountId, async tx => {
    await rules.changeMember(tx, bob.member.id, { role: 'reviewer', event_ids: [eventId] })
    const given = { email: 'cyd@example.org', role: 'door', event_ids: null } as const
    const { invitation } = await links.invite(tx, given)
    await links.revokeInvitation(tx, invitation.id)
    await links.makeResetOfMember(tx, bob.member.id, ada.user.id)
    await rules.updateUser(asInstance(tx), ada.user.id, { ...ada.user, name: 'Ada K.' }, ORIGIN)
    const { token } = await links.makeReset(tx, ada.user.id)
    await links.look(asInstance(tx), token, clock())
    await uses.reset(asInstance(tx), token, CHEAP_HASH, ORIGIN)
    await uses.signIn(asInstance(tx), (await links.makeSignIn(tx, ada.user.id)).token, ORIGIN)
    const sent = { userId: ada.user.id, formId: 'once' }
    await receipts.keep(tx, { ...sent, location: '/manage' })
    await receipts.find(tx, sent)
    await rules.enableSecondFactor(asInstance(tx), ada.user.id, SECRET, codeAt(clock, -1), ORIGIN)
  })
  await db.read(accountId, async tx => {
    await rules.list(tx)
    await rules.listMemberships(tx, bob.user.id)
    await rules.isWithoutUsers(tx)
    await rules.countRecoveryCodes(asInstance(tx), ada.user.id)
    await rules.namesOf(tx, [ada.user.id])
    await links.listInvitations(tx, clock())
  })

  for (const actor of [undefined, 'cli']) {
    for (const action of [undefined, 'member.add']) {
      const { next } = await accessLog.page(db, accountId, { actor, action }, { limit: 1 })
      if (next !== undefined)
        await accessLog.page(db, accountId, { actor, action }, { limit: 1, after: next })
    }
  }

  const { signIn } = peopleServices(db, clock)
  const firstStep = await signIn.attempt({ ...HOME, email: 'ada@example.org', password: PASSWORD })
  assert.ok(firstStep.kind === 'second-factor')
  const refused = await signIn.continueWith({
    ...HOME,
    ticket: firstStep.ticket,
    code: 'AAAA-AAAA-AAAA-AAAA',
  })
  assert.equal(refused.kind, 'refused')
  const done = await signIn.continueWith({ ...HOME, ticket: firstStep.ticket, code: codeAt(clock, 0) })
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
  await db.write(accountId, tx => rules.removeMember(tx, bob.member.id))
}

function codeAt(clock: Clock, steps: number): string {
  return totpCode(SECRET, Math.floor(clock() / 30_000) + steps)
}
