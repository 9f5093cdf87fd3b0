import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '#faces/api/routes.ts'
import { readState } from '#test/support/observations.ts'
import { type Ids, type OperationRequest, pathOf, requestsOf } from '#test/support/operations.ts'
import { UNKNOWN_ID, withoutRequestId } from '#test/support/requests.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'
import { startWithEverything, withEverything } from './server.ts'

const unknown: Ids = {
  event: UNKNOWN_ID,
  type: UNKNOWN_ID,
  registration: UNKNOWN_ID,
  attendee: UNKNOWN_ID,
  abstract: UNKNOWN_ID,
}

test('every operation has a request here, and each of them is taken', async t => {
  const { client, ids } = await startWithEverything(t)
  const requests = requestsOf(ids)
  assert.deepEqual(
    requests.map(({ operation }) => operation).sort(),
    routes.map(({ operationId }) => operationId).sort(),
  )
  for (const request of requests) {
    const { method, body } = request
    const { status } = await client.send(method, pathOf(request), body === undefined ? {} : { body })
    assert.ok([200, 201].includes(status), `${request.operation} -> ${status}`)
  }
})

test('ids of another account are, in every operation, byte for byte what unknown ids are', async t => {
  const { client, db, ids, idsOf, apply } = await startWithEverything(t)
  const other = await apply(withEverything('bob@example.org'))
  await subscribeToAll(db, other.account_id)
  const foreign = await idsOf(other)
  const before = await readState(db)
  let differing = 0
  // Each id is replaced alone too: the others are the caller's own.
  for (const names of [...Object.keys(ids).map(name => [name]), Object.keys(ids)]) {
    const mixed = (other: Ids): Ids => ({
      ...ids,
      ...Object.fromEntries(names.map(name => [name, other[name as keyof Ids]])),
    })
    const own = requestsOf(ids)
    const theirs = requestsOf(mixed(foreign))
    const nobodys = requestsOf(mixed(unknown))
    for (const [at, request] of theirs.entries()) {
      if (JSON.stringify(request) === JSON.stringify(own[at])) continue
      differing++
      const send = ({ method, body, ...rest }: OperationRequest) =>
        client.send(method, pathOf({ method, body, ...rest }), body === undefined ? {} : { body })
      const [answer, expected] = [await send(request), await send(nobodys[at] as OperationRequest)]
      const what = `${request.operation} ${names}`
      assert.equal(answer.status, expected.status, what)
      assert.equal(withoutRequestId(answer), withoutRequestId(expected), what)
      // The answer is an empty list or a refusal.
      assert.deepEqual(answer.status === 200 ? answer.body.data : [], [], what)
      if (answer.status !== 200) assert.equal(answer.status, 404, what)
    }
  }
  assert.ok(differing >= 15)
  assert.deepEqual(await readState(db), before)
})
