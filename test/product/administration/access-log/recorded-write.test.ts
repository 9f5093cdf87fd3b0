import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Problem } from '#base/problem.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { type Actor, commandOn } from '#product/administration/access-log/rules.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startServer } from '#test/support/server.ts'

const entry = { action: 'key.create', targetType: 'api_key' }
const input: keys.NewApiKey = { name: 'door', scopes: [], expiresAt: null, rateLimit: 0 }

async function start(t: TestContext) {
  const { db, apply } = await startServer(t)
  const { account_id: accountId } = await apply(organization())
  const actor: Actor = { accountId, who: 'user:u1', requestId: 'req_1', address: '192.0.2.1' }
  return {
    db,
    accountId,
    actor,
    entries: async () =>
      (await db.read(accountId, tx => accessLog.list(tx, 10))).filter(
        ({ action }) => action === entry.action,
      ),
    keys: () => db.read(accountId, tx => keys.list(tx)),
    /** Makes a key, and then throws. */
    refuse: (problem: Error) =>
      recordedWrite(
        db,
        actor,
        async tx => {
          await keys.create(tx, input)
          throw problem
        },
        entry,
      ),
  }
}

test('a write is recorded with its actor, address and target', async t => {
  const { db, actor, accountId, entries } = await start(t)
  const create = (who: Actor) =>
    recordedWrite(db, who, tx => keys.create(tx, input), {
      ...entry,
      targetOf: made => made.id,
      details: () => ({ name: input.name }),
    })
  const [first, second] = [await create(actor), await create(commandOn(accountId))]
  const common = {
    at: first.created_at,
    action: 'key.create',
    target_type: 'api_key',
    details: { name: 'door' },
  }
  assert.deepEqual(await entries(), [
    { ...common, actor: 'cli', target_id: second.id, request_id: null, address: null },
    { ...common, actor: 'user:u1', target_id: first.id, request_id: 'req_1', address: '192.0.2.1' },
  ])
})

test('a write that a rule refuses is undone, reported, and recorded with its code, its details and its subject', async t => {
  const { entries, keys, refuse } = await start(t)
  const problem = new Problem('sold_out', { subject: 'the-type', details: { available: 0 } })
  await assert.rejects(refuse(problem), error => error === problem)
  assert.deepEqual(
    (await entries()).map(({ target_id, details }) => [target_id, details]),
    [['the-type', { code: 'sold_out', available: 0 }]],
  )
  assert.deepEqual(await keys(), [])
})

test('a malformed request, and a fault of ours, is undone and leaves no entry', async t => {
  const { entries, keys, refuse } = await start(t)
  for (const error of [new Problem('invalid_parameter'), new Problem('unavailable'), new Error('a fault')]) {
    await assert.rejects(refuse(error), thrown => thrown === error)
  }
  assert.deepEqual([await entries(), await keys()], [[], []])
})

test('a write without a change leaves no entry', async t => {
  const { db, actor, accountId, entries } = await start(t)
  const { id } = await db.write(accountId, tx => keys.create(tx, input))
  const revoke = () =>
    recordedWrite(db, actor, tx => keys.revoke(tx, id), {
      ...entry,
      targetId: id,
      hasChanged: result => result.changed,
    })
  const first = await revoke()
  assert.deepEqual([first.changed, (await revoke()).changed], [true, false])
  assert.equal((await entries()).length, 1)
})
