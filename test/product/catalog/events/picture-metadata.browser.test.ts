import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { crc32 } from 'node:zlib'
import * as fc from 'fast-check'
import { Problem } from '#base/problem.ts'
import { readPicture } from '#product/catalog/events/picture-format.ts'
import * as pictures from '#product/catalog/events/pictures.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'

after(closeBrowser)

type Type = pictures.Picture['type']

const SECRET = 'GPS 40.4168 N 3.7038 W, by Ada, iPhone'

/** Makes a TIFF as EXIF has it, little-endian: a text, the orientation, and a position behind it. */
function exif(orientation: number): Buffer {
  const head = Buffer.from('49492a0008000000', 'hex')
  const entries = Buffer.alloc(2 + 2 * 12 + 4)
  entries.writeUInt16LE(2, 0)
  entries.set([0x0e, 0x01, 2, 0, SECRET.length, 0, 0, 0, 38, 0, 0, 0], 2)
  entries.set([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0], 14)
  return Buffer.concat([head, entries, Buffer.from(SECRET)])
}

function segment(marker: number, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map(part => Buffer.from(part as string, 'latin1')))
  return Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]), body])
}

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

function riff(name: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from(name, 'latin1'), length, body, Buffer.alloc(body.length & 1)])
}

/** Returns the same picture with all that cameras and programs write into it. */
function withMetadata(type: Type, clean: Buffer, orientation = 1): Buffer {
  const text = Buffer.from(SECRET)
  if (type === 'image/jpeg') {
    const metadata = [
      segment(0xe1, 'Exif\0\0', exif(orientation)),
      segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', text),
      segment(0xe2, 'MPF\0', text),
      segment(0xed, 'Photoshop 3.0\0', text),
      segment(0xe5, text),
      segment(0xfe, text),
      segment(0xe0, 'JFXX\0\x10', text),
    ]
    const end = clean.length - 2
    return Buffer.concat([
      ...[clean.subarray(0, 2), ...metadata, clean.subarray(2, end)],
      // One place lies between the last scan and the end, and the other is the second picture of some cameras.
      ...[segment(0xfe, text), clean.subarray(end), clean.subarray(0, 2), ...metadata, clean.subarray(2)],
    ])
  }
  if (type === 'image/png') {
    const metadata = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'iDOT', 'prVt'].map(name => chunk(name, text))
    const [head, end] = [clean.subarray(0, 33), clean.length - 12]
    return Buffer.concat([
      ...[head, chunk('eXIf', exif(orientation)), ...metadata],
      ...[clean.subarray(33, end), ...metadata, clean.subarray(end)],
    ])
  }
  const body = Buffer.from(clean.subarray(12))
  body[8] = (body[8] as number) | 0x0c
  const chunks = [body, riff('EXIF', exif(orientation)), riff('XMP ', text), riff('what', text)]
  const all = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  return riff('RIFF', all)
}

/** Has a browser make pictures of a red and a blue half, and say what it sees in others. */
async function browser(t: Parameters<typeof openPage>[0]) {
  const { page } = await openPage(t, 'about:blank')
  const make = async (type: Type) => {
    const text = await page.evaluate(wanted => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: 40, height: 20 })
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      context.fillStyle = '#c00'
      context.fillRect(0, 0, 20, 20)
      context.fillStyle = 'rgb(0 0 200 / 0.5)'
      context.fillRect(20, 0, 20, 20)
      return canvas.toDataURL(wanted, 0.9)
    }, type)
    return Buffer.from(text.split(',')[1] as string, 'base64')
  }
  const look = (type: Type, file: Buffer) =>
    page.evaluate(
      async src => {
        const image = new Image()
        image.src = src
        await image.decode()
        const { naturalWidth: width, naturalHeight: height } = image
        const canvas = Object.assign(document.createElement('canvas'), { width, height })
        const context = canvas.getContext('2d') as CanvasRenderingContext2D
        context.drawImage(image, 0, 0)
        return { width, height, pixels: [...context.getImageData(0, 0, width, height).data].join() }
      },
      `data:${type};base64,${file.toString('base64')}`,
    )
  return { make, look }
}

const types: readonly Type[] = ['image/jpeg', 'image/png', 'image/webp']

const fileOf = ({ content }: pictures.NewPicture) => Buffer.from(content, 'base64')

test('nothing of where, when and by whom a picture was taken is kept, and every pixel is', async t => {
  const { make, look } = await browser(t)
  for (const type of types) {
    const clean = await make(type)
    assert.deepEqual(fileOf(pictures.examine(clean)), clean, `${type}: one that tells nothing stays as it is`)
    const given = withMetadata(type, clean)
    assert.ok(given.includes('GPS') && given.includes('iPhone'))
    const kept = fileOf(pictures.examine(given))
    for (const word of ['GPS', 'iPhone', 'Exif', 'xap', 'eXIf', 'EXIF', 'XMP '])
      assert.ok(!kept.includes(word), `${type} ${word}`)
    assert.deepEqual(kept, clean, type)
    assert.deepEqual(await look(type, kept), await look(type, given), type)
  }
})

