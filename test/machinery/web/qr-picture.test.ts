import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { qrPng } from '../../src/ticket-documents/qr-png.ts'
import { QrCode } from '../../src/web/components/qr-code.tsx'
import { readCode, readPng } from '../support/qr-reader.ts'

/** As long as a ticket's code is, with every letter that it may have. */
const CODE = `SVC1.${'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.repeat(5).slice(0, 136)}`

test('a code is read back from its PNG, which is sharp, light around it and fit for a mail', () => {
  const png = qrPng(CODE)
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
  assert.deepEqual(qrPng(CODE), png)
})

test('a code is still read where a sixth of its dots is torn off', () => {
  const picture = readPng(qrPng(CODE))
  const { width } = picture
  const torn = picture.grey.map((value, at) => {
    const [x, y] = [at % width, Math.floor(at / width)]
    return x > width * 0.72 && y > width * 0.42 && y < width * 0.62 ? 255 : value
  })
  assert.equal(readCode({ ...picture, grey: torn }), CODE)
})

test('a code is read back from the SVG of pages, at the level of tickets', () => {
  const html = renderToString(h(QrCode, { text: CODE, label: 'Ticket', level: 'Q' }))
  const size = Number(/viewBox="0 0 (\d+) /.exec(html)?.[1])
  assert.equal(size, 49 + 8)
  const dots = 6
  const width = size * dots
  const grey = new Uint8Array(width * width).fill(255)
  for (const [, x, y] of html.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < dots; row++) {
      const from = (Number(y) * dots + row) * width + Number(x) * dots
      grey.fill(0, from, from + dots)
    }
  }
  assert.equal(readCode({ width, height: width, grey }), CODE)
})
