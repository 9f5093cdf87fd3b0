import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { makeSizes, SizingStopped, UnreadablePicture } from '#machinery/pictures/make-sizes.ts'
import { scaleDown } from '#machinery/pictures/scale.ts'
import type { PictureFormatName, SizingTask } from '#machinery/pictures/sizing-task.ts'
import {
  blue,
  decode,
  encode,
  green,
  held,
  intoJpeg,
  namesOfQuarters,
  paint,
  plainJpeg,
  pngChunk,
  pngFile,
  pngOf,
  profileOf,
  quarters,
  red,
  SECRET,
  white,
} from '#test/support/picture-files.ts'

const types: readonly PictureFormatName[] = ['image/jpeg', 'image/png', 'image/webp']
const WEBP = { type: 'image/webp' } as const
const JPEG = { type: 'image/jpeg' } as const

const square = { width: 64, height: 64, orientation: 1 }

/** A task for a picture of 64 by 64, unless it is told. */
function taskOf(file: Buffer, type: PictureFormatName, some: Partial<SizingTask> = {}): SizingTask {
  return { ...square, file, type, sizes: [{ width: 32, height: 32, ...WEBP }], ...some }
}

test('a picture of each format becomes the sizes that were asked for, which show what it shows', async () => {
  const pixels = quarters(90, 60, [red, green, blue, white])
  for (const type of types) {
    const file = await encode(pixels, type)
    const sizes = [
      { width: 90, height: 60, ...WEBP },
      { width: 45, height: 30, ...WEBP },
      { width: 40, height: 27, ...JPEG },
    ]
    const made = await makeSizes(taskOf(file, type, { width: 90, height: 60, sizes }))
    assert.deepEqual(
      made.map(({ file, ...size }) => size),
      sizes,
    )
    for (const size of made) {
      const shown = await decode(size.file, size.type)
      assert.deepEqual([shown.width, shown.height], [size.width, size.height])
      assert.equal(namesOfQuarters(shown), 'red green blue white', `${type} as ${size.type}`)
    }
    assert.ok(file.length > 0, 'the caller keeps the file')
  }
})

/** What is shown of quarters `red green` above `blue white`, by orientation (EXIF 2.32, section 4.6.4). */
const shownOf: Readonly<Record<number, string>> = {
  1: 'red green blue white',
  2: 'green red white blue',
  3: 'white blue green red',
  4: 'blue white red green',
  5: 'red blue green white',
  6: 'blue red white green',
  7: 'white green blue red',
  8: 'green white red blue',
}

test('each way to hold a camera is applied, and nothing of it nor of where it was is in a size', async () => {
  const clean = await encode(quarters(96, 64, [red, green, blue, white]), 'image/jpeg')
  for (const [name, shown] of Object.entries(shownOf)) {
    const orientation = Number(name)
    const [width, height] = orientation < 5 ? [48, 32] : [32, 48]
    const file = held(clean, orientation)
    assert.ok(file.includes(SECRET))
    const sizes = [WEBP, JPEG].map(type => ({ width, height, ...type }))
    const made = await makeSizes(taskOf(file, 'image/jpeg', { width: 96, height: 64, orientation, sizes }))
    for (const size of made) {
      const pixels = await decode(size.file, size.type)
      assert.deepEqual([pixels.width, pixels.height, namesOfQuarters(pixels)], [width, height, shown], name)
      for (const word of ['GPS', 'Ada', 'Exif', 'EXIF', 'XMP '])
        assert.ok(!Buffer.from(size.file).includes(word), word)
    }
  }
})

test('what is transparent stays so in WebP, takes no colour from what is hidden, and is white in JPEG', async () => {
  const pixels = paint(64, 64, x => (x % 2 === 0 ? [0, 0, 0, 0] : [200, 0, 0, 255]))
  const sizes = [WEBP, JPEG].map(type => ({ width: 32, height: 32, ...type }))
  const [webp, jpeg] = await makeSizes(taskOf(pngOf(pixels), 'image/png', { sizes }))
  assert.ok(webp && jpeg)
  const near = (found: Uint8ClampedArray, wanted: readonly number[]) =>
    wanted.forEach((value, channel) => {
      assert.ok(Math.abs((found[channel] as number) - value) < 12, `${found} for ${wanted}`)
    })
  near((await decode(webp.file, webp.type)).data.slice(0, 4), [200, 0, 0, 128])
  near((await decode(jpeg.file, jpeg.type)).data.slice(0, 4), [228, 128, 128, 255])
})

test('a PNG of 16 bits, or one that comes in passes, is read as any other', async () => {
  const pixels = quarters(64, 64, [red, green, blue, white])
  for (const options of [{ depth: 16 }, { isInterlaced: true }, { depth: 16, isInterlaced: true }] as const) {
    const [size] = await makeSizes(taskOf(pngOf(pixels, options), 'image/png'))
    assert.ok(size)
    assert.equal(namesOfQuarters(await decode(size.file, size.type)), 'red green blue white')
  }
})

