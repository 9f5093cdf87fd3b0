import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteCache } from '#machinery/web/byte-cache.ts'

const ofBytes = (length: number) => Buffer.alloc(length)

test('what nobody has asked for longest leaves first, and no more is kept than there is room for', () => {
  const cache = new ByteCache(100)
  cache.set('a', ofBytes(30))
  cache.set('b', ofBytes(30))
  cache.set('c', ofBytes(30))
  assert.equal(cache.bytes, 93)
  assert.equal(cache.get('a')?.length, 30)
  cache.set('d', ofBytes(20))
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map(name => cache.get(name)?.length),
    [30, undefined, 30, 20],
  )
  cache.set('a', ofBytes(10))
  assert.equal(cache.bytes, 63)
  cache.delete('a')
  cache.delete('unknown')
  assert.equal(cache.bytes, 52)
  cache.set('large', ofBytes(200))
  assert.equal(cache.get('large'), undefined)
  assert.equal(cache.bytes, 0)
})
