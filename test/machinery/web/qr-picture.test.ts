import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { encode } from 'uqr'
import { QrCode } from '#machinery/web/components/qr-code.tsx'
import { encodeQr } from '#machinery/web/qr-code.ts'
import { keptQrPng, qrPng } from '#machinery/web/qr-picture.ts'
import { readCode, readPng } from '#test/support/qr-reader.ts'

/** The code of a ticket is this long, and has every letter that it may have. */
const CODE = `SVC1.${'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.repeat(5).slice(0, 136)}`

test('a code is read back from its PNG, which is sharp, light around it and fit for a mail', () => {
  const png = qrPng(CODE, 'Q')
  const picture = readPng(png)
  assert.deepEqual([CODE.length, readCode(picture)], [141, CODE])
  assert.deepEqual(picture.chunks, ['IHDR', 'IDAT', 'IEND'])
  assert.ok(picture.width === picture.height && picture.width >= 300 && picture.width <= 400)
  assert.ok(png.length < 2000, `${png.length} bytes`)
  // At level Q it has version 8: 49 modules, and four of light on each side.
  const dots = picture.width / (49 + 8)
  assert.ok(Number.isInteger(dots))
  const border = picture.grey.subarray(0, picture.width * dots * 4)
  assert.ok(border.every(value => value === 255))
  assert.deepEqual(qrPng(CODE, 'Q'), png)
})

test('a code is still read where a sixth of its dots is torn off', () => {
  const picture = readPng(qrPng(CODE, 'Q'))
  const { width } = picture
  const torn = picture.grey.map((value, at) => {
    const [x, y] = [at % width, Math.floor(at / width)]
    return x > width * 0.72 && y > width * 0.42 && y < width * 0.62 ? 255 : value
  })
  assert.equal(readCode({ ...picture, grey: torn }), CODE)
})

test('a code is read back from the page that shows it, at the level of tickets', () => {
  for (const isKept of [false, true]) {
    const html = renderToString(h(QrCode, { text: CODE, label: 'Ticket', level: 'Q', isKept }))
    assert.match(html, /^<svg class="qr" [^>]*role="img" aria-label="Ticket">/)
    const [, base64 = ''] = /href="data:image\/png;base64,([\w+/=]+)"/.exec(html) ?? []
    const picture = readPng(Buffer.from(base64, 'base64'))
    assert.equal(readCode(picture), CODE)
    assert.equal(picture.width % (49 + 8), 0)
    assert.ok(html.length < 1_500, `${html.length} characters`)
  }
})

test('a code has the mask that the encoder itself would choose, of every size and level', () => {
  for (const level of ['L', 'M', 'Q'] as const) {
    for (let length = 1; length < 400; length += 13) {
      const text = `https://example.org/${length}/${'a1-_'.repeat(length).slice(0, length)}`
      const { data, size } = encode(text, { ecc: level, border: 0 })
      const code = encodeQr(text, level)
      assert.equal(code.size, size)
      assert.deepEqual([...code.modules], data.flat().map(Number), text)
    }
  }
})

test('a code that is kept is drawn once, and at each level by itself', () => {
  const first = keptQrPng(CODE, 'Q')
  assert.equal(keptQrPng(CODE, 'Q'), first)
  assert.notEqual(qrPng(CODE, 'Q'), first)
  assert.ok(qrPng(CODE, 'Q').equals(first))
  assert.ok(!keptQrPng(CODE, 'M').equals(first))
})
