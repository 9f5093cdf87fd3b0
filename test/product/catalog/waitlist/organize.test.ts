import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Position } from '#machinery/db/keyset.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { organization } from '#test/support/organization.ts'
import { startWithOrganization } from '#test/support/server.ts'

const waiting = (reference: string, type = 'Standard') => ({
  reference,
  registration_type: type,
  name: `Waits ${reference}`,
  email: `${reference}@example.org`,
})

async function start(t: TestContext) {
  const autumn = {
    slug: 'autumn',
    title: 'Autumn',
    registration_types: [{ name: 'A', price: 0, capacity: 1 }],
  }
  const server = await startWithOrganization(
    t,
    organization({
      event: { waitlist: [waiting('one'), waiting('free', 'Free'), waiting('two')] },
      events: [{ ...autumn, waitlist: [waiting('elsewhere', 'A')] }],
    }),
  )
  const { applied, db, eventId } = server
  const accountId = applied.account_id
  /** Walks through every page, and returns the references. */
  const walk = async (typeId?: string, limit = 10) => {
    const found: string[] = []
    let after: Position | undefined
    for (;;) {
      const page = { limit, after }
      const rows = [...(await db.read(accountId, tx => waitlist.list(tx, eventId, typeId, page)))]
      found.push(...rows.map(({ resource }) => resource.reference))
      after = rows.at(-1)?.position
      if (rows.length < limit) return found
    }
  }
  const idOf = async (reference: string) => {
    const all = await db.read(accountId, tx => waitlist.listByEvent(tx, eventId))
    return all.find(entry => entry.reference === reference)?.id as string
  }
  const remove = (id: string, of = accountId, event = eventId) =>
    recordedWrite(
      db,
      { accountId: of, who: 'user:ada', requestId: null, address: null },
      tx => waitlist.remove(tx, event, id),
      waitlist.removeEntry(id),
    )
  return { ...server, accountId, walk, idOf, remove }
}

test('the waitlist of an event comes oldest first, whatever the size of the page, and by type', async t => {
  const { walk, types } = await start(t)
  const all = await walk()
  assert.deepEqual(new Set(all), new Set(['one', 'free', 'two']))
  for (const limit of [1, 2, 3]) assert.deepEqual(await walk(undefined, limit), all)
  assert.deepEqual(await walk(types.Free), ['free'])
  assert.deepEqual(
    await walk(types.Standard, 1),
    all.filter(reference => reference !== 'free'),
  )
})

test('who is taken off the waitlist is gone, the access log says so without a name, and all is whole', async t => {
  const { db, accountId, walk, idOf, remove, types } = await start(t)
  const id = await idOf('one')
  const removed = await remove(id)
  assert.equal(removed.reference, 'one')
  assert.deepEqual(new Set(await walk()), new Set(['free', 'two']))
  const [entry] = await db.read(accountId, tx => accessLog.list(tx, 1))
  assert.deepEqual(
    [entry?.action, entry?.actor, entry?.target_id, entry?.details],
    [
      'waitlist.remove',
      'user:ada',
      id,
      { reference: 'one', registration_type_id: types.Standard, quantity: 1 },
    ],
  )
  assert.deepEqual(await findDamage(db), [])
})

test('an entry of another event or account, or that is gone, cannot be taken off', async t => {
  const { accountId, apply, applied, idOf, remove, walk } = await start(t)
  const id = await idOf('one')
  const elsewhere = applied.events.autumn?.id as string
  const { account_id: stranger } = await apply(organization({ email: 'bob@example.org' }))
  await assert.rejects(remove(id, accountId, elsewhere), { code: 'not_found' })
  await assert.rejects(remove(id, stranger), { code: 'not_found' })
  assert.equal((await walk()).length, 3)
  await remove(id)
  await assert.rejects(remove(id), { code: 'not_found' })
})
