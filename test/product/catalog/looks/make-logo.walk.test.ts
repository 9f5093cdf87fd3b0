import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#base/problem.ts'
import { MAX_LOGO_BYTES, MAX_PAGE_BYTES, makeLogo } from '#product/catalog/looks/make-logo.ts'
import { decode, encode, held, paint, photo, pngOf, SECRET, white } from '#test/support/picture-files.ts'
import { png } from '#test/support/pictures.ts'

/** Returns the kind of fault for which a file is refused. */
async function faultOf(file: Uint8Array): Promise<string> {
  try {
    await makeLogo(file)
  } catch (error) {
    assert.ok(error instanceof Problem)
    assert.equal(error.param, 'picture')
    return (error.details as { fault: { key: string } }).fault.key
  }
  return 'taken'
}

test('a logo is a PNG that fits its room, of each format that browsers show', async () => {
  const pixels = photo(960, 200)
  for (const type of ['image/png', 'image/jpeg', 'image/webp'] as const) {
    const logo = await makeLogo(await encode(pixels, type))
    const made = await decode(Buffer.from(logo.content, 'base64'), 'image/png')
    assert.deepEqual([made.width, made.height], [480, 100], type)
    assert.deepEqual([logo.width, logo.height], [480, 100], type)
    for (let at = 3; at < made.data.length; at += 4) assert.equal(made.data[at], 255, 'it is opaque')
  }
})

test('pages have a lighter file of a logo that is too heavy for them, as opaque, and of no other', async () => {
  const drawn = await makeLogo(pngOf(paint(480, 144, x => (x < 240 ? [0, 0, 0, 255] : [200, 30, 40, 255]))))
  assert.deepEqual([drawn.page, drawn.pageContent], ['png', null])
  const hole = photo(960, 288)
  for (let at = 3; at < hole.data.length / 4; at += 4) hole.data[at] = 0
  const heavy = await makeLogo(await encode(hole, 'image/png'))
  const file = Buffer.from(heavy.pageContent ?? '', 'base64')
  assert.ok(Buffer.from(heavy.content, 'base64').length > MAX_PAGE_BYTES)
  assert.ok(file.length <= MAX_PAGE_BYTES, `${file.length} bytes`)
  const { data, width, height } = await decode(file, 'image/webp')
  assert.equal(heavy.page, 'webp')
  // It may be smaller than the logo, and has its shape.
  assert.ok(
    width <= 480 && width >= 240 && Math.abs(width / height - 480 / 144) < 0.02,
    `${width} × ${height}`,
  )
  for (let at = 3; at < data.length; at += 4) assert.equal(data[at], 255, 'it is opaque')
  assert.ok((data[0] as number) > 240 && (data[1] as number) > 240, 'what was transparent is white')
})

test('a small logo stays as small as it is, and a tall one is as high as its room', async () => {
  const small = await makeLogo(pngOf(photo(40, 30)))
  assert.deepEqual([small.width, small.height], [40, 30])
  const tall = await makeLogo(pngOf(photo(100, 900)))
  assert.deepEqual([tall.width, tall.height], [16, 144])
})

test('what is transparent becomes white, and what is not stays as it was', async () => {
  const half = paint(20, 10, x => (x < 10 ? [0, 0, 0, 0] : [200, 30, 40, 255]))
  const logo = await makeLogo(await encode(half, 'image/png'))
  const { data } = await decode(Buffer.from(logo.content, 'base64'), 'image/png')
  assert.deepEqual([...data.subarray(0, 3)], [...white])
  assert.deepEqual([...data.subarray(4 * 15, 4 * 15 + 3)], [200, 30, 40])
})

test('nothing of a file is kept but what it shows, the right way up', async () => {
  const file = held(await encode(photo(60, 30), 'image/jpeg'), 6)
  assert.ok(file.includes(SECRET))
  const logo = await makeLogo(file)
  assert.deepEqual([logo.width, logo.height], [30, 60])
  assert.ok(!Buffer.from(logo.content, 'base64').includes(SECRET))
})

test('the same file gives the same logo', async () => {
  const file = pngOf(photo(64, 48))
  assert.deepEqual(await makeLogo(file), await makeLogo(file))
})

test('a file that is no picture, or lies about being one, is refused, also an SVG', async () => {
  const lying = Buffer.from(png(64, 36))
  lying.writeUInt32BE(6_400, 16)
  for (const [name, file] of Object.entries({
    nothing: Buffer.alloc(0),
    text: Buffer.from('hello'),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    html: Buffer.from('<!doctype html><script>alert(1)</script>'),
    gif: Buffer.from('GIF89a'),
    cut: png(64, 36).subarray(0, 60),
  }))
    assert.equal(await faultOf(file), 'noPicture', name)
  assert.notEqual(await faultOf(lying), 'taken', 'its header has other pixels than its data')
})

test('a picture of too many pixels is refused by its header, before anything is decoded', async () => {
  for (const [width, height] of [
    [20_000, 10],
    [10, 20_000],
    [4_097, 1],
    [2_001, 2_000],
  ] as const)
    assert.equal(await faultOf(png(width, height)), 'pictureTooLarge', `${width} × ${height}`)
})

test('a file of more than a megabyte is refused', async () => {
  assert.equal(await faultOf(Buffer.alloc(MAX_LOGO_BYTES + 1)), 'pictureTooHeavy')
})

test('many logos at once are all made, and a refused one holds up no other', async () => {
  const file = pngOf(photo(64, 48))
  const made = await Promise.allSettled([file, Buffer.from('no'), file, png(20_000, 1), file].map(makeLogo))
  assert.deepEqual(
    made.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
  )
})
