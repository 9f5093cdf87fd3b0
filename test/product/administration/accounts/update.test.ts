import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as accounts from '#product/administration/accounts/rules.ts'
import { open } from '#test/product/data-care/organization/open.ts'
import { organization } from '#test/support/organization.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'

async function start(t: TestContext) {
  const { apply, db } = await open(t)
  const { account_id: ada } = await apply(organization())
  const { account_id: bob } = await apply(organization({ email: 'Bob@München.example' }))
  const update = (id: string, changes: Parameters<typeof accounts.update>[1]) =>
    db.write(id, tx => accounts.update(tx, changes))
  return { db, ada, bob, update, get: (id: string) => db.read(id, tx => accounts.getDetails(tx)) }
}

test('an account keeps every field that a change does not name', async t => {
  const { ada, bob, update, get } = await start(t)
  const [was, other] = [await get(ada), await get(bob)]
  const changes = { name: 'Ada Lovelace', slug: 'ada', service_fee: { basis_points: 1, per_ticket: 2 } }
  assert.deepEqual(await update(ada, changes), { ...was, ...changes })
  const more = { email: 'ada@other.example', timezone: 'UTC', currency: 'USD', slug: null }
  assert.deepEqual(await update(ada, more), { ...was, ...changes, ...more })
  assert.deepEqual(await get(bob), other)
})

test('an e-mail of another account is refused in any of its forms, and the own one is none of another', async t => {
  const { ada, update, get } = await start(t)
  const taken = { code: 'already_taken', param: 'email' }
  for (const email of ['bob@münchen.example', 'BOB@xn--mnchen-3ya.example']) {
    await assert.rejects(update(ada, { email, name: 'X' }), taken)
  }
  assert.equal((await get(ada)).name, 'Ada Events')
  assert.equal((await update(ada, { email: 'ADA@example.org' })).email, 'ADA@example.org')
})

test('a slug of another account, and one that addresses of ours begin with, is refused', async t => {
  const { ada, bob, update, get } = await start(t)
  await update(bob, { slug: 'bob' })
  const taken = { code: 'already_taken', param: 'slug' }
  const reserved = 'v1 manage door orders tickets assets trust healthz setup unsubscribe'.split(' ')
  for (const slug of ['bob', ...reserved]) await assert.rejects(update(ada, { slug }), taken, slug)
  assert.equal((await get(ada)).slug, null)
  for (const slug of ['v2', 'managers', 'ada']) assert.equal((await update(ada, { slug })).slug, slug)
  assert.equal((await update(ada, { slug: 'ada', name: 'Same' })).name, 'Same')
})

test('an account that is not there is not found', async t => {
  const { update } = await start(t)
  await assert.rejects(update(UNKNOWN_ID, { name: 'X' }), { code: 'not_found' })
})
