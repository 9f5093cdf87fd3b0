import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUuid, newOrderedId, newRequestId, newUuid } from '#base/ids.ts'

test('a hundred thousand ids are all UUIDv7, all different, and each is greater than the one before', () => {
  let before = ''
  for (let count = 0; count < 100_000; count++) {
    const id = newUuid()
    assert.ok(id > before, `${id} after ${before}`)
    before = id
  }
  assert.match(before, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.ok(isUuid(before))
})

test('ids with a prefix keep that order, and request ids tell nothing of it', () => {
  const [first, second] = [newOrderedId('evt_'), newOrderedId('evt_')]
  assert.match(first, /^evt_[0-9a-f]{32}$/)
  assert.ok(second > first)
  assert.match(newRequestId(), /^req_[0-9a-f]{32}$/)
  assert.equal(new Set(Array.from({ length: 1000 }, newRequestId)).size, 1000)
})
