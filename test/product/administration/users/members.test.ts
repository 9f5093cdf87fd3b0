import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { roles } from '#product/administration/users/roles.ts'
import * as rules from '#product/administration/users/rules.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import { hashRecoveryCode, newTotpSecret, totpCode } from '#product/administration/users/totp.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { addEvents, count, HOME, ORIGIN, refusalOf, withAda } from './people.ts'

test('a member gets another role and other events, and everybody lists the same', async t => {
  const { accountId, db, join, read, write, adaMember } = await withAda(t)
  const [spring = '', autumn = ''] = await addEvents(db, accountId, 'spring', 'autumn')
  const { user, member } = await join('bob@example.org', 'door', [autumn, spring])
  assert.deepEqual(member.event_ids, [spring, autumn])
  const change = (role: 'finance' | 'reviewer', event_ids: string[] | null) =>
    write(tx => rules.changeMember(tx, member.id, { role, event_ids }))
  assert.deepEqual((await change('finance', null)).event_ids, null)
  assert.equal(await count(db, 'member_events'), 0)
  // A member who is limited to no event at all differs from one who has all.
  assert.deepEqual((await change('reviewer', [])).event_ids, [])
  const changed = await change('reviewer', [spring])
  assert.deepEqual(await read(tx => rules.findMembership(tx, user.id)), changed)
  assert.deepEqual(await read(tx => rules.list(tx)), [adaMember, changed])
  assert.deepEqual(await read(tx => rules.listMemberships(tx, user.id)), [
    {
      member_id: member.id,
      account: { id: accountId, name: 'Ada Events' },
      role: 'reviewer',
      event_ids: [spring],
    },
  ])
  assert.equal(await refusalOf(change('reviewer', [UNKNOWN_ID])), 'unknown_event')
  const unknown = write(tx => rules.changeMember(tx, UNKNOWN_ID, { role: 'door', event_ids: null }))
  assert.equal(await refusalOf(unknown), 'not_found')
})

test('every role can be offered by an invitation and held by a member', async t => {
  const { join, read, write } = await withAda(t)
  const { member } = await join('bob@example.org', 'door')
  for (const role of roles) {
    const joined = await join(`${role}@example.org`, role)
    assert.equal(joined.member.role, role)
    await write(tx => rules.changeMember(tx, member.id, { role, event_ids: null }))
    assert.equal((await read(tx => rules.list(tx))).find(({ id }) => id === member.id)?.role, role)
  }
})

test('an account keeps an owner: the last one is neither removed nor made something else', async t => {
  const { adaMember, join, read, write } = await withAda(t)
  const { member: manager } = await join('bob@example.org', 'manager')
  const demote = () => write(tx => rules.changeMember(tx, adaMember.id, { role: 'manager', event_ids: null }))
  const remove = (id: string) => write(tx => rules.removeMember(tx, id))
  assert.equal(await refusalOf(demote()), 'last_owner')
  assert.equal(await refusalOf(remove(adaMember.id)), 'last_owner')
  assert.equal(await refusalOf(remove(manager.id)), 'nothing')
  const [only, ...others] = await read(tx => rules.list(tx))
  assert.deepEqual([only, others], [adaMember, []])
})

test('of two owners who remove each other, or both step down, at once, one stays', async t => {
  const { join, read, write } = await withAda(t)
  for (const email of ['bob@example.org', 'cyd@example.org']) {
    const { member } = await join(email, 'owner')
    const [ada] = (await read(tx => rules.list(tx))).filter(({ role }) => role === 'owner')
    const leave = (id: string) =>
      email.startsWith('bob')
        ? write(tx => rules.removeMember(tx, id))
        : write(tx => rules.changeMember(tx, id, { role: 'door', event_ids: null }))
    const outcomes = await Promise.all([ada?.id as string, member.id].map(id => refusalOf(leave(id))))
    assert.deepEqual(outcomes.sort(), ['last_owner', 'nothing'])
    const owners = (await read(tx => rules.list(tx))).filter(({ role }) => role === 'owner')
    assert.equal(owners.length, 1)
  }
})

