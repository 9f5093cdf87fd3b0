import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Signed } from '#machinery/web/signed.ts'
import { testClock } from '#test/support/clock.ts'

test('what was sealed comes back for its purpose and time alone, and not after one letter was changed', () => {
  const clock = testClock()
  const signed = new Signed('secret', clock)
  const sealed = signed.seal('flash', { name: 'José' }, 1000)
  assert.match(sealed, /^[\w.-]+$/)
  assert.deepEqual(signed.open('flash', sealed), { name: 'José' })
  assert.equal(signed.open('other', sealed), undefined)
  assert.equal(new Signed('another', clock).open('flash', sealed), undefined)
  for (const at of [0, 5, sealed.length - 2]) {
    const letter = sealed[at] === 'A' ? 'B' : 'A'
    assert.equal(
      signed.open('flash', sealed.slice(0, at) + letter + sealed.slice(at + 1)),
      undefined,
      String(at),
    )
  }
  for (const text of ['', '.', 'a.b', sealed.split('.')[0] as string]) {
    assert.equal(signed.open('flash', text), undefined, text)
  }
  clock.advance(1000)
  assert.equal(signed.open('flash', sealed), undefined)
})
