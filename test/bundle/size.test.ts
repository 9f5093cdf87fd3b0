import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { test } from 'node:test'
import { bundle } from '#test/support/built.ts'

const MOST_BYTES = 12_000_000

test('the one file to carry is under 12 MB', t => {
  const { size } = statSync(bundle)
  t.diagnostic(`${size} bytes`)
  assert.ok(size < MOST_BYTES, `${size} bytes`)
})