test('a removed member is none from the next request on, and without an account no session stays', async t => {
  const { ada, clock, db, join, read, write } = await withAda(t)
  const { user, member } = await join('bob@example.org', 'door')
  const { token } = await db.write(INSTANCE, tx => sessions.open(tx, user.id, HOME))
  const { token: adas } = await db.write(INSTANCE, tx => sessions.open(tx, ada.id, HOME))
  const removed = await write(tx => rules.removeMember(tx, member.id))
  assert.deepEqual(removed, member)
  assert.equal(await read(tx => rules.findMembership(tx, user.id)), undefined)
  assert.equal(await read(tx => sessions.authenticate(tx, token, clock())), undefined)
  assert.notEqual(await read(tx => sessions.authenticate(tx, adas, clock())), undefined)
  const again = write(tx => rules.removeMember(tx, member.id))
  assert.equal(await refusalOf(again), 'not_found')
})

test('a person changes name, e-mail and language; the access log says which, and none of the text', async t => {
  const { ada, db, join, read } = await withAda(t)
  await join('bob@example.org', 'door')
  const update = (email: string, name = 'Ada K.') =>
    db.write(INSTANCE, tx => rules.updateUser(tx, ada.id, { name, email, language: 'es' }, ORIGIN))
  for (const taken of ['bob@example.org', 'BOB@EXAMPLE.ORG']) {
    assert.equal(await refusalOf(update(taken)), 'email_taken')
  }
  assert.deepEqual(await read(tx => rules.getUser(tx, ada.id)), ada)
  // The same address in another case is one's own.
  const changed = await update('ADA@münchen.example')
  assert.deepEqual(await update('ADA@münchen.example'), changed)
  assert.equal((await read(tx => rules.findUserByEmail(tx, 'ada@xn--mnchen-3ya.example')))?.id, ada.id)
  const [entry, before] = await read(tx => accessLog.list(tx, 2))
  assert.deepEqual([entry?.actor, entry?.action, entry?.target_id], [`user:${ada.id}`, 'user.update', ada.id])
  assert.deepEqual(entry?.details, { changed: ['name', 'email', 'language'] })
  assert.notEqual(before?.action, 'user.update')
  const stranger = db.write(INSTANCE, tx => rules.updateUser(tx, UNKNOWN_ID, changed, ORIGIN))
  assert.equal(await refusalOf(stranger), 'not_found')
})

test('a second factor begins with a code of it, and has ten recovery codes, of which only hashes are stored', async t => {
  const { ada, clock, db, read, write } = await withAda(t)
  const secret = newTotpSecret()
  const enable = (code: string, given = secret) =>
    write(tx => rules.enableSecondFactor(tx, ada.id, given, code, ORIGIN))
  const code = totpCode(secret, Math.floor(clock() / 30_000))
  for (const wrong of [totpCode(secret, 0), '', 'x']) {
    assert.equal(await refusalOf(enable(wrong)), 'wrong_code')
  }
  assert.equal(await refusalOf(enable(code, 'A')), 'wrong_code')
  assert.equal(await refusalOf(write(tx => rules.renewRecoveryCodes(tx, ada.id, ORIGIN))), 'no_second_factor')
  const codes = await enable(code)
  assert.equal(codes.length, 10)
  assert.equal((await read(tx => rules.getUser(tx, ada.id))).has_second_factor, true)
  assert.equal(await refusalOf(enable(code)), 'second_factor_exists')
  const stored = JSON.stringify(await read(tx => tx.all('SELECT * FROM recovery_codes')))
  assert.ok(codes.every(each => !stored.includes(each) && stored.includes(hashRecoveryCode(each))))
  const renewed = await write(tx => rules.renewRecoveryCodes(tx, ada.id, ORIGIN))
  assert.ok(renewed.every(each => !codes.includes(each)))
  assert.equal(await read(tx => rules.countRecoveryCodes(tx, ada.id)), 10)
  await write(tx => rules.disableSecondFactor(tx, ada.id, ORIGIN))
  assert.equal(await count(db, 'recovery_codes'), 0)
  assert.equal(
    await refusalOf(write(tx => rules.disableSecondFactor(tx, ada.id, ORIGIN))),
    'no_second_factor',
  )
  const log = await read(tx => accessLog.list(tx, 3))
  assert.deepEqual(
    log.map(({ action }) => action),
    ['user.second_factor.disable', 'user.recovery_codes', 'user.second_factor.enable'],
  )
  assert.ok(
    log.every(({ details, address }) => Object.keys(details).length === 0 && address === ORIGIN.address),
  )
})