test('the profile of a picture’s colours goes into its sizes, unless browsers do the same without it', async () => {
  const pixels = quarters(64, 64, [red, green, blue, white])
  const jpeg = await encode(pixels, 'image/jpeg')
  const ofJpeg = (profile: Buffer) =>
    intoJpeg(jpeg, 0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), profile]))
  const ofPng = (profile: Buffer) =>
    pngOf(pixels, {
      extra: [pngChunk('iCCP', Buffer.concat([Buffer.from('name\0\0', 'latin1'), deflateSync(profile)]))],
    })
  const sizes = [WEBP, JPEG].map(type => ({ width: 32, height: 32, ...type }))
  const wide = profileOf('Display P3')
  for (const file of [ofJpeg(wide), ofPng(wide)]) {
    const type = file[0] === 0xff ? 'image/jpeg' : 'image/png'
    const made = await makeSizes(taskOf(file, type, { sizes }))
    for (const size of made) {
      assert.ok(Buffer.from(size.file).includes(wide), `${type} as ${size.type}`)
      assert.equal(namesOfQuarters(await decode(size.file, size.type)), 'red green blue white')
    }
    // A WebP that was made is one to make sizes of again.
    const again = made[0]?.file as Uint8Array
    const [small] = await makeSizes(
      taskOf(Buffer.from(again), 'image/webp', {
        width: 32,
        height: 32,
        sizes: [{ width: 16, height: 16, ...WEBP }],
      }),
    )
    assert.ok(Buffer.from(small?.file ?? []).includes(wide))
  }
  for (const profile of [profileOf('sRGB IEC61966-2.1'), profileOf('Dot Gain 20%', 'GRAY')]) {
    for (const size of await makeSizes(taskOf(ofJpeg(profile), 'image/jpeg', { sizes })))
      assert.ok(!/ICC/.test(Buffer.from(size.file).toString('latin1')), 'without a profile')
  }
})

test('pictures that were made by hand are read, so that those below are refused for what is told of them', async () => {
  for (const components of [1, 3] as const) {
    for (const some of [{}, { isProgressive: true }, { isProgressive: true, passes: 3 }]) {
      const file = plainJpeg({ ...square, components, ...some })
      const [size] = await makeSizes(taskOf(file, 'image/jpeg'))
      assert.ok(size)
      const { data } = await decode(size.file, size.type)
      assert.ok(data.every((value, at) => at % 4 === 3 || Math.abs(value - 128) < 4))
    }
  }
  const [size] = await makeSizes(taskOf(pngFile(square, deflateSync(Buffer.alloc(64 * 257))), 'image/png'))
  assert.equal(size?.width, 32)
})

test('what cannot be decoded within the memory is told as that, whatever is wrong with it', {
  timeout: 120_000,
}, async () => {
  const pixels = quarters(64, 64, [red, green, blue, white])
  const png = pngOf(pixels)
  const rows = deflateSync(Buffer.alloc(64 * (1 + 4 * 64)))
  const large = { width: 4096, height: 4096 }
  const unreadable: Record<string, SizingTask> = {
    'a JPEG of print': taskOf(plainJpeg({ ...square, components: 4 }), 'image/jpeg'),
    'a JPEG whose coefficients take more': taskOf(
      plainJpeg({ ...large, components: 3, isProgressive: true, passes: 1 }),
      'image/jpeg',
      large,
    ),
    'a PNG that is cut': taskOf(pngFile(square, rows.subarray(0, 20)), 'image/png'),
    'a PNG of too few rows': taskOf(pngFile(square, deflateSync(Buffer.alloc(500))), 'image/png'),
    'a PNG of no data': taskOf(pngFile(square, Buffer.from('nothing')), 'image/png'),
    'a PNG with the colours of films': taskOf(
      pngOf(pixels, { extra: [pngChunk('cICP', Buffer.from([9, 16, 0, 1]))] }),
      'image/png',
    ),
    'a PNG with a profile of twenty megabytes': taskOf(
      pngOf(pixels, {
        extra: [pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(2e7))]))],
      }),
      'image/png',
    ),
    'a picture of other sides than it says': taskOf(png, 'image/png', { width: 65 }),
    'a WebP that is none': taskOf(Buffer.from(`RIFF____WEBPVP8 ${'x'.repeat(50)}`), 'image/webp'),
    nothing: taskOf(Buffer.alloc(0), 'image/jpeg'),
  }
  for (const [what, task] of Object.entries(unreadable))
    await assert.rejects(makeSizes(task), UnreadablePicture, what)
})

test('rows that unpack to far more than the picture has cost nothing', async () => {
  const bomb = pngFile(square, deflateSync(Buffer.alloc(1.5e8)))
  const before = process.memoryUsage.rss()
  const [size] = await makeSizes(taskOf(bomb, 'image/png'))
  assert.equal(size?.width, 32)
  assert.ok(process.memoryUsage.rss() - before < 120e6)
})

test('a picture that takes too long is stopped in its middle, and so is one that nobody waits for', async () => {
  const large = { width: 4096, height: 4096 }
  const file = plainJpeg({ ...large, components: 1, isProgressive: true, passes: 19_000 })
  assert.ok(file.length < 2 * 1024 * 1024)
  const task = taskOf(file, 'image/jpeg', large)
  const began = performance.now()
  await assert.rejects(makeSizes(task, { mostTime: 1_500 }), SizingStopped)
  const signal = AbortSignal.timeout(1_500)
  await assert.rejects(makeSizes(task, { signal }), SizingStopped)
  await assert.rejects(makeSizes(task, { signal: AbortSignal.abort() }), SizingStopped)
  assert.ok(performance.now() - began < 30_000, 'the threads have ended')
})

test('each new pixel is the mean of the area that it covers', () => {
  const steps = paint(6, 2, (x, y) => [x * 10, y * 100, 0])
  const halved = scaleDown(steps, 3, 1)
  assert.deepEqual([...halved.data], [5, 50, 0, 255, 25, 50, 0, 255, 45, 50, 0, 255])
  // Each covers one and a half: 0 and half of 10, half of 10 and 20, and so on.
  const uneven = scaleDown(steps, 4, 2)
  assert.deepEqual(
    [0, 1, 2, 3].map(x => uneven.data[4 * x]),
    [3, 17, 33, 47],
  )
  assert.deepEqual(scaleDown(steps, 6, 2), steps)
  const line = scaleDown(
    paint(5, 1, () => red),
    1,
    1,
  )
  assert.deepEqual([...line.data], [...red, 255])
})
