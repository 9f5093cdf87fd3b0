import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Problem } from '#base/problem.ts'
import { MAX_PICTURE_BYTES, readPicture } from '#product/catalog/events/picture-format.ts'
import { jpeg, png, webp } from '#test/support/pictures.ts'

function refusalOf(bytes: Uint8Array): string {
  try {
    const { type } = readPicture(bytes)
    return type
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.param, 'picture')
    const { fault } = error.details as { fault: { key: string } }
    return fault.key
  }
}

test('a picture is what its bytes say, whichever of the three kinds it is of', () => {
  assert.deepEqual(readPicture(png(640, 360)), { type: 'image/png', width: 640, height: 360 })
  assert.deepEqual(readPicture(jpeg(1200, 630)), { type: 'image/jpeg', width: 1200, height: 630 })
  for (const kind of ['VP8 ', 'VP8L', 'VP8X'] as const)
    assert.deepEqual(readPicture(webp(kind, 1200, 630)), { type: 'image/webp', width: 1200, height: 630 })
})

test('what is no picture, and one with something else behind it, is refused', () => {
  const script = '<script>alert(1)</script>'
  const wrong = {
    nothing: Buffer.alloc(0),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    html: Buffer.from(`<!doctype html>${script}`),
    gif: Buffer.from('GIF89a/*aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'),
    'png and a page': Buffer.concat([png(), Buffer.from(script)]),
    'png cut': png().subarray(0, -4),
    'png of its signature': png().subarray(0, 8),
    'png without data': Buffer.concat([png().subarray(0, 33), png().subarray(-12)]),
    'png of no height': png(5, 0),
    'webp and a page': Buffer.concat([webp('VP8X'), Buffer.from(script)]),
    'webp of another kind': Buffer.from(webp('VP8 ')).fill('ALPH', 12, 16),
    'jpeg without a frame': Buffer.from('ffd8fffe00046869ffda000801010000', 'hex'),
    'jpeg in a loop': Buffer.from('ffd8ffe00000ffffffffffffffffffffff', 'hex'),
  }
  const refusals = Object.fromEntries(Object.entries(wrong).map(([what, bytes]) => [what, refusalOf(bytes)]))
  assert.deepEqual(refusals, Object.fromEntries(Object.keys(wrong).map(what => [what, 'noPicture'])))
})

test('a picture that would take the memory of a browser is refused by its head alone', () => {
  assert.equal(refusalOf(png(20_000, 20_000)), 'pictureTooLarge')
  assert.equal(refusalOf(jpeg(8_001, 10)), 'pictureTooLarge')
  assert.equal(refusalOf(webp('VP8X', 7_000, 7_000)), 'pictureTooLarge')
  assert.equal(refusalOf(jpeg(8_000, 5_000)), 'image/jpeg')
  assert.equal(refusalOf(Buffer.alloc(MAX_PICTURE_BYTES + 1)), 'pictureTooHeavy')
})

test('whatever bytes come in are answered, and soon', () => {
  const seeds = [png(), jpeg(), webp('VP8 '), webp('VP8L'), webp('VP8X')]
  const answers = new Set(['noPicture', 'pictureTooLarge', 'image/png', 'image/jpeg', 'image/webp'])
  const changed = fc
    .tuple(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 6 }),
      fc.nat(300),
    )
    .map(([seed, changes, length]) => {
      const bytes = Buffer.from(seed)
      for (const [at, value] of changes) bytes[at % bytes.length] = value
      return bytes.subarray(0, length)
    })
  fc.assert(
    fc.property(changed, bytes => answers.has(refusalOf(bytes))),
    { numRuns: 3_000 },
  )
})
