import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeDoor } from '#product/entrance/doors/change-door.ts'
import { list, revoke } from '#product/entrance/doors/rules.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'
import { organization } from '#test/support/organization.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'

test('a door that is renamed says so with its next changes, keeps its list, and its scans keep the name that it had', async t => {
  const { a, aId, b, sell, db, accountId } = await startWithDoors(t)
  const [first, second] = [await sell(), await sell()]
  await a.one(a.scan({ code: first.code }))
  const { cursor } = (await a.copy()).body
  await db.write(accountId, tx => changeDoor(tx, aId, { name: 'South', registration_type_ids: null }))
  const { status, body } = await a.changes(cursor)
  assert.deepEqual([status, body.device.name, body.device.registration_type_ids], [200, 'South', null])
  await a.one(a.scan({ code: second.code }))
  const rows = (await b.copy()).body.tickets as unknown[][]
  const usedBy = new Map(rows.map(row => [row[0], row[7]]))
  assert.deepEqual([usedBy.get(first.ticket), usedBy.get(second.ticket)], ['Door A', 'South'])
})

test('a door with other types admits by them at once, fetches its list anew, and has no name of what it no longer admits', async t => {
  const { a, aId, sell, db, accountId, types } = await startWithDoors(t)
  const [standard, free] = [types.Standard as string, types.Free as string]
  const guest = await sell({ buyer: { name: 'Grace Hopper', email: 'grace@example.org' } })
  const before = (await a.copy()).body
  assert.match(JSON.stringify(before), /Grace/)
  const change = (ids: string[] | null) =>
    db.write(accountId, tx => changeDoor(tx, aId, { name: 'Door A', registration_type_ids: ids }))
  await change([free])
  const refused = await a.one(a.scan({ code: guest.code }))
  assert.deepEqual([refused.outcome, refused.reason], ['refused', 'wrong_door'])
  assert.equal((await a.changes(before.cursor)).status, 410)
  const anew = (await a.copy()).body
  assert.deepEqual(anew.device.registration_type_ids, [free])
  assert.doesNotMatch(JSON.stringify(anew), /Grace/)
  await change([free, standard])
  assert.equal((await a.one(a.scan({ code: guest.code }))).outcome, 'admitted')
  const { cursor } = (await a.copy()).body
  await change([standard, free])
  assert.equal((await a.changes(cursor)).status, 200, 'the same types in another order change nothing')
})

test('no door is changed of another account, nor one that was revoked, nor to a type that its event does not have', async t => {
  const { aId, bId, apply, db, accountId, eventId } = await startWithDoors(t)
  const other = await apply(organization({ email: 'bob@example.org' }))
  const input = { name: 'Mine', registration_type_ids: null }
  await assert.rejects(
    db.write(other.account_id, tx => changeDoor(tx, aId, input)),
    { code: 'not_found' },
  )
  await db.write(accountId, tx => revoke(tx, bId))
  await assert.rejects(
    db.write(accountId, tx => changeDoor(tx, bId, input)),
    { code: 'not_found' },
  )
  for (const ids of [[], [UNKNOWN_ID]]) {
    await assert.rejects(
      db.write(accountId, tx => changeDoor(tx, aId, { name: 'Mine', registration_type_ids: ids })),
      { code: 'invalid_parameter' },
    )
  }
  const doors = await db.read(accountId, tx => list(tx, eventId))
  assert.deepEqual(doors.map(({ name }) => name).sort(), ['Door A', 'Door B'])
})