test('which way is up stays, with nothing beside it, and so do the sides that are shown', async t => {
  const { make, look } = await browser(t)
  for (const type of types) {
    const clean = await make(type)
    for (let orientation = 1; orientation <= 8; orientation++) {
      const given = withMetadata(type, clean, orientation)
      const picture = pictures.examine(given)
      const kept = fileOf(picture)
      const shown = await look(type, kept)
      assert.deepEqual(shown, await look(type, given), `${type} ${orientation}`)
      assert.deepEqual([picture.width, picture.height], [shown.width, shown.height], `${type} ${orientation}`)
      assert.ok(!kept.includes('GPS') && kept.length <= clean.length + 40)
      assert.deepEqual(fileOf(pictures.examine(kept)), kept, 'once more changes nothing')
    }
  }
})

test('colours are kept: profiles, and what a scan is decoded with', async t => {
  const { make } = await browser(t)
  const jpeg = await make('image/jpeg')
  const profile = [
    segment(0xe2, 'ICC_PROFILE\0', '\x01\x01', 'profile'),
    segment(0xee, 'Adobe', '\0d\0\0\0\0\x01'),
  ]
  const coloured = Buffer.concat([jpeg.subarray(0, 2), ...profile, jpeg.subarray(2)])
  assert.deepEqual(fileOf(pictures.examine(coloured)), coloured)
  const png = await make('image/png')
  const kept = ['sRGB', 'gAMA', 'cHRM', 'iCCP', 'pHYs'].map(name => chunk(name, Buffer.from('x')))
  const picture = Buffer.concat([png.subarray(0, 33), ...kept, png.subarray(33)])
  assert.deepEqual(fileOf(pictures.examine(picture)), picture)
})

test('a picture that is cut, or whose lengths lie, is refused or made whole, and soon; nothing of what it tells is kept', async t => {
  const { make } = await browser(t)
  const seeds = await Promise.all(types.map(async type => withMetadata(type, await make(type), 6)))
  const examine = (bytes: Buffer): Buffer | undefined => {
    try {
      return fileOf(pictures.examine(bytes))
    } catch (error) {
      assert.ok(error instanceof Problem && error.param === 'picture', String(error))
      return undefined
    }
  }
  for (const seed of seeds) {
    for (let length = 0; length < seed.length; length++) {
      const file = examine(seed.subarray(0, length))
      // What stands behind the end of a JPEG is no part of it.
      if (file !== undefined) assert.ok(seed[0] === 0xff && !file.includes('GPS'), `${length}`)
    }
  }
  const changed = fc
    .tuple(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }),
    )
    .map(([seed, changes]) => {
      const bytes = Buffer.from(seed)
      for (const [at, value] of changes) bytes[at % bytes.length] = value
      return bytes
    })
  const holds = (bytes: Buffer) => {
    const file = examine(bytes)
    if (file === undefined) return true
    readPicture(file)
    return file.length <= bytes.length + 64 && (examine(file)?.equals(file) ?? false)
  }
  fc.assert(fc.property(changed, holds), { numRuns: 5_000 })
})

test('the most parts that a picture may have are walked in one pass, and one with more is refused', () => {
  const room = 2 * 1024 * 1024 - 64
  const many = Buffer.alloc(room, Buffer.from(`ffe10070${'00'.repeat(110)}`, 'hex'))
  const tables = Buffer.alloc(
    room,
    Buffer.from(`ffdb0070${'00'.repeat(110)}ffe10070${'00'.repeat(110)}`, 'hex'),
  )
  const scan = Buffer.alloc(room, Buffer.from('ff00', 'hex'))
  const frame = Buffer.from('ffc2000b080001000101011100', 'hex')
  const start = Buffer.from('ffda0008010100003f00', 'hex')
  const [from, to] = [Buffer.from('ffd8', 'hex'), Buffer.from('ffd9', 'hex')]
  const withoutPart = (segments: Buffer) => segments.subarray(0, segments.length - (segments.length % 228))
  for (const parts of [
    [from, withoutPart(many), frame, start, to],
    [from, withoutPart(tables), frame, start, to],
    [from, frame, start, scan, to],
  ]) {
    const began = performance.now()
    pictures.examine(Buffer.concat(parts))
    assert.ok(performance.now() - began < 1_000)
  }
  for (const segment of ['ffe10002', 'ffdb0002', 'ff']) {
    const empty = Buffer.alloc(room, Buffer.from(segment, 'hex'))
    assert.throws(() => pictures.examine(Buffer.concat([from, empty, frame, start, to])), {
      code: 'invalid_parameter',
    })
  }
})
